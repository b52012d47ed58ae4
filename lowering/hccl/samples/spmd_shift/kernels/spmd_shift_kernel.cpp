// In-core function @spmd_shift of program.mlir.
#include "../common/pld_comm.h"

extern "C" __global__ __aicore__ void spmd_shift_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR data, GM_ADDR sig, GM_ADDR ctx_arg) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECIN> arena;
  constexpr uint32_t mine_offset = 0;
  constexpr uint32_t back_offset = 256;
  constexpr uint32_t signal_offset = 512;
  constexpr uint32_t poll_offset = 544;
  pipe.InitBuffer(arena, 576);
  auto mine = arena.GetWithOffset<float>(64, mine_offset);
  auto back = arena.GetWithOffset<float>(64, back_offset);
  auto signal_slot = arena.GetWithOffset<int32_t>(8, signal_offset);
  auto poll_slot = arena.GetWithOffset<int32_t>(8, poll_offset);
  auto ctx = reinterpret_cast<__gm__ pld::CommContext*>(ctx_arg);
  AscendC::GlobalTensor<float> g_x;
  g_x.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x));
  AscendC::GlobalTensor<float> g_y;
  g_y.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y));
  AscendC::GlobalTensor<float> g_data;
  g_data.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(data));

  const int64_t me = ctx->rankId;                                                        // program.mlir:4
  const int64_t n = ctx->rankNum;                                                        // program.mlir:5
  const int64_t b = AscendC::GetBlockIdx();                                              // program.mlir:6
  const int64_t next = me + 1;                                                           // program.mlir:7
  const int64_t peer = next % n;                                                         // program.mlir:8
  AscendC::DataCopyPad(mine, g_x[b * 64], {1, 256, 0, 0, 0}, {false, 0, 0, {}});                        // program.mlir:9
  AscendC::GlobalTensor<float> g_data_peer;
  g_data_peer.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(pld::PeerAddr(ctx, data, peer)));
  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
  AscendC::DataCopyPad(g_data_peer[b * 64], mine, {1, 256, 0, 0, 0});                    // program.mlir:10
  pld::SpmdBarrier(ctx, sig, signal_slot, poll_slot);                                    // program.mlir:11
  const int64_t other = 1 - b;                                                           // program.mlir:12
  AscendC::DataCopyPad(back, g_data[other * 64], {1, 256, 0, 0, 0}, {false, 0, 0, {}});                 // program.mlir:13
  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
  AscendC::DataCopyPad(g_y[other * 64], back, {1, 256, 0, 0, 0});                        // program.mlir:14
  AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
}
