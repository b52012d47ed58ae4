// Scalar access to global memory through the core's write-back data cache of 64-byte lines.
#pragma once

#include "gm.h"

namespace pld_emu {

constexpr uint64_t kLine = 64;

/// The cached line that holds `at`, fetched if absent.
PLD_EMU_BODY CacheLine& cacheLine(Core& c, const Site& site, uint64_t at) {
  const uint64_t base = at / kLine * kLine;
  auto found = c.cache.find(base);
  if (found != c.cache.end()) return found->second;
  CacheLine line;
  line.at = site.at;
  const Region& region = System::get().memory.require(at, 1, c.who.rank, c.who, site);
  for (uint64_t i = 0; i < kLine; ++i) {
    const uint64_t byte = base + i;
    line.bytes[i] = region.begin <= byte && byte < region.end() ? *reinterpret_cast<const uint8_t*>(byte) : 0;
  }
  return c.cache[base] = line;
}

template <typename T>
T scalarLoad(Core& c, const Site& site, uint64_t at) {
  Access access = c.access(Pipe::S, site);
  access.signal = signalAccess<T>(at, sizeof(T));
  checkGmIssue(c, access);
  if (at % sizeof(T)) c.fail(format("%s of a %s at a misaligned address", site.op, typeName<T>()), site.at);
  const bool fetched = c.cache.count(at / kLine * kLine) == 0;
  Memory& memory = System::get().memory;
  Region& region = touchGm(c, access, c.on(Pipe::S), at, sizeof(T), Mode::Read);
  const CacheLine& line = cacheLine(c, site, at);
  T value;
  std::memcpy(&value, line.bytes + at % kLine, sizeof(T));
  const uint64_t mask = ((1ull << sizeof(T)) - 1) << (at % kLine);
  if (!(line.dirty & mask)) {
    const uint64_t offset = at - region.begin;
    for (uint64_t i = 0; i < sizeof(T); ++i)
      if (!region.defined[offset + i]) c.fail(format("%s reads bytes that nobody wrote", site.op), site.at);
    if (std::memcmp(&value, reinterpret_cast<const void*>(at), sizeof(T)) != 0 && !access.signal &&
        region.shadow.writesKnown(at, at + sizeof(T), c.on(Pipe::S)))
      c.fail(format("%s returns a stale cache line (loaded at %s): DataCacheCleanAndInvalid missing", site.op,
                    name(line.at).c_str()),
             site.at);
  }
  if (access.signal) {
    uint64_t seen = 0;
    std::memcpy(&seen, &value, sizeof(T));
    notePoll(c, site, at, seen);
    if (const Signal* signal = fetched ? memory.findSignal(at) : nullptr) acquire(c, site, *signal);
    afterPoll(c);
  }
  return value;
}

template <typename T>
void scalarStore(Core& c, const Site& site, uint64_t at, T value) {
  Access access = c.access(Pipe::S, site);
  access.signal = signalAccess<T>(at, sizeof(T));
  checkGmIssue(c, access);
  if (at % sizeof(T)) c.fail(format("%s of a %s at a misaligned address", site.op, typeName<T>()), site.at);
  System::get().memory.require(at, sizeof(T), c.who.rank, c.who, site);
  CacheLine& line = cacheLine(c, site, at);
  std::memcpy(line.bytes + at % kLine, &value, sizeof(T));
  line.dirty |= ((1ull << sizeof(T)) - 1) << (at % kLine);
  line.at = site.at;
  noteWork(c);
}

/// Writes a dirty line back as a whole (that is how neighbours' words get lost) and drops it.
PLD_EMU_BODY void cleanLine(Core& c, const Site& site, uint64_t base) {
  auto found = c.cache.find(base);
  if (found == c.cache.end()) return;
  const CacheLine line = found->second;
  c.cache.erase(found);
  if (!line.dirty) return;
  Access access = c.access(Pipe::S, site);
  const unsigned bytes = static_cast<unsigned>(__builtin_popcountll(line.dirty));
  const uint64_t first = base + static_cast<unsigned>(__builtin_ctzll(line.dirty));
  access.signal = signalAccess<int32_t>(first, bytes);
  const Region* region = System::get().memory.find(first);
  if (!region) c.fail(format("%s of a line outside any device allocation", site.op), site.at);
  const uint64_t begin = std::max(base, region->begin), end = std::min(base + kLine, region->end());
  Region& target = touchGm(c, access, c.on(Pipe::S), begin, end - begin, Mode::Write);
  std::memcpy(reinterpret_cast<void*>(begin), line.bytes + (begin - base), end - begin);
  for (uint64_t i = 0; i < kLine; ++i)
    if (line.dirty >> i & 1) target.defined[base + i - target.begin] = 1;
  ++System::get().version;
  if (access.signal) release(access, c.on(Pipe::S), toldBy(c, first), first, false);
}

}  // namespace pld_emu
