// One broken kernel or host function for each rule that the emulation checks, and a few that look alike but are right.
// The environment variable CASE picks one; run.py reads the `finding:` and `fine:` comments.
#include "common/pld_comm.h"
#include "host/runner.h"

using namespace AscendC;
using E = HardEvent;

namespace {

/// Memory of each rank outside its window.
uint8_t* ownMemory[2];

/// What every case works with: tiles of 64 floats in UB, own memory, the window and its signals.
struct Env {
  TPipe pipe;
  TBuf<TPosition::VECIN> arena;
  LocalTensor<float> a, b, c;
  LocalTensor<half> h;
  LocalTensor<int32_t> slot, poll;
  GlobalTensor<float> own, window, peerWindow, uninitialised;
  __gm__ pld::CommContext* ctx;
  GM_ADDR sig;
  int64_t me, n, peer;

  Env(GM_ADDR ownArg, GM_ADDR freshArg, GM_ADDR windowArg, GM_ADDR sigArg, GM_ADDR ctxArg)
      : ctx(reinterpret_cast<__gm__ pld::CommContext*>(ctxArg)), sig(sigArg) {
    pipe.InitBuffer(arena, 4096);
    a = arena.GetWithOffset<float>(64, 0);
    b = arena.GetWithOffset<float>(64, 256);
    c = arena.GetWithOffset<float>(64, 512);
    h = arena.GetWithOffset<half>(64, 768);
    slot = arena.GetWithOffset<int32_t>(8, 1024);
    poll = arena.GetWithOffset<int32_t>(8, 1056);
    me = ctx->rankId;
    n = ctx->rankNum;
    peer = (me + 1) % n;
    own.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(ownArg));
    uninitialised.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(freshArg));
    window.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(windowArg));
    peerWindow.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(pld::PeerAddr(ctx, windowArg, peer)));
  }

  const DataCopyExtParams row{1, 256, 0, 0, 0};

  void Load(const LocalTensor<float>& t) { DataCopyPad(t, own, row, {}); }
  void Fill(const LocalTensor<float>& t, float value) { Duplicate(t, value, 64); }
  GM_ADDR PeerSignal() { return pld::PeerAddr(ctx, sig, peer); }
};

struct Case {
  const char* name;
  void (*kernel)(Env&);
  int (*host)(pld::Rank&) = nullptr;
  uint32_t blocks = 1;
};

