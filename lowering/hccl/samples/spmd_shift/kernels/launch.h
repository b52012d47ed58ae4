// Launch wrappers: the host code's only way to the kernels.
#pragma once

#include <cstdint>

void launch_spmd_shift(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* data, uint8_t* sig,
                          uint8_t* ctx);
