// The emulated machine: its memory, its actors, and the scheduler of cores and host threads.
//
// One core runs at a time, holding `mutex`; cores switch at polls (and, in weak mode, at random calls). Cores run only
// while every host thread that owns a device waits inside an emulated call, so which cores exist at any moment does not
// depend on timing. Host threads of different ranks must therefore meet through HCCL only.
#pragma once

#include <array>
#include <chrono>
#include <deque>
#include <mutex>
#include <set>
#include <thread>

#include "core.h"

namespace pld_emu {

/// A host thread that owns a device (the last thread that called aclrtSetDevice for it).
struct Host {
  int device = -1;
  bool waiting = false;
  bool open = false;
  std::string waitsFor;
  At at{nullptr, 0};
  ~Host();
};

inline thread_local Host hostThread;

class System {
 public:
  static System& get() {
    static System* const system = new System;  // outlives the thread_local hosts
    return *system;
  }

  using Lock = std::unique_lock<std::mutex>;

  std::mutex mutex;
  Memory memory;
  uint64_t version = 0;  ///< counts visible writes of global memory

  /// What the host of a device knows to be complete; kernels start from it and end into it.
  Clock& hostClock(int device) { return hostClocks_[device]; }

  uint32_t actor(const Who& who) {
    const std::array<int, 3> key{who.rank, who.block, who.cube};
    auto found = actors_.find(key);
    if (found != actors_.end()) return found->second;
    const uint32_t number = static_cast<uint32_t>(actors_.size());
    sequences_.emplace_back();
    return actors_[key] = number;
  }

  /// Access of the host of `device` (copies and memsets count as scalar accesses of the host's own actor).
  Access hostAccess(int device, const Site& site) {
    Access a;
    a.who = {device, -1};
    a.actor = actor(a.who);
    a.seq = ++sequences_[a.actor].issued[0];
    a.site = site;
    hostClock(device).raise(a.actor, Pipe::S, a.seq);
    return a;
  }

  // ---- host threads ----

  void own(Host& host, int device) {
    if (host.device == device) return;
    forget(host);
    auto previous = owners_.find(device);
    if (previous != owners_.end()) forget(*previous->second);
    owners_[device] = &host;
    host.device = device;
    ++busyHosts_;
  }

  /// The host thread gives its device back, ends, or failed to get one.
  void leave(Host& host) {
    const bool owned = host.device >= 0;
    forget(host);
    ++departures_;
    if (owned && owners_.empty()) departuresBefore_ = departures_;
    hostsChanged();
  }

  bool owned(int device) const { return owners_.count(device) != 0; }

  /// True if a host thread has left since the last time that none was there.
  bool anyLeft() const { return departures_ != departuresBefore_; }

  /// Blocks the calling host thread until `wake` is called for it. `open`: threads not yet seen may end the wait, but
  /// only for some seconds; then the result is false.
  bool wait(Lock& lock, Host& host, const std::string& what, const At& at, bool open = false) {
    host.waiting = true;
    host.open = open;
    host.waitsFor = what;
    host.at = at;
    --busyHosts_;
    hostsChanged();
    const auto woken = [&] { return !host.waiting; };
    if (!open) return changed_.wait(lock, woken), true;
    if (changed_.wait_for(lock, std::chrono::seconds(5), woken)) return true;
    wake(host);
    return false;
  }

  void wake(Host& host) {
    if (!host.waiting) return;
    host.waiting = false;
    ++busyHosts_;
    changed_.notify_all();
  }

  /// Called when a host thread stopped running; set by the HCCL part to fail meetings that cannot complete.
  std::function<void()> onHostsChanged;

  // ---- cores ----

  /// Ends the kernels of `device`, wherever they wait. Until the device is given back its stream does nothing more.
  PLD_EMU_BODY void abort(int device) {
    aborted_.insert(device);
    for (Core* c : cores_) {
      if (c->who.rank != device) continue;
      c->aborted = true;
      c->pending.clear();
      c->turn.notify_one();
    }
    if (onHostsChanged) onHostsChanged();
  }

  bool aborted(int device) const { return aborted_.count(device) != 0; }

