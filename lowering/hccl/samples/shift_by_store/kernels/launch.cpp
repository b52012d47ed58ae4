// All kernels and their launches in one translation unit: a launch must see the kernel it starts.
#include "launch.h"

#include "shift_by_store_kernel.cpp"

void launch_shift_by_store(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* data, uint8_t* sig,
                          uint8_t* ctx) {
#ifndef ASCENDC_CPU_DEBUG
  shift_by_store_kernel<<<blocks, nullptr, stream>>>(x, y, data, sig, ctx);
#else
  (void)stream;
  ICPU_RUN_KF(shift_by_store_kernel, blocks, x, y, data, sig, ctx);
#endif
}
