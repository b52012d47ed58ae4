// One rank of a running program: its device memory, windows and stream, as the host function uses them.
#pragma once

#include <map>
#include <memory>
#include <mutex>

#include "check.h"
#include "program.h"
#include "windows.h"

namespace pld {

/// Functions that return int return kOk or a code after printing the reason; call them through PLD_TRY.
class Rank {
 public:
  Rank(World& world, std::mutex& results, uint32_t id, HcclComm comm, aclrtStream stream)
      : world_(world), results_(results), id_(id), comm_(comm), stream_(stream) {}

  int64_t id() const { return id_; }
  int64_t ranks() const { return world_.ranks; }
  HcclComm comm() const { return comm_; }
  aclrtStream stream() const { return stream_; }
  const World& world() const { return world_; }

  /// Address of slice `slice` of world array `arg` in this rank's memory; its outputs go back when the program ends.
  int Shard(size_t arg, int64_t slice, uint8_t** address, PLD_HERE);

  /// Fails if a dispatch to rank `target` has no rank to run on.
  int CheckTarget(int64_t target, PLD_HERE) const;

  /// Address of this rank's copy of replicated array `arg`.
  int Replica(size_t arg, uint8_t** address);

  /// Zeroed device memory that lives to the end of the program.
  int Allocate(int64_t bytes, uint8_t** address, PLD_HERE);

  /// Device memory of at least so many bytes, of any content, for kernels that run one after another.
  int Workspace(int64_t bytes, uint8_t** address, PLD_HERE);

  /// Own slice of window buffer `buffer`, in allocation order.
  uint8_t* Window(size_t buffer) const { return windows_ + offsets_[buffer]; }

  /// One 64-byte line per rank behind the data of a window buffer, zeroed, for signals of the compiler.
  uint8_t* WindowTail(size_t buffer) const { return windows_ + tails_[buffer]; }

  /// Device address of the CommContext of all ranks.
  uint8_t* Context() const { return context_; }

  /// Device address of the CommContext of `group` (world ranks); this rank must be one of them.
  int GroupContext(const std::vector<uint32_t>& group, uint8_t** address, PLD_HERE);

  // ---- for the runner ----

  int OpenWindows();
  int CopyResults();

 private:
  struct Slice {
    DeviceBuffer memory;
    size_t offset;  ///< of its bytes in the array
    size_t bytes;
  };

  int Load(size_t arg, int64_t slice, size_t offset, size_t bytes, uint8_t** address);
  int CopyContext(const CommContext& context, uint8_t** address);

  World& world_;
  std::mutex& results_;  ///< guards the arrays when results are copied
  uint32_t id_;
  HcclComm comm_;
  aclrtStream stream_;
  std::map<std::pair<size_t, int64_t>, Slice> slices_;
  std::vector<DeviceBuffer> memory_;
  std::vector<DeviceBuffer> workspaces_;  ///< the last is in use; earlier ones may still be, by kernels under way
  int64_t workspaceBytes_ = 0;
  CommContext table_{};
  std::unique_ptr<WindowProvider> provider_;
  uint8_t* windows_ = nullptr;
  uint8_t* context_ = nullptr;
  std::vector<uint64_t> offsets_;
  std::vector<uint64_t> tails_;
};

}  // namespace pld
