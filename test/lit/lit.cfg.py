# Configuration of the lit tests: `./x test` runs them all, and
# `PLD_TOOLS_DIR=target/release /usr/lib/llvm-22/bin/lit -sv test/lit/pld` some.
#
# Environment:
#   PLD_TOOLS_DIR        where pld-opt and the links to it are (target/release)
#   MLIR_SYS_220_PREFIX  LLVM 22, for FileCheck and its like (/usr/lib/llvm-22)
#   PLD_ROUNDTRIP        if set, each pld-opt also checks that its input survives
#                        printing and parsing
#   PLD_LONG             if set, tests that say `REQUIRES: long` run too
import os
import shutil
import sys

import lit.formats

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
tools_dir = os.path.abspath(
    os.environ.get("PLD_TOOLS_DIR", os.path.join(root, "target", "release"))
)
llvm_dir = os.path.join(
    os.environ.get("MLIR_SYS_220_PREFIX", "/usr/lib/llvm-22"), "bin"
)

config.name = "pld"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = here
config.test_exec_root = os.path.join(os.path.dirname(tools_dir), "lit")

# Seconds. A program that hangs fails its own test and not the whole run. In the long form some
# have hundreds of schedules of large data to run.
if lit_config.maxIndividualTestTimeIsSupported[0]:
    lit_config.maxIndividualTestTime = 3600 if os.environ.get("PLD_LONG") else 300

config.environment["PATH"] = os.pathsep.join(
    [tools_dir, llvm_dir, config.environment["PATH"]]
)
for name in ["CXX", "RUST_BACKTRACE", "PLD_BLESS", "PLD_CACHE_DIR", "HOME", "XDG_CACHE_HOME"]:
    if name in os.environ:
        config.environment[name] = os.environ[name]

for directory, names in [
    (tools_dir, ["pld-opt", "pld-translate", "pld-run"]),
    (llvm_dir, ["FileCheck", "not", "split-file"]),
]:
    for name in names:
        path = os.path.join(directory, name)
        if not os.access(path, os.X_OK):
            lit_config.fatal(
                f"{path} is missing; './x build' makes pld's tools, './x setup' installs LLVM's"
            )

if os.environ.get("PLD_ROUNDTRIP"):
    # Only as a command of its own, not as part of a path or a longer name.
    config.substitutions.append(
        (r"(?<![\w/.%-])pld-opt(?![\w/.-])", "pld-opt --verify-roundtrip")
    )
config.substitutions.append(("%root", root))
config.substitutions.append(("%python", sys.executable))
config.substitutions.append(("%examples", os.path.join(root, "examples")))
config.substitutions.append(("%programs", os.path.join(root, "test", "programs")))

# `REQUIRES: cxx` for what compiles generated code; `UNSUPPORTED: roundtrip` for a
# test whose point a round trip would spoil.
if shutil.which(os.environ.get("CXX", "c++")):
    config.available_features.add("cxx")
if os.environ.get("PLD_LONG"):
    config.available_features.add("long")
if os.environ.get("PLD_ROUNDTRIP"):
    config.available_features.add("roundtrip")
