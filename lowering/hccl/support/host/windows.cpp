#include "windows.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#if __has_include("hccl/hccl_sym_win.h")
#include "hccl/hccl_sym_win.h"
#define PLD_HAS_SYMWIN 1
#endif

namespace pld {
namespace {

#ifdef PLD_HAS_SYMWIN
/// Own device memory, registered with the communicator as a symmetric window.
class SymmetricWindows : public WindowProvider {
 public:
  ~SymmetricWindows() override {
    if (window_) PLD_RELEASE_HCCL(HcclCommSymWinDeregister(window_));
  }

  const char* name() const override { return "symwin"; }

  WindowStatus acquire(HcclComm comm, uint32_t rank, uint32_t n, size_t bytes, CommContext& context) override {
    bool supported = true;
    if (Open(comm, rank, n, bytes, context, supported) != kOk) return WindowStatus::Failed;
    return supported ? WindowStatus::Ok : WindowStatus::NotSupported;
  }

 private:
  int Open(HcclComm comm, uint32_t rank, uint32_t n, size_t bytes, CommContext& context, bool& supported) {
    constexpr uint32_t kSymmetric = 1;
    PLD_ACL(aclrtMalloc(&memory_.address, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    const HcclResult registered = HcclCommSymWinRegister(comm, memory_.address, bytes, &window_, kSymmetric);
    supported = registered != HCCL_E_NOT_SUPPORT;
    if (!supported) return kOk;
    if (registered != HCCL_SUCCESS) return FailedHccl("HcclCommSymWinRegister", registered, __FILE__, __LINE__);
    for (uint32_t peer = 0; peer < n; ++peer) {
      void* base = memory_.address;
      if (peer != rank) PLD_HCCL(HcclSymWinGetPeerPointer(window_, 0, peer, &base));
      context.windowsIn[peer] = reinterpret_cast<uint64_t>(base);
    }
    return kOk;
  }

  struct Memory {
    void* address = nullptr;
    ~Memory() {
      if (address) PLD_RELEASE_ACL(aclrtFree(address));
    }
  };
  Memory memory_;  // outlives the registration
  HcclCommSymWindow window_ = nullptr;
};
#endif

/// A provider and the name that PLD_WINDOWS knows it by.
struct Candidate {
  const char* name;
  std::unique_ptr<WindowProvider> (*make)();
};

std::vector<Candidate> Candidates() {
  std::vector<Candidate> all;
#ifdef PLD_HAS_SYMWIN
  all.push_back({"symwin", []() -> std::unique_ptr<WindowProvider> { return std::make_unique<SymmetricWindows>(); }});
#endif
  return all;
}

/// Collective. `all` becomes the least of what the ranks bring: 1 only if every rank succeeded.
int Agree(HcclComm comm, aclrtStream stream, int32_t mine, int32_t& all) {
  DeviceBuffer flag;
  PLD_TRY(flag.Allocate(sizeof mine));
  PLD_ACL(aclrtMemcpy(flag.get(), sizeof mine, &mine, sizeof mine, ACL_MEMCPY_HOST_TO_DEVICE));
  PLD_HCCL(HcclAllReduce(flag.get(), flag.get(), 1, HCCL_DATA_TYPE_INT32, HCCL_REDUCE_MIN, comm, stream));
  PLD_ACL(aclrtSynchronizeStream(stream));
  PLD_ACL(aclrtMemcpy(&all, sizeof all, flag.get(), sizeof all, ACL_MEMCPY_DEVICE_TO_HOST));
  return kOk;
}

}  // namespace

int OpenWindows(HcclComm comm, aclrtStream stream, uint32_t rank, uint32_t n, size_t bytes, CommContext& context,
                std::unique_ptr<WindowProvider>& provider) {
  const char* forced = std::getenv("PLD_WINDOWS");
  std::string tried;
  for (const Candidate& candidate : Candidates()) {
    if (forced && *forced && std::strcmp(forced, candidate.name) != 0) continue;
    std::unique_ptr<WindowProvider> attempt = candidate.make();
    context = CommContext{};
    context.rankId = rank;
    context.rankNum = n;
    context.winSize = bytes;
    const WindowStatus status = attempt->acquire(comm, rank, n, bytes, context);
    if (status == WindowStatus::Failed) return kFailed;
    int32_t everywhere = 0;
    PLD_TRY(Agree(comm, stream, status == WindowStatus::Ok ? 1 : 0, everywhere));
    if (everywhere == 1) {
      provider = std::move(attempt);
      return kOk;
    }
    tried += std::string(" ") + candidate.name + " (not supported)";
  }
  std::fprintf(stderr, "error: rank %u: no symmetric windows of %zu bytes; tried:%s\n", rank, bytes,
               tried.empty() ? " none, PLD_WINDOWS names no provider of this build" : tried.c_str());
  return kFailed;
}

}  // namespace pld
