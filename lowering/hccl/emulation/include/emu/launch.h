// Kernel launch on the device of the calling thread: numBlocks cores, until all have ended.
#pragma once

#include "sync.h"

namespace pld_emu {

template <typename Kernel, typename... Args>
void launch(const char* name, Kernel* kernel, uint32_t numBlocks, const At& at, Args... args) {
  const int device = hostThread.device;
  if (device < 0) {
    error({-1, -1}, format("launch of %s before aclrtSetDevice", name), at);
    stop();
  }
  if (numBlocks < 1 || numBlocks > 65535) {
    error({device, -1}, format("launch of %s on %u blocks: 1 to 65535", name, numBlocks), at);
    stop();
  }
  System::get().launch(device, static_cast<int>(numBlocks), [=] { kernel(args...); }, checkKernelEnd, at);
}

}  // namespace pld_emu

/// The CPU-debug launch: every core of the calling thread's device runs `kernel(args...)`.
#define ICPU_RUN_KF(kernel, numBlocks, ...) \
  ::pld_emu::launch(#kernel, kernel, numBlocks, ::pld_emu::At{__FILE__, __LINE__}, __VA_ARGS__)