  /// Runs `body` on `blocks` vector cores of `device`, and on the cube cores that they start; returns when all have
  /// ended.
  PLD_EMU_BODY void launch(int device, int blocks, const std::function<void()>& body, const std::function<void(Core&)>& atEnd,
              const At& at) {
    Lock lock(mutex);
    if (aborted(device)) return;
    std::deque<Core> cores;
    std::vector<std::thread> threads;
    int alive = 0;
    Launch group;
    group.blocks = blocks;
    Host& host = hostThread;
    Clock ended = hostClock(device);
    const auto start = [&](const Who& who) -> Core& {
      cores.emplace_back(who, actor(who), blocks);
      Core& c = cores.back();
      c.launch = &group;
      for (unsigned p = 0; p < kPipes; ++p) {
        c.issued[p] = sequences_[c.actor].issued[p];
        c.known[p] = hostClock(device);
      }
      cores_.push_back(&c);
      ++alive;
      return c;
    };
    const auto run = [&](Core* core) {
      Lock own(mutex);
      lock_ = &own;
      currentCore = core;
      try {
        waitTurn(*core);
        body();
        core->drain();
        atEnd(*core);
      } catch (const Aborted&) {
      }
      currentCore = nullptr;
      ended.join(core->allComplete());
      for (unsigned p = 0; p < kPipes; ++p) sequences_[core->actor].issued[p] = core->issued[p];
      cores_.erase(std::find(cores_.begin(), cores_.end(), core));
      if (running_ == core) running_ = nullptr;
      ++version;
      if (--alive == 0) {
        hostClock(device).join(ended);
        wake(host);
      }
      if (!running_) pick();
    };
    group.startCube = [&](Core& vector) {
      Core& cube = start({device, vector.who.block, true});
      cube.partner = &vector;
      vector.partner = &cube;
      threads.emplace_back(run, &cube);
    };
    for (int b = 0; b < blocks; ++b) start({device, b});
    ++version;
    for (Core& c : cores) threads.emplace_back(run, &c);
    if (alive > 0) wait(lock, host, "kernel", at);
    lock.unlock();
    for (std::thread& t : threads) t.join();
  }

  /// Lets other cores run; the caller goes on when it is picked again.
  PLD_EMU_BODY void yield(Core& c) {
    running_ = nullptr;
    pick();
    waitTurn(c);
  }

  /// All blocks of the caller's launch meet: what scalar code of each knows, that of all knows after.
  PLD_EMU_BODY void meet(Core& c) {
    Launch& launch = *c.launch;
    launch.known.join(c.on(Pipe::S));
    launch.known.raise(c.actor, Pipe::S, c.count(Pipe::S));
    launch.waiting.push_back(&c);
    if (static_cast<int>(launch.waiting.size()) < launch.blocks) {
      c.blockedIn = "SyncAll";
      return yield(c);
    }
    for (Core* other : launch.waiting) {
      other->on(Pipe::S).join(launch.known);
      other->blockedIn = nullptr;
    }
    launch.waiting.clear();
    launch.known = Clock();
  }

  /// Waits until the other core of the block has set flag `id`; what it had completed then, scalar code knows after.
  PLD_EMU_BODY void waitCross(Core& c, unsigned id) {
    CrossFlag& flag = c.cross[id];
    if (flag.count == 0) {
      c.blockedIn = "CrossCoreWaitFlag";
      c.waitsFor = id;
      yield(c);
    }
    --flag.count;
    c.partner->settle(flag.clock);
    c.on(Pipe::S).join(flag.clock);
    c.settle();
  }

  /// Sets flag `id` of the other core of the block.
  PLD_EMU_BODY void setCross(Core& c, unsigned id, const Clock& clock, const At& at) {
    CrossFlag& flag = c.partner->cross[id];
    ++flag.count;
    flag.clock.join(clock);
    flag.at = at;
    if (c.partner->blockedIn && c.partner->waitsFor == static_cast<int>(id)) {
      c.partner->blockedIn = nullptr;
      c.partner->waitsFor = -1;
    }
  }

  /// The caller polled a cell and saw nothing new: let the others run until memory changes.
  PLD_EMU_BODY void idle(Core& c) {
    c.idle = true;
    yield(c);
    c.idle = false;
  }

 private:
  struct Sequence {
    uint32_t issued[kPipes] = {};
  };

  void waitTurn(Core& c) {
    c.turn.wait(*lock_, [&] { return running_ == &c || c.aborted; });
    if (c.aborted) throw Aborted();
  }

  void forget(Host& host) {
    if (host.device < 0) return;
    owners_.erase(host.device);
    aborted_.erase(host.device);
    host.device = -1;
    --busyHosts_;
  }

