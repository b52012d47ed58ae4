"""The examples: they print OK, at every size, and are the programs that their twins in MLIR are."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from pld import _native

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "examples" / "distributed").glob("*.py"))
MODES = {"05_remote_load_store": ["load", "store"], "06_put_get": ["put", "get"]}
RUNS = [(path, mode) for path in EXAMPLES for mode in MODES.get(path.stem, [None])]


def load(path):
    spec = importlib.util.spec_from_file_location(f"example_{path.stem}", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def run(path, *arguments):
    """The example as a user runs it, from the root."""
    return subprocess.run(
        [sys.executable, str(path.relative_to(ROOT)), *arguments],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_there_are_examples():
    """An empty folder would make the tests below say nothing."""
    assert len(EXAMPLES) >= 7


@pytest.mark.parametrize("path,mode", RUNS, ids=lambda value: getattr(value, "stem", value))
@pytest.mark.parametrize("ranks", [1, 2, 3])
def test_prints_ok(path, mode, ranks):
    """Each size, in several schedules, with late remote writes."""
    more = [] if mode is None else ["--mode", mode]
    done = run(
        path,
        "-p",
        "a2a3sim",
        "-d",
        ",".join(map(str, range(ranks))),
        "--schedules",
        "4",
        "--weak",
        *more,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "OK\n", "")


@pytest.mark.parametrize("entry", ["main", "store"])
def test_is_its_twin(entry):
    """The ring shift read from Python is the one of the text, operation by operation, as
    written and lowered."""
    text = (ROOT / "examples" / "05_remote_load_store.mlir").read_text()
    twin = _native.Program(text, "twin")
    module = load(ROOT / "examples" / "distributed" / "05_remote_load_store.py")
    names = {
        "main": ("load", "shift_by_load", "load_rank"),
        "store": ("store", "shift_by_store", "store_rank"),
    }
    host, kernel, rank = names[entry]
    read = _native.Program(getattr(module, host).mlir(), "read")
    for of in (
        lambda program: program.text(False),
        lambda program: program.lowered("lower-pld-to-tile"),
    ):
        ours, theirs = functions(of(read)), functions(of(twin))
        ours[entry] = ours.pop(host).replace(f"func.func @{host}(", f"func.func @{entry}(")
        for name in (entry, kernel, rank):
            assert ours[name] == theirs[name]


def functions(text):
    """The functions of a module's text, by name."""
    parts = text.split("  func.func @")[1:]
    return {part.split("(")[0]: "func.func @" + part.rstrip("}\n") for part in parts}


@pytest.mark.parametrize(
    "arguments,code,said",
    [
        (["-d", "0,0"], 2, "names device 0 twice"),
        (["-d", "0,x"], 2, "expected device ids"),
        (["-n", "0"], 2, "expected at least 1"),
        (["-p", "cpu"], 2, "expected a2a3sim"),
        (["-p", "a2a3sim", "-n", "100"], 2, "pld-304"),
        (["-p", "a5sim", "--target", "hccl-emu"], 2, "emulates a2a3sim only"),
        (["--target", "hccl-emu", "--cost"], 2, "needs the simulator"),
        (["--check", "locks"], 2, "expected 'protocol,races'"),
        (["--emit", "wasm", "x"], 2, "--emit wasm"),
        (["--mode", "sideways"], 2, "invalid choice"),
    ],
)
def test_bad_command_line(arguments, code, said):
    """Each is refused by its own message, with no traceback."""
    done = run(ROOT / "examples" / "distributed" / "05_remote_load_store.py", *arguments)
    assert done.returncode == code, done.stderr
    assert said in done.stderr and "Traceback" not in done.stderr, done.stderr


def test_limits_without_a_target():
    """The simulator runs any size; a line says what the target would refuse."""
    done = run(EXAMPLES[2], "-n", "65")
    assert (done.returncode, done.stdout) == (0, "OK\n")
    assert done.stderr.startswith("note: a2a3sim would refuse this: ") and "304" in done.stderr


def test_emits_the_project(tmp_path):
    """The generated project is the one of pld-run: kernels named after the functions."""
    done = run(EXAMPLES[4], "--emit", "hccl", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out" / "kernels" / "shift_by_load.cpp").exists() or list(
        tmp_path.rglob("*shift_by_load*.cpp")
    )
