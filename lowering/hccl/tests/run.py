#!/usr/bin/env python3
"""Builds and runs the samples, their mutants and the tests of the emulation's checks. Prints `N passed, N failed`.

Usage: run.py [--keep] [NAME...]   with NAME of: samples mutants faults findings rejects values products

What is built is kept in PLD_CACHE_DIR, if that is set, until a source changes.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

from mutate import mutate

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
CXX = os.environ.get("CXX", "c++")
FLAGS = ["-std=c++17", "-O0", "-Wall", "-Wextra", "-Werror", "-DASCENDC_CPU_DEBUG", f"-I{ROOT / 'emulation/include'}"]
WORLDS = (1, 2, 3, 4)
SEEDS = (None, 0, 1, 2, 3)
REPORT = 3  # exit code of the emulation's findings
SAMPLES = ("shift_by_load", "shift_by_store", "push_loop", "spmd_shift")
TESTS = ("findings", "values", "products")

passed, failed = 0, []


def check(name, good, detail=""):
    global passed
    if good:
        passed += 1
        return
    failed.append(name)
    print(f"FAIL {name}\n{detail}", flush=True)


def execute(command, seed=None, timeout=60, **variables):
    env = {k: v for k, v in os.environ.items() if not k.startswith("PLD_")}
    env.update({k: str(v) for k, v in variables.items()})
    if seed is not None:
        env.update(PLD_EMU_WEAK="1", PLD_EMU_SEED=str(seed))
    try:
        return subprocess.run([str(c) for c in command], env=env, timeout=timeout, capture_output=True, text=True)
    except subprocess.TimeoutExpired as late:
        return subprocess.CompletedProcess(command, 124, "", f"no end within {timeout} s: {late.stderr}")


def compile_all(jobs):
    """Runs compiler commands, two at a time; stops on the first error."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for done in pool.map(lambda job: execute([CXX, *FLAGS, *job], timeout=300), jobs):
            if done.returncode != 0:
                sys.exit(f"compilation failed: {' '.join(map(str, done.args))}\n{done.stderr}")


# ---- .npy ----

def write_npy(path, shape, values, code="f", descr="<f4"):
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': ({', '.join(map(str, shape))},), }}"
    header += " " * ((64 - (11 + len(header)) % 64) % 64) + "\n"
    data = struct.pack(f"<{len(values)}{code}", *values)
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() + data)


def read_npy(path, code="f"):
    raw = path.read_bytes()
    data = raw[10 + struct.unpack("<H", raw[8:10])[0]:]
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def ramp(ranks, count):
    return [k + 100 * r for r in range(ranks) for k in range(count)]


# ---- samples ----

