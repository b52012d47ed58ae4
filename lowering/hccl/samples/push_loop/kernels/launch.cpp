// All kernels and their launches in one translation unit: a launch must see the kernel it starts.
#include "launch.h"

#include "push_loop_kernel.cpp"

void launch_push_loop(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* total, uint8_t* data,
                      uint8_t* sig, float factor, uint8_t* ctx) {
#ifndef ASCENDC_CPU_DEBUG
  push_loop_kernel<<<blocks, nullptr, stream>>>(x, y, total, data, sig, factor, ctx);
#else
  (void)stream;
  ICPU_RUN_KF(push_loop_kernel, blocks, x, y, total, data, sig, factor, ctx);
#endif
}
