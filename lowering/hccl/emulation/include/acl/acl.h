// Emulation of the ACL runtime header: devices, streams, memory. One process, one thread per rank.
#pragma once

#include <cstddef>
#include <cstdint>

#include "../emu/host.h"
#include "../emu/parent.h"

using aclError = int;
using aclrtStream = void*;
constexpr int ACL_SUCCESS = 0;

enum aclrtMemMallocPolicy {
  ACL_MEM_MALLOC_HUGE_FIRST = 0,
  ACL_MEM_MALLOC_HUGE_ONLY,
  ACL_MEM_MALLOC_NORMAL_ONLY,
  ACL_MEM_MALLOC_HUGE_FIRST_P2P,
  ACL_MEM_MALLOC_HUGE_ONLY_P2P,
  ACL_MEM_MALLOC_NORMAL_ONLY_P2P
};

enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST = 0,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE
};

enum aclDataType {
  ACL_FLOAT = 0, ACL_FLOAT16 = 1, ACL_INT8 = 2, ACL_INT32 = 3, ACL_UINT8 = 4, ACL_INT16 = 6, ACL_UINT16 = 7,
  ACL_UINT32 = 8, ACL_INT64 = 9, ACL_UINT64 = 10, ACL_DOUBLE = 11, ACL_BOOL = 12, ACL_BF16 = 27
};

// Every acquiring call opens so: the mutex, the injected failure, the initialisation.
#define PLD_EMU_ACL(call)                                              \
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);            \
  pld_emu::HostState& state = pld_emu::hostState();                    \
  if (pld_emu::injected(call)) return pld_emu::kErrorInjected;         \
  if (!state.initialised) return pld_emu::refuse(pld_emu::kErrorUninitialised, std::string(call) + " before aclInit")

// A releasing call does its work even if it is the one to fail.
#define PLD_EMU_ACL_RELEASE(call)                                      \
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);            \
  pld_emu::HostState& state = pld_emu::hostState();                    \
  const aclError result = pld_emu::injected(call) ? pld_emu::kErrorInjected : ACL_SUCCESS; \
  if (!state.initialised) return pld_emu::refuse(pld_emu::kErrorUninitialised, std::string(call) + " before aclInit")

#define PLD_EMU_DEVICE(call) \
  if (pld_emu::hostThread.device < 0) return pld_emu::refuse(pld_emu::kErrorParameter, call " before aclrtSetDevice")

#define PLD_EMU_STREAM(call) \
  if (pld_emu::System::get().aborted(pld_emu::hostThread.device)) return pld_emu::refuse(pld_emu::kErrorAborted, call ": the stream was aborted")

/// Text of the calling thread's last error, or nullptr.
inline const char* aclGetRecentErrMsg() {
  return pld_emu::recentError.empty() ? nullptr : pld_emu::recentError.c_str();
}

inline aclError aclInit(const char* configPath) {
  (void)configPath;
  pld_emu::followParent();
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  if (pld_emu::injected("aclInit")) return pld_emu::kErrorInjected;
  if (pld_emu::hostState().initialised) return pld_emu::refuse(pld_emu::kErrorRepeated, "aclInit twice");
  pld_emu::hostState().initialised = true;
  return ACL_SUCCESS;
}

/// Reports what was not given back.
inline aclError aclFinalize(PLD_EMU_AT) {
  PLD_EMU_ACL_RELEASE("aclFinalize");
  const std::string leaks = pld_emu::leaks();
  if (!leaks.empty()) {
    pld_emu::error({pld_emu::hostThread.device, -1}, "not released at aclFinalize:" + leaks.substr(0, leaks.size() - 1), at);
    pld_emu::stop();
  }
  if (pld_emu::options().failCall) pld_emu::note("all is released at aclFinalize");
  state.initialised = false;
  return result;
}

