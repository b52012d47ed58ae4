// Command line of a generated program.
#pragma once

#include "program.h"

namespace pld {

/// Output files by argument, from --out.
using Outputs = std::vector<std::string>;

/// Parses the command line, reads input files and sizes the outputs.
/// kOk, or kInvalid with the reason on stderr.
int ReadCommandLine(const Program& program, int argc, char** argv, World& world, Outputs& outputs);

/// Writes the files that --out named.
int WriteOutputs(const World& world, const Outputs& outputs);

}  // namespace pld
