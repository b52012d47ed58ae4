"""Arithmetic on scalars: Python's numbers where they are known, operations of ``arith`` else."""

from __future__ import annotations

import ast
import operator

from ..types import BOOL, FP32, INDEX, INT32, DType
from .builder import Builder
from .fault import Fault
from .values import Number, what

_KNOWN = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
}
_KNOWN_CMP = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_INTEGER = {
    ast.Add: "addi",
    ast.Sub: "subi",
    ast.Mult: "muli",
    ast.LShift: "shli",
    ast.RShift: "shrsi",
    ast.BitAnd: "andi",
    ast.BitOr: "ori",
    ast.BitXor: "xori",
}
_FLOAT = {ast.Add: "addf", ast.Sub: "subf", ast.Mult: "mulf", ast.Div: "divf"}
_NATURAL = (ast.Add, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.RShift)
_CMP = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "slt",
    ast.LtE: "sle",
    ast.Gt: "sgt",
    ast.GtE: "sge",
}
_SIGNS = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.MatMult: "@",
}


def is_known(value) -> bool:
    """A number that the source knows."""
    return isinstance(value, (int, float))


def is_scalar(value) -> bool:
    return is_known(value) or isinstance(value, Number)


def is_natural(value) -> bool:
    """Never negative."""
    return value.natural if isinstance(value, Number) else value >= 0


def as_type(b: Builder, value, dtype: DType, role: str) -> str:
    """The value as an operand of this type; ``role`` says in messages what it is."""
    if isinstance(value, bool) and dtype is not BOOL:
        value = int(value)
    if is_known(value):
        if isinstance(value, float) and not dtype.is_float:
            if not value.is_integer() or dtype is INDEX:
                raise Fault(f"{role} is {value}, expected an integer")
            value = int(value)
        if isinstance(value, int) and not dtype.is_float and dtype is not BOOL:
            _check_range(value, dtype, role)
        return b.constant(value, dtype)
    if not isinstance(value, Number):
        raise Fault(f"{role} is {what(value)}, expected a scalar of {dtype}")
    if value.dtype is dtype:
        return value.ssa
    if value.dtype.is_float or dtype.is_float or BOOL in (value.dtype, dtype):
        raise Fault(
            f"{role} is a scalar of {value.dtype}, expected {dtype}",
            f"nothing is converted by itself: write pl.cast(..., pl.{_public(dtype)})",
        )
    if INDEX in (value.dtype, dtype):
        return b.value(f"arith.index_cast {value.ssa} : {value.dtype} to {dtype}")
    kind = "extsi" if dtype.bytes > value.dtype.bytes else "trunci"
    if kind == "trunci":
        raise Fault(
            f"{role} is a scalar of {value.dtype}, expected {dtype}",
            f"write pl.cast(..., pl.{_public(dtype)})",
        )
    return b.value(f"arith.{kind} {value.ssa} : {value.dtype} to {dtype}")


def _check_range(value: int, dtype: DType, role: str):
    bits = 64 if dtype is INDEX else 8 * dtype.bytes
    if not -(1 << (bits - 1)) <= value < 1 << (bits - 1):
        raise Fault(f"{role} is {value}, which {dtype} does not hold")


def _public(dtype: DType) -> str:
    return {"f32": "FP32", "f16": "FP16", "bf16": "BF16", "i1": "BOOL"}.get(
        dtype.name, dtype.name.upper().replace("I", "INT", 1) if dtype is not INDEX else "INDEX"
    )


def index(b: Builder, value, role: str) -> str:
    """The value as an operand of type ``index``."""
    return as_type(b, value, INDEX, role)


def entry(b: Builder, value, role: str) -> str:
    """The value as an entry of a list: a plain integer where it is known."""
    if isinstance(value, bool) or isinstance(value, float) or not is_scalar(value):
        raise Fault(f"{role} is {what(value)}, expected an integer")
    if isinstance(value, int):
        _check_range(value, INDEX, role)
        return str(value)
    return index(b, value, role)


def common(x, y) -> DType:
    """The type that two operands are computed in."""
    types = [v.dtype for v in (x, y) if isinstance(v, Number)]
    if isinstance(x, float) or isinstance(y, float):
        return next((t for t in types if t.is_float), FP32)
    if len(set(types)) == 1:
        return types[0]
    floats = [t for t in types if t.is_float]
    if floats:
        return floats[0]
    # A rank and a value of a signal: positions win.
    return INDEX if INDEX in types else max(types, key=lambda t: t.bytes)


def binary(b: Builder, op: ast.operator, x, y, floats: bool):
    """``x op y``. ``floats`` tells whether the function may compute with floats."""
    kind = type(op)
    if is_known(x) and is_known(y):
        try:
            return _KNOWN[kind](x, y)
        except (ArithmeticError, ValueError, TypeError, KeyError) as error:
            raise Fault(f"cannot compute {x} {_SIGNS[kind]} {y}: {error}") from None
    dtype = common(x, y)
    if dtype.is_float:
        return _float(b, kind, x, y, dtype, floats)
    if dtype is BOOL and kind not in (ast.BitAnd, ast.BitOr, ast.BitXor):
        raise Fault(f"'{_SIGNS[kind]}' of truth values", "use 'and', 'or' and 'not'")
    if kind is ast.Div:
        raise Fault("'/' of integers gives a float", "write '//', which rounds down")
    hint, b.hint = b.hint, None
    left = as_type(b, x, dtype, "the left operand")
    right = as_type(b, y, dtype, "the right operand")
    b.hint = hint
    natural = is_natural(x) and is_natural(y)
    if kind is ast.FloorDiv:
        name = "divsi" if natural else "floordivsi"
    elif kind is ast.Mod:
        if not natural:
            return Number(_floor_mod(b, left, right, dtype), dtype, is_natural(y))
        name = "remsi"
    elif kind in _INTEGER:
        name = _INTEGER[kind]
    else:
        raise Fault(
            f"'{_SIGNS[kind]}' of scalars",
            f"there is {' '.join(sorted(_SIGNS[k] for k in _INTEGER))} // %",
        )
    ssa = b.value(f"arith.{name} {left}, {right} : {dtype}")
    return Number(ssa, dtype, natural and kind in _NATURAL)


