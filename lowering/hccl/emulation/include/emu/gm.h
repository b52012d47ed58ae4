// How a core touches global memory: checks at issue and at execution, signal cells, idle polling.
#pragma once

#include "system.h"
#include "types.h"

namespace pld_emu {

/// True for a 4-byte i32 access inside a window: the way notify and wait touch a cell.
template <typename T>
bool signalAccess(uint64_t begin, uint64_t bytes) {
  if (!std::is_same_v<T, int32_t> || bytes != 4) return false;
  const Region* region = System::get().memory.find(begin);
  return region && region->inWindow(begin, begin + bytes);
}

/// A rule that holds when an operation on global memory is issued: no data access between a wait and its fence.
PLD_EMU_BODY void checkGmIssue(Core& c, const Access& access) {
  if (access.signal || !c.news) return;
  c.fail(format("%s after a wait that saw a new value and before PipeBarrier<PIPE_ALL>: acquire fence missing (by "
                "convention; the poll stands at %s)",
                access.site.op, name(c.newsSite.at).c_str()),
         access.site.at);
}

/// Whether others see what is at an address of global memory: other ranks a window, other blocks all.
PLD_EMU_BODY bool isShared(const Core& c, uint64_t at) {
  const Region* region = System::get().memory.find(at);
  return region && (c.blocks > 1 || region->inWindow(at, at + 1));
}

/// Remembers a data access that the next signal tells of.
PLD_EMU_BODY void noteShared(Core& c, const Access& access, uint64_t at) {
  if (!access.signal && isShared(c, at)) c.shared.raise(access.actor, access.pipe, access.seq);
}

/// What a signal tells of: nothing, if nobody but its sender sees it.
PLD_EMU_BODY Clock toldBy(const Core& c, uint64_t cell) {
  const Region* region = System::get().memory.find(cell);
  return c.blocks > 1 || !region || region->device != c.who.rank ? c.shared : Clock();
}

/// Remembers an own signal DMA, which must be complete before the core waits.
PLD_EMU_BODY void noteSignal(Core& c, const Access& access, uint64_t cell, bool atomic) {
  const Region* region = System::get().memory.find(cell);
  if (!access.signal || (!atomic && region->device == c.who.rank)) return;
  c.lastSignal = access.seq;
  c.lastSignalSite = access.site;
}

/// Bounds, window and race check of one contiguous piece at execution.
PLD_EMU_BODY Region& touchGm(Core& c, const Access& access, const Clock& known, uint64_t begin, uint64_t bytes, Mode mode) {
  Memory& memory = System::get().memory;
  Region& region = memory.require(begin, bytes, c.who.rank, c.who, access.site);
  if (access.pipe != Pipe::S)
    for (const auto& line : c.cache)
      if (line.second.dirty && line.first < begin + bytes && begin < line.first + 64)
        c.fail(format("%s of memory that SetValue changed in the data cache (%s): DataCacheCleanAndInvalid missing",
                      access.site.op, name(line.second.at).c_str()),
               access.site.at);
  memory.touch(region, begin, bytes, access, mode, known);
  return region;
}

/// A write of a signal cell releases what the writer knew to be complete. The write itself is part of that only if
/// nothing before it in its queue is still open, since a clock counts without holes.
PLD_EMU_BODY void release(const Access& access, const Clock& known, const Clock& told, uint64_t cell, bool atomic) {
  Clock carried = known;
  if (access.pipe == Pipe::S || known.get(access.actor, access.pipe) + 1 >= access.seq)
    carried.raise(access.actor, access.pipe, access.seq);
  Signal& signal = System::get().memory.signal(cell);
  signal.from = access.site;
  if (!atomic) signal.released = signal.told = Clock();
  signal.released.join(carried);
  signal.told.join(told);
}

/// A load of a cell: tells news from idle polling. `bytes` is what was seen.
PLD_EMU_BODY void notePoll(Core& c, const Site& site, uint64_t cell, uint64_t bytes) {
  const uint64_t version = System::get().version;
  auto found = c.polls.find(cell);
  c.pollStale = found != c.polls.end() && found->second.bytes == bytes;
  if (!c.pollStale || c.pollVersion != version) c.idlePolls = 0;
  c.polls[cell] = {bytes, site};
  c.pollCell = cell;
  c.pollVersion = version;
}

/// The clocks that came with a polled value reach scalar code.
PLD_EMU_BODY void acquire(Core& c, const Site& site, const Signal& signal) {
  c.acquired.join(signal.released);
  c.told.join(signal.told);
  c.toldBy = signal.from;
  if (c.on(Pipe::S).covers(signal.released) || c.news) return;
  c.news = true;
  c.newsSite = site;
}

/// Scalar code used a polled value: if it was old, let others run.
PLD_EMU_BODY void afterPoll(Core& c) {
  if (!c.pollStale) return;
  c.pollStale = false;
  if (c.on(Pipe::S).get(c.actor, Pipe::Mte3) < c.lastSignal)
    c.fail(format("the core waits while its own signal DMA (%s) may be unfinished: PipeBarrier<PIPE_ALL> after it missing "
                  "(by convention); the poll stands",
                  name(c.lastSignalSite).c_str()),
           c.polls.at(c.pollCell).site.at);
  ++c.idlePolls;
  System::get().idle(c);
}

/// The core did something else than polling.
PLD_EMU_BODY void noteWork(Core& c) {
  c.polls.clear();
  c.idlePolls = 0;
}

}  // namespace pld_emu
