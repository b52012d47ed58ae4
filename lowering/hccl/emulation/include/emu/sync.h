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

/// The events that the cores of arch 2201 have; those of pipes that a core lacks are refused at run time.
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
    case E::MTE2_MTE1: return {true, Pipe::Mte2, Pipe::Mte1, "MTE2_MTE1"};
    case E::MTE1_MTE2: return {true, Pipe::Mte1, Pipe::Mte2, "MTE1_MTE2"};
    case E::MTE1_M: return {true, Pipe::Mte1, Pipe::M, "MTE1_M"};
    case E::M_MTE1: return {true, Pipe::M, Pipe::Mte1, "M_MTE1"};
    case E::M_FIX: return {true, Pipe::M, Pipe::Fix, "M_FIX"};
    case E::FIX_M: return {true, Pipe::Fix, Pipe::M, "FIX_M"};
    default: return {false, Pipe::S, Pipe::S, "?"};
  }
}

PLD_EMU_BODY Flag& flag(Core& c, const EventPipes& event, AscendC::HardEvent which, int32_t id, const char* op, const At& at) {
  if (id < 0 || id >= static_cast<int32_t>(kEventIds))
    c.fail(format("%s<%s>(%d): event ids are 0 to %u", op, event.name, id, kEventIds - 1), at);
  if (!c.hasPipe(event.from) || !c.hasPipe(event.to))
    c.fail(format("%s<%s>: a %s core has no such event", op, event.name, c.who.cube ? "cube" : "vector"), at);
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
  for (unsigned id = 0; id < kCrossFlags; ++id)
    if (c.cross[id].count)
      c.fail(format("cross-core flag %u is still set at the end of the kernel (no CrossCoreWaitFlag)", id), c.cross[id].at);
  if (c.atomic.kind != AtomicMode::None) c.fail("atomic mode left on at the end of the kernel", c.atomic.at);
  for (const auto& line : c.cache)
    if (line.second.dirty) c.fail("GM SetValue not written back: DataCacheCleanAndInvalid missing", line.second.at);
}

PLD_EMU_BODY void setAtomic(AtomicMode::Kind kind, const char* type, const char* op, const At& at) {
  Core& c = step(op, at);
  c.atomic = {kind, type, at};
}

/// A vector core of a kernel of both kinds starts the cube core of its block.
inline void setKernelType(KernelMetaType type, PLD_EMU_AT) {
  Core& c = core("KERNEL_TASK_TYPE_DEFAULT", at);
  c.type = type;
  if (type == KERNEL_TYPE_MIX_AIC_1_1 && !c.who.cube) c.launch->startCube(c);
}

constexpr Pipe pipeOf(pipe_t pipe) {
  switch (pipe) {
    case PIPE_V: return Pipe::V;
    case PIPE_MTE1: return Pipe::Mte1;
    case PIPE_MTE2: return Pipe::Mte2;
    case PIPE_MTE3: return Pipe::Mte3;
    case PIPE_M: return Pipe::M;
    case PIPE_FIX: return Pipe::Fix;
    default: return Pipe::S;
  }
}

inline Core& crossCore(const char* op, uint16_t flagId, const At& at) {
  Core& c = step(op, at);
  if (!c.partner) c.fail(format("%s between the cores of a block needs KERNEL_TYPE_MIX_AIC_1_1", op), at);
  if (flagId >= kCrossFlags) c.fail(format("%s(%u): cross-core flags are 0 to %u", op, flagId, kCrossFlags - 1), at);
  return c;
}

template <typename T>
constexpr bool atomicType = oneOf<T, int8_t, int16_t, half, bfloat16_t, int32_t, float>;

}  // namespace pld_emu

