// Communicators of the HCCL emulation: ranks meet in a call, the last to arrive does its work for all.
#pragma once

#include "../hccl/hccl_types.h"
#include "elements.h"

namespace pld_emu {

/// What one rank brings to a meeting.
struct Offer {
  const void* send = nullptr;
  void* recv = nullptr;
  uint64_t bytes = 0;
};

/// One collective call in progress.
struct Meeting {
  std::string what;  ///< the call with all that must agree between ranks
  std::vector<Offer> offers;
  std::vector<Host*> hosts;  ///< by rank, nullptr = not arrived
  HcclResult result = HCCL_SUCCESS;
};

struct Communicator {
  uint32_t size = 0;
  std::string name;
  std::vector<int> devices;  ///< by rank, -1 = not known yet
  std::shared_ptr<Meeting> meeting;
  bool broken = false;          ///< a rank left
  bool forming = true;          ///< HcclCommInitRootInfo has not met yet
};

/// What an HcclComm points to.
struct Member {
  std::shared_ptr<Communicator> comm;
  uint32_t rank = 0;
};

/// What an HcclCommSymWindow points to.
struct SymmetricWindow {
  std::shared_ptr<Communicator> comm;
  uint32_t rank = 0;
  uint64_t bytes = 0;
  std::shared_ptr<std::vector<uint64_t>> bases;  ///< by rank
};

inline std::vector<std::weak_ptr<Communicator>>& communicators() {
  static auto* const all = new std::vector<std::weak_ptr<Communicator>>;
  return *all;
}

inline void finish(Communicator& comm) {
  const std::shared_ptr<Meeting> meeting = std::move(comm.meeting);
  comm.meeting = nullptr;
  for (Host* host : meeting->hosts)
    if (host) System::get().wake(*host);
}

/// Fails meetings whose missing ranks cannot come any more, and those on an aborted stream.
inline void failBrokenMeetings() {
  System& system = System::get();
  for (const auto& weak : communicators()) {
    const std::shared_ptr<Communicator> comm = weak.lock();
    if (!comm || !comm->meeting) continue;
    bool gone = comm->forming && system.anyLeft();
    for (uint32_t r = 0; r < comm->size && !comm->forming; ++r)
      gone = gone || (!comm->meeting->hosts[r] && !system.owned(comm->devices[r])) || system.aborted(comm->devices[r]);
    if (!gone) continue;
    comm->broken = true;
    comm->meeting->result = comm->forming ? HCCL_E_TIMEOUT : HCCL_E_REMOTE;
    finish(*comm);
  }
}

inline std::shared_ptr<Communicator> makeCommunicator(uint32_t size) {
  System::get().onHostsChanged = failBrokenMeetings;
  auto comm = std::make_shared<Communicator>();
  comm->size = size;
  comm->devices.assign(size, -1);
  comm->name = format("emulated_%zu", communicators().size());
  communicators().push_back(comm);
  return comm;
}

/// Joins what all ranks know: a meeting orders everything before it before everything after it.
inline void joinClocks(const Communicator& comm) {
  Clock all;
  for (int device : comm.devices) all.join(System::get().hostClock(device));
  for (int device : comm.devices) System::get().hostClock(device) = all;
}

/// Waits until all ranks have made the same call; the last one runs `work`, whose result all return.
inline HcclResult meet(System::Lock& lock, const std::shared_ptr<Communicator>& comm, uint32_t rank,
                       const std::string& what, const Offer& offer, const At& at,
                       const std::function<HcclResult(Meeting&)>& work) {
  if (comm->broken) return refuse(comm->forming ? HCCL_E_TIMEOUT : HCCL_E_REMOTE, what + ": another rank has left");
  Host& host = hostThread;
  if (System::get().aborted(host.device)) return refuse(HCCL_E_RUNTIME, what + ": the stream was aborted");
  if (!comm->meeting) {
    comm->meeting = std::make_shared<Meeting>();
    comm->meeting->what = what;
    comm->meeting->offers.resize(comm->size);
    comm->meeting->hosts.assign(comm->size, nullptr);
  }
  const std::shared_ptr<Meeting> meeting = comm->meeting;
  if (meeting->what != what || meeting->hosts[rank]) {
    error({host.device, -1}, format("%s while other ranks are in %s", what.c_str(), meeting->what.c_str()), at);
    stop();
  }
  meeting->offers[rank] = offer;
  meeting->hosts[rank] = &host;
  comm->devices[rank] = host.device;
  if (std::count(meeting->hosts.begin(), meeting->hosts.end(), nullptr) == 0) {
    joinClocks(*comm);
    meeting->result = work(*meeting);
    joinClocks(*comm);
    ++System::get().version;
    finish(*comm);
  } else if (!System::get().wait(lock, host, what, at, comm->forming)) {
    comm->broken = true;
    meeting->result = HCCL_E_TIMEOUT;
    meeting->hosts[rank] = nullptr;
    finish(*comm);
  }
  if (meeting->result != HCCL_SUCCESS && comm->broken) recentError = what + ": another rank has left";
  return meeting->result;
}

// ---- data of the collectives ----

inline uint32_t elementBytes(HcclDataType type) {
  switch (type) {
    case HCCL_DATA_TYPE_INT8:
    case HCCL_DATA_TYPE_UINT8: return 1;
    case HCCL_DATA_TYPE_INT16:
    case HCCL_DATA_TYPE_UINT16:
    case HCCL_DATA_TYPE_FP16:
    case HCCL_DATA_TYPE_BFP16: return 2;
    case HCCL_DATA_TYPE_INT32:
    case HCCL_DATA_TYPE_UINT32:
    case HCCL_DATA_TYPE_FP32: return 4;
    case HCCL_DATA_TYPE_INT64:
    case HCCL_DATA_TYPE_UINT64:
    case HCCL_DATA_TYPE_FP64: return 8;
    default: return 0;
  }
}

template <typename T>
void reduceInto(std::vector<uint8_t>& total, const std::vector<uint8_t>& other, HcclReduceOp op) {
  for (size_t i = 0; i + sizeof(T) <= total.size(); i += sizeof(T)) {
    const T a = loadElement<T>(total.data() + i), b = loadElement<T>(other.data() + i);
    storeElement<T>(total.data() + i, op == HCCL_REDUCE_SUM    ? arithmetic(a, b, Plus())
                                      : op == HCCL_REDUCE_PROD ? arithmetic(a, b, Times())
                                      : op == HCCL_REDUCE_MAX  ? greater(a, b)
                                                               : lesser(a, b));
  }
}

using Reducer = void (*)(std::vector<uint8_t>&, const std::vector<uint8_t>&, HcclReduceOp);

/// nullptr if HCCL on A2/A3 does not reduce this type so.
inline Reducer reducer(HcclDataType type, HcclReduceOp op) {
  if (op < HCCL_REDUCE_SUM || op > HCCL_REDUCE_MIN) return nullptr;
  const bool product = op == HCCL_REDUCE_PROD;
  switch (type) {
    case HCCL_DATA_TYPE_INT8: return reduceInto<int8_t>;
    case HCCL_DATA_TYPE_INT16: return product ? nullptr : reduceInto<int16_t>;
    case HCCL_DATA_TYPE_INT32: return reduceInto<int32_t>;
    case HCCL_DATA_TYPE_INT64: return reduceInto<int64_t>;
    case HCCL_DATA_TYPE_FP16: return reduceInto<half>;
    case HCCL_DATA_TYPE_FP32: return reduceInto<float>;
    case HCCL_DATA_TYPE_BFP16: return product ? nullptr : reduceInto<bfloat16_t>;
    default: return nullptr;
  }
}

/// Copies device memory of a rank out, after the checks of a host read; undefined bytes are an error.
inline std::vector<uint8_t> gather(const Communicator& comm, uint32_t rank, const Site& site, const void* from,
                                   uint64_t bytes) {
  System& system = System::get();
  const int device = comm.devices[rank];
  const Access access = system.hostAccess(device, site);
  Region& region = system.memory.require(address(from), bytes, device, access.who, site);
  system.memory.touch(region, address(from), bytes, access, Mode::Read, system.hostClock(device));
  for (uint64_t i = 0; i < bytes; ++i)
    if (!region.defined[address(from) - region.begin + i]) {
      error(access.who, format("%s sends bytes that nobody wrote", site.op), site.at);
      stop();
    }
  const uint8_t* data = static_cast<const uint8_t*>(from);
  return std::vector<uint8_t>(data, data + bytes);
}

inline void scatter(const Communicator& comm, uint32_t rank, const Site& site, void* to,
                    const std::vector<uint8_t>& data) {
  System& system = System::get();
  const int device = comm.devices[rank];
  const Access access = system.hostAccess(device, site);
  Region& region = system.memory.require(address(to), data.size(), device, access.who, site);
  system.memory.touch(region, address(to), data.size(), access, Mode::Write, system.hostClock(device));
  std::memcpy(to, data.data(), data.size());
  std::memset(region.defined.data() + (address(to) - region.begin), 1, data.size());
}

}  // namespace pld_emu
