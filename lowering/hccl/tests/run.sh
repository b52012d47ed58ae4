#!/bin/sh
# Builds and runs the samples, their mutants and the tests of the emulation's checks.
exec python3 -B "$(dirname "$0")/run.py" "$@"
