// Vector clocks over (actor, pipe), and the rule that says when two accesses are ordered.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "report.h"

namespace pld_emu {

/// The queues of a core: V and MTE3 of vector cores only, MTE1, M and FIX of cube cores only. Scalar code runs on S;
/// the host of a rank uses S of its own actor.
enum class Pipe : uint8_t { S, V, Mte2, Mte3, Mte1, M, Fix, Count };

constexpr unsigned kPipes = static_cast<unsigned>(Pipe::Count);

inline const char* name(Pipe pipe) {
  static const char* const names[] = {"S", "V", "MTE2", "MTE3", "MTE1", "M", "FIX"};
  return names[static_cast<unsigned>(pipe)];
}

/// For every (actor, pipe): how many of its operations are known to be complete.
class Clock {
 public:
  uint32_t get(uint32_t actor, Pipe pipe) const {
    const size_t at = index(actor, pipe);
    return at < known_.size() ? known_[at] : 0;
  }

  void raise(uint32_t actor, Pipe pipe, uint32_t seq) {
    const size_t at = index(actor, pipe);
    if (at >= known_.size()) known_.resize(at + 1, 0);
    known_[at] = std::max(known_[at], seq);
  }

  void join(const Clock& other) {
    if (other.known_.size() > known_.size()) known_.resize(other.known_.size(), 0);
    for (size_t i = 0; i < other.known_.size(); ++i) known_[i] = std::max(known_[i], other.known_[i]);
  }

  bool covers(const Clock& other) const {
    for (size_t i = 0; i < other.known_.size(); ++i)
      if (other.known_[i] > (i < known_.size() ? known_[i] : 0)) return false;
    return true;
  }

 private:
  static size_t index(uint32_t actor, Pipe pipe) { return size_t{actor} * kPipes + static_cast<unsigned>(pipe); }

  std::vector<uint32_t> known_;
};

enum class Mode : uint8_t { Read, Write, Atomic };

inline const char* name(Mode mode) {
  static const char* const names[] = {"read", "write", "atomic write"};
  return names[static_cast<unsigned>(mode)];
}

/// One operation as the shadows remember it.
struct Access {
  uint32_t actor = 0;
  Pipe pipe = Pipe::S;
  uint32_t seq = 0;
  bool signal = false;  ///< a 4-byte access of an i32 window cell, as notify and wait make them
  Who who{0, 0};
  Site site{"", {nullptr, 0}};

  bool same(const Access& other) const { return actor == other.actor && pipe == other.pipe && seq == other.seq; }
  bool sameQueue(const Access& other) const { return actor == other.actor && pipe == other.pipe; }
};

inline bool conflicting(Mode a, Mode b) {
  if (a == Mode::Read && b == Mode::Read) return false;
  return !(a == Mode::Atomic && b == Mode::Atomic);
}

/// True if `now`, which knows `known`, may follow `before` on the same bytes.
inline bool ordered(const Access& before, Mode beforeMode, const Access& now, Mode nowMode, const Clock& known) {
  if (!conflicting(beforeMode, nowMode)) return true;
  if (before.signal && now.signal && before.actor != now.actor) return true;
  if (before.sameQueue(now)) {
    if (before.seq == now.seq || now.pipe == Pipe::S) return true;
    // V reads its operands in order, so a later V write cannot overtake the read.
    if (now.pipe == Pipe::V && beforeMode == Mode::Read && before.seq < now.seq) return true;
  }
  return known.get(before.actor, before.pipe) >= before.seq;
}

}  // namespace pld_emu
