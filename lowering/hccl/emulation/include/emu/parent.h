// Ends the process with the one that started it, if PLD_EMU_PARENT names that.
#pragma once

#ifdef __linux__
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#endif

#include "options.h"
#include "report.h"

namespace pld_emu {

inline void followParent() {
#ifdef __linux__
  if (options().parent == 0) return;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  // It may have ended before.
  if (static_cast<uint64_t>(getppid()) != options().parent) stop();
#endif
}

}  // namespace pld_emu
