// Emulation of the AscendC device header for arch 2201 vector cores. What is not declared here is not emulated.
#pragma once

#include "emu/cast.h"
#include "emu/launch.h"
#include "emu/reduce.h"

#ifndef ASCENDC_CPU_DEBUG
#error "the emulation is a CPU build: compile with -DASCENDC_CPU_DEBUG"
#endif

#define __global__
#define __aicore__
#define GM_ADDR __gm__ uint8_t*

enum KernelMetaType { KERNEL_TYPE_AIV_ONLY = 0, KERNEL_TYPE_MIX_AIV_1_0 };

/// Core type of a kernel; stands first in its body.
#define KERNEL_TASK_TYPE_DEFAULT(value) \
  static_assert((value) == KERNEL_TYPE_AIV_ONLY || (value) == KERNEL_TYPE_MIX_AIV_1_0, "a vector-only kernel type")
