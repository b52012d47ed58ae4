// Emulation of HCCL's communicator header: set-up, barrier, symmetric windows. One process, one thread per rank.
#pragma once

#include "../emu/comm.h"
#include "hccl_types.h"

namespace pld_emu {

/// Opens an acquiring HCCL call: initialised, not the one to fail.
inline HcclResult open(const char* call) {
  if (injected(call)) return HCCL_E_INTERNAL;
  if (!hostState().initialised) return refuse(HCCL_E_UNAVAIL, format("%s before aclInit", call));
  return HCCL_SUCCESS;
}

/// The member behind a handle, for the rank of the calling thread.
inline HcclResult member(HcclComm comm, const char* call, Member*& found) {
  const HcclResult opened = open(call);
  if (opened != HCCL_SUCCESS) return opened;
  if (!hostState().communicators.count(comm)) return refuse(HCCL_E_PTR, format("%s: not a communicator", call));
  found = static_cast<Member*>(comm);
  if (hostThread.device != found->comm->devices[found->rank])
    return refuse(HCCL_E_PARA, format("%s: the thread's device is not the communicator's", call));
  return HCCL_SUCCESS;
}

inline HcclComm makeMember(const std::shared_ptr<Communicator>& comm, uint32_t rank) {
  Member* member = new Member{comm, rank};
  hostState().communicators[member] = comm->devices[rank];
  return member;
}

}  // namespace pld_emu

#define PLD_EMU_MEMBER(call)                                                          \
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);                           \
  pld_emu::Member* self = nullptr;                                                    \
  if (const HcclResult r = pld_emu::member(comm, call, self); r != HCCL_SUCCESS) return r

constexpr uint32_t COMM_NAME_MAX_LENGTH = 128;

inline const char* HcclGetErrorString(HcclResult code) {
  switch (code) {
    case HCCL_SUCCESS: return "no error";
    case HCCL_E_PARA: return "parameter error";
    case HCCL_E_PTR: return "bad pointer";
    case HCCL_E_MEMORY: return "memory error";
    case HCCL_E_INTERNAL: return "internal error";
    case HCCL_E_NOT_SUPPORT: return "not supported";
    case HCCL_E_NOT_FOUND: return "not found";
    case HCCL_E_UNAVAIL: return "resource unavailable";
    case HCCL_E_SYSCALL: return "system call error";
    case HCCL_E_TIMEOUT: return "timeout";
    case HCCL_E_RUNTIME: return "runtime call failed";
    case HCCL_E_REMOTE: return "remote error";
    case HCCL_E_OOM: return "out of memory";
  }
  return "unknown error";
}

inline HcclResult HcclGetRootInfo(HcclRootInfo* rootInfo) {
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  if (const HcclResult r = pld_emu::open("HcclGetRootInfo"); r != HCCL_SUCCESS) return r;
  if (!rootInfo) return pld_emu::refuse(HCCL_E_PTR, "HcclGetRootInfo: null");
  // The communicator exists from here on; its size comes with the first rank.
  static auto* const kept = new std::vector<std::shared_ptr<pld_emu::Communicator>>;
  const uint64_t index = pld_emu::communicators().size();
  kept->push_back(pld_emu::makeCommunicator(0));
  std::memset(rootInfo->internal, 0, sizeof rootInfo->internal);
  std::memcpy(rootInfo->internal, &index, sizeof index);
  return HCCL_SUCCESS;
}

inline HcclResult HcclCommInitRootInfo(uint32_t nRanks, const HcclRootInfo* rootInfo, uint32_t rank, HcclComm* comm,
                                       PLD_EMU_AT) {
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  if (const HcclResult r = pld_emu::open("HcclCommInitRootInfo"); r != HCCL_SUCCESS) return r;
  if (!rootInfo || !comm) return pld_emu::refuse(HCCL_E_PTR, "HcclCommInitRootInfo: null");
  if (rank >= nRanks) return pld_emu::refuse(HCCL_E_PARA, "HcclCommInitRootInfo: rank outside [0, nRanks)");
  if (pld_emu::hostThread.device < 0) return pld_emu::refuse(HCCL_E_RUNTIME, "HcclCommInitRootInfo before aclrtSetDevice");
  uint64_t index;
  std::memcpy(&index, rootInfo->internal, sizeof index);
  const auto shared = index < pld_emu::communicators().size() ? pld_emu::communicators()[index].lock() : nullptr;
  if (!shared || !shared->forming) return pld_emu::refuse(HCCL_E_PARA, "HcclCommInitRootInfo: stale root info");
  if (shared->size == 0) {
    shared->size = nRanks;
    shared->devices.assign(nRanks, -1);
  }
  if (shared->size != nRanks) return pld_emu::refuse(HCCL_E_PARA, "HcclCommInitRootInfo: ranks disagree on nRanks");
  const HcclResult result =
      pld_emu::meet(lock, shared, rank, pld_emu::format("HcclCommInitRootInfo(%u)", nRanks), {}, at,
                    [&](pld_emu::Meeting&) { return shared->forming = false, HCCL_SUCCESS; });
  if (result == HCCL_SUCCESS) *comm = pld_emu::makeMember(shared, rank);
  return result;
}