def _float(b, kind, x, y, dtype, floats):
    if not floats:
        raise Fault(
            "floating-point scalar arithmetic on the AI core, which has none",
            "keep the mathematics of ranks and offsets in integers, such as (r + 1) % n; compute with data as tiles",
            "pld-109",
        )
    if kind not in _FLOAT:
        raise Fault(f"'{_SIGNS[kind]}' of floats", "there is + - * /")
    left = as_type(b, x, dtype, "the left operand")
    right = as_type(b, y, dtype, "the right operand")
    return Number(b.value(f"arith.{_FLOAT[kind]} {left}, {right} : {dtype}"), dtype)


def _floor_mod(b: Builder, x: str, y: str, dtype: DType) -> str:
    """Python's remainder, which has the sign of the divisor."""
    hint, b.hint = b.hint, None
    zero = b.constant(0, dtype)
    rest = b.value(f"arith.remsi {x}, {y} : {dtype}")
    signs = b.value(f"arith.xori {rest}, {y} : {dtype}")
    differ = b.value(f"arith.cmpi slt, {signs}, {zero} : {dtype}")
    some = b.value(f"arith.cmpi ne, {rest}, {zero} : {dtype}")
    wrong = b.value(f"arith.andi {differ}, {some} : i1")
    mended = b.value(f"arith.addi {rest}, {y} : {dtype}")
    b.hint = hint
    return b.value(f"arith.select {wrong}, {mended}, {rest} : {dtype}")


def compare(b: Builder, op: ast.cmpop, x, y):
    """``x op y``."""
    if is_known(x) and is_known(y):
        return _KNOWN_CMP[type(op)](x, y)
    dtype = common(x, y)
    if dtype.is_float:
        raise Fault(
            "floating-point scalar comparison on the AI core, which has none",
            "compare integers, or tiles with pl.cmp",
            "pld-109",
        )
    left = as_type(b, x, dtype, "the left operand")
    right = as_type(b, y, dtype, "the right operand")
    return Number(b.value(f"arith.cmpi {_CMP[type(op)]}, {left}, {right} : {dtype}"), BOOL, True)


def truth(b: Builder, value):
    """The value as a condition: a bool, or a scalar of i1."""
    if is_known(value):
        return bool(value)
    if not isinstance(value, Number):
        raise Fault(
            f"the condition is {what(value)}, expected a scalar",
            "choose between tiles by pl.select(pl.cmp(...), a, b)",
        )
    if value.dtype is BOOL:
        return value
    return compare(b, ast.NotEq(), value, 0)


def negate(b: Builder, value):
    """``not value``."""
    value = truth(b, value)
    if isinstance(value, bool):
        return not value
    true = b.constant(True, BOOL)
    return Number(b.value(f"arith.xori {value.ssa}, {true} : i1"), BOOL, True)


def choose(b: Builder, least: bool, x, y):
    """The lesser or the greater of two scalars."""
    if is_known(x) and is_known(y):
        return min(x, y) if least else max(x, y)
    dtype = common(x, y)
    if dtype.is_float:
        raise Fault(
            "minimum of floating-point scalars on the AI core, which has none", None, "pld-109"
        )
    name = "minsi" if least else "maxsi"
    left, right = as_type(b, x, dtype, "the first"), as_type(b, y, dtype, "the second")
    natural = (is_natural(x) and is_natural(y)) if least else (is_natural(x) or is_natural(y))
    return Number(b.value(f"arith.{name} {left}, {right} : {dtype}"), dtype, natural)


def cast(b: Builder, value, dtype: DType):
    """A scalar of another type."""
    if is_known(value):
        return float(value) if dtype.is_float else int(value)
    if value.dtype is dtype:
        raise Fault(f"cast of a scalar of {dtype} to its own type", "leave it out")
    if value.dtype.is_float:
        raise Fault(
            f"cast of a scalar of {value.dtype} to {dtype}",
            "scalars go from integers to floats only",
        )
    if dtype.is_float:
        if value.dtype is INDEX:
            value = Number(b.value(f"arith.index_cast {value.ssa} : index to i32"), INT32)
        return Number(b.value(f"arith.sitofp {value.ssa} : {value.dtype} to {dtype}"), dtype)
    if INDEX in (value.dtype, dtype):
        ssa = b.value(f"arith.index_cast {value.ssa} : {value.dtype} to {dtype}")
    else:
        kind = "extsi" if dtype.bytes > value.dtype.bytes else "trunci"
        ssa = b.value(f"arith.{kind} {value.ssa} : {value.dtype} to {dtype}")
    return Number(ssa, dtype, value.natural and dtype.bytes >= 4)
