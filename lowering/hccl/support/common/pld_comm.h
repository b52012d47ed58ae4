// Device helpers of the generated kernels: flags, peer addresses, signals and the barrier.
//
// Signals are i32 cells in window memory, 4 bytes apart. They are written and polled by MTE only, never by scalar
// loads and stores. `slot` arguments are 32-byte pieces of unified buffer that nothing else uses.
#pragma once

#include "kernel_operator.h"
#include "pld_context.h"

namespace pld {

enum class SignalOp { Add, Set };
enum class Compare { Eq, Ne, Gt, Ge, Lt, Le };

/// Whether a signal is preceded by a release fence. None: no memory access since the last full fence.
enum class Release { Fence, None };

/// A number to divide by. The kernel ends abnormally if it is 0.
template <typename T>
__aicore__ inline T Divisor(T divisor) {
  if (divisor == 0) {
    AscendC::printf("error: division by zero [pld-408]\n");
    AscendC::Trap();
  }
  return divisor;
}

/// The step of a loop. The kernel ends abnormally if it is not above 0: the loop would not.
template <typename T>
__aicore__ inline T Step(T step) {
  if (step <= 0) {
    AscendC::printf("error: the loop's step is %ld, so it would never end [pld-408]\n", static_cast<long>(step));
    AscendC::Trap();
  }
  return step;
}

/// Part of an array that is to be moved. The kernel ends abnormally if it is none.
__aicore__ inline void CheckBounds(int64_t dim, int64_t offset, int64_t size, int64_t extent) {
  if (offset < 0 || size < 0 || offset > extent - size) {
    AscendC::printf("error: access out of bounds in dim %ld: offset %ld + size %ld exceeds extent %ld, or is negative [pld-401]\n",
                    static_cast<long>(dim), static_cast<long>(offset), static_cast<long>(size), static_cast<long>(extent));
    AscendC::Trap();
  }
}

/// Makes the destination pipe of `event` wait for its source pipe, here and now.
template <AscendC::HardEvent event>
__aicore__ inline void Sync() {
  const AscendC::TEventID id = AscendC::GetTPipePtr()->FetchEventID(event);
  AscendC::SetFlag<event>(id);
  AscendC::WaitFlag<event>(id);
}

/// The peer's counterpart of `own`, an address inside this rank's window.
__aicore__ inline GM_ADDR PeerAddr(__gm__ CommContext* ctx, GM_ADDR own, int64_t peer) {
  const uint64_t offset = reinterpret_cast<uint64_t>(own) - ctx->windowsIn[ctx->rankId];
  return reinterpret_cast<GM_ADDR>(ctx->windowsIn[peer] + offset);
}

/// One element of memory, loaded through `slot`.
template <typename T>
__aicore__ inline T ReadElement(__gm__ T* element, const AscendC::LocalTensor<T>& slot) {
  AscendC::GlobalTensor<T> source;
  source.SetGlobalBuffer(element);
  AscendC::DataCopyPad(slot, source, {1, sizeof(T), 0, 0, 0}, {false, 0, 0, {}});
  Sync<AscendC::HardEvent::MTE2_S>();
  const T value = slot.GetValue(0);
  Sync<AscendC::HardEvent::S_MTE2>();
  return value;
}

/// Writes one element of memory through `slot`, which is free again on return.
template <typename T>
__aicore__ inline void WriteElement(__gm__ T* element, T value, const AscendC::LocalTensor<T>& slot) {
  slot.SetValue(0, value);
  Sync<AscendC::HardEvent::S_MTE3>();
  AscendC::GlobalTensor<T> target;
  target.SetGlobalBuffer(element);
  AscendC::DataCopyPad(target, slot, {1, sizeof(T), 0, 0, 0});
  Sync<AscendC::HardEvent::MTE3_S>();
}

/// Element `index` of a signal.
__aicore__ inline __gm__ int32_t* Cell(GM_ADDR signal, int64_t index) {
  return reinterpret_cast<__gm__ int32_t*>(signal) + index;
}

/// Puts `value` into `slot` for the DMAs that follow.
__aicore__ inline void FillSlot(const AscendC::LocalTensor<int32_t>& slot, int32_t value) {
  slot.SetValue(0, value);
  Sync<AscendC::HardEvent::S_MTE3>();
}

/// One DMA of the value in `slot` to a cell.
__aicore__ inline void PutCell(__gm__ int32_t* cell, const AscendC::LocalTensor<int32_t>& slot) {
  AscendC::GlobalTensor<int32_t> target;
  target.SetGlobalBuffer(cell);
  AscendC::DataCopyPad(target, slot, {1, sizeof(int32_t), 0, 0, 0});
}

template <Compare compare>
__aicore__ inline bool Holds(int32_t seen, int32_t value) {
  if constexpr (compare == Compare::Eq) return seen == value;
  if constexpr (compare == Compare::Ne) return seen != value;
  if constexpr (compare == Compare::Gt) return seen > value;
  if constexpr (compare == Compare::Ge) return seen >= value;
  if constexpr (compare == Compare::Lt) return seen < value;
  return seen <= value;
}

/// Adds to or sets element `index` of `signal`, an address on the peer (PeerAddr).
template <SignalOp op, Release release>
__aicore__ inline void Notify(GM_ADDR signal, int64_t index, int32_t value, const AscendC::LocalTensor<int32_t>& slot) {
  if constexpr (release == Release::Fence) {
    AscendC::PipeBarrier<PIPE_ALL>();  // release: all before is complete
  }
  FillSlot(slot, value);
  if constexpr (op == SignalOp::Add) {
    AscendC::SetAtomicAdd<int32_t>();
    PutCell(Cell(signal, index), slot);
    AscendC::SetAtomicNone();
  } else {
    PutCell(Cell(signal, index), slot);
  }
  AscendC::PipeBarrier<PIPE_ALL>();  // the signal has left before this core polls, and the slot is free
}

/// Blocks until element `index` of the own signal compares true with `value`.
template <Compare compare>
__aicore__ inline void Wait(GM_ADDR signal, int64_t index, int32_t value, const AscendC::LocalTensor<int32_t>& slot) {
  while (!Holds<compare>(ReadElement(Cell(signal, index), slot), value)) {
  }
  AscendC::PipeBarrier<PIPE_ALL>();  // acquire: nothing after starts earlier
}

/// All ranks of the group meet; the first rankNum cells of `signal` are 0 before and after.
template <Release release>
__aicore__ inline void Barrier(__gm__ CommContext* ctx, GM_ADDR signal, const AscendC::LocalTensor<int32_t>& slot,
                               const AscendC::LocalTensor<int32_t>& pollSlot) {
  const int64_t rank = ctx->rankId;
  const int64_t ranks = ctx->rankNum;
  if constexpr (release == Release::Fence) {
    AscendC::PipeBarrier<PIPE_ALL>();  // release: all before is complete
  }
  FillSlot(slot, 1);
  AscendC::SetAtomicAdd<int32_t>();
  for (int64_t peer = 0; peer < ranks; ++peer) {  // a credit for every rank, this one included
    PutCell(Cell(PeerAddr(ctx, signal, peer), rank), slot);
  }
  AscendC::PipeBarrier<PIPE_ALL>();  // the credits have left before this core polls, and the slot is free
  for (int64_t peer = 0; peer < ranks; ++peer) {
    while (ReadElement(Cell(signal, peer), pollSlot) < 1) {
    }
  }
  FillSlot(slot, -1);
  for (int64_t peer = 0; peer < ranks; ++peer) {  // use the credits up; a faster peer may have added the next
    PutCell(Cell(signal, peer), slot);
  }
  AscendC::SetAtomicNone();
  AscendC::PipeBarrier<PIPE_ALL>();  // acquire: nothing after starts earlier
}

/// All blocks of this rank meet: what any of them did before is done. The kernel is of type KERNEL_TYPE_MIX_AIV_1_0.
__aicore__ inline void SyncBlocks() {
  AscendC::PipeBarrier<PIPE_ALL>();  // release: all before in this block is complete
  AscendC::SyncAll<true>();
}

/// Barrier of all ranks from a kernel of several blocks: every block calls it, block 0 acts for the rank.
/// The kernel is of type KERNEL_TYPE_MIX_AIV_1_0.
__aicore__ inline void SpmdBarrier(__gm__ CommContext* ctx, GM_ADDR signal, const AscendC::LocalTensor<int32_t>& slot,
                                   const AscendC::LocalTensor<int32_t>& pollSlot) {
  SyncBlocks();
  if (AscendC::GetBlockIdx() == 0) {
    Barrier<Release::None>(ctx, signal, slot, pollSlot);
  }
  AscendC::SyncAll<true>();
}

}  // namespace pld
