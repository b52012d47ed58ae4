// Flags, pipe barriers, atomic mode, data-cache maintenance and block numbers.
#pragma once

#include "tensor.h"

namespace pld_emu {

struct EventPipes {
  bool valid;
  Pipe from;
  Pipe to;
  const char* name;
};

/// The events a vector core of arch 2201 has.
constexpr EventPipes eventPipes(AscendC::HardEvent event) {
  using E = AscendC::HardEvent;
  switch (event) {
    case E::MTE2_V: return {true, Pipe::Mte2, Pipe::V, "MTE2_V"};
    case E::V_MTE2: return {true, Pipe::V, Pipe::Mte2, "V_MTE2"};
    case E::MTE3_V: return {true, Pipe::Mte3, Pipe::V, "MTE3_V"};
    case E::V_MTE3: return {true, Pipe::V, Pipe::Mte3, "V_MTE3"};
    case E::V_V: return {true, Pipe::V, Pipe::V, "V_V"};
    case E::MTE3_MTE2: return {true, Pipe::Mte3, Pipe::Mte2, "MTE3_MTE2"};
    case E::MTE2_MTE3: return {true, Pipe::Mte2, Pipe::Mte3, "MTE2_MTE3"};
    case E::S_V: return {true, Pipe::S, Pipe::V, "S_V"};
    case E::V_S: return {true, Pipe::V, Pipe::S, "V_S"};
    case E::S_MTE2: return {true, Pipe::S, Pipe::Mte2, "S_MTE2"};
    case E::MTE2_S: return {true, Pipe::Mte2, Pipe::S, "MTE2_S"};
    case E::S_MTE3: return {true, Pipe::S, Pipe::Mte3, "S_MTE3"};
    case E::MTE3_S: return {true, Pipe::Mte3, Pipe::S, "MTE3_S"};
    default: return {false, Pipe::S, Pipe::S, "?"};
  }
}

PLD_EMU_BODY Flag& flag(Core& c, const EventPipes& event, AscendC::HardEvent which, int32_t id, const char* op, const At& at) {
  if (id < 0 || id >= static_cast<int32_t>(kEventIds))
    c.fail(format("%s<%s>(%d): event ids are 0 to %u", op, event.name, id, kEventIds - 1), at);
  return c.flags[static_cast<unsigned>(which)][id];
}

/// What must be in order when a kernel returns.
PLD_EMU_BODY void checkKernelEnd(Core& c) {
  for (unsigned e = 0; e < static_cast<unsigned>(AscendC::HardEvent::MAX); ++e)
    for (unsigned id = 0; id < kEventIds; ++id) {
      const Flag& f = c.flags[e][id];
      const char* event = eventPipes(static_cast<AscendC::HardEvent>(e)).name;
      if (f.set) c.fail(format("flag %s id %u is still set at the end of the kernel (no WaitFlag)", event, id), f.at);
      if (f.allocated) c.fail(format("event id %u of %s is not released at the end of the kernel", id, event), f.at);
    }
  if (c.atomic.kind != AtomicMode::None) c.fail("atomic mode left on at the end of the kernel", c.atomic.at);
  for (const auto& line : c.cache)
    if (line.second.dirty) c.fail("GM SetValue not written back: DataCacheCleanAndInvalid missing", line.second.at);
}

PLD_EMU_BODY void setAtomic(AtomicMode::Kind kind, const char* type, const char* op, const At& at) {
  Core& c = step(op, at);
  c.atomic = {kind, type, at};
}

inline void setKernelType(KernelMetaType type, PLD_EMU_AT) { core("KERNEL_TASK_TYPE_DEFAULT", at).type = type; }

template <typename T>
constexpr bool atomicType = oneOf<T, int8_t, int16_t, half, bfloat16_t, int32_t, float>;

}  // namespace pld_emu

