// Environment variables of the emulation.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace pld_emu {

/// Read once per process.
struct Options {
  bool weak = flag("PLD_EMU_WEAK");            ///< queue MTE and V operations and run them late, by seed
  uint64_t seed = number("PLD_EMU_SEED");      ///< schedule of the weak mode
  uint64_t failCall = number("PLD_EMU_FAIL_CALL");  ///< the K-th ACL/HCCL call fails (1-based, 0 = none)
  uint64_t devices = number("PLD_EMU_DEVICES", 64);
  uint64_t parent = number("PLD_EMU_PARENT");  ///< the process that started this one, which ends with it (0 = no matter)

  /// In one weak seed of four nothing moves unless a flag or a fence forces it.
  bool lazy() const { return weak && seed % 4 == 3; }

 private:
  static bool flag(const char* name) {
    const char* text = std::getenv(name);
    return text && *text && *text != '0';
  }
  static uint64_t number(const char* name, uint64_t otherwise = 0) {
    const char* text = std::getenv(name);
    return text && *text ? std::strtoull(text, nullptr, 10) : otherwise;
  }
};

inline const Options& options() {
  static const Options value;
  return value;
}

/// A small deterministic generator (splitmix64).
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ull + 0x1234567ull) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  uint64_t below(uint64_t bound) { return next() % bound; }
  bool oneIn(uint64_t n) { return below(n) == 0; }

 private:
  uint64_t state_;
};

}  // namespace pld_emu