namespace AscendC {

template <HardEvent event>
void SetFlag(int32_t eventID, PLD_EMU_AT) {
  constexpr pld_emu::EventPipes pipes = pld_emu::eventPipes(event);
  static_assert(pipes.valid, "no core has such an event");
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
  static_assert(pipes.valid, "no core has such an event");
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
  static_assert(pipe != PIPE_S, "PipeBarrier: any pipe but PIPE_S");
  pld_emu::Core& c = pld_emu::step("PipeBarrier", at);
  if constexpr (pipe == PIPE_ALL) {
    c.fence();
  } else {
    constexpr pld_emu::Pipe p = pld_emu::pipeOf(pipe);
    if (!c.hasPipe(p)) c.fail(pld_emu::format("PipeBarrier: a %s core has no pipe %s", c.who.cube ? "cube" : "vector", pld_emu::name(p)), at);
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

/// Tells the other core of the block that all earlier operations of `pipe` are complete. Scalar code issues it, after
/// its own loads.
template <uint8_t modeId, pipe_t pipe>
void CrossCoreSetFlag(uint16_t flagId, PLD_EMU_AT) {
  static_assert(modeId == 2, "CrossCoreSetFlag: mode 2 (the cores of a block) only in this emulation");
  static_assert(pipe != PIPE_ALL, "CrossCoreSetFlag: one pipe");
  constexpr pld_emu::Pipe p = pld_emu::pipeOf(pipe);
  pld_emu::Core& c = pld_emu::crossCore("CrossCoreSetFlag", flagId, at);
  if (!c.hasPipe(p)) c.fail(pld_emu::format("CrossCoreSetFlag: a %s core has no pipe %s", c.who.cube ? "cube" : "vector", pld_emu::name(p)), at);
  if (c.partner->cross[flagId].count >= pld_emu::kCrossCount)
    c.fail(pld_emu::format("CrossCoreSetFlag(%u): set %u times and not waited for", flagId, pld_emu::kCrossCount), at);
  pld_emu::Clock clock = c.on(p);
  clock.join(c.on(pld_emu::Pipe::S));
  clock.raise(c.actor, p, c.count(p));
  clock.raise(c.actor, pld_emu::Pipe::S, c.count(pld_emu::Pipe::S));
  pld_emu::System::get().setCross(c, flagId, clock, at);
}

/// Waits, with all that follows, for the other core of the block.
template <uint8_t modeId = 0, pipe_t pipe = PIPE_S>
void CrossCoreWaitFlag(uint16_t flagId, PLD_EMU_AT) {
  static_assert((modeId == 0 || modeId == 2) && pipe == PIPE_S, "CrossCoreWaitFlag: on PIPE_S only in this emulation");
  pld_emu::Core& c = pld_emu::crossCore("CrossCoreWaitFlag", flagId, at);
  pld_emu::System::get().waitCross(c, flagId);
}

/// All blocks meet. It orders what scalar code knows; fences before and after it stay the caller's.
template <bool isAIVOnly = true>
void SyncAll(PLD_EMU_AT) {
  static_assert(isAIVOnly, "SyncAll of vector cores only");
  constexpr int kPhysicalCores = 48;
  pld_emu::Core& c = pld_emu::step("SyncAll", at);
  if (c.type == KERNEL_TYPE_AIV_ONLY) c.fail("SyncAll needs KERNEL_TYPE_MIX_AIV_1_0", at);
  if (c.who.cube) c.fail("SyncAll<true> on a cube core", at);
  if (c.blocks > kPhysicalCores) c.fail(pld_emu::format("SyncAll of %d blocks on %d cores", c.blocks, kPhysicalCores), at);
  pld_emu::System::get().meet(c);
}

/// Text of a core, on stderr.
template <typename... Args>
void printf(const char* text, Args... args) {
  if constexpr (sizeof...(args) == 0) std::fputs(text, stderr);
  else std::fprintf(stderr, text, args...);
}

/// The kernel ends abnormally, and the program with it.
[[noreturn]] inline void Trap(PLD_EMU_AT) {
  const pld_emu::Core& c = pld_emu::core("Trap", at);
  pld_emu::note(pld_emu::format("%s: Trap at %s", pld_emu::name(c.who).c_str(), pld_emu::name(at).c_str()));
  if (c.outer.file) pld_emu::note("last statement before it in another file: " + pld_emu::name(c.outer));
  pld_emu::stop();
}

inline int64_t GetBlockIdx(PLD_EMU_AT) { return pld_emu::core("GetBlockIdx", at).who.block; }
inline int64_t GetBlockNum(PLD_EMU_AT) { return pld_emu::core("GetBlockNum", at).blocks; }

}  // namespace AscendC