class Sample:
    """A sample project: how to call it for n ranks, and what it must write."""

    # Elements per rank, whose slice y[r] shows (r + step), and times what.
    EXPECTED = {"shift_by_load": (64, 1, 1), "shift_by_store": (64, -1, 1), "push_loop": (2560, -1, 2), "spmd_shift": (128, -1, 1)}

    def __init__(self, name, work):
        self.name, self.work = name, work
        self.count, self.step, self.factor = self.EXPECTED[name]

    def arguments(self, n):
        source = self.work / f"{self.name}_{n}.npy"
        if not source.exists():
            write_npy(source, (n, self.count // 64, 64), ramp(n, self.count))
        extra = ["--arg", "3=2.0", "--out", f"2={self.work / 'total.npy'}"] if self.name == "push_loop" else []
        return ["-n", n, "--arg", f"0={source}", "--out", f"1={self.work / 'y.npy'}", *extra]

    def wrong(self, n):
        """Text of the first wrong result, or empty."""
        expected = [self.factor * (k + 100 * ((r + self.step) % n)) for r in range(n) for k in range(self.count)]
        if read_npy(self.work / "y.npy") != expected:
            return "y differs"
        if self.name == "push_loop" and read_npy(self.work / "total.npy", "i") != [5] * n:
            return "total differs"
        return ""


def project(name, work):
    """The sample with the support files, as a generated project has them."""
    copy = work / name
    shutil.copytree(ROOT / "samples" / name, copy)
    shutil.copytree(ROOT / "support", copy, dirs_exist_ok=True)
    return copy


def build(work):
    """Everything that is compiled, the emulation and the headers once for all. Returns the mutants by sample."""
    include = f"-I{ROOT / 'support'}"
    calls = [include, "-DPLD_EMU_CALLS", "-include", work / "prelude.h"]
    sources = sorted((ROOT / "support/host").glob("*.cpp"))
    (work / "support.cpp").write_text("".join(f'#include "{p}"\n' for p in ["kernel_operator.h", *sources]))
    (work / "prelude.h").write_text('#include "kernel_operator.h"\n#include "host/runner.h"\n')
    compile_all([
        [include, "-DPLD_EMU_BODIES", "-c", work / "support.cpp", "-o", work / "support.o"],
        [include, "-DPLD_EMU_CALLS", "-x", "c++-header", work / "prelude.h", "-o", work / "prelude.h.gch"],
    ])
    jobs, mutants = [], {}
    for name in SAMPLES:
        copy = project(name, work)
        mutated = work / f"{name}.mutated"
        shutil.copytree(copy, mutated)
        mutants[name] = mutate(copy, mutated)
        for folder, more in ((copy, []), (mutated, ["-include", mutated / "mutant.h"])):
            whole = folder / "whole.cpp"
            whole.write_text('#include "kernels/launch.cpp"\n#include "host/program.cpp"\n')
            jobs.append([*calls, *more, "-c", whole, "-o", folder / "whole.o"])
    for name in TESTS:
        jobs.append([*calls, "-c", HERE / f"{name}.cpp", "-o", work / f"{name}.o"])
    compile_all(jobs)
    links = [(work / name / "whole.o", name) for name in SAMPLES]
    links += [(work / f"{name}.mutated/whole.o", f"{name}.mutant") for name in SAMPLES]
    links += [(work / f"{name}.o", name) for name in TESTS]
    compile_all([[own, work / "support.o", "-o", work / f"{name}.run", "-pthread"] for own, name in links])
    return mutants


def digest():
    """Names what is built from all that it is built from."""
    state = hashlib.sha256(repr([execute([CXX, "--version"]).stdout, FLAGS]).encode())
    for path in sorted(p for p in ROOT.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        state.update(f"{path.relative_to(ROOT)} {path.stat().st_size}\n".encode() + path.read_bytes())
    return state.hexdigest()[:32]


def build_once(work):
    """Builds, unless the cache has it; links the programs into `work`. Returns the mutants by sample."""
    cache = os.environ.get("PLD_CACHE_DIR")
    kept = pathlib.Path(cache).absolute() / f"hccl-tests-{digest()}" if cache else work / "built"
    if not kept.exists():
        for old in kept.parent.glob("hccl-tests-*"):
            shutil.rmtree(old)
        kept.parent.mkdir(parents=True, exist_ok=True)
        making = pathlib.Path(tempfile.mkdtemp(dir=kept.parent))
        mutants = build(making)
        (making / "mutants.json").write_text(json.dumps(mutants))
        making.rename(kept)
    for program in kept.glob("*.run"):
        (work / program.name).symlink_to(program)
    return json.loads((kept / "mutants.json").read_text())


def run_samples(work):
    """Right results at every world size, in program order and in weak schedules."""
    for name in SAMPLES:
        sample = Sample(name, work)
        for n in WORLDS:
            for seed in SEEDS:
                done = execute([work / f"{name}.run", *sample.arguments(n)], seed)
                detail = done.stderr if done.returncode else sample.wrong(n)
                check(f"{name} n={n} seed={seed}", done.returncode == 0 and not detail, detail)


def reported(work, name, number):
    """True if some world size and seed reports the mutant; None if a run hangs."""
    sample = Sample(name, work)
    for n in WORLDS:
        for seed in SEEDS:
            done = execute([work / f"{name}.mutant.run", *sample.arguments(n)], seed, timeout=20, PLD_MUTANT=number)
            if done.returncode in (REPORT, 124):
                return done.returncode == REPORT or None
    return False


def run_mutants(work, mutants):
    """Each sync that is left out must be reported by some sample at some world size and seed, and never hang."""
    caught = {}
    for name in SAMPLES:
        for number, what in mutants[name].items():
            key = what if what.startswith("pld_comm.h") else f"{name}: {what}"
            if caught.get(key) in (None, False) and caught.get(key, False) is not None:
                caught[key] = reported(work, name, number)
    for what, result in caught.items():
        check(f"without {what}", result, "it hangs" if result is None else "no report")


def run_faults(work):
    """Every ACL or HCCL call may fail: the program ends with code 1, gives back what it has, and does not hang."""
    sample = Sample("shift_by_load", work)
    codes = []
    arguments = sample.arguments(2)
    def attempt(call):
        return call, execute([work / "shift_by_load.run", *arguments], timeout=20, PLD_EMU_FAIL_CALL=call)
    outcomes = []
    with concurrent.futures.ThreadPoolExecutor(8) as pool:  # most of the time the other rank waits for the failed one
        # As many calls as there are: until one is not reached.
        while not outcomes or outcomes[-1][1].returncode != 0 and len(outcomes) < 400:
            first = len(outcomes) + 1
            outcomes += pool.map(attempt, range(first, first + 8))
    for call, done in outcomes:
        codes.append(done.returncode)
        # A release that fails is not worth failing for; all else is.
        good = done.returncode == 0 or (done.returncode == 1 and "returned" in done.stderr)
        check(f"call {call} fails", good, f"{done.returncode} {done.stderr}")
    check("failures are noticed", codes.count(1) >= 20 and codes[-1] == 0, str(codes))
    bad = work / "bad.npy"
    write_npy(bad, (2, 1, 65), ramp(2, 65))
    for text, arguments in {
        "expected f32 (<f4) [2, 1, 64], found <f4 [2, 1, 65]": ["-n", 2, "--arg", f"0={bad}"],
        "cannot be opened": ["-n", 2, "--arg", "0=nowhere.npy"],
        "argument 0 (x, f32 [?, 1, 64]) is missing": ["-n", 2],
        "argument y is an output": [*sample.arguments(2), "--arg", "1=y.npy"],
        "number of ranks missing": [],
        "expected 1 to 64 ranks": ["-n", 65],
        "device 1 twice": ["-d", "1,1"],
        "unknown option --frob": ["--frob", 1],
        "names no provider": None,
    }.items():
        forced = {} if arguments is not None else {"PLD_WINDOWS": "nothing"}
        done = execute([work / "shift_by_load.run", *(arguments if arguments is not None else sample.arguments(2))], **forced)
        check(f"command line: {text}", done.returncode == (2 if not forced else 1) and text in done.stderr, f"{done.returncode} {done.stderr}")


def cases(source, marker):
    """(name, text) of each `// marker: name: text` comment of a test source."""
    for line in (HERE / source).read_text().split("\n"):
        if line.strip().startswith(f"// {marker}: "):
            name, _, text = line.strip()[len(marker) + 5:].partition(": ")
            yield name, text


def run_findings(work):
    """Each rule that the emulation checks, broken once: exit code 3 and the report that names it."""
    for name, text in cases("findings.cpp", "finding"):
        done = execute([work / "findings.run", "-n", 2], timeout=20, CASE=name)
        good = done.returncode == REPORT and text in done.stderr and "pld-emu: error: rank " in done.stderr
        check(f"finding {name}", good, f"wanted: {text}\nexit {done.returncode}: {done.stderr}")
    for name, _ in cases("findings.cpp", "fine"):
        for seed in SEEDS:
            done = execute([work / "findings.run", "-n", 2], seed, timeout=20, CASE=name)
            check(f"fine {name} seed={seed}", done.returncode == 0, f"exit {done.returncode}: {done.stderr}")


def run_rejects(work):
    """What the real headers refuse to compile must not compile here either."""
    header = work / "rejects.h"
    header.write_text('#include "kernel_operator.h"\n')
    compile_all([["-x", "c++-header", header, "-o", work / "rejects.h.gch"]])  # parsed once for all cases
    def attempt(case):
        name, _ = case
        return case, execute([CXX, *FLAGS, "-include", header, "-fsyntax-only", f"-DCASE_{name}", HERE / "rejects.cpp"])
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for (name, text), done in pool.map(attempt, cases("rejects.cpp", "reject")):
            check(f"reject {name}", done.returncode != 0 and text in done.stderr, done.stderr[:2000] or "it compiled")
    done = execute([CXX, *FLAGS, "-fsyntax-only", HERE / "rejects.cpp"])
    check("rejects.cpp compiles without its cases", done.returncode == 0, done.stderr)


def run_values(work):
    """Values of vector ops, casts and atomics against plain host arithmetic."""
    for seed in SEEDS:
        done = execute([work / "values.run", "-n", 1], seed)
        check(f"values seed={seed}", done.returncode == 0, f"{done.stdout}{done.stderr}")


def run_products(work):
    """Products of the cube core against plain host arithmetic."""
    for seed in SEEDS:
        done = execute([work / "products.run", "-n", 1], seed)
        check(f"products seed={seed}", done.returncode == 0, f"{done.stdout}{done.stderr}")


def main():
    names = [a for a in sys.argv[1:] if not a.startswith("--")] or ["samples", "mutants", "faults", "findings", "rejects", "values", "products"]
    work = pathlib.Path(tempfile.mkdtemp(prefix="pld-hccl-"))
    try:
        mutants = build_once(work)
        for name in names:
            run = globals()[f"run_{name}"]
            run(work, mutants) if name == "mutants" else run(work)
    finally:
        if "--keep" in sys.argv:
            print(f"kept {work}")
        else:
            shutil.rmtree(work)
    print(f"{passed} passed, {len(failed)} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
