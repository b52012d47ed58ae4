"""Makes a copy of a generated project in which every synchronisation can be left out at run time.

mutate(project, copy) wraps each sync statement of the kernels and of common/pld_comm.h in `if (pld_keep(K))`.
Flags of one event and id array form one mutant, with their presets and drains. Returns {K: "file:line statement"}.
The copy is compiled with `-include mutant.h`; environment variable PLD_MUTANT=K removes mutant K.
"""

import pathlib
import re

HEADER = """\
#pragma once
#include <cstdlib>
inline bool pld_keep(int number) {
  static const char* const text = std::getenv("PLD_MUTANT");
  static const int mutant = text ? std::atoi(text) : -1;
  return number != mutant;
}
"""

SYNC = re.compile(r"^(\s*)((?:pld::)?Sync<AscendC::HardEvent::\w+>\(\);"
                  r"|AscendC::PipeBarrier<\w+>\(\);"
                  r"|AscendC::SetAtomicNone\(\);"
                  r"|AscendC::SyncAll<true>\(\);"
                  r"|AscendC::DataCacheCleanAndInvalid<.*\);"
                  r"|AscendC::(?:Set|Wait)Flag<AscendC::HardEvent::(\w+)>\((\w+).*\);)(.*)$")


def mutate(project, copy):
    """Rewrites `copy`, a full copy of `project`; returns the mutants."""
    mutants, pairs = {}, {}
    kernels = sorted((copy / "kernels").glob("*.cpp"))
    for path in [copy / "common" / "pld_comm.h", *kernels]:
        lines = path.read_text().split("\n")
        for i, line in enumerate(lines):
            match = SYNC.match(line)
            # The fence that ends a kernel orders nothing: the end of the kernel does.
            if not match or match[5].strip() == "// end of kernel":
                continue
            key = (path.name, match[3], match[4]) if match[3] else None
            number = pairs.get(key) if key else None
            if number is None:
                number = len(mutants)
                mutants[number] = f"{path.name}:{i + 1} {match[2]}"
                if key:
                    pairs[key] = number
            lines[i] = f"{match[1]}if (pld_keep({number})) {match[2]}{match[5]}"
        path.write_text("\n".join(lines))
    (copy / "mutant.h").write_text(HEADER)
    return mutants
