// Who last touched which bytes: a map of disjoint byte ranges to their last write, reads and atomics.
#pragma once

#include <map>
#include <vector>

#include "clock.h"

namespace pld_emu {

/// A conflicting earlier access, and how it touched the bytes.
struct Conflict {
  Access before;
  Mode mode;
  uint64_t begin;
  uint64_t end;
};

/// Accesses of one byte range since (and with) its last plain write.
struct Touches {
  bool written = false;
  Access write;
  std::vector<Access> reads;
  std::vector<Access> atomics;

  bool equals(const Touches& other) const {
    return written == other.written && (!written || write.same(other.write)) && equal(reads, other.reads) &&
           equal(atomics, other.atomics);
  }

  /// The first recorded access that `now` is not ordered after, or nullptr.
  const Access* unordered(const Access& now, Mode mode, const Clock& known, Mode& beforeMode) const {
    if (written && !ordered(write, Mode::Write, now, mode, known)) return beforeMode = Mode::Write, &write;
    for (const Access& a : atomics)
      if (!ordered(a, Mode::Atomic, now, mode, known)) return beforeMode = Mode::Atomic, &a;
    for (const Access& r : reads)
      if (!ordered(r, Mode::Read, now, mode, known)) return beforeMode = Mode::Read, &r;
    return nullptr;
  }

  void record(const Access& now, Mode mode) {
    if (mode == Mode::Write) {
      written = true;
      write = now;
      reads.clear();
      atomics.clear();
      return;
    }
    std::vector<Access>& list = mode == Mode::Read ? reads : atomics;
    for (Access& a : list) {
      if (!a.sameQueue(now) || a.signal != now.signal) continue;
      if (a.seq < now.seq) a = now;
      return;
    }
    list.push_back(now);
  }

 private:
  static bool equal(const std::vector<Access>& a, const std::vector<Access>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!a[i].same(b[i]) || a[i].signal != b[i].signal) return false;
    return true;
  }
};

class RangeMap {
 public:
  /// Checks [begin, end) against all recorded accesses, then records this one. True and `conflict` filled on a race.
  bool touch(uint64_t begin, uint64_t end, const Access& now, Mode mode, const Clock& known, Conflict& conflict) {
    if (begin >= end) return false;
    split(begin);
    split(end);
    for (auto it = cover(begin, end); it != nodes_.end() && it->first < end; ++it) {
      Mode beforeMode;
      if (const Access* before = it->second.touches.unordered(now, mode, known, beforeMode)) {
        conflict = {*before, beforeMode, it->first, it->second.end};
        return true;
      }
      it->second.touches.record(now, mode);
    }
    merge(begin, end);
    return false;
  }

  /// True if the last plain write of every byte in [begin, end) is known in `known`.
  bool writesKnown(uint64_t begin, uint64_t end, const Clock& known) const {
    auto it = nodes_.upper_bound(begin);
    if (it != nodes_.begin()) --it;
    for (; it != nodes_.end() && it->first < end; ++it) {
      const Touches& t = it->second.touches;
      if (it->second.end > begin && t.written && known.get(t.write.actor, t.write.pipe) < t.write.seq) return false;
    }
    return true;
  }

 private:
  struct Node {
    uint64_t end;
    Touches touches;
  };
  using Nodes = std::map<uint64_t, Node>;

  void split(uint64_t at) {
    auto it = nodes_.lower_bound(at);
    if (it == nodes_.begin() || (it != nodes_.end() && it->first == at)) return;
    --it;
    if (it->second.end <= at) return;
    Node right = it->second;
    it->second.end = at;
    nodes_.emplace(at, std::move(right));
  }

  /// Fills the holes of [begin, end) with untouched ranges; both borders are already split.
  Nodes::iterator cover(uint64_t begin, uint64_t end) {
    uint64_t at = begin;
    while (at < end) {
      auto it = nodes_.lower_bound(at);
      if (it != nodes_.end() && it->first == at) {
        at = it->second.end;
        continue;
      }
      const uint64_t stop = it == nodes_.end() ? end : std::min(end, it->first);
      nodes_.emplace(at, Node{stop, {}});
      at = stop;
    }
    return nodes_.lower_bound(begin);
  }

  void merge(uint64_t begin, uint64_t end) {
    auto it = nodes_.lower_bound(begin);
    if (it != nodes_.begin()) --it;
    while (it != nodes_.end() && it->first <= end) {
      auto next = std::next(it);
      if (next == nodes_.end()) return;
      if (it->second.end == next->first && it->second.touches.equals(next->second.touches)) {
        it->second.end = next->second.end;
        nodes_.erase(next);
      } else {
        it = next;
      }
    }
  }

  Nodes nodes_;
};

}  // namespace pld_emu