inline aclError aclrtSetDevice(int32_t deviceId) {
  pld_emu::System::Lock lock(pld_emu::System::get().mutex);
  if (pld_emu::injected("aclrtSetDevice")) {
    pld_emu::System::get().leave(pld_emu::hostThread);
    return pld_emu::kErrorInjected;
  }
  if (!pld_emu::hostState().initialised) return pld_emu::refuse(pld_emu::kErrorUninitialised, "aclrtSetDevice before aclInit");
  if (deviceId < 0 || static_cast<uint64_t>(deviceId) >= pld_emu::options().devices)
    return pld_emu::refuse(pld_emu::kErrorParameter, pld_emu::format("device %d of %llu", deviceId,
                           static_cast<unsigned long long>(pld_emu::options().devices)));
  pld_emu::System::get().own(pld_emu::hostThread, deviceId);
  return ACL_SUCCESS;
}

inline aclError aclrtResetDevice(int32_t deviceId) {
  PLD_EMU_ACL_RELEASE("aclrtResetDevice");
  if (pld_emu::hostThread.device != deviceId) return pld_emu::refuse(pld_emu::kErrorParameter, "reset of a device that is not set");
  pld_emu::System::get().leave(pld_emu::hostThread);
  return result;
}

inline aclError aclrtGetDeviceCount(uint32_t* count) {
  PLD_EMU_ACL("aclrtGetDeviceCount");
  *count = static_cast<uint32_t>(pld_emu::options().devices);
  return ACL_SUCCESS;
}

inline aclError aclrtGetDevice(int32_t* deviceId) {
  PLD_EMU_ACL("aclrtGetDevice");
  PLD_EMU_DEVICE("aclrtGetDevice");
  *deviceId = pld_emu::hostThread.device;
  return ACL_SUCCESS;
}

inline aclError aclrtCreateStream(aclrtStream* stream) {
  PLD_EMU_ACL("aclrtCreateStream");
  PLD_EMU_DEVICE("aclrtCreateStream");
  *stream = new char;
  state.streams[*stream] = pld_emu::hostThread.device;
  return ACL_SUCCESS;
}

inline aclError aclrtDestroyStream(aclrtStream stream) {
  PLD_EMU_ACL_RELEASE("aclrtDestroyStream");
  if (!state.streams.erase(stream)) return pld_emu::refuse(pld_emu::kErrorParameter, "aclrtDestroyStream: no such stream");
  delete static_cast<char*>(stream);
  return result;
}

/// Any thread may call it: ends what the stream does, and what waits for that.
inline aclError aclrtStreamAbort(aclrtStream stream) {
  PLD_EMU_ACL_RELEASE("aclrtStreamAbort");
  const auto found = state.streams.find(stream);
  if (found == state.streams.end()) return pld_emu::refuse(pld_emu::kErrorParameter, "aclrtStreamAbort: no such stream");
  pld_emu::System::get().abort(found->second);
  return result;
}

/// Kernels and copies end before their call returns here, so there is nothing to wait for.
inline aclError aclrtSynchronizeStream(aclrtStream stream) {
  PLD_EMU_ACL("aclrtSynchronizeStream");
  if (stream && !state.streams.count(stream)) return pld_emu::refuse(pld_emu::kErrorParameter, "aclrtSynchronizeStream: no such stream");
  PLD_EMU_STREAM("aclrtSynchronizeStream");
  return ACL_SUCCESS;
}

inline aclError aclrtSynchronizeDevice() {
  PLD_EMU_ACL("aclrtSynchronizeDevice");
  PLD_EMU_DEVICE("aclrtSynchronizeDevice");
  return ACL_SUCCESS;
}

inline aclError aclrtMalloc(void** devPtr, size_t size, aclrtMemMallocPolicy policy) {
  (void)policy;
  PLD_EMU_ACL("aclrtMalloc");
  PLD_EMU_DEVICE("aclrtMalloc");
  if (size == 0) return pld_emu::refuse(pld_emu::kErrorParameter, "aclrtMalloc of 0 bytes");
  *devPtr = reinterpret_cast<void*>(pld_emu::System::get().memory.allocate(size, pld_emu::hostThread.device).begin);
  return ACL_SUCCESS;
}

