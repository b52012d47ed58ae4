// What a kernel knows of its peers: filled on the host, read on the device.
#pragma once

#include <cstddef>
#include <cstdint>

namespace pld {

constexpr uint32_t kMaxRanks = 64;

/// Symmetric windows of one group of ranks. Rank r's window starts at windowsIn[r]; all have winSize bytes.
struct CommContext {
  uint64_t workSpace;
  uint64_t workSpaceSize;
  uint32_t rankId;   ///< this rank, dense in the group
  uint32_t rankNum;  ///< ranks in the group
  uint64_t winSize;
  uint64_t windowsIn[kMaxRanks];
  uint64_t windowsOut[kMaxRanks];
};

static_assert(offsetof(CommContext, rankId) == 16, "layout of CommContext");
static_assert(offsetof(CommContext, rankNum) == 20, "layout of CommContext");
static_assert(offsetof(CommContext, winSize) == 24, "layout of CommContext");
static_assert(offsetof(CommContext, windowsIn) == 32, "layout of CommContext");
static_assert(offsetof(CommContext, windowsOut) == 544, "layout of CommContext");
static_assert(sizeof(CommContext) == 1056, "layout of CommContext");

}  // namespace pld
