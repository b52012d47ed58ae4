// Emulation of the AscendC device header for arch 2201. What is not declared here is not emulated.
#pragma once

#include "emu/cast.h"
#include "emu/cube.h"
#include "emu/launch.h"
#include "emu/logic.h"
#include "emu/reduce.h"
#include "emu/strided.h"

#ifndef ASCENDC_CPU_DEBUG
#error "the emulation is a CPU build: compile with -DASCENDC_CPU_DEBUG"
#endif

#define __global__
#define __aicore__
#define GM_ADDR __gm__ uint8_t*

/// Which kind of core runs this.
#define ASCEND_IS_AIV (!::pld_emu::core("ASCEND_IS_AIV", {__FILE__, __LINE__}).who.cube)
#define ASCEND_IS_AIC (::pld_emu::core("ASCEND_IS_AIC", {__FILE__, __LINE__}).who.cube)

/// Core type of a kernel; stands first in its body.
#define KERNEL_TASK_TYPE_DEFAULT(value) ::pld_emu::setKernelType(value)
