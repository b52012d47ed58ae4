"""Arithmetic on tiles: Python's operators and the names of ``pl``."""

from __future__ import annotations

import ast

from ..types import BOOL
from . import arrays, scalar
from .fault import Fault
from .values import Memory, Tile, what

#: With a tile on the right, and with a scalar.
WITH_SCALAR = {
    "add": "adds",
    "sub": "subs",
    "mul": "muls",
    "div": "divs",
    "max": "maxs",
    "min": "mins",
}
COMMUTES = ("add", "mul", "max", "min", "and", "or", "xor")
BROADCASTS = ("add", "sub", "mul", "div", "max", "min")
_OPERATORS = {
    ast.Add: "add",
    ast.Sub: "sub",
    ast.Mult: "mul",
    ast.Div: "div",
    ast.BitAnd: "and",
    ast.BitOr: "or",
    ast.BitXor: "xor",
    ast.LShift: "shl",
    ast.RShift: "shr",
}
_COMPARES = {
    ast.Eq: "eq",
    ast.NotEq: "ne",
    ast.Lt: "lt",
    ast.LtE: "le",
    ast.Gt: "gt",
    ast.GtE: "ge",
}
_MIRRORED = {"eq": "eq", "ne": "ne", "lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def operand(reader, value, role="the operand") -> Tile:
    """A tile, or inside ``pl.at`` all of a small array."""
    if isinstance(value, Tile):
        return value
    if isinstance(value, Memory):
        if reader.in_at:
            return arrays.whole(reader, value)
        raise Fault(
            f"{role} is {value.what}, expected a tile",
            "load a tile of it first: pl.load(x, [0, 0], [8, 64])",
        )
    raise Fault(f"{role} is {what(value)}, expected a tile")


def operator(reader, op, left, right):
    """``left op right`` where one of them is a tile."""
    if isinstance(op, ast.MatMult):
        from .ops_pl import matmul

        return matmul(reader, left, right)
    name = _OPERATORS.get(type(op))
    if name is None:
        raise Fault("this operator of tiles", "there are + - * / & | ^ << >> @")
    return binary(reader, name, left, right)


def binary(reader, name, left, right) -> Tile:
    """One of the binary operations, in the form that the operands ask for."""
    if scalar.is_scalar(right):
        left = operand(reader, left)
        return with_scalar(reader, name, left, right)
    if scalar.is_scalar(left):
        right = operand(reader, right)
        if name in COMMUTES and name in WITH_SCALAR:
            return with_scalar(reader, name, right, left)
        left = full(reader, right, left)
    left, right = operand(reader, left), operand(reader, right)
    if (left.rows, left.cols) != (right.rows, right.cols) and name in BROADCASTS:
        return broadcast(reader, name, left, right)
    same(left, right)
    result = left.like()
    result.ssa = reader.b.value(f"pl.{name} {left.ssa}, {right.ssa} : {left.type}", name)
    return result


def same(left: Tile, right: Tile, shapes=True):
    """Checks that two tiles are of one type."""
    if left.dtype is not right.dtype:
        raise Fault(
            f"operands of {left.dtype} and {right.dtype}",
            "nothing is converted by itself: write pl.cast(tile, dtype)",
            "pld-105",
        )
    if shapes and left.type != right.type:
        raise Fault(
            f"operands of {left.rows}x{left.cols} and {right.rows}x{right.cols}",
            "equal shapes are expected",
        )


def with_scalar(reader, name, tile: Tile, value) -> Tile:
    """With a scalar on the right."""
    if name not in WITH_SCALAR:
        return binary(reader, name, tile, full(reader, tile, value))
    operand = scalar.as_type(reader.b, value, tile.dtype, "the scalar")
    result = tile.like()
    form = WITH_SCALAR[name]
    result.ssa = reader.b.value(
        f"pl.{form} {tile.ssa}, {operand} : {tile.type}, {tile.dtype}", name
    )
    return result


def broadcast(reader, name, left: Tile, right: Tile) -> Tile:
    """A column along the rows, or a row along the columns."""
    if name in COMMUTES and left.rows * left.cols < right.rows * right.cols:
        left, right = right, left
    if right.cols == 1 and right.rows == left.rows:
        form = "row_expand"
    elif right.rows == 1 and right.cols == left.cols:
        form = "col_expand"
    else:
        raise Fault(
            f"operands of {left.rows}x{left.cols} and {right.rows}x{right.cols}",
            "equal shapes are expected, or a column or row of the left one",
        )
    return expand(reader, form, name, left, right)


def expand(reader, form, name, left: Tile, right: Tile) -> Tile:
    """``row_expand_*`` and ``col_expand_*``."""
    left, right = operand(reader, left), operand(reader, right)
    same(left, right, shapes=False)
    result = left.like()
    text = f"pl.{form}_{name} {left.ssa}, {right.ssa} : {left.type}, {right.type}"
    result.ssa = reader.b.value(text, name)
    return result


def full(reader, like: Tile, value) -> Tile:
    """A tile of one value."""
    result = like.like()
    hint, reader.b.hint = reader.b.hint, None
    operand = scalar.as_type(reader.b, value, like.dtype, "the value")
    result.ssa = reader.b.value(f"pl.full {operand} : {result.type}", "full")
    reader.b.hint = hint
    return result


def unary(reader, name, value) -> Tile:
    """``pl.exp`` and its like."""
    tile = operand(reader, value)
    result = tile.like()
    result.ssa = reader.b.value(f"pl.{name} {tile.ssa} : {tile.type}", name)
    return result


def compare(reader, op, left, right) -> Tile:
    """A mask."""
    name = op if isinstance(op, str) else _COMPARES.get(type(op))
    if name is None:
        raise Fault("this comparison of tiles", "there are == != < <= > >=")
    if scalar.is_scalar(left):
        left, right, name = right, left, _MIRRORED[name]
    left = operand(reader, left)
    if scalar.is_scalar(right):
        right = full(reader, left, right)
    right = operand(reader, right)
    same(left, right)
    result = left.like(dtype=BOOL)
    text = f"pl.cmp {name}, {left.ssa}, {right.ssa} : {left.type} -> {result.type}"
    result.ssa = reader.b.value(text, "mask")
    return result


def reduce(reader, name, value) -> Tile:
    """``row_*`` to a column, ``col_*`` to a row."""
    tile = operand(reader, value)
    result = tile.like(cols=1) if name.startswith("row") else tile.like(rows=1)
    result.ssa = reader.b.value(f"pl.{name} {tile.ssa} : {tile.type} -> {result.type}", name)
    return result
