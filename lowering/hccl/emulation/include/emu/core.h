// One core, vector or cube: its memory, the pipes with what each knows to be complete, and its pending operations.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <map>

#include "memory.h"
#include "options.h"
#include "spaces.h"
#include "types.h"

namespace AscendC {
class TPipe;
}

namespace pld_emu {

constexpr unsigned kEvents = 64;               ///< at least HardEvent::MAX
constexpr unsigned kEventIds = 8;
constexpr unsigned kOpenIds = 6;               ///< ids a kernel may keep allocated per event
constexpr unsigned kCrossFlags = 11;           ///< flags between the cores of a block; the rest are SyncAll's
constexpr unsigned kCrossCount = 15;           ///< how often one may be set before it is waited for
constexpr unsigned kStuckPolls = 1000;         ///< polls without news, in a still system, that prove a deadlock

struct UbRange {
  uint32_t begin;
  uint32_t end;
};

/// A counting flag that the other core of the block sets.
struct CrossFlag {
  unsigned count = 0;
  Clock clock;
  At at{nullptr, 0};
};

/// An operation that was issued to a pipe. Steps are its separately visible parts (the blocks of a DMA).
struct Pending {
  Access access;
  Clock known;
  std::vector<std::function<void()>> steps;
  size_t done = 0;
};

struct Flag {
  bool set = false;
  bool allocated = false;
  Clock clock;
  At at{nullptr, 0};
};

struct AtomicMode {
  enum Kind : uint8_t { None, Add, Max, Min } kind = None;
  const char* type = "";
  At at{nullptr, 0};
};

/// What a core saw when it last loaded a cell, to tell news from idle polling.
struct Poll {
  uint64_t bytes = 0;
  Site site{"", {nullptr, 0}};
};

struct CacheLine {
  uint8_t bytes[64];
  uint64_t dirty = 0;  ///< one bit per byte
  At at{nullptr, 0};
};

/// The blocks of one launch, as SyncAll brings them together.
struct Launch {
  int blocks = 0;
  std::function<void(struct Core&)> startCube;  ///< starts the cube core of a vector core's block
  std::vector<struct Core*> waiting;
  Clock known;
};

struct Core {
  Core(Who who, uint32_t actor, int blocks)
      : who(who), actor(actor), blocks(blocks), ub(coreBytes(who.cube), 0xff), ubDefined(coreBytes(who.cube), 0),
        random(options().seed * 1009 + actor) {}

  Who who;
  uint32_t actor;
  int blocks;
  std::vector<uint8_t> ub;      ///< all memory on the core, see spaces.h
  std::vector<uint8_t> ubDefined;
  RangeMap ubShadow;
  Random random;

  Clock known[kPipes];
  uint32_t issued[kPipes] = {};
  std::list<Pending> pending;
  Flag flags[kEvents][kEventIds];
  AtomicMode atomic;
  AscendC::TPipe* pipe = nullptr;
  std::map<uint64_t, CacheLine> cache;

  Clock acquired;               ///< brought by polls, credited at the next PIPE_ALL
  bool news = false;            ///< `acquired` holds something no pipe knows yet
  Site newsSite{"", {nullptr, 0}};
  std::map<uint32_t, Signal> loadedSignals;  ///< UB address -> what came with a polled cell
  Clock shared;                 ///< own data accesses of memory that others see: the next signal tells of them
  Clock told;                   ///< brought by polls: complete by the next PIPE_ALL, or a signal came too early
  Site toldBy{"", {nullptr, 0}};
  uint32_t lastSignal = 0;      ///< MTE3 number of the last own signal DMA
  Site lastSignalSite{"", {nullptr, 0}};

  std::map<uint64_t, Poll> polls;
  bool pollStale = false;       ///< the last executed poll brought nothing
  uint64_t pollCell = 0;
  uint64_t pollVersion = 0;     ///< state of global memory it saw
  unsigned idlePolls = 0;
  bool idle = false;
  bool aborted = false;          ///< the kernel ends where it waits
  std::condition_variable turn;  ///< the core may run, or is aborted
  Launch* launch = nullptr;
  const char* blockedIn = nullptr;  ///< waits in SyncAll or CrossCoreWaitFlag, which it cannot leave by itself
  int waitsFor = -1;                ///< the flag that CrossCoreWaitFlag waits for
  Core* partner = nullptr;          ///< the other core of its block, if the kernel has one
  CrossFlag cross[kCrossFlags];     ///< set by the partner
  KernelMetaType type = KERNEL_TYPE_AIV_ONLY;
  At at{nullptr, 0};            ///< present statement
  At outer{nullptr, 0};         ///< last statement in another file, for reports from helper templates

  Clock& on(Pipe pipe) { return known[static_cast<unsigned>(pipe)]; }
  uint32_t& count(Pipe pipe) { return issued[static_cast<unsigned>(pipe)]; }

  [[noreturn]] PLD_EMU_BODY void fail(const std::string& what, const At& where) const {
    error(who, what, where);
    if (outer.file) note("last statement before it in another file: " + name(outer));
    stop();
  }

  bool hasPipe(Pipe pipe) const {
    if (pipe == Pipe::S || pipe == Pipe::Mte2) return true;
    return (pipe == Pipe::Mte1 || pipe == Pipe::M || pipe == Pipe::Fix) == who.cube;
  }

