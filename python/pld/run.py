"""Runs a program on NumPy arrays."""

from __future__ import annotations

import warnings

from .dlpack import as_array
from .errors import ProgramWarning, RunError, of_native
from .types import BF16, DTYPES, DType, MemoryType

#: NumPy's name, and the element type.
_BY_NUMPY = {dtype.numpy: dtype for dtype in DTYPES.values() if dtype.numpy}
_BY_NUMPY["bfloat16"] = BF16


def dtype_of(value) -> DType | None:
    """The element type of an array; none for what is no array."""
    dtype = getattr(value, "dtype", None)
    if dtype is None or not hasattr(value, "shape"):
        return None
    name = getattr(dtype, "name", str(dtype).rpartition(".")[2])
    return _BY_NUMPY.get(name)


def run(
    function,
    arguments,
    *,
    world=None,
    check="protocol,races",
    schedules=1,
    seed=None,
    weak=False,
    trace=None,
    cost=False,
    barrier=None,
    emulate=False,
    expect=None,
    rtol=None,
    atol=None,
):
    """Runs the host function on arrays; what is ``pl.Out`` or ``pl.InOut`` is written in place.

    ``world`` is the number of ranks, if the leading extent of no argument tells it. ``check`` is
    ``"protocol,races"``, a part of it, or ``"none"``. ``expect`` gives arrays that arguments are
    compared with, by name.
    """
    arguments = [as_array(value) for value in arguments]
    program = function.program(*arguments)
    said = program.check()
    outcome = outcome_of(
        program,
        arguments,
        world=world,
        check=check,
        schedules=schedules,
        seed=seed,
        weak=weak,
        trace=trace,
        cost=cost,
        barrier=barrier,
        emulate=emulate,
        expect=expect,
        rtol=rtol,
        atol=atol,
    )
    for one in [*said, *later(outcome, said)]:
        warnings.warn(str(one), ProgramWarning, stacklevel=3)
    if outcome.exit_code != 0:
        raise RunError(outcome)
    return outcome


def later(outcome, said) -> list:
    """What was said on the way to a run that was not said before."""
    known = {str(one) for one in said}
    return [one for one in of_native(outcome.warnings) if str(one) not in known]


def outcome_of(program, arguments, *, world=None, check="protocol,races", expect=None, **options):
    """What comes of a run, whatever it is; arrays that are written are updated in place."""
    import numpy

    arguments = [as_array(value) for value in arguments]
    checks = set() if check in ("none", None) else set(check.split(","))
    if checks - {"protocol", "races"}:
        raise ValueError(f"check is {check!r}, expected 'protocol,races', one of them or 'none'")
    bound = program.bind(arguments)
    inputs, extents = {}, {}
    for index, (formal, value) in enumerate(zip(program.parameters, bound, strict=False)):
        if not isinstance(formal.type, MemoryType):
            inputs[index] = value
        elif formal.direction != "out" and value is not None:
            inputs[index] = _plain(formal, value)
        elif value is not None:
            # What starts as zeros still says how large it is.
            for dim, extent in enumerate(value.shape):
                if formal.type.shape[dim] is None:
                    extents[(index, dim)] = str(extent)
    expected = {}
    for name, value in (expect or {}).items():
        index = next(
            (k for k, formal in enumerate(program.parameters) if formal.name == name), None
        )
        if index is None:
            raise ValueError(f"expect names '{name}', which is no parameter of {program.entry}()")
        expected[index] = _plain(program.parameters[index], value)
    asked = {"inputs": inputs, "extents": extents, "expect": expected}
    asked.update({check: check in checks for check in ("protocol", "races")})
    outcome = program.run(world or _world(program, bound), {**options, **asked})
    if outcome.verdict in ("agrees", "differs"):
        for index, (formal, value) in enumerate(zip(program.parameters, bound, strict=False)):
            if (
                isinstance(formal.type, MemoryType)
                and formal.direction in ("out", "inout")
                and value is not None
            ):
                data = numpy.frombuffer(
                    outcome.array(index), dtype=_numpy(numpy, formal.type.dtype)
                )
                numpy.copyto(numpy.asarray(value), data.reshape(value.shape), casting="no")
    return outcome


def _numpy(numpy, dtype: DType):
    # bfloat16 is two bytes that NumPy does not know.
    return numpy.dtype(dtype.numpy or "uint16")


def _plain(formal, value):
    """An array as the native part takes it."""
    import numpy

    array = numpy.ascontiguousarray(numpy.asarray(value))
    wanted = formal.type.dtype
    if dtype_of(value) is not wanted and not (wanted is BF16 and array.dtype.name == "uint16"):
        raise TypeError(
            f"argument '{formal.name}' is an array of {array.dtype}, expected {wanted.numpy or 'bfloat16'}"
        )
    return wanted.name, list(array.shape), array.tobytes()


def _world(program, bound) -> int:
    """The number of ranks: the leading extent of what the host shards."""
    for formal, value in zip(program.parameters, bound, strict=False):
        if formal.is_world and value is not None:
            return int(value.shape[0])
    raise ValueError("the number of ranks is not known: give world=")
