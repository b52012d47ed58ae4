// Failed calls and owned resources of the host code.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdio>
#include <string>

#include "acl/acl.h"
#include "hccl/hccl.h"

namespace pld {

// Results of host functions and exit codes of the program.
constexpr int kOk = 0;
constexpr int kFailed = 1;   ///< an ACL or HCCL call failed
constexpr int kInvalid = 2;  ///< bad command line or input file
constexpr int kFault = 3;    ///< the program breaks a rule while it runs

/// Where generated code calls; a default argument fills it.
struct Place {
  const char* file;
  int line;
};

/// Says which rule the program breaks, by its code, as 401 for pld-401.
inline int Fault(const Place& place, int code, const std::string& what) {
  std::fprintf(stderr, "error: %s at %s:%d [pld-%d]\n", what.c_str(), place.file, place.line, code);
  return kFault;
}

/// Leaves the host function from the middle of an expression, by a fault that has been said.
struct Ended {
  int code;
};

/// A number to divide by; Ended if it is 0.
template <typename T>
T CheckedDivisor(T divisor, Place place = {__builtin_FILE(), __builtin_LINE()}) {
  if (divisor == 0) throw Ended{Fault(place, 408, "division by zero")};
  return divisor;
}

/// The step of a loop; Ended if it is not above 0: the loop would not end.
template <typename T>
T CheckedStep(T step, Place place = {__builtin_FILE(), __builtin_LINE()}) {
  if (step <= 0) throw Ended{Fault(place, 408, "the loop's step is " + std::to_string(step) + ", so it would never end")};
  return step;
}

inline int FailedAcl(const char* call, aclError code, const char* file, int line) {
  const char* text = aclGetRecentErrMsg();
  std::fprintf(stderr, "error: %s:%d: %s returned %d: %s\n", file, line, call, static_cast<int>(code),
               text ? text : "no message");
  return kFailed;
}

inline int FailedHccl(const char* call, HcclResult code, const char* file, int line) {
  std::fprintf(stderr, "error: %s:%d: %s returned %d: %s\n", file, line, call, static_cast<int>(code),
               HcclGetErrorString(code));
  return kFailed;
}

/// Result of the last call that should have given something back and failed, or kOk.
inline std::atomic<int> failedRelease{kOk};

}  // namespace pld

/// Last parameter of a function that generated code calls: the caller's file and line.
#define PLD_HERE ::pld::Place place = {__builtin_FILE(), __builtin_LINE()}

/// Returns from the calling function if an ACL call fails.
#define PLD_ACL(call)                                                                                        \
  do {                                                                                                       \
    if (const aclError pldCode = (call); pldCode != ACL_SUCCESS)                                             \
      return ::pld::FailedAcl(#call, pldCode, __FILE__, __LINE__);                                           \
  } while (0)

/// Returns from the calling function if an HCCL call fails.
#define PLD_HCCL(call)                                                                                       \
  do {                                                                                                       \
    if (const HcclResult pldCode = (call); pldCode != HCCL_SUCCESS)                                          \
      return ::pld::FailedHccl(#call, pldCode, __FILE__, __LINE__);                                          \
  } while (0)

/// Returns from the calling function if a host function, which has already said why, failed.
#define PLD_TRY(call)                                                                                        \
  do {                                                                                                       \
    if (const int pldCode = (call); pldCode != ::pld::kOk) return pldCode;                                   \
  } while (0)

/// Says that a call which gives something back failed. The program goes on, and fails at its end.
#define PLD_RELEASE_ACL(call)                                                                                \
  do {                                                                                                       \
    if (const aclError pldCode = (call); pldCode != ACL_SUCCESS)                                             \
      ::pld::failedRelease = ::pld::FailedAcl(#call, pldCode, __FILE__, __LINE__);                           \
  } while (0)
#define PLD_RELEASE_HCCL(call)                                                                               \
  do {                                                                                                       \
    if (const HcclResult pldCode = (call); pldCode != HCCL_SUCCESS)                                          \
      ::pld::failedRelease = ::pld::FailedHccl(#call, pldCode, __FILE__, __LINE__);                          \
  } while (0)

namespace pld {

/// Device of the calling thread.
class Device {
 public:
  ~Device() {
    if (set_) PLD_RELEASE_ACL(aclrtResetDevice(id_));
  }
  int Set(int32_t id) {
    PLD_ACL(aclrtSetDevice(id));
    set_ = true;
    id_ = id;
    return kOk;
  }

 private:
  bool set_ = false;
  int32_t id_ = 0;
};

class Stream {
 public:
  ~Stream() {
    if (stream_) PLD_RELEASE_ACL(aclrtDestroyStream(stream_));
  }
  int Create() {
    PLD_ACL(aclrtCreateStream(&stream_));
    return kOk;
  }
  aclrtStream get() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

class Communicator {
 public:
  ~Communicator() {
    if (comm_) PLD_RELEASE_HCCL(HcclCommDestroy(comm_));
  }
  int Init(uint32_t ranks, const HcclRootInfo& root, uint32_t rank) {
    PLD_HCCL(HcclCommInitRootInfo(ranks, &root, rank, &comm_));
    return kOk;
  }
  HcclComm get() const { return comm_; }

 private:
  HcclComm comm_ = nullptr;
};

/// Device memory.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept : address_(other.address_) { other.address_ = nullptr; }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer() {
    if (address_) PLD_RELEASE_ACL(aclrtFree(address_));
  }
  int Allocate(size_t bytes) {
    PLD_ACL(aclrtMalloc(&address_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
    return kOk;
  }
  uint8_t* get() const { return static_cast<uint8_t*>(address_); }

 private:
  void* address_ = nullptr;
};

}  // namespace pld
