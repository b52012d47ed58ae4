#include "collectives.h"

#include "check.h"

namespace pld {

int Meet(Rank& rank) {
  PLD_HCCL(HcclBarrier(rank.comm(), rank.stream()));
  return kOk;
}

int AllReduce(Rank& rank, uint8_t* data, int64_t count, HcclDataType type, HcclReduceOp op) {
  PLD_TRY(Meet(rank));
  if (count > 0)
    PLD_HCCL(HcclAllReduce(data, data, static_cast<uint64_t>(count), type, op, rank.comm(), rank.stream()));
  return Meet(rank);
}

int ReduceScatter(Rank& rank, uint8_t* data, int64_t count, int64_t elementBytes, HcclDataType type, HcclReduceOp op) {
  PLD_TRY(Meet(rank));
  if (count > 0) {
    const size_t bytes = static_cast<size_t>(count * elementBytes);
    DeviceBuffer row;  // the result must not overlap what is sent
    PLD_TRY(row.Allocate(bytes));
    PLD_HCCL(HcclReduceScatter(data, row.get(), static_cast<uint64_t>(count), type, op, rank.comm(), rank.stream()));
    uint8_t* const own = data + static_cast<size_t>(rank.id()) * bytes;
    PLD_ACL(aclrtMemcpyAsync(own, bytes, row.get(), bytes, ACL_MEMCPY_DEVICE_TO_DEVICE, rank.stream()));
    PLD_ACL(aclrtSynchronizeStream(rank.stream()));
  }
  return Meet(rank);
}

int Broadcast(Rank& rank, uint8_t* data, int64_t count, HcclDataType type, uint32_t root) {
  PLD_TRY(Meet(rank));
  if (count > 0)
    PLD_HCCL(HcclBroadcast(data, static_cast<uint64_t>(count), type, root, rank.comm(), rank.stream()));
  return Meet(rank);
}

int AllGather(Rank& rank, uint8_t* chunk, uint8_t* all, int64_t count, HcclDataType type) {
  PLD_TRY(Meet(rank));
  if (count > 0)
    PLD_HCCL(HcclAllGather(chunk, all, static_cast<uint64_t>(count), type, rank.comm(), rank.stream()));
  return Meet(rank);
}

int AllToAll(Rank& rank, uint8_t* in, uint8_t* out, int64_t count, HcclDataType type) {
  PLD_TRY(Meet(rank));
  const uint64_t each = static_cast<uint64_t>(count);
  if (count > 0) PLD_HCCL(HcclAlltoAll(in, each, type, out, each, type, rank.comm(), rank.stream()));
  return Meet(rank);
}

}  // namespace pld