const Case kCases[] = {
    // ---- unified buffer ----
    // finding: misaligned: unified buffer address 4 is not 32-byte aligned
    {"misaligned", [](Env& e) { Duplicate(e.a[1], 1.0f, 8); }},
    // finding: misaligned_dma: unified buffer address 4 is not 32-byte aligned
    {"misaligned_dma", [](Env& e) { DataCopyPad(e.a[1], e.own, {1, 32, 0, 0, 0}, {}); }},
    // finding: arena: exceed the 188416 bytes of UB
    {"arena", [](Env& e) { TBuf<TPosition::VECIN> more; e.pipe.InitBuffer(more, 184 * 1024 - 4064); }},
    // finding: buffer: exceed the buffer of 4096 bytes
    {"buffer", [](Env& e) { e.arena.GetWithOffset<float>(64, 4096 - 128); }},
    // finding: count: count 65 exceeds a tensor of 64 elements
    {"count", [](Env& e) { Duplicate(e.a, 1.0f, 65); }},
    // finding: dma_count: touches 512 bytes of a tensor of 256 bytes
    {"dma_count", [](Env& e) { DataCopyPad(e.a, e.own, {2, 256, 0, 0, 0}, {}); }},
    // finding: overlap: destination and source overlap in part
    {"overlap", [](Env& e) { e.Fill(e.a, 1), PipeBarrier<PIPE_V>(), Adds(e.a[8], e.a, 1.0f, 32); }},
    // finding: element: outside a tensor of 64 elements
    {"element", [](Env& e) { e.a.SetValue(64, 1.0f); }},
    // ---- DMA limits ----
    // finding: whole_blocks: are not whole 32-byte blocks
    {"whole_blocks", [](Env& e) { DataCopy(e.a, e.own, 3); }},
    // finding: block_count: blockCount 5000 exceeds 4095
    {"block_count", [](Env& e) { DataCopyPad(e.a, e.own, {5000, 4, 0, 0, 0}, {}); }},
    // finding: block_length: exceeds 2097151 bytes
    {"block_length", [](Env& e) { DataCopyPad(e.a, e.own, {1, 2097152, 0, 0, 0}, {}); }},
    // finding: block_elements: is not whole elements of float
    {"block_elements", [](Env& e) { DataCopyPad(e.a, e.own, {1, 6, 0, 0, 0}, {}); }},
    // finding: padding: padding of more than 32 bytes
    {"padding", [](Env& e) { DataCopyPad(e.a, e.own, {1, 4, 0, 0, 0}, {true, 0, 9, 0.0f}); }},
    // finding: copy_pieces: blockCount 4096 exceeds 4095
    {"copy_pieces", [](Env& e) { DataCopy(e.a, e.b, DataCopyParams{4096, 1, 0, 0}); }},
    // finding: copy_gap: touches 288 bytes of a tensor of 256 bytes
    {"copy_gap", [](Env& e) { DataCopy(e.a, e.b, DataCopyParams{5, 1, 0, 1}); }},
    // finding: copy_onto_itself: destination and source overlap
    {"copy_onto_itself", [](Env& e) { DataCopy(e.a, e.a[8], DataCopyParams{2, 1, 1, 1}); }},
    // finding: copy_order: missing between them: PipeBarrier<PIPE_V>
    {"copy_order", [](Env& e) { e.Fill(e.b, 1), DataCopy(e.a, e.b, DataCopyParams{2, 1, 1, 1}); }},
    // finding: cast_mode: does not take this rounding mode
    {"cast_mode", [](Env& e) {
       auto wide = e.arena.GetWithOffset<bfloat16_t>(64, 768);
       Duplicate(e.arena.GetWithOffset<uint16_t>(64, 768), static_cast<uint16_t>(0x3f80), 64);
       PipeBarrier<PIPE_V>();
       Cast(e.a, wide, RoundMode::CAST_RINT, 64);
     }},
    // ---- flags and atomics ----
    // finding: set_twice: the flag is already set
    {"set_twice", [](Env&) { SetFlag<E::V_MTE3>(0), SetFlag<E::V_MTE3>(0); }},
    // finding: wait_first: no SetFlag went before
    {"wait_first", [](Env&) { WaitFlag<E::V_MTE3>(0); }},
    // finding: other_event: no SetFlag went before
    {"other_event", [](Env&) { SetFlag<E::V_MTE3>(0), WaitFlag<E::V_MTE2>(0); }},
    // finding: leftover: is still set at the end of the kernel
    {"leftover", [](Env&) { SetFlag<E::V_MTE3>(0); }},
    // finding: event_id: event ids are 0 to 7
    {"event_id", [](Env&) { SetFlag<E::V_MTE3>(8); }},
    // finding: open_ids: more than 6 open ids
    {"open_ids", [](Env& e) { for (int i = 0; i < 7; ++i) e.pipe.AllocEventID<E::V_MTE3>(); }},
    // finding: unreleased: is not released at the end of the kernel
    {"unreleased", [](Env& e) { e.pipe.AllocEventID<E::V_MTE3>(); }},
    // finding: atomic_left: atomic mode left on
    {"atomic_left", [](Env&) { SetAtomicAdd<float>(); }},
    // finding: atomic_type: while the atomic mode is set for int32_t
    {"atomic_type", [](Env& e) { e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), SetAtomicAdd<int32_t>(), DataCopyPad(e.own, e.a, e.row); }},
    // ---- order inside a core ----
    // finding: load_compute: missing between them: flag MTE2_V
    {"load_compute", [](Env& e) { e.Load(e.a), Adds(e.b, e.a, 1.0f, 64); }},
    // finding: compute_store: missing between them: flag V_MTE3
    {"compute_store", [](Env& e) { e.Fill(e.a, 1), DataCopyPad(e.own, e.a, e.row); }},
    // finding: compute_compute: missing between them: PipeBarrier<PIPE_V>
    {"compute_compute", [](Env& e) { e.Fill(e.a, 1), Adds(e.b, e.a, 1.0f, 64); }},
    // finding: compute_overwrite: missing between them: PipeBarrier<PIPE_V>
    {"compute_overwrite", [](Env& e) { e.Fill(e.a, 1), e.Fill(e.a, 2); }},
    // finding: load_overwrite: missing between them: PipeBarrier<PIPE_MTE2>
    {"load_overwrite", [](Env& e) { e.Load(e.a), e.Load(e.a); }},
    // finding: reuse_load: missing between them: flag V_MTE2
    {"reuse_load", [](Env& e) { e.Load(e.a), pld::Sync<E::MTE2_V>(), Adds(e.b, e.a, 1.0f, 64), PipeBarrier<PIPE_MTE2>(), e.Load(e.a); }},
    // finding: reuse_store: missing between them: flag MTE3_V
    {"reuse_store", [](Env& e) { e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own, e.a, e.row), PipeBarrier<PIPE_V>(), e.Fill(e.a, 2); }},
    // finding: compute_read: missing between them: flag V_S
    {"compute_read", [](Env& e) { e.Fill(e.a, 1), e.a.GetValue(0); }},
    // finding: write_compute: missing between them: flag S_V
    {"write_compute", [](Env& e) { e.Fill(e.a, 1), pld::Sync<E::V_S>(), e.a.SetValue(0, 2.0f), Adds(e.b, e.a, 1.0f, 64); }},
    // finding: write_store: missing between them: flag S_MTE3
    {"write_store", [](Env& e) { e.slot.SetValue(0, 1), pld::PutCell(pld::Cell(e.sig, 0), e.slot); }},
    // finding: read_load: missing between them: flag S_MTE2
    {"read_load", [](Env& e) { e.Load(e.a), pld::Sync<E::MTE2_S>(), e.a.GetValue(0), e.Load(e.a); }},
    // finding: store_load: a flag MTE3_MTE2
    {"store_load", [](Env& e) { e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own, e.a, e.row), e.Load(e.b); }},
    // finding: store_store: global memory race
    {"store_store", [](Env& e) { e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own, e.a, e.row), DataCopyPad(e.own, e.a, e.row); }},
    // fine: in_order
    {"in_order", [](Env& e) {
       e.Load(e.a), pld::Sync<E::MTE2_V>(), Adds(e.b, e.a, 1.0f, 64), PipeBarrier<PIPE_V>(), Adds(e.b, e.b, 1.0f, 64);
       e.Fill(e.a, 3);  // a V write after a V read needs nothing
       pld::Sync<E::V_MTE3>();
       SetAtomicAdd<float>();
       DataCopyPad(e.own, e.b, e.row), DataCopyPad(e.own, e.b, e.row);  // two atomic adds need nothing
       SetAtomicNone();
     }},
    // ---- definedness ----
    // finding: reduce_pad: reduces undefined bytes
    {"reduce_pad", [](Env& e) { DataCopyPad(e.a, e.own, {1, 20, 0, 0, 0}, {}), pld::Sync<E::MTE2_V>(), ReduceSum(e.b, e.a, e.c, 8); }},
    // finding: read_pad: reads an undefined element
    {"read_pad", [](Env& e) { DataCopyPad(e.a, e.own, {1, 20, 0, 0, 0}, {}), pld::Sync<E::MTE2_S>(), e.a.GetValue(5); }},
    // finding: store_never_written: stores undefined bytes
    {"store_never_written", [](Env& e) { DataCopyPad(e.own, e.a, e.row); }},
    // finding: propagated: stores undefined bytes
    {"propagated", [](Env& e) {
       e.Fill(e.a, 1), PipeBarrier<PIPE_V>(), Add(e.c, e.a, e.b, 64), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own, e.c, e.row);
     }},
    // finding: undefined_source: stores undefined bytes
    {"undefined_source", [](Env& e) { DataCopyPad(e.a, e.uninitialised, e.row, {}), pld::Sync<E::MTE2_MTE3>(), DataCopyPad(e.own, e.a, e.row); }},
    // fine: pad_lanes
    {"pad_lanes", [](Env& e) {  // pad lanes may be computed with, and the reduction leaves them out
       DataCopyPad(e.a, e.own, {1, 20, 0, 0, 0}, {}), pld::Sync<E::MTE2_V>(), Adds(e.b, e.a, 1.0f, 8);
       PipeBarrier<PIPE_V>(), ReduceSum(e.c, e.b, e.a, 5), pld::Sync<E::V_S>(), e.c.GetValue(0);
     }},
    // fine: right_padding
    {"right_padding", [](Env& e) { DataCopyPad(e.a, e.own, {1, 20, 0, 0, 0}, {true, 0, 3, 1.0f}), pld::Sync<E::MTE2_V>(), ReduceSum(e.b, e.a, e.c, 8); }},
    // ---- bounds ----
    // finding: overrun: runs past its device allocation
    {"overrun", [](Env& e) { DataCopyPad(e.a, e.own[2048 - 63], e.row, {}); }},
    // finding: no_memory: which is in no device allocation
    {"no_memory", [](Env& e) { GlobalTensor<float> g; g.SetGlobalBuffer(nullptr); DataCopyPad(e.a, g, e.row, {}); }},
    // finding: window_overrun: runs past its device allocation
    {"window_overrun", [](Env& e) {
       GlobalTensor<float> g;
       g.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(e.ctx->windowsIn[e.peer] + e.ctx->winSize - 128));
       DataCopyPad(e.a, g, e.row, {});
     }},
    // finding: peer_memory: leaves the peer's window
    {"peer_memory", [](Env& e) {
       GlobalTensor<float> g;
       g.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(ownMemory[e.peer]));
       DataCopyPad(e.a, g, e.row, {});
     }},
    // ---- signals ----
    // finding: lost_signal: deadlock
    {"lost_signal", [](Env& e) { pld::Wait<pld::Compare::Ge>(e.sig, e.peer, 1, e.poll); }},
    // finding: wrong_cell: deadlock
    {"wrong_cell", [](Env& e) {
       pld::Notify<pld::SignalOp::Add, pld::Release::Fence>(e.PeerSignal(), e.peer, 1, e.slot);
       pld::Wait<pld::Compare::Ge>(e.sig, e.peer, 1, e.poll);
     }},
    // finding: one_rank: rank 1 host waits in HcclBarrier
    {"one_rank", [](Env& e) { if (e.me == 0) pld::Barrier<pld::Release::Fence>(e.ctx, e.sig, e.slot, e.poll); }},
    // finding: no_release: release fence before
    {"no_release", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.peerWindow, e.a, e.row);
       pld::Notify<pld::SignalOp::Add, pld::Release::None>(e.PeerSignal(), e.me, 1, e.slot);
       pld::Wait<pld::Compare::Ge>(e.sig, e.peer, 1, e.poll);
       DataCopyPad(e.b, e.window, e.row, {});
     }},
    // finding: early_signal: release fence before
    {"early_signal", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.window, e.a, e.row);
       pld::Notify<pld::SignalOp::Add, pld::Release::None>(e.PeerSignal(), e.me, 1, e.slot);
       pld::Wait<pld::Compare::Ge>(e.sig, e.peer, 1, e.poll);
     }},
    // fine: flag_before_signal
    {"flag_before_signal", [](Env& e) {
       DataCopyPad(e.b, e.window, e.row, {}), pld::Sync<E::MTE2_MTE3>();
       pld::Notify<pld::SignalOp::Add, pld::Release::None>(e.PeerSignal(), e.me, 1, e.slot);
       pld::Wait<pld::Compare::Ge>(e.sig, e.peer, 1, e.poll);
     }},
    // finding: no_acquire: acquire fence missing
    {"no_acquire", [](Env& e) {
       pld::Notify<pld::SignalOp::Add, pld::Release::Fence>(e.PeerSignal(), e.me, 1, e.slot);
       while (pld::ReadElement(pld::Cell(e.sig, e.peer), e.poll) < 1) {}
       DataCopyPad(e.b, e.window, e.row, {});
     }},
    // finding: no_post: own signal DMA
    {"no_post", [](Env& e) {
       pld::FillSlot(e.slot, 1);
       SetAtomicAdd<int32_t>();
       pld::PutCell(pld::Cell(e.PeerSignal(), e.me), e.slot);
       SetAtomicNone();
       pld::Wait<pld::Compare::Ge>(e.sig, e.peer, 1, e.poll);
     }},
    // finding: no_order: global memory race
    {"no_order", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.peerWindow, e.a, e.row);
       PipeBarrier<PIPE_ALL>(), DataCopyPad(e.b, e.window, e.row, {});
     }},
    // finding: two_writers: global memory race
    {"two_writers", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>();
       GlobalTensor<float> first;
       first.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(e.ctx->windowsIn[0]));
       DataCopyPad(first, e.a, e.row);
     }},
    // fine: two_adders
    {"two_adders", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>();
       GlobalTensor<float> first;
       first.SetGlobalBuffer(reinterpret_cast<__gm__ float*>(e.ctx->windowsIn[0]));
       SetAtomicAdd<float>();
       DataCopyPad(first, e.a, e.row);
       SetAtomicNone();
     }},
    // fine: neighbours
    {"neighbours", [](Env& e) {  // bytes next to each other, written by different ranks
       Duplicate(e.arena.GetWithOffset<int16_t>(16, 2048), static_cast<int16_t>(1), 16), pld::Sync<E::V_MTE3>();
       GlobalTensor<int16_t> first;
       first.SetGlobalBuffer(reinterpret_cast<__gm__ int16_t*>(e.ctx->windowsIn[0]));
       DataCopyPad(first[e.me], e.arena.GetWithOffset<int16_t>(16, 2048), {1, 2, 0, 0, 0});
     }},
    // fine: set_signal
    {"set_signal", [](Env& e) {
       for (int32_t round = 1; round <= 3; ++round) {
         pld::Notify<pld::SignalOp::Set, pld::Release::Fence>(e.PeerSignal(), e.me, round, e.slot);
         pld::Wait<pld::Compare::Ge>(e.sig, e.peer, round, e.poll);
       }
     }},
    // ---- blocks ----
    // finding: block_race: global memory race
    {"block_race", [](Env& e) { e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own, e.a, e.row); }, nullptr, 2},
    // finding: block_missing: waits in SyncAll
    {"block_missing", [](Env& e) { if (GetBlockIdx() == 0) SyncAll<true>(); (void)e; }, nullptr, 2},
    // finding: sync_unfenced: global memory race
    {"sync_unfenced", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own[64 * GetBlockIdx()], e.a, e.row);
       SyncAll<true>(), DataCopyPad(e.b, e.own[64 - 64 * GetBlockIdx()], e.row, {});
     }, nullptr, 2},
    // fine: sync_all
    {"sync_all", [](Env& e) {
       e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.own[64 * GetBlockIdx()], e.a, e.row);
       PipeBarrier<PIPE_ALL>(), SyncAll<true>(), DataCopyPad(e.b, e.own[64 * (GetBlockNum() - 1 - GetBlockIdx())], e.row, {});
     }, nullptr, 3},
    // fine: spmd_barrier
    {"spmd_barrier", [](Env& e) {
       for (int round = 0; round < 2; ++round) {
         e.Fill(e.a, 1), pld::Sync<E::V_MTE3>(), DataCopyPad(e.peerWindow[64 * GetBlockIdx()], e.a, e.row);
         pld::SpmdBarrier(e.ctx, e.sig, e.slot, e.poll);
         DataCopyPad(e.b, e.window[64 - 64 * GetBlockIdx()], e.row, {});
         pld::SpmdBarrier(e.ctx, e.sig, e.slot, e.poll);
       }
     }, nullptr, 2},
    // ---- data cache ----
    // finding: not_cleaned: GM SetValue not written back
    {"not_cleaned", [](Env& e) { e.own.SetValue(0, 1.0f); }},
    // finding: cached_dma: DataCacheCleanAndInvalid missing
    {"cached_dma", [](Env& e) { e.own.SetValue(0, 1.0f), e.Load(e.a); }},
    // finding: stale: returns a stale cache line
    {"stale", [](Env& e) {
       e.own.GetValue(0);
       e.Fill(e.a, 5), pld::Sync<E::S_V>(), pld::Sync<E::V_MTE3>(), pld::Sync<E::S_MTE3>();
       DataCopyPad(e.own, e.a, e.row), pld::Sync<E::MTE3_S>(), e.own.GetValue(0);
     }},
    // finding: stale_poll: in its data cache (memory holds 1
    {"stale_poll", [](Env& e) {
       GlobalTensor<int32_t> cell;
       cell.SetGlobalBuffer(pld::Cell(e.sig, e.me));
       cell.GetValue(0);  // the line is cached from here on
       pld::Notify<pld::SignalOp::Add, pld::Release::Fence>(e.sig, e.me, 1, e.slot);
       while (cell.GetValue(0) < 1) {}
     }},
    // fine: cleaned
    {"cleaned", [](Env& e) {
       e.own.SetValue(0, 1.0f);
       DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(e.own);
       pld::Sync<E::S_MTE2>(), e.Load(e.a), pld::Sync<E::MTE2_S>(), e.a.GetValue(0);
     }},
    // fine: scalar_poll
    {"scalar_poll", [](Env& e) {
       pld::Notify<pld::SignalOp::Add, pld::Release::Fence>(e.PeerSignal(), e.me, 1, e.slot);
       GlobalTensor<int32_t> cell;
       cell.SetGlobalBuffer(pld::Cell(e.sig, e.peer));
       do DataCacheCleanAndInvalid<int32_t, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(cell);
       while (cell.GetValue(0) < 1);
       PipeBarrier<PIPE_ALL>();
     }},
    // ---- cube core ----
    // finding: cube_memory: a vector core has no L1
    {"cube_memory", [](Env& e) { TBuf<TPosition::A1> left; e.pipe.InitBuffer(left, 512); }},
    // finding: cube_event: a vector core has no such event
    {"cube_event", [](Env&) { pld::Sync<E::MTE1_M>(); }},
    // finding: no_partner: needs KERNEL_TYPE_MIX_AIC_1_1
    {"no_partner", [](Env&) { CrossCoreSetFlag<2, PIPE_MTE3>(0); }},
    // ---- host ----
    // finding: host_leak: not released at aclFinalize: 1 allocations (64 bytes) of rank 0
    {"host_leak", nullptr, [](pld::Rank& rank) {
       void* lost = nullptr;
       if (rank.id() == 0) PLD_ACL(aclrtMalloc(&lost, 64, ACL_MEM_MALLOC_HUGE_FIRST));
       return pld::kOk;
     }},
    // finding: host_mismatch: while other ranks are in
    {"host_mismatch", nullptr, [](pld::Rank& rank) {
       uint8_t* w = rank.Window(0);
       if (rank.id() == 0) PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));
       else PLD_HCCL(HcclAllReduce(w, w, 1, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, rank.comm(), rank.stream()));
       return pld::kOk;
     }},
    // finding: host_race: global memory race
    {"host_race", nullptr, [](pld::Rank& rank) {
       // Rank 0 writes the peer's window while its own host thread does the same, with no barrier between.
       PLD_ACL(aclrtMemset(rank.Window(0), 4, 0, 4));
       PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));
       PLD_ACL(aclrtMemset(rank.Window(0), 4, 0, 4));
       uint8_t* context = rank.Context();
       const auto* table = reinterpret_cast<const pld::CommContext*>(context);
       PLD_ACL(aclrtMemset(reinterpret_cast<void*>(table->windowsIn[0]), 4, 1, 4));
       return pld::kOk;
     }},
    // fine: init_all
    {"init_all", nullptr, [](pld::Rank& rank) {
       int32_t device = static_cast<int32_t>(rank.id());
       HcclComm own = nullptr;
       PLD_HCCL(HcclCommInitAll(1, &device, &own));
       PLD_HCCL(HcclBarrier(own, rank.stream()));
       PLD_HCCL(HcclCommDestroy(own));
       return pld::kOk;
     }},
    // fine: host_collectives
    {"host_collectives", nullptr, [](pld::Rank& rank) {
       const int64_t n = rank.ranks();
       uint8_t* all = nullptr;
       PLD_TRY(rank.Allocate(64 * n, &all));
       float values[16];
       for (int i = 0; i < 16; ++i) values[i] = static_cast<float>(i + 100 * rank.id());
       uint8_t* w = rank.Window(0);
       const auto up = [&](size_t bytes) { return aclrtMemcpy(w, bytes, values, bytes, ACL_MEMCPY_HOST_TO_DEVICE); };
       const auto first = [&](const uint8_t* from) {
         float v = -1;
         return aclrtMemcpy(&v, 4, from, 4, ACL_MEMCPY_DEVICE_TO_HOST) == ACL_SUCCESS ? v : NAN;
       };
       const float sum = 100.0f * static_cast<float>(n * (n - 1) / 2);
       PLD_ACL(up(64));
       PLD_HCCL(HcclAllReduce(w, w, 16, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_SUM, rank.comm(), rank.stream()));
       if (first(w) != sum || first(w + 4) != sum + n) return pld::kFailed;
       PLD_ACL(up(64));
       PLD_HCCL(HcclAllGather(w, all, 16, HCCL_DATA_TYPE_FP32, rank.comm(), rank.stream()));
       if (first(all + 64 * (n - 1)) != 100.0f * (n - 1)) return pld::kFailed;
       PLD_HCCL(HcclBroadcast(w, 16, HCCL_DATA_TYPE_FP32, 1, rank.comm(), rank.stream()));
       if (first(w) != 100.0f) return pld::kFailed;
       PLD_ACL(up(64));
       PLD_HCCL(HcclAlltoAll(w, 2, HCCL_DATA_TYPE_FP32, all, 2, HCCL_DATA_TYPE_FP32, rank.comm(), rank.stream()));
       if (first(all + 8) != 100.0f + 2.0f * rank.id()) return pld::kFailed;
       PLD_HCCL(HcclReduceScatter(w, all, 2, HCCL_DATA_TYPE_FP32, HCCL_REDUCE_MAX, rank.comm(), rank.stream()));
       return first(all) == 100.0f * (n - 1) + 2.0f * rank.id() ? pld::kOk : pld::kFailed;
     }},
};

