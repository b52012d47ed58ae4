// Emulation of the HCCL header: collectives by memory, the communicator calls with it.
#pragma once

#include "hccl_comm.h"

namespace pld_emu {

/// Meets, gathers `sendBytes` of every rank, and scatters what `work` makes of them.
using Exchange = std::function<std::vector<uint8_t>(const std::vector<std::vector<uint8_t>>& sent, uint32_t rank)>;

inline HcclResult exchange(System::Lock& lock, Member& self, const char* call, const std::string& terms,
                           const void* send, uint64_t sendBytes, void* recv, const At& at, const Exchange& work) {
  const std::shared_ptr<Communicator> comm = self.comm;
  Offer offer;
  offer.send = send;
  offer.recv = recv;
  offer.bytes = sendBytes;
  return meet(lock, comm, self.rank, call + terms, offer, at, [&](Meeting& meeting) {
    const Site site{call, at};
    std::vector<std::vector<uint8_t>> sent;
    for (uint32_t r = 0; r < comm->size; ++r)
      sent.push_back(gather(*comm, r, site, meeting.offers[r].send, meeting.offers[r].bytes));
    joinClocks(*comm);
    for (uint32_t r = 0; r < comm->size; ++r) scatter(*comm, r, site, meeting.offers[r].recv, work(sent, r));
    return HCCL_SUCCESS;
  });
}

inline std::string terms(uint64_t count, HcclDataType type, int more = 0) {
  return format("(count %llu, type %d, %d)", static_cast<unsigned long long>(count), static_cast<int>(type), more);
}

inline std::vector<uint8_t> part(const std::vector<uint8_t>& bytes, uint64_t begin, uint64_t size) {
  const auto first = bytes.begin() + static_cast<std::ptrdiff_t>(begin);
  return std::vector<uint8_t>(first, first + static_cast<std::ptrdiff_t>(size));
}

/// Reduction over ranks of [begin, begin + size) of what each sent, in rank order.
inline std::vector<uint8_t> reduceRanks(const std::vector<std::vector<uint8_t>>& sent, uint64_t begin, uint64_t size,
                                        Reducer reduce, HcclReduceOp op) {
  std::vector<uint8_t> total = part(sent[0], begin, size);
  for (size_t r = 1; r < sent.size(); ++r) reduce(total, part(sent[r], begin, size), op);
  return total;
}

}  // namespace pld_emu

inline HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                                HcclComm comm, aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  PLD_EMU_MEMBER("HcclAllReduce");
  const pld_emu::Reducer reduce = pld_emu::reducer(dataType, op);
  if (!reduce) return pld_emu::refuse(HCCL_E_NOT_SUPPORT, "HcclAllReduce: type and operation");
  const uint64_t bytes = count * pld_emu::elementBytes(dataType);
  return pld_emu::exchange(lock, *self, "HcclAllReduce", pld_emu::terms(count, dataType, op), sendBuf, bytes, recvBuf,
                           at, [=](const auto& sent, uint32_t) { return pld_emu::reduceRanks(sent, 0, bytes, reduce, op); });
}

/// `recvCount` elements per rank.
inline HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType,
                                    HcclReduceOp op, HcclComm comm, aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  PLD_EMU_MEMBER("HcclReduceScatter");
  const pld_emu::Reducer reduce = pld_emu::reducer(dataType, op);
  if (!reduce) return pld_emu::refuse(HCCL_E_NOT_SUPPORT, "HcclReduceScatter: type and operation");
  const uint64_t bytes = recvCount * pld_emu::elementBytes(dataType);
  return pld_emu::exchange(
      lock, *self, "HcclReduceScatter", pld_emu::terms(recvCount, dataType, op), sendBuf, bytes * self->comm->size,
      recvBuf, at, [=](const auto& sent, uint32_t rank) { return pld_emu::reduceRanks(sent, rank * bytes, bytes, reduce, op); });
}

inline HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm,
                                aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  PLD_EMU_MEMBER("HcclAllGather");
  const uint64_t bytes = sendCount * pld_emu::elementBytes(dataType);
  if (bytes == 0 && sendCount) return pld_emu::refuse(HCCL_E_NOT_SUPPORT, "HcclAllGather: type");
  return pld_emu::exchange(lock, *self, "HcclAllGather", pld_emu::terms(sendCount, dataType), sendBuf, bytes, recvBuf,
                           at, [](const auto& sent, uint32_t) {
                             std::vector<uint8_t> all;
                             for (const auto& s : sent) all.insert(all.end(), s.begin(), s.end());
                             return all;
                           });
}

inline HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                                aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  PLD_EMU_MEMBER("HcclBroadcast");
  if (root >= self->comm->size) return pld_emu::refuse(HCCL_E_PARA, "HcclBroadcast: root outside the communicator");
  const bool isRoot = self->rank == root;
  const uint64_t bytes = count * pld_emu::elementBytes(dataType);
  return pld_emu::exchange(lock, *self, "HcclBroadcast", pld_emu::terms(count, dataType, static_cast<int>(root)), buf,
                           isRoot ? bytes : 0, buf, at, [root](const auto& sent, uint32_t) { return sent[root]; });
}

/// `sendCount` elements to every rank.
inline HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType, const void* recvBuf,
                               uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  PLD_EMU_MEMBER("HcclAlltoAll");
  if (sendCount != recvCount || sendType != recvType)
    return pld_emu::refuse(HCCL_E_PARA, "HcclAlltoAll: counts and types must agree");
  const uint64_t bytes = sendCount * pld_emu::elementBytes(sendType);
  return pld_emu::exchange(lock, *self, "HcclAlltoAll", pld_emu::terms(sendCount, sendType), sendBuf,
                           bytes * self->comm->size, const_cast<void*>(recvBuf), at,
                           [bytes](const auto& sent, uint32_t rank) {
                             std::vector<uint8_t> mine;
                             for (const auto& s : sent) {
                               const auto block = pld_emu::part(s, rank * bytes, bytes);
                               mine.insert(mine.end(), block.begin(), block.end());
                             }
                             return mine;
                           });
}

#undef PLD_EMU_MEMBER
