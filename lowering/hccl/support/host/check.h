// Failed calls and owned resources of the host code.
#pragma once

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

/// Device of the calling thread.
class Device {
 public:
  ~Device() {
    if (set_) aclrtResetDevice(id_);
  }
  aclError Set(int32_t id) {
    const aclError code = aclrtSetDevice(id);
    set_ = code == ACL_SUCCESS;
    id_ = id;
    return code;
  }

 private:
  bool set_ = false;
  int32_t id_ = 0;
};

class Stream {
 public:
  ~Stream() {
    if (stream_) aclrtDestroyStream(stream_);
  }
  aclError Create() { return aclrtCreateStream(&stream_); }
  aclrtStream get() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

class Communicator {
 public:
  ~Communicator() {
    if (comm_) HcclCommDestroy(comm_);
  }
  HcclResult Init(uint32_t ranks, const HcclRootInfo& root, uint32_t rank) {
    return HcclCommInitRootInfo(ranks, &root, rank, &comm_);
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
    if (address_) aclrtFree(address_);
  }
  aclError Allocate(size_t bytes) { return aclrtMalloc(&address_, bytes, ACL_MEM_MALLOC_HUGE_FIRST); }
  uint8_t* get() const { return static_cast<uint8_t*>(address_); }

 private:
  void* address_ = nullptr;
};

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
