// State behind the ACL emulation: initialisation, streams, host buffers, injected failures, leak report.
#pragma once

#include <set>

#include "system.h"

namespace pld_emu {

// Codes that the emulation returns; 0 is success.
constexpr int kErrorParameter = 100000;
constexpr int kErrorUninitialised = 100001;
constexpr int kErrorRepeated = 100002;
constexpr int kErrorInjected = 507899;
constexpr int kErrorAborted = 507035;

struct HostState {
  bool initialised = false;
  std::map<void*, int> streams;         ///< handle -> device
  std::map<void*, std::unique_ptr<uint8_t[]>> hostBuffers;
  std::map<void*, int> communicators;   ///< handle -> device of its rank
  std::map<void*, int> windows;         ///< handle -> device of its rank
  uint64_t calls = 0;                   ///< ACL and HCCL calls so far
};

inline HostState& hostState() {
  static HostState* const state = new HostState;
  return *state;
}

inline thread_local std::string recentError;

/// Records a failed call and returns its code.
template <typename Code>
Code refuse(Code code, const std::string& text) {
  recentError = text;
  return code;
}

/// True if this call is the one that PLD_EMU_FAIL_CALL names. Call with the system's mutex held.
inline bool injected(const char* call) {
  if (++hostState().calls != options().failCall) return false;
  recentError = format("%s fails on demand (PLD_EMU_FAIL_CALL=%llu)", call,
                       static_cast<unsigned long long>(options().failCall));
  note(recentError);
  return true;
}

inline void noteLeaks(std::string& text, const std::map<void*, int>& handles, const char* what) {
  for (const auto& h : handles) text += format(" a %s of rank %d;", what, h.second);
}

/// Everything that was not given back, as a list for the report; empty if nothing.
inline std::string leaks() {
  const HostState& state = hostState();
  std::string text;
  for (const auto& leak : System::get().memory.leaks())
    text += format(" %u allocations (%llu bytes) of rank %d;", leak.second.count,
                   static_cast<unsigned long long>(leak.second.bytes), leak.first);
  noteLeaks(text, state.streams, "stream");
  noteLeaks(text, state.communicators, "communicator");
  noteLeaks(text, state.windows, "symmetric window");
  if (!state.hostBuffers.empty()) text += format(" %zu host buffers;", state.hostBuffers.size());
  return text;
}

/// A host access of device memory: bounds, ownership, race with running kernels; definedness is copied by the caller.
inline Region* hostTouch(const char* op, const At& at, uint64_t begin, uint64_t bytes, Mode mode) {
  System& system = System::get();
  Region* region = system.memory.find(begin);
  if (!region) return nullptr;
  const int device = hostThread.device >= 0 ? hostThread.device : region->device;
  const Site site{op, at};
  const Access access = system.hostAccess(device, site);
  Region& checked = system.memory.require(begin, bytes, device, access.who, site);
  system.memory.touch(checked, begin, bytes, access, mode, system.hostClock(device));
  return &checked;
}

}  // namespace pld_emu
