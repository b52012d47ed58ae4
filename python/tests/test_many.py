"""A process that is fed broken programs lives on, and does not grow."""

import os
from pathlib import Path

import pytest
from blocks import load
from pld import Error, _native
from test_malformed import KERNEL, STATEMENTS

#: ``./x test --long`` sets it.
COUNT = 10_000 if os.environ.get("PLD_LONG") else 60


def resident() -> int:
    """Resident memory in KiB; 0 where the system does not tell."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text().split()[1]) * 4 if statm.exists() else 0


def feed(broken):
    before = 0
    for k in range(COUNT):
        broken(k)
        # What allocators keep is there by then.
        if k == COUNT // 5:
            before = resident()
    if COUNT >= 1000:
        assert resident() - before < 16 * 1024


def test_broken_modules():
    """Text that does not parse, does not verify, or is no text."""

    def broken(k):
        text = [
            f"func.func @f{k}(",
            f"func.func @f{k}() {{ pld.teleport }}",
            f"func.func @f(%x: memref<{k + 1}x8xf32>) attributes {{pl.incore}} {{\n"
            f"  %t = pl.load %x[0, 4] : memref<{k + 1}x8xf32> -> !pl.tile<1x8xf32>\n  return }}",
        ][k % 3]
        with pytest.raises(_native.Refused):
            _native.Program(text, "broken")

    feed(broken)


def test_broken_functions(tmp_path):
    """Functions that the frontend refuses, read again and again."""
    kernels = []
    for k, (statement, _) in enumerate(STATEMENTS[:40]):
        body = "\n".join("    " + line for line in statement.split("\n"))
        kernels.append(load(tmp_path / f"broken{k}.py", KERNEL.format(body)).program)

    def broken(k):
        with pytest.raises(Error):
            kernels[k % len(kernels)].program().check()

    feed(broken)
