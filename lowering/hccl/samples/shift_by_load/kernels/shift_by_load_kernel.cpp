// In-core function @shift_by_load of program.mlir.
#include "../common/pld_comm.h"

extern "C" __global__ __aicore__ void shift_by_load_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR data, GM_ADDR sig, GM_ADDR ctx_arg) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECIN> arena;
  constexpr uint32_t local_offset = 0;
  constexpr uint32_t recv_offset = 256;
  constexpr uint32_t signal_offset = 512;
  constexpr uint32_t poll_offset = 544;
  pipe.InitBuffer(arena, 576);
  auto local = arena.GetWithOffset<float>(64, local_offset);
  auto recv = arena.GetWithOffset<float>(64, recv_offset);
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
  AscendC::DataCopyPad(local, g_x[0], {1, 256, 0, 0, 0}, {false, 0, 0, {}});                            // program.mlir:6
  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
  AscendC::DataCopyPad(g_data[0], local, {1, 256, 0, 0, 0});                             // program.mlir:7
  pld::Barrier<pld::Release::Fence>(ctx, sig, signal_slot, poll_slot);                   // program.mlir:8
  const int64_t next = me + 1;                                                           // program.mlir:9
  const int64_t peer = next % n;                                                         // program.mlir:10
  AscendC::GlobalTensor<float> g_data_peer;
  g_data_peer.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(pld::PeerAddr(ctx, data, peer)));
  AscendC::DataCopyPad(recv, g_data_peer[0], {1, 256, 0, 0, 0}, {false, 0, 0, {}});                     // program.mlir:11
  pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
  AscendC::DataCopyPad(g_y[0], recv, {1, 256, 0, 0, 0});                                 // program.mlir:12
  AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
}
