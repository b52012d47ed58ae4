// The memories on a core of arch 2201. Each kind of core has its own, one after another in one range of bytes.
#pragma once

#include "clock.h"
#include "types.h"

namespace pld_emu {

enum class Space : uint8_t { Ub, L1, L0A, L0B, L0C, Count };

struct SpaceInfo {
  const char* name;
  bool cube;        ///< on cube cores, else on vector cores
  uint32_t begin;   ///< first byte in the core's range
  uint32_t bytes;   ///< physical
  uint32_t usable;  ///< what a TPipe may hand out
};

constexpr uint32_t kKiB = 1024;

constexpr SpaceInfo kSpaces[] = {
    {"UB", false, 0, 192 * kKiB, 184 * kKiB},
    {"L1", true, 0, 512 * kKiB, 512 * kKiB - 128},
    {"L0A", true, 512 * kKiB, 64 * kKiB, 64 * kKiB},
    {"L0B", true, 576 * kKiB, 64 * kKiB, 64 * kKiB},
    {"L0C", true, 640 * kKiB, 128 * kKiB, 128 * kKiB},
};

constexpr const SpaceInfo& info(Space space) { return kSpaces[static_cast<unsigned>(space)]; }

/// The space of a buffer position; Count for one that is not emulated.
constexpr Space spaceOf(AscendC::TPosition position) {
  using P = AscendC::TPosition;
  switch (position) {
    case P::VECIN:
    case P::VECOUT:
    case P::VECCALC: return Space::Ub;
    case P::A1:
    case P::B1: return Space::L1;
    case P::A2: return Space::L0A;
    case P::B2: return Space::L0B;
    case P::CO1: return Space::L0C;
    default: return Space::Count;
  }
}

constexpr uint32_t coreBytes(bool cube) {
  uint32_t end = 0;
  for (const SpaceInfo& space : kSpaces)
    if (space.cube == cube) end = space.begin + space.bytes;
  return end;
}

/// "UB bytes [0, 32)", for reports.
PLD_EMU_BODY std::string describeBytes(bool cube, uint32_t begin, uint32_t end) {
  for (const SpaceInfo& space : kSpaces)
    if (space.cube == cube && space.begin <= begin && begin < space.begin + space.bytes)
      return format("%s bytes [%u, %u)", space.name, begin - space.begin, end - space.begin);
  return format("bytes [%u, %u)", begin, end);
}

}  // namespace pld_emu
