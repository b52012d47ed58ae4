// Runs a generated program: one process, one thread per rank, rank r on the r-th device.
#pragma once

#include "collectives.h"
#include "rank.h"

namespace pld {

/// The whole of main. Exit code: 0, kFailed, kInvalid or kFault.
int Run(const Program& program, int argc, char** argv);

}  // namespace pld
