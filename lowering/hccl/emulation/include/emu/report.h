// Statement sites and the one way the emulation speaks: a report on stderr, then exit status 3.
#pragma once

#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

// Functions so marked are compiled once for all programs where the support files are (PLD_EMU_BODIES), and only called
// by what is compiled apart from them (PLD_EMU_CALLS). Without either the emulation is header-only.
#if defined(PLD_EMU_BODIES)
#define PLD_EMU_BODY __attribute__((used)) inline
#elif defined(PLD_EMU_CALLS)
#define PLD_EMU_BODY __attribute__((gnu_inline)) inline
#else
#define PLD_EMU_BODY inline
#endif

namespace pld_emu {

/// Exit status of a process that the emulation stopped with a report.
constexpr int kReportExit = 3;

/// Where a call stands in the source; filled by default arguments of the emulated API.
struct At {
  const char* file;
  int line;
};

/// An emulated operation: its API name and where it was called.
struct Site {
  const char* op;
  At at;
};

/// Who performs an operation: the vector or cube core of a block of a kernel, or (block < 0) the host thread of a rank.
struct Who {
  int rank;
  int block;
  bool cube = false;
};

PLD_EMU_BODY std::string format(const char* text, ...) __attribute__((format(printf, 1, 2)));
PLD_EMU_BODY std::string format(const char* text, ...) {
  va_list args;
  va_start(args, text);
  char buffer[1024];
  std::vsnprintf(buffer, sizeof buffer, text, args);
  va_end(args);
  return buffer;
}

PLD_EMU_BODY std::string name(const Who& who) {
  if (who.block < 0) return format("rank %d host", who.rank);
  return format("rank %d block %d%s", who.rank, who.block, who.cube ? " cube core" : "");
}

inline std::string name(const At& at) { return at.file ? format("%s:%d", at.file, at.line) : "unknown place"; }

inline std::string name(const Site& site) { return format("%s at %s", site.op, name(site.at).c_str()); }

/// Prints one note below an error.
inline void note(const std::string& text) { std::fprintf(stderr, "pld-emu: note: %s\n", text.c_str()); }

/// Ends the process after an error has been printed.
[[noreturn]] inline void stop() {
  std::fflush(nullptr);
  std::_Exit(kReportExit);
}

/// Prints the error line and returns, so that notes can follow before `stop`.
PLD_EMU_BODY void error(const Who& who, const std::string& what, const At& at) {
  std::fprintf(stderr, "pld-emu: error: %s: %s at %s\n", name(who).c_str(), what.c_str(), name(at).c_str());
}

}  // namespace pld_emu

/// Last parameter of an emulated API function: the caller's file and line.
#define PLD_EMU_AT ::pld_emu::At at = {__builtin_FILE(), __builtin_LINE()}