  void hostsChanged() {
    if (onHostsChanged) onHostsChanged();
    if (!running_) pick();
    if (busyHosts_ == 0 && cores_.empty() && !owners_.empty()) checkHostDeadlock();
  }

  void checkHostDeadlock() const {
    for (const auto& entry : owners_)
      if (entry.second->open) return;
    const Host& first = *owners_.begin()->second;
    error({first.device, -1}, "deadlock: every host thread waits, here in " + first.waitsFor, first.at);
    noteHosts();
    stop();
  }

  void noteHosts() const {
    for (const auto& entry : owners_)
      if (entry.second->waiting && entry.second->waitsFor != "kernel")
        note(format("rank %d host waits in %s at %s", entry.first, entry.second->waitsFor.c_str(),
                    name(entry.second->at).c_str()));
  }

  bool runnable(const Core& c) const { return !c.blockedIn && (!c.idle || c.pollVersion != version); }

  /// Chooses the next core. Precondition: none runs.
  void pick() {
    while (busyHosts_ == 0 && !cores_.empty()) {
      std::vector<Core*> ready;
      for (Core* c : cores_)
        if (runnable(*c)) ready.push_back(c);
      if (!ready.empty()) return run(*ready[random_.below(ready.size())]);
      if (moveQueues()) continue;
      for (Core* c : cores_)
        if (!c->blockedIn && c->idlePolls < kStuckPolls) return run(*c);
      deadlock();
    }
  }

  void run(Core& c) {
    running_ = &c;
    c.turn.notify_one();
  }

  /// All cores poll: let a queued operation of some core complete.
  bool moveQueues() {
    if (options().lazy()) return false;
    std::vector<Core*> order = cores_;
    while (!order.empty()) {
      const size_t i = random_.below(order.size());
      if (order[i]->advanceAny(random_)) return true;
      order.erase(order.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return false;
  }

  [[noreturn]] void deadlock() {
    const Core& first = *cores_.front();
    error(first.who, "deadlock: every core waits and nothing can change what they see", first.at);
    for (const Core* c : cores_) describe(*c);
    noteHosts();
    stop();
  }

  void describe(const Core& c) {
    if (c.blockedIn) {
      const char* whom = c.waitsFor < 0 ? "the other blocks" : "the other core of its block";
      note(format("%s waits in %s at %s for %s", name(c.who).c_str(), c.blockedIn, name(c.at).c_str(), whom));
    } else {
      const Poll& poll = c.polls.at(c.pollCell);
      std::string where = "an unknown cell";
      if (const Region* region = memory.find(c.pollCell)) where = Memory::describe(*region, c.pollCell, 4);
      const int32_t seen = static_cast<int32_t>(poll.bytes), held = *reinterpret_cast<const int32_t*>(c.pollCell);
      note(format("%s polls %s, value %d%s, %s", name(c.who).c_str(), where.c_str(), seen,
                  seen == held ? "" : format(" in its data cache (memory holds %d: DataCacheCleanAndInvalid missing)", held).c_str(),
                  name(poll.site).c_str()));
    }
    if (c.outer.file) note(format("  last statement before it in another file: %s", name(c.outer).c_str()));
    for (const Pending& p : c.pending)
      note(format("  still in its %s queue: %s (no flag or fence forces it: is a PipeBarrier<PIPE_ALL> missing?)",
                  name(p.access.pipe), name(p.access.site).c_str()));
  }

  std::map<std::array<int, 3>, uint32_t> actors_;
  std::vector<Sequence> sequences_;
  std::map<int, Clock> hostClocks_;
  std::map<int, Host*> owners_;
  std::set<int> aborted_;  ///< devices
  unsigned busyHosts_ = 0;
  uint64_t departures_ = 0;
  uint64_t departuresBefore_ = 0;
  std::vector<Core*> cores_;
  Core* running_ = nullptr;
  static inline thread_local Lock* lock_ = nullptr;
  std::condition_variable changed_;
  Random random_{options().seed};
};

PLD_EMU_BODY Host::~Host() {
  System::Lock lock(System::get().mutex);
  if (device >= 0) System::get().leave(*this);
}

/// Start of every device API call: notes the statement and, in weak mode, may switch cores.
PLD_EMU_BODY Core& step(const char* op, const At& at) {
  Core& c = core(op, at);
  if (options().weak && c.random.oneIn(8)) System::get().yield(c);
  return c;
}

}  // namespace pld_emu
