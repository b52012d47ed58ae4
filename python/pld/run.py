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
    _complete(program, arguments)
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


def _complete(program, arguments):
    """Every parameter has an argument: nothing is made up for one that was forgotten."""
    for formal, value in zip(program.parameters, program.bind(arguments), strict=True):
        if value is None:
            raise TypeError(f"{program.entry}() misses the argument '{formal.name}'")


def later(outcome, said) -> list:
    """What was said on the way to a run that was not said before."""
    known = {str(one) for one in said}
    return [one for one in of_native(outcome.warnings) if str(one) not in known]


def outcome_of(program, arguments, *, world=None, check="protocol,races", expect=None, **options):
    """What comes of a run, whatever it is; arrays that are written are updated in place."""
    import numpy

    arguments = [as_array(value) for value in arguments]
    checks = _checks(check)
    for name in ("schedules", "seed"):
        _check_count(name, options.get(name), least=1 if name == "schedules" else 0)
    _check_count("world", world, least=1)
    bound = program.bind(arguments)
    inputs, extents = {}, {}
    for index, (formal, value) in enumerate(zip(program.parameters, bound, strict=False)):
        if not isinstance(formal.type, MemoryType):
            inputs[index] = value
        elif value is None:
            continue
        elif formal.direction != "out":
            inputs[index] = _plain(formal, value)
        else:
            _check_array(formal, value)
            # What starts as zeros still says how large it is.
            for dim, extent in enumerate(value.shape):
                if formal.type.shape[dim] is None:
                    extents[(index, dim)] = str(extent)
    for formal, value in zip(program.parameters, bound, strict=False):
        if formal.direction in ("out", "inout") and value is not None:
            _check_writeable(formal, value)
    expected = {}
    if not isinstance(expect or {}, dict):
        raise TypeError(
            f"expect is a {type(expect).__name__}, expected arrays by name: {{'y': array}}"
        )
    for name, value in (expect or {}).items():
        index = next(
            (k for k, formal in enumerate(program.parameters) if formal.name == name), None
        )
        if index is None:
            raise ValueError(f"expect names '{name}', which is no parameter of {program.entry}()")
        expected[index] = _plain(program.parameters[index], value)
    asked = {"inputs": inputs, "extents": extents, "expect": expected}
    asked.update({check: check in checks for check in ("protocol", "races")})
    ranks = _world(program, bound) if world is None else world
    _check_slices(program, bound, ranks)
    outcome = program.run(ranks, {**options, **asked})
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
                numpy.copyto(numpy.asarray(value), data.reshape(value.shape), casting="equiv")
    return outcome


def _numpy(numpy, dtype: DType):
    # bfloat16 is two bytes that NumPy does not know.
    return numpy.dtype(dtype.numpy or "uint16")


def _plain(formal, value):
    """An array as the native part takes it."""
    import numpy

    array = _check_array(formal, value)
    # In the machine's order of bytes.
    array = numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))
    return formal.type.dtype.name, list(array.shape), array.tobytes()


def _check_array(formal, value):
    """The value as an array of the element type that the parameter has."""
    import numpy

    array, wanted = numpy.asarray(value), formal.type.dtype
    found = dtype_of(value) or dtype_of(array)
    if found is not wanted and not (wanted is BF16 and array.dtype.name == "uint16"):
        raise TypeError(
            f"argument '{formal.name}' is an array of {array.dtype}, expected {wanted.numpy or 'bfloat16'}"
        )
    return array


def _check_writeable(formal, value):
    if not hasattr(value, "flags") or not hasattr(value, "shape"):
        raise TypeError(
            f"argument '{formal.name}' is written, and a {type(value).__name__} is no array that can be"
        )
    if not value.flags.writeable:
        raise ValueError(f"argument '{formal.name}' is written, and the array is read-only")


def _check_slices(program, bound, ranks):
    """What is written has a slice for each rank. Inputs are checked with their other extents."""
    worlds = [
        (formal, value)
        for formal, value in zip(program.parameters, bound, strict=False)
        if formal.is_world and value is not None
    ]
    if any(len(value.shape) != len(formal.type.shape) for formal, value in worlds):
        return
    for formal, value in worlds:
        if formal.direction == "out" and len(value) != ranks:
            raise TypeError(
                f"argument '{formal.name}' has {len(value)} slices, expected {ranks}, one for each rank"
            )


def _checks(check) -> set:
    if check in ("none", None):
        return set()
    checks = set(check.split(",")) if isinstance(check, str) else {repr(check)}
    if checks - {"protocol", "races"}:
        raise ValueError(f"check is {check!r}, expected 'protocol,races', one of them or 'none'")
    return checks


def _check_count(name, value, least):
    if value is None:
        return
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} is {value!r}, expected an integer")
    if value < least:
        raise ValueError(f"{name} is {value}, expected at least {least}")


def _world(program, bound) -> int:
    """The number of ranks: the leading extent of what the host shards."""
    for formal, value in zip(program.parameters, bound, strict=False):
        if formal.is_world and value is not None:
            return int(value.shape[0])
    raise ValueError("the number of ranks is not known: give world=")
