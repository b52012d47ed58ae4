"""The command line of a script that runs a program: ``-p``, ``-d`` and the checks.

::

    if __name__ == "__main__":
        sys.exit(command.main(program, golden=lambda x: x))
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from .errors import Diagnostic, Error
from .jit import JitFunction
from .program import Program
from .types import MemoryType


def parser(description: str | None = None) -> argparse.ArgumentParser:
    """The options; a script may add its own."""
    p = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument(
        "-p",
        "--platform",
        metavar="NAME",
        help="target profile, whose limits bind if it is given (a2a3sim)",
    )
    ranks = p.add_mutually_exclusive_group()
    ranks.add_argument(
        "-d",
        "--devices",
        default=None,
        metavar="IDS",
        help="device ids, such as 0,1: one rank each",
    )
    ranks.add_argument("-n", "--ranks", type=int, default=None, metavar="N", help="number of ranks")
    p.add_argument(
        "--check",
        default="protocol,races",
        metavar="LIST",
        help="protocol,races, a part of it, or none",
    )
    p.add_argument("--seed", type=int, help="fixes the schedule")
    p.add_argument("--schedules", type=int, default=1, metavar="K", help="runs K schedules")
    p.add_argument(
        "--weak",
        action="store_true",
        help="remote writes become visible as late as the model allows",
    )
    p.add_argument("--barrier", choices=["dissemination", "credit"], help="how barriers are made")
    p.add_argument("--trace", metavar="FILE", help="writes a trace for Perfetto")
    p.add_argument("--cost", action="store_true", help="prints the cost card")
    p.add_argument("--report", metavar="FILE", help="writes findings as JSON")
    p.add_argument(
        "--target",
        choices=["simulator", "hccl-emu"],
        default="simulator",
        help="the simulator, or the generated code under its emulation",
    )
    p.add_argument(
        "--emit",
        nargs=2,
        metavar=("KIND", "FOLDER"),
        help="'hccl DIR' writes the generated project; 'mlir -' prints the IR",
    )
    return p


def main(program: JitFunction, golden: Callable | None = None, arguments=None) -> int:
    """Reads the command line, and runs; see :func:`run`."""
    return run(program, golden, parser(program.__doc__).parse_args(arguments))


def run(program: JitFunction, golden: Callable | None, options: argparse.Namespace) -> int:
    """Runs ``program``, and prints ``OK``. The inputs are ramps; ``golden`` gets them, and gives
    what the ``pl.Out`` parameters should be. Returns the exit code: 0 all agrees, 1 a wrong
    result, 2 refused before the run, 3 a finding, 4 a fault of the tool."""
    try:
        return _run(program, golden, options)
    except Error as error:
        print(error, file=sys.stderr)
        return 2
    except RuntimeError as error:
        print(f"internal error: {error}", file=sys.stderr)
        return 4


def _run(function, golden, options) -> int:
    ranks = world(options)
    platform = options.platform or "a2a3sim"
    if platform not in ("a2a3sim", "a5sim"):
        raise _refused(f"platform is '{platform}', expected a2a3sim or a5sim")
    if options.target == "hccl-emu":
        _check_emulation(platform, options)
    program = function.program()
    said = program.check()
    for warning in said:
        print(warning, file=sys.stderr)
    if options.emit:
        return _emit(program, platform.removesuffix("sim"), *options.emit)
    _check_target(program, platform, ranks, options)
    from .run import later, outcome_of

    inputs = [_ramp(formal, ranks) for formal in program.parameters]
    try:
        expect = {} if golden is None else _expected(program, golden, inputs)
        outcome = outcome_of(
            program,
            inputs,
            world=ranks,
            check=options.check,
            expect=expect,
            seed=options.seed,
            schedules=options.schedules,
            weak=options.weak,
            trace=options.trace,
            cost=options.cost,
            barrier=options.barrier,
            emulate=options.target == "hccl-emu",
        )
    except ValueError as error:
        raise _refused(str(error)) from None
    if options.report:
        with open(options.report, "w") as file:
            file.write(outcome.json + "\n")
    for warning in later(outcome, said):
        print(warning, file=sys.stderr)
    if outcome.cost:
        print(outcome.cost)
    for problem in outcome.problems:
        print(problem, file=sys.stderr)
    if outcome.exit_code == 0:
        print("OK" if outcome.compared else "OK (no golden: nothing was compared)")
    elif options.schedules > 1:
        print(f"note: run it again with --seed {outcome.seed}", file=sys.stderr)
    return outcome.exit_code


def _check_emulation(platform, options):
    """What only the simulator can do."""
    if platform == "a5sim":
        raise _refused(
            "--target hccl-emu emulates a2a3sim only: for -p a5sim write the project by --emit hccl FOLDER"
        )
    for name in ("trace", "cost"):
        if getattr(options, name):
            raise _refused(f"--{name} needs the simulator, not --target hccl-emu")


def _check_target(program: Program, platform, ranks, options):
    """The limits of a target bind if code is generated for it or it is asked for; else a line says
    what it would refuse."""
    refused = program.refused_by(platform.removesuffix("sim"), ranks)
    if not refused:
        return
    if options.platform or options.target == "hccl-emu":
        raise Error(refused)
    # The target's own codes are those from 301.
    own = [one for one in refused if one.code and "pld-301" <= one.code <= "pld-399"]
    if own:
        more = f" (and {len(own) - 1} more)" if len(own) > 1 else ""
        print(f"note: {platform} would refuse this: {own[0].headline}{more}", file=sys.stderr)


def _refused(message) -> Error:
    return Error([Diagnostic("error", None, message, None)])


def world(options) -> int:
    """How many ranks the command line names."""
    if options.ranks is not None:
        if options.ranks < 1:
            raise _refused(f"-n is {options.ranks}, expected at least 1")
        return options.ranks
    ids = (options.devices or "0,1").split(",")
    for one in ids:
        if not one.strip().isdigit():
            raise _refused(f"-d has '{one}', expected device ids such as 0,1")
        if ids.count(one) > 1:
            raise _refused(
                f"-d names device {one} twice",
            )
    return len(ids)


def _emit(program: Program, target: str, kind: str, folder: str) -> int:
    if kind == "mlir" and folder == "-":
        print(program.mlir(), end="")
        return 0
    if kind != "hccl":
        raise _refused(f"--emit {kind} {folder}, expected 'hccl FOLDER' or 'mlir -'")
    print(f"{program.write_project(folder, target=target)} files written to {folder}")
    return 0


def _ramp(formal, world):
    """Element k of rank r's slice is k + 100 r; what is ``pl.Out`` starts as zeros."""
    import numpy

    if not isinstance(formal.type, MemoryType):
        raise _refused(
            f"parameter '{formal.name}' is a scalar: run the program from Python, with a value for it"
        )
    # Only the leading extent of a world array is open in a program that needs no arguments.
    shape = [world if extent is None else extent for extent in formal.type.shape]
    dtype = formal.type.dtype
    if dtype.numpy is None:
        raise _refused(f"parameter '{formal.name}' is of {dtype}, which NumPy has not")
    if formal.direction == "out":
        return numpy.zeros(shape, dtype.numpy)
    ranks = world if formal.is_world else 1
    ramp = numpy.arange(int(numpy.prod(shape)) // ranks)
    return (ramp[None, :] + 100 * numpy.arange(ranks)[:, None]).reshape(shape).astype(dtype.numpy)


def _expected(program, golden, inputs) -> dict:
    given = [
        x.copy() for f, x in zip(program.parameters, inputs, strict=False) if f.direction != "out"
    ]
    results = golden(*given)
    if not isinstance(results, (tuple, list)):
        results = [results]
    names = [f.name for f in program.parameters if f.direction in ("out", "inout")]
    if len(names) != len(results):
        raise _refused(
            f"the golden gives {len(results)} arrays for the parameters {', '.join(names)}"
        )
    return dict(zip(names, results, strict=False))