inline aclError aclrtFree(void* devPtr) {
  PLD_EMU_ACL_RELEASE("aclrtFree");
  if (!pld_emu::System::get().memory.release(pld_emu::address(devPtr)))
    return pld_emu::refuse(pld_emu::kErrorParameter, "aclrtFree of an address that aclrtMalloc did not return");
  return result;
}

inline aclError aclrtMallocHost(void** hostPtr, size_t size) {
  PLD_EMU_ACL("aclrtMallocHost");
  std::unique_ptr<uint8_t[]> buffer(new uint8_t[size]);
  *hostPtr = buffer.get();
  state.hostBuffers[*hostPtr] = std::move(buffer);
  return ACL_SUCCESS;
}

inline aclError aclrtFreeHost(void* hostPtr) {
  PLD_EMU_ACL_RELEASE("aclrtFreeHost");
  if (!state.hostBuffers.erase(hostPtr)) return pld_emu::refuse(pld_emu::kErrorParameter, "aclrtFreeHost of an unknown address");
  return result;
}

namespace pld_emu {

inline aclError fill(const char* call, void* devPtr, size_t maxCount, int32_t value, size_t count, const At& at) {
  PLD_EMU_ACL(call);
  if (count > maxCount) return refuse(kErrorParameter, std::string(call) + ": count exceeds maxCount");
  const uint64_t begin = address(devPtr);
  Region* region = hostTouch(call, at, begin, count, Mode::Write);
  if (!region) return refuse(kErrorParameter, std::string(call) + ": not device memory");
  std::memset(devPtr, value, count);
  std::memset(region->defined.data() + (begin - region->begin), 1, count);
  return ACL_SUCCESS;
}

inline aclError copy(const char* call, void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, const At& at) {
  PLD_EMU_ACL(call);
  const bool toDevice = kind == ACL_MEMCPY_HOST_TO_DEVICE || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  const bool fromDevice = kind == ACL_MEMCPY_DEVICE_TO_HOST || kind == ACL_MEMCPY_DEVICE_TO_DEVICE;
  if (count > destMax) return refuse(kErrorParameter, std::string(call) + ": count exceeds destMax");
  if (count == 0) return ACL_SUCCESS;
  const uint64_t from = address(src), to = address(dst);
  Region* source = fromDevice ? hostTouch(call, at, from, count, Mode::Read) : nullptr;
  Region* target = toDevice ? hostTouch(call, at, to, count, Mode::Write) : nullptr;
  Memory& memory = System::get().memory;
  if (!source != !fromDevice || !target != !toDevice || (!fromDevice && memory.find(from)) || (!toDevice && memory.find(to)))
    return refuse(kErrorParameter, std::string(call) + ": the addresses do not fit the kind");
  std::memmove(dst, src, count);
  if (target) {
    uint8_t* defined = target->defined.data() + (to - target->begin);
    if (source)
      std::memmove(defined, source->defined.data() + (from - source->begin), count);
    else
      std::memset(defined, 1, count);
  }
  return ACL_SUCCESS;
}

}  // namespace pld_emu

inline aclError aclrtMemset(void* devPtr, size_t maxCount, int32_t value, size_t count, PLD_EMU_AT) {
  return pld_emu::fill("aclrtMemset", devPtr, maxCount, value, count, at);
}

inline aclError aclrtMemsetAsync(void* devPtr, size_t maxCount, int32_t value, size_t count, aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  return pld_emu::fill("aclrtMemsetAsync", devPtr, maxCount, value, count, at);
}

inline aclError aclrtMemcpy(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind, PLD_EMU_AT) {
  return pld_emu::copy("aclrtMemcpy", dst, destMax, src, count, kind, at);
}

inline aclError aclrtMemcpyAsync(void* dst, size_t destMax, const void* src, size_t count, aclrtMemcpyKind kind,
                                 aclrtStream stream, PLD_EMU_AT) {
  (void)stream;
  return pld_emu::copy("aclrtMemcpyAsync", dst, destMax, src, count, kind, at);
}

#undef PLD_EMU_ACL
#undef PLD_EMU_ACL_RELEASE
#undef PLD_EMU_DEVICE
#undef PLD_EMU_STREAM
