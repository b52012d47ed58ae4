// Global memory of all ranks: device allocations, window registrations, definedness, races, signal cells.
#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <unordered_map>

#include "range_map.h"

namespace pld_emu {

inline uint64_t address(const void* pointer) { return reinterpret_cast<uint64_t>(pointer); }

/// A part of an allocation that peers may reach.
struct WindowRange {
  uint64_t begin;
  uint64_t end;
};

/// One device allocation. Bytes hold 0xff until written, and `defined` says which were.
struct Region {
  std::unique_ptr<uint8_t[]> storage;
  uint64_t begin = 0;
  uint64_t size = 0;
  int device = 0;
  std::vector<uint8_t> defined;
  std::vector<WindowRange> windows;
  RangeMap shadow;

  uint64_t end() const { return begin + size; }
  bool inWindow(uint64_t from, uint64_t to) const {
    for (const WindowRange& w : windows)
      if (w.begin <= from && to <= w.end) return true;
    return false;
  }
};

/// An i32 window cell that was used for signalling.
struct Signal {
  Clock released;       ///< what the writers of the present value had completed
  Clock told;           ///< what they had begun before, so that it must be complete for who waits
  Site from{"", {nullptr, 0}};  ///< the last write
  bool polled = false;  ///< some core waits on it
};

class Memory {
 public:
  static constexpr uint64_t kAlignment = 512;

  Region& allocate(uint64_t size, int device) {
    auto region = std::make_unique<Region>();
    region->storage.reset(new uint8_t[size + kAlignment]);
    const uint64_t raw = reinterpret_cast<uint64_t>(region->storage.get());
    region->begin = (raw + kAlignment - 1) / kAlignment * kAlignment;
    region->size = size;
    region->device = device;
    region->defined.assign(size, 0);
    std::memset(reinterpret_cast<void*>(region->begin), 0xff, size);
    Region& result = *region;
    regions_[region->begin] = std::move(region);
    return result;
  }

  /// False if no allocation starts at `address`.
  bool release(uint64_t address) {
    auto it = regions_.find(address);
    if (it == regions_.end()) return false;
    for (auto s = signals_.begin(); s != signals_.end();)
      s = it->second->begin <= s->first && s->first < it->second->end() ? signals_.erase(s) : std::next(s);
    regions_.erase(it);
    return true;
  }

  /// The allocation that holds `address`, or nullptr.
  PLD_EMU_BODY Region* find(uint64_t address) {
    auto it = regions_.upper_bound(address);
    if (it == regions_.begin()) return nullptr;
    --it;
    return address < it->second->end() ? it->second.get() : nullptr;
  }

  /// Bounds and ownership of [begin, begin + size) as seen from `device`; reports and stops if they do not hold.
  PLD_EMU_BODY Region& require(uint64_t begin, uint64_t size, int device, const Who& who, const Site& site) {
    Region* region = find(begin);
    if (!region) fail(who, site, "%s touches %s, which is in no device allocation", begin, size);
    if (begin + size > region->end())
      fail(who, site, "%s runs past its device allocation: %s", begin, size, *region);
    if (region->device != device && !region->inWindow(begin, begin + size))
      fail(who, site, "%s leaves the peer's window: %s", begin, size, *region);
    return *region;
  }

  /// Race check of one access; reports and stops on a race.
  PLD_EMU_BODY void touch(Region& region, uint64_t begin, uint64_t size, const Access& now, Mode mode, const Clock& known) {
    Conflict conflict;
    if (!region.shadow.touch(begin, begin + size, now, mode, known, conflict)) return;
    const uint64_t from = std::max(begin, conflict.begin), to = std::min(begin + size, conflict.end);
    error(now.who,
          format("%s (%s on pipe %s) is not ordered with an earlier %s on pipe %s: global memory race on %s",
                 now.site.op, name(mode), name(now.pipe), name(conflict.mode), name(conflict.before.pipe),
                 describe(region, from, to - from).c_str()),
          now.site.at);
    note("the other access: " + name(conflict.before.who) + ", " + name(conflict.before.site));
    note(now.actor == conflict.before.actor
             ? std::string("missing between them: a flag ") + name(conflict.before.pipe) + "_" + name(now.pipe) +
                   ", PipeBarrier, or the fence of a notify or wait"
             : "missing between them: release fence, notify, wait and acquire fence, or a barrier");
    stop();
  }

  Signal& signal(uint64_t cell) { return signals_[cell]; }
  PLD_EMU_BODY const Signal* findSignal(uint64_t cell) const {
    auto it = signals_.find(cell);
    return it == signals_.end() ? nullptr : &it->second;
  }

  /// "bytes [64, 68) of the 4096-byte window of rank 1", for reports.
  static std::string describe(const Region& region, uint64_t begin, uint64_t size) {
    for (const WindowRange& w : region.windows)
      if (w.begin <= begin && begin < w.end)
        return format("bytes [%lld, %lld) of the %lld-byte window of rank %d", static_cast<long long>(begin - w.begin),
                      static_cast<long long>(begin - w.begin + size), static_cast<long long>(w.end - w.begin),
                      region.device);
    return format("bytes [%lld, %lld) of a %lld-byte allocation of rank %d",
                  static_cast<long long>(begin - region.begin), static_cast<long long>(begin - region.begin + size),
                  static_cast<long long>(region.size), region.device);
  }

  struct Leak {
    unsigned count = 0;
    uint64_t bytes = 0;
  };
  std::map<int, Leak> leaks() const {
    std::map<int, Leak> result;
    for (const auto& entry : regions_) {
      Leak& leak = result[entry.second->device];
      ++leak.count;
      leak.bytes += entry.second->size;
    }
    return result;
  }

 private:
  [[noreturn]] static void fail(const Who& who, const Site& site, const char* text, uint64_t begin, uint64_t size) {
    const std::string range = format("address 0x%llx (%llu bytes)", static_cast<unsigned long long>(begin),
                                     static_cast<unsigned long long>(size));
    finish(who, site, text, range);
  }
  [[noreturn]] static void fail(const Who& who, const Site& site, const char* text, uint64_t begin, uint64_t size,
                                const Region& region) {
    finish(who, site, text, describe(region, begin, size));
  }
  [[noreturn]] static void finish(const Who& who, const Site& site, std::string text, const std::string& range) {
    text.replace(text.find("%s"), 2, site.op);
    text.replace(text.find("%s"), 2, range);
    error(who, text, site.at);
    stop();
  }

  std::map<uint64_t, std::unique_ptr<Region>> regions_;
  std::unordered_map<uint64_t, Signal> signals_;
};

}  // namespace pld_emu