  PLD_EMU_BODY Access access(Pipe pipe, const Site& site) {
    if (!hasPipe(pipe))
      fail(format("%s: a %s core has no pipe %s", site.op, who.cube ? "cube" : "vector", name(pipe)), site.at);
    const Clock& scalar = on(Pipe::S);
    if (pipe != Pipe::S) on(pipe).join(scalar);
    Access a;
    a.actor = actor;
    a.pipe = pipe;
    a.seq = ++count(pipe);
    a.who = who;
    a.site = site;
    return a;
  }

  /// Checks one UB range of an operation against all earlier ones of this core.
  PLD_EMU_BODY void touchUb(const UbRange& range, const Access& now, Mode mode) {
    Conflict c;
    if (!ubShadow.touch(range.begin, range.end, now, mode, on(now.pipe), c)) return;
    error(who,
          format("%s (%s on pipe %s) is not ordered with an earlier %s on pipe %s: %s", now.site.op,
                 name(mode), name(now.pipe), name(c.mode), name(c.before.pipe),
                 describeBytes(who.cube, static_cast<uint32_t>(c.begin), static_cast<uint32_t>(c.end)).c_str()),
          now.site.at);
    note("the other access: " + name(c.before.site));
    const bool samePipe = c.before.pipe == now.pipe;
    note(samePipe ? format("missing between them: PipeBarrier<PIPE_%s>", name(now.pipe))
                  : format("missing between them: flag %s_%s", name(c.before.pipe), name(now.pipe)));
    if (outer.file) note("last statement before it in another file: " + name(outer));
    stop();
  }

  /// True if `p` may run now: all own operations its clock demands have run, and V and M stay in order.
  bool ready(const Pending& p) const {
    for (const Pending& q : pending) {
      if (&q == &p) continue;
      if (p.known.get(actor, q.access.pipe) >= q.access.seq) return false;
      const bool inOrder = p.access.pipe == Pipe::V || p.access.pipe == Pipe::M;
      if (inOrder && q.access.pipe == p.access.pipe && q.access.seq < p.access.seq) return false;
    }
    return true;
  }

  /// Runs one step of one ready operation among those `wanted`; false if there is none.
  template <typename Wanted>
  bool advance(Wanted wanted, Random& dice) {
    std::vector<std::list<Pending>::iterator> candidates;
    for (auto it = pending.begin(); it != pending.end(); ++it)
      if (wanted(*it) && ready(*it)) candidates.push_back(it);
    if (candidates.empty()) return false;
    auto it = candidates[dice.below(candidates.size())];
    if (it->done < it->steps.size()) it->steps[it->done++]();
    if (it->done >= it->steps.size()) pending.erase(it);
    return true;
  }

  bool advanceAny(Random& dice) {
    return advance([](const Pending&) { return true; }, dice);
  }

  /// Runs all that scalar code knows to be complete.
  void settle() { settle(on(Pipe::S)); }

  /// Runs all that `known` says is complete.
  PLD_EMU_BODY void settle(const Clock& known) {
    while (advance([&](const Pending& p) { return known.get(actor, p.access.pipe) >= p.access.seq; }, random)) {
    }
  }

  void drain() {
    while (advanceAny(random)) {
    }
  }

  /// Issues an operation: in order and at once, or (weak mode) into the queues.
  PLD_EMU_BODY void issue(const Access& access, std::vector<std::function<void()>> steps) {
    if (!options().weak) {
      for (auto& step : steps) step();
      return;
    }
    pending.push_back({access, on(access.pipe), std::move(steps), 0});
    if (!options().lazy() && random.oneIn(4)) advanceAny(random);
    constexpr size_t kQueueLimit = 256;
    while (pending.size() > kQueueLimit) advanceAny(random);
  }

  /// Everything issued so far, seen as complete.
  Clock allComplete() const {
    Clock all;
    for (unsigned p = 0; p < kPipes; ++p) {
      all.join(known[p]);
      all.raise(actor, static_cast<Pipe>(p), issued[p]);
    }
    return all;
  }

  /// PIPE_ALL: release and acquire fence.
  PLD_EMU_BODY void fence() {
    drain();
    Clock all = allComplete();
    all.join(acquired);
    if (!all.covers(told))
      fail(format("a wait is over, but what its signal tells of may be unfinished: release fence before %s missing (by "
                  "convention); the wait's fence stands",
                  name(toldBy).c_str()),
           at);
    told = Clock();
    for (Clock& pipeKnown : known) pipeKnown = all;
    acquired = Clock();
    news = false;
  }
};

/// Leaves the kernel of an aborted core.
struct Aborted {};

/// The core that the calling thread is, or nullptr on host threads.
inline thread_local Core* currentCore = nullptr;

PLD_EMU_BODY Core& core(const char* op, const At& at) {
  if (!currentCore) {
    error({-1, -1}, format("%s called outside a kernel launch", op), at);
    stop();
  }
  Core& c = *currentCore;
  if (c.at.file && at.file && std::strcmp(c.at.file, at.file) != 0) c.outer = c.at;
  c.at = at;
  return c;
}

}  // namespace pld_emu
