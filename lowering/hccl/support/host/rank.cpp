#include "rank.h"

#include <algorithm>

namespace pld {
namespace {

constexpr uint64_t kLine = 64;          ///< signal line of one rank
constexpr uint64_t kWindowFloor = 4096; ///< least size of a window buffer
constexpr uint64_t kWindowAlign = 512;

uint64_t RoundUp(uint64_t value, uint64_t unit) { return (value + unit - 1) / unit * unit; }

}  // namespace

int Rank::Load(size_t arg, int64_t slice, size_t offset, size_t bytes, uint8_t** address) {
  auto found = slices_.find({arg, slice});
  if (found == slices_.end()) {
    Slice fresh{DeviceBuffer(), offset, bytes};
    PLD_TRY(fresh.memory.Allocate(std::max<size_t>(bytes, 1)));
    const uint8_t* source = world_.values[arg].bytes.data() + offset;
    if (bytes > 0) PLD_ACL(aclrtMemcpy(fresh.memory.get(), bytes, source, bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    found = slices_.emplace(std::make_pair(arg, slice), std::move(fresh)).first;
  }
  *address = found->second.memory.get();
  return kOk;
}

int Rank::Shard(size_t arg, int64_t slice, uint8_t** address, Place place) {
  if (slice < 0 || slice >= ranks())
    return Fault(place, 401, "shard " + std::to_string(slice) + " of argument " + std::to_string(arg) + " (" +
                                 world_.program.args[arg].name + ") is out of bounds of a world array of " +
                                 std::to_string(world_.ranks) + " shards");
  const size_t bytes = world_.values[arg].bytes.size() / world_.ranks;
  return Load(arg, slice, bytes * static_cast<size_t>(slice), bytes, address);
}

int Rank::Replica(size_t arg, uint8_t** address) { return Load(arg, 0, 0, world_.values[arg].bytes.size(), address); }

int Rank::CheckTarget(int64_t target, Place place) const {
  if (target >= 0 && target < ranks()) return kOk;
  return Fault(place, 406, "rank " + std::to_string(target) + " does not exist in a world of " + std::to_string(world_.ranks));
}

int Rank::Allocate(int64_t bytes, uint8_t** address, Place place) {
  if (bytes < 0) return Fault(place, 404, "cannot allocate " + std::to_string(bytes) + " bytes");
  const size_t size = static_cast<size_t>(std::max<int64_t>(bytes, 1));
  DeviceBuffer buffer;
  PLD_TRY(buffer.Allocate(size));
  PLD_ACL(aclrtMemset(buffer.get(), size, 0, size));
  *address = buffer.get();
  memory_.push_back(std::move(buffer));
  return kOk;
}

int Rank::Workspace(int64_t bytes, uint8_t** address, Place place) {
  if (bytes < 0) return Fault(place, 404, "cannot allocate " + std::to_string(bytes) + " bytes");
  if (bytes > workspaceBytes_) {
    DeviceBuffer buffer;
    PLD_ACL(buffer.Allocate(static_cast<size_t>(bytes)));
    workspaces_.push_back(std::move(buffer));
    workspaceBytes_ = bytes;
  }
  *address = workspaces_.back().get();
  return kOk;
}

int Rank::CopyContext(const CommContext& context, uint8_t** address) {
  PLD_TRY(Allocate(sizeof context, address));
  PLD_ACL(aclrtMemcpy(*address, sizeof context, &context, sizeof context, ACL_MEMCPY_HOST_TO_DEVICE));
  return kOk;
}

int Rank::GroupContext(const std::vector<uint32_t>& group, uint8_t** address, Place place) {
  CommContext context{};
  context.winSize = table_.winSize;
  context.rankNum = static_cast<uint32_t>(group.size());
  context.rankId = kMaxRanks;
  for (uint32_t i = 0; i < group.size() && i < kMaxRanks; ++i) {
    if (group[i] == id_) context.rankId = i;
    if (group[i] < world_.ranks) context.windowsIn[i] = table_.windowsIn[group[i]];
    else
      return Fault(place, 406, "group member " + std::to_string(group[i]) + " is not a rank of a world of " +
                                   std::to_string(world_.ranks));
  }
  if (context.rankId == kMaxRanks)
    return Fault(place, 406, "rank " + std::to_string(id_) + " uses a window of a group that it is no member of");
  return CopyContext(context, address);
}

int Rank::OpenWindows() {
  uint64_t total = 0;
  for (int64_t bytes : world_.program.windowBytes(world_)) {
    if (bytes < 0) {
      std::fprintf(stderr, "error: window buffer %zu has %lld bytes, expected at least 0 [pld-404]\n", offsets_.size(),
                   static_cast<long long>(bytes));
      return kFault;
    }
    const uint64_t data = RoundUp(static_cast<uint64_t>(bytes), kLine);
    offsets_.push_back(total);
    tails_.push_back(total + data);
    total += RoundUp(std::max(kWindowFloor, data + kLine * world_.ranks), kWindowAlign);
  }
  if (total == 0) total = kWindowFloor;
  PLD_TRY(pld::OpenWindows(comm_, stream_, id_, world_.ranks, total, table_, provider_));
  windows_ = reinterpret_cast<uint8_t*>(table_.windowsIn[id_]);
  PLD_ACL(aclrtMemset(windows_, total, 0, total));
  return CopyContext(table_, &context_);
}

int Rank::CopyResults() {
  const std::lock_guard<std::mutex> lock(results_);
  for (auto& entry : slices_) {
    const size_t arg = entry.first.first;
    const Slice& slice = entry.second;
    if (world_.program.args[arg].direction == Direction::In || slice.bytes == 0) continue;
    uint8_t* target = world_.values[arg].bytes.data() + slice.offset;
    PLD_ACL(aclrtMemcpy(target, slice.bytes, slice.memory.get(), slice.bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  }
  return kOk;
}

}  // namespace pld