namespace AscendC {

template <HardEvent event>
void SetFlag(int32_t eventID, PLD_EMU_AT) {
  constexpr pld_emu::EventPipes pipes = pld_emu::eventPipes(event);
  static_assert(pipes.valid, "a vector core has no such event");
  pld_emu::Core& c = pld_emu::step("SetFlag", at);
  pld_emu::Flag& flag = pld_emu::flag(c, pipes, event, eventID, "SetFlag", at);
  if (flag.set)
    c.fail(pld_emu::format("SetFlag<%s>(%d): the flag is already set (at %s) and nobody waited for it", pipes.name,
                           eventID, pld_emu::name(flag.at).c_str()),
           at);
  flag.set = true;
  flag.at = at;
  flag.clock = c.on(pipes.from);
  flag.clock.join(c.on(pld_emu::Pipe::S));
  flag.clock.raise(c.actor, pipes.from, c.count(pipes.from));
}

template <HardEvent event>
void WaitFlag(int32_t eventID, PLD_EMU_AT) {
  constexpr pld_emu::EventPipes pipes = pld_emu::eventPipes(event);
  static_assert(pipes.valid, "a vector core has no such event");
  pld_emu::Core& c = pld_emu::step("WaitFlag", at);
  pld_emu::Flag& flag = pld_emu::flag(c, pipes, event, eventID, "WaitFlag", at);
  if (!flag.set)
    c.fail(pld_emu::format("WaitFlag<%s>(%d): no SetFlag went before, the core would hang", pipes.name, eventID), at);
  flag.set = false;
  c.on(pipes.to).join(flag.clock);
  if (pipes.to == pld_emu::Pipe::S) c.settle();
}

template <pipe_t pipe>
void PipeBarrier(PLD_EMU_AT) {
  static_assert(pipe == PIPE_V || pipe == PIPE_MTE2 || pipe == PIPE_MTE3 || pipe == PIPE_ALL,
                "PipeBarrier of a vector core: PIPE_V, PIPE_MTE2, PIPE_MTE3 or PIPE_ALL");
  pld_emu::Core& c = pld_emu::step("PipeBarrier", at);
  if constexpr (pipe == PIPE_ALL) {
    c.fence();
  } else {
    constexpr pld_emu::Pipe p = pipe == PIPE_V      ? pld_emu::Pipe::V
                                : pipe == PIPE_MTE2 ? pld_emu::Pipe::Mte2
                                                    : pld_emu::Pipe::Mte3;
    c.on(p).raise(c.actor, p, c.count(p));
  }
}

template <typename T>
void SetAtomicAdd(PLD_EMU_AT) {
  static_assert(pld_emu::atomicType<T>, "SetAtomicAdd: int8, int16, half, bfloat16, int32 or float");
  pld_emu::setAtomic(pld_emu::AtomicMode::Add, pld_emu::typeName<T>(), "SetAtomicAdd", at);
}

template <typename T>
void SetAtomicMax(PLD_EMU_AT) {
  static_assert(pld_emu::atomicType<T>, "SetAtomicMax: int8, int16, half, bfloat16, int32 or float");
  pld_emu::setAtomic(pld_emu::AtomicMode::Max, pld_emu::typeName<T>(), "SetAtomicMax", at);
}

template <typename T>
void SetAtomicMin(PLD_EMU_AT) {
  static_assert(pld_emu::atomicType<T>, "SetAtomicMin: int8, int16, half, bfloat16, int32 or float");
  pld_emu::setAtomic(pld_emu::AtomicMode::Min, pld_emu::typeName<T>(), "SetAtomicMin", at);
}

inline void SetAtomicNone(PLD_EMU_AT) { pld_emu::setAtomic(pld_emu::AtomicMode::None, "", "SetAtomicNone", at); }

template <typename T, CacheLine entireType, DcciDst dcciDst>
void DataCacheCleanAndInvalid(const GlobalTensor<T>& dst, PLD_EMU_AT) {
  static_assert(dcciDst != DcciDst::CACHELINE_UB, "DataCacheCleanAndInvalid: global memory only in this emulation");
  const pld_emu::Site site{"DataCacheCleanAndInvalid", at};
  pld_emu::Core& c = pld_emu::step(site.op, at);
  if constexpr (entireType == CacheLine::ENTIRE_DATA_CACHE) {
    while (!c.cache.empty()) pld_emu::cleanLine(c, site, c.cache.begin()->first);
  } else {
    pld_emu::cleanLine(c, site, pld_emu::address(dst.GetPhyAddr()) / pld_emu::kLine * pld_emu::kLine);
  }
}

/// All blocks meet. It orders what scalar code knows; fences before and after it stay the caller's.
template <bool isAIVOnly = true>
void SyncAll(PLD_EMU_AT) {
  static_assert(isAIVOnly, "SyncAll of vector cores only");
  constexpr int kPhysicalCores = 48;
  pld_emu::Core& c = pld_emu::step("SyncAll", at);
  if (c.type != KERNEL_TYPE_MIX_AIV_1_0) c.fail("SyncAll needs KERNEL_TYPE_MIX_AIV_1_0", at);
  if (c.blocks > kPhysicalCores) c.fail(pld_emu::format("SyncAll of %d blocks on %d cores", c.blocks, kPhysicalCores), at);
  pld_emu::System::get().meet(c);
}

inline int64_t GetBlockIdx(PLD_EMU_AT) { return pld_emu::core("GetBlockIdx", at).who.block; }
inline int64_t GetBlockNum(PLD_EMU_AT) { return pld_emu::core("GetBlockNum", at).blocks; }

}  // namespace AscendC
