// In-core function @push_loop of program.mlir.
#include "../common/pld_comm.h"

extern "C" __global__ __aicore__ void push_loop_kernel(GM_ADDR x, GM_ADDR y, GM_ADDR total, GM_ADDR data, GM_ADDR sig,
                                                float factor, GM_ADDR ctx_arg) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  AscendC::TPipe pipe;
  AscendC::TBuf<AscendC::TPosition::VECIN> arena;
  constexpr uint32_t t_offset = 0;  // 2 slots of 2048 bytes
  constexpr uint32_t s_offset = 4096;
  constexpr uint32_t u_offset = 8192;
  constexpr uint32_t signal_offset = 12288;
  constexpr uint32_t poll_offset = 12320;
  constexpr uint32_t read_offset = 12352;
  constexpr uint32_t write_offset = 12384;
  pipe.InitBuffer(arena, 12416);
  AscendC::LocalTensor<float> t[2] = {arena.GetWithOffset<float>(512, t_offset),
                                      arena.GetWithOffset<float>(512, t_offset + 2048)};
  AscendC::LocalTensor<float> s[2] = {arena.GetWithOffset<float>(512, s_offset),
                                      arena.GetWithOffset<float>(512, s_offset + 2048)};
  AscendC::LocalTensor<float> u[2] = {arena.GetWithOffset<float>(512, u_offset),
                                      arena.GetWithOffset<float>(512, u_offset + 2048)};
  auto signal_slot = arena.GetWithOffset<int32_t>(8, signal_offset);
  auto poll_slot = arena.GetWithOffset<int32_t>(8, poll_offset);
  auto read_slot = arena.GetWithOffset<int32_t>(8, read_offset);
  auto write_slot = arena.GetWithOffset<int32_t>(8, write_offset);
  auto ctx = reinterpret_cast<__gm__ pld::CommContext*>(ctx_arg);
  AscendC::GlobalTensor<float> g_x;
  g_x.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(x));
  AscendC::GlobalTensor<float> g_y;
  g_y.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(y));
  AscendC::GlobalTensor<float> g_data;
  g_data.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(data));
  AscendC::TEventID ev_v_mte2[2] = {pipe.AllocEventID<AscendC::HardEvent::V_MTE2>(),
                                    pipe.AllocEventID<AscendC::HardEvent::V_MTE2>()};
  AscendC::TEventID ev_mte3_v[2] = {pipe.AllocEventID<AscendC::HardEvent::MTE3_V>(),
                                    pipe.AllocEventID<AscendC::HardEvent::MTE3_V>()};
  AscendC::TEventID ev_mte3_mte2[2] = {pipe.AllocEventID<AscendC::HardEvent::MTE3_MTE2>(),
                                       pipe.AllocEventID<AscendC::HardEvent::MTE3_MTE2>()};

  const int64_t me = ctx->rankId;                                                        // program.mlir:9
  const int64_t n = ctx->rankNum;                                                        // program.mlir:10
  const int64_t next = me + 1;                                                           // program.mlir:11
  const int64_t peer = next % n;                                                         // program.mlir:12
  AscendC::GlobalTensor<float> g_data_peer;
  g_data_peer.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(pld::PeerAddr(ctx, data, peer)));
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(ev_v_mte2[0]);
  AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(ev_v_mte2[1]);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(ev_mte3_v[0]);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(ev_mte3_v[1]);
  for (int64_t i = 0; i < 40; i += 8) {                                                  // program.mlir:13
    const int64_t slot = i / 8 % 2;
    AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(ev_v_mte2[slot]);
    AscendC::DataCopyPad(t[slot], g_x[i * 64], {8, 256, 0, 0, 0}, {false, 0, 0, {}});                   // program.mlir:14
    pld::Sync<AscendC::HardEvent::MTE2_V>();
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(ev_mte3_v[slot]);
    AscendC::Muls(s[slot], t[slot], factor, 512);                                        // program.mlir:15
    AscendC::SetFlag<AscendC::HardEvent::V_MTE2>(ev_v_mte2[slot]);
    pld::Sync<AscendC::HardEvent::V_MTE3>();
    AscendC::DataCopyPad(g_data_peer[i * 64], s[slot], {8, 256, 0, 0, 0});               // program.mlir:16
    AscendC::SetFlag<AscendC::HardEvent::MTE3_V>(ev_mte3_v[slot]);
  }
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(ev_v_mte2[0]);
  AscendC::WaitFlag<AscendC::HardEvent::V_MTE2>(ev_v_mte2[1]);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(ev_mte3_v[0]);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_V>(ev_mte3_v[1]);
  pld::Notify<pld::SignalOp::Add, pld::Release::Fence>(pld::PeerAddr(ctx, sig, peer), me, 5, signal_slot);  // program.mlir:18
  const int64_t before = me + n;                                                         // program.mlir:19
  const int64_t last = before - 1;                                                       // program.mlir:20
  const int64_t prev = last % n;                                                         // program.mlir:21
  pld::Wait<pld::Compare::Ge>(sig, prev, 5, poll_slot);                                  // program.mlir:22
  AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[0]);
  AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[1]);
  for (int64_t j = 0; j < 40; j += 8) {                                                  // program.mlir:23
    const int64_t slot = j / 8 % 2;
    AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[slot]);
    AscendC::DataCopyPad(u[slot], g_data[j * 64], {8, 256, 0, 0, 0}, {false, 0, 0, {}});                // program.mlir:24
    pld::Sync<AscendC::HardEvent::MTE2_MTE3>();
    AscendC::DataCopyPad(g_y[j * 64], u[slot], {8, 256, 0, 0, 0});                       // program.mlir:25
    AscendC::SetFlag<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[slot]);
  }
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[0]);
  AscendC::WaitFlag<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[1]);
  int32_t sum = 0;
  for (int64_t p = 0; p < n; p += 1) {                                                   // program.mlir:27
    const int32_t c = pld::ReadElement(pld::Cell(sig, p), read_slot);                    // program.mlir:28
    sum = static_cast<int32_t>(static_cast<uint32_t>(sum) + static_cast<uint32_t>(c));   // program.mlir:29
    pld::WriteElement(reinterpret_cast<__gm__ int32_t*>(total), sum, write_slot);        // program.mlir:30
  }
  AscendC::PipeBarrier<PIPE_ALL>();  // end of kernel
  pipe.ReleaseEventID<AscendC::HardEvent::V_MTE2>(ev_v_mte2[0]);
  pipe.ReleaseEventID<AscendC::HardEvent::V_MTE2>(ev_v_mte2[1]);
  pipe.ReleaseEventID<AscendC::HardEvent::MTE3_V>(ev_mte3_v[0]);
  pipe.ReleaseEventID<AscendC::HardEvent::MTE3_V>(ev_mte3_v[1]);
  pipe.ReleaseEventID<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[0]);
  pipe.ReleaseEventID<AscendC::HardEvent::MTE3_MTE2>(ev_mte3_mte2[1]);
}