inline HcclResult HcclCommInitAll(uint32_t ndev, int32_t* devices, HcclComm* comms) {
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  if (const HcclResult r = pld_emu::open("HcclCommInitAll"); r != HCCL_SUCCESS) return r;
  if (!ndev || !devices || !comms) return pld_emu::refuse(HCCL_E_PTR, "HcclCommInitAll: null or no devices");
  const auto shared = pld_emu::makeCommunicator(ndev);
  shared->forming = false;
  shared->devices.assign(devices, devices + ndev);
  for (uint32_t r = 0; r < ndev; ++r) comms[r] = pld_emu::makeMember(shared, r);
  return HCCL_SUCCESS;
}

inline HcclResult HcclGetRankId(HcclComm comm, uint32_t* rank) {
  PLD_EMU_MEMBER("HcclGetRankId");
  *rank = self->rank;
  return HCCL_SUCCESS;
}

inline HcclResult HcclGetRankSize(HcclComm comm, uint32_t* rankSize) {
  PLD_EMU_MEMBER("HcclGetRankSize");
  *rankSize = self->comm->size;
  return HCCL_SUCCESS;
}

/// `commName` holds at least 128 characters.
inline HcclResult HcclGetCommName(HcclComm comm, char* commName) {
  PLD_EMU_MEMBER("HcclGetCommName");
  std::snprintf(commName, COMM_NAME_MAX_LENGTH, "%s", self->comm->name.c_str());
  return HCCL_SUCCESS;
}

inline HcclResult HcclBarrier(HcclComm comm, aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  PLD_EMU_MEMBER("HcclBarrier");
  return pld_emu::meet(lock, self->comm, self->rank, "HcclBarrier", {}, at,
                       [](pld_emu::Meeting&) { return HCCL_SUCCESS; });
}

inline HcclResult HcclCommDestroy(HcclComm comm) {
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  const HcclResult result = pld_emu::injected("HcclCommDestroy") ? HCCL_E_INTERNAL : HCCL_SUCCESS;
  if (!pld_emu::hostState().communicators.erase(comm)) return pld_emu::refuse(HCCL_E_PTR, "HcclCommDestroy: not a communicator");
  delete static_cast<pld_emu::Member*>(comm);
  return result;
}

/// Collective: makes [addr, addr + size) of every rank reachable by its peers. `flag` must be 1 (symmetric).
inline HcclResult HcclCommSymWinRegister(HcclComm comm, void* addr, uint64_t size, HcclCommSymWindow* winHandle,
                                         uint32_t flag, PLD_EMU_AT) {
  PLD_EMU_MEMBER("HcclCommSymWinRegister");
  using namespace pld_emu;
  if (!addr || !winHandle) return refuse(HCCL_E_PTR, "HcclCommSymWinRegister: null");
  if (flag != 1 || size == 0) return refuse(HCCL_E_PARA, "HcclCommSymWinRegister: flag must be 1 and size positive");
  const Region* region = System::get().memory.find(address(addr));
  if (!region || region->device != hostThread.device || address(addr) + size > region->end())
    return refuse(HCCL_E_PARA, "HcclCommSymWinRegister: not memory of this device");
  const std::shared_ptr<Communicator> shared = self->comm;
  const uint32_t rank = self->rank;
  const auto bases = std::make_shared<std::vector<uint64_t>>(shared->size);
  Offer offer;
  offer.send = addr;
  offer.recv = bases.get();
  const HcclResult result =
      meet(lock, shared, rank, format("HcclCommSymWinRegister(%llu bytes)", static_cast<unsigned long long>(size)),
           offer, at, [&](Meeting& meeting) {
             for (const Offer& to : meeting.offers)
               for (uint32_t r = 0; r < shared->size; ++r)
                 (*static_cast<std::vector<uint64_t>*>(to.recv))[r] = address(meeting.offers[r].send);
             return HCCL_SUCCESS;
           });
  if (result != HCCL_SUCCESS) return result;
  System::get().memory.find(address(addr))->windows.push_back({address(addr), address(addr) + size});
  auto* window = new SymmetricWindow{shared, rank, size, bases};
  hostState().windows[window] = hostThread.device;
  *winHandle = window;
  return HCCL_SUCCESS;
}

inline HcclResult HcclCommSymWinDeregister(HcclCommSymWindow winHandle) {
  using namespace pld_emu;
  System::Lock lock(System::get().mutex);
  const HcclResult result = injected("HcclCommSymWinDeregister") ? HCCL_E_INTERNAL : HCCL_SUCCESS;
  if (!hostState().windows.erase(winHandle)) return refuse(HCCL_E_PTR, "HcclCommSymWinDeregister: not a window");
  auto* window = static_cast<SymmetricWindow*>(winHandle);
  const uint64_t base = (*window->bases)[window->rank];
  if (Region* region = System::get().memory.find(base)) {
    auto& ranges = region->windows;
    ranges.erase(std::remove_if(ranges.begin(), ranges.end(), [&](const WindowRange& w) { return w.begin == base; }),
                 ranges.end());
  }
  delete window;
  return result;
}