const Case* Chosen() {
  const char* name = std::getenv("CASE");
  for (const Case& c : kCases)
    if (name && std::strcmp(c.name, name) == 0) return &c;
  return nullptr;
}

extern "C" __global__ __aicore__ void run_case(GM_ADDR own, GM_ADDR fresh, GM_ADDR window, GM_ADDR sig, GM_ADDR ctx) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIV_1_0);
  Env env(own, fresh, window, sig, ctx);
  Chosen()->kernel(env);
}

std::vector<int64_t> WindowBytes(const pld::World& world) { return {512, world.ranks * 4}; }

int Main(pld::Rank& rank) {
  const Case* chosen = Chosen();
  if (!chosen) return std::fprintf(stderr, "CASE names no case\n"), pld::kInvalid;
  if (chosen->host) return chosen->host(rank);
  uint8_t* own = nullptr;
  PLD_TRY(rank.Allocate(8192, &own));
  ownMemory[rank.id()] = own;
  PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));
  pld::DeviceBuffer fresh;
  PLD_TRY(fresh.Allocate(256));
  ICPU_RUN_KF(run_case, chosen->blocks, own, fresh.get(), rank.Window(0), rank.Window(1), rank.Context());
  return pld::kOk;
}

const pld::Program kProgram = {"findings", {}, {}, WindowBytes, Main};

}  // namespace

int main(int argc, char** argv) { return pld::Run(kProgram, argc, argv); }
