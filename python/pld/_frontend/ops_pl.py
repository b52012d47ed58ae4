"""The operations of ``pl``: what each argument is, and the operation it becomes.

A handler's own signature is the operation's; its first parameter is the reader.
"""

from __future__ import annotations

from .. import language as pl
from ..intrinsic import AtomicType
from ..types import FP32, INDEX, INT32, DType
from . import arrays, elementwise, scalar
from .fault import Fault
from .values import Memory, Number, Tile, what

HANDLERS = {}


def handles(*intrinsics):
    """Registers the handler of an operation."""

    def register(handler):
        for intrinsic in intrinsics:
            HANDLERS[intrinsic] = handler
        return handler

    return register


def memory(value, role, window=None) -> Memory:
    """An operand in memory; ``window`` tells which kind it has to be, if that matters."""
    if not isinstance(value, Memory):
        raise Fault(
            f"{role} is {what(value)}, expected {'a pld.DistributedTensor' if window else 'an array or window'}"
        )
    if window is not None and value.window != window:
        wanted = "a pld.DistributedTensor" if window else "a pl.Tensor"
        raise Fault(
            f"{role} is {value.what}, expected {wanted}",
            "only a pld.DistributedTensor, a view of a window buffer, is reached by peers: annotate it so, "
            "and make it with pld.window(...)"
            if window
            else "a window is shared: reserve pl.Tensor for local arrays",
            "pld-101",
        )
    return value


def element(value) -> DType:
    """An element type."""
    if not isinstance(value, DType):
        raise Fault(f"the type is {what(value)}, expected one such as pl.FP32")
    return value


def atomic_of(value) -> str:
    """``add`` or nothing."""
    if value is None or value is AtomicType.None_:
        return ""
    if value is AtomicType.Add:
        return "add"
    raise Fault(f"atomic is {what(value)}, expected pld.AtomicType.Add")


@handles(pl.load)
def load(reader, tensor, offsets, shape, valid_shape=None, pad_value=None):
    return arrays.load(
        reader, memory(tensor, "what is loaded"), offsets, shape, valid_shape, pad_value
    )


@handles(pl.store)
def store(reader, tile, offsets, tensor, valid_shape=None, atomic=None):
    tensor = memory(tensor, "what is stored into")
    tile = elementwise.operand(reader, tile, "what is stored")
    arrays.store(reader, tile, offsets, tensor, valid_shape, atomic_of(atomic))
    return tensor


@handles(pl.yield_)
def yield_(reader, *values):
    # The end of a loop with init_values is read with the loop.
    if not reader.in_arm:
        raise Fault(
            "pl.yield_ stands where it ends nothing",
            "it is the last statement of an arm of 'if', or of "
            "'for i, (a, b) in pl.range(n, init_values=(a0, b0)):'",
        )
    if not values:
        raise Fault("pl.yield_ of nothing", "name what goes on: a = pl.yield_(b)")
    return values[0] if len(values) == 1 else values


@handles(pl.read)
def read(reader, tensor, indices):
    if isinstance(tensor, Tile):
        raise Fault("an element of a tile", "read it from memory, or reduce the tile")
    return arrays.read(reader, memory(tensor, "what is read"), indices)


@handles(pl.write)
def write(reader, tensor, indices, value):
    tensor = memory(tensor, "what is written")
    arrays.write(reader, tensor, indices, value)
    return tensor


@handles(pl.dim)
def dim(reader, tensor, axis):
    if isinstance(tensor, Tile):
        return (tensor.rows, tensor.cols)[axis]
    return arrays.extent(reader, memory(tensor, "what has an extent"), axis)


@handles(pl.slice)
def slice_(reader, tensor, shape, offset):
    if isinstance(tensor, Tile):
        return arrays.extract(reader, tensor, offset, shape)
    return arrays.load(reader, memory(tensor, "what is sliced"), offset, shape)


@handles(pl.assemble)
def assemble(reader, target, source, offset):
    source = elementwise.operand(reader, source, "the part")
    if not isinstance(target, Tile):
        target = memory(target, "the whole")
        arrays.store(reader, source, offset, target)
        return target
    result = target.like()
    offset = arrays.entries(reader, offset, "offset")
    text = f"pl.insert_slice {source.ssa} into {target.ssa}[{offset}] : {source.type} into {target.type}"
    result.ssa = reader.b.value(text, "whole")
    return result


@handles(pl.full)
def full(reader, shape, dtype, value):
    rows, cols = arrays.tile_extents(shape)
    return elementwise.full(reader, Tile("", rows, cols, element(dtype), reader.in_at), value)


@handles(pl.create_tile)
def create_tile(reader, shape, dtype):
    return full(reader, shape, dtype, 0)


@handles(pl.arange)
def arange(reader, shape, dtype=INT32):
    rows, cols = arrays.tile_extents(shape)
    tile = Tile("", rows, cols, element(dtype), reader.in_at)
    tile.ssa = reader.b.value(f"pl.iota : {tile.type}", "iota")
    return tile


@handles(pl.concat)
def concat(reader, first, second, dim=1):
    first, second = elementwise.operand(reader, first), elementwise.operand(reader, second)
    if dim == 1:
        result = first.like(cols=first.cols + second.cols)
    else:
        result = first.like(rows=first.rows + second.rows)
    text = f"pl.concat {first.ssa}, {second.ssa} dim {int(dim)} : {first.type}, {second.type} -> {result.type}"
    result.ssa = reader.b.value(text, "joined")
    return result


@handles(pl.reshape)
def reshape(reader, value, shape):
    return _rearranged(reader, "reshape", value, *arrays.tile_extents(shape))


@handles(pl.transpose)
def transpose(reader, value, *axes):
    tile = elementwise.operand(reader, value)
    return _rearranged(reader, "transpose", tile, tile.cols, tile.rows)


def _rearranged(reader, name, value, rows, cols):
    tile = elementwise.operand(reader, value)
    result = tile.like(rows, cols)
    result.ssa = reader.b.value(f"pl.{name} {tile.ssa} : {tile.type} -> {result.type}", name)
    return result


@handles(pl.gather)
def gather(reader, value, indices):
    tile, indices = (
        elementwise.operand(reader, value),
        elementwise.operand(reader, indices, "the index"),
    )
    result = tile.like(rows=indices.rows)
    text = f"pl.gather {tile.ssa}, {indices.ssa} : {tile.type}, {indices.type} -> {result.type}"
    result.ssa = reader.b.value(text, "gathered")
    return result


@handles(pl.cmp)
def cmp(reader, left, right, predicate):
    if predicate not in ("eq", "ne", "lt", "le", "gt", "ge"):
        raise Fault(
            f"predicate is {what(predicate)}, expected 'eq', 'ne', 'lt', 'le', 'gt' or 'ge'"
        )
    return elementwise.compare(reader, predicate, left, right)


@handles(pl.select)
def select(reader, mask, yes, no):
    mask = elementwise.operand(reader, mask, "the mask")
    if scalar.is_scalar(yes) and scalar.is_scalar(no):
        raise Fault(
            "a choice between two scalars", "make one of them a tile: pl.full(shape, dtype, value)"
        )
    if scalar.is_scalar(yes):
        yes = elementwise.full(reader, elementwise.operand(reader, no), yes)
    yes = elementwise.operand(reader, yes)
    no = (
        elementwise.full(reader, yes, no)
        if scalar.is_scalar(no)
        else elementwise.operand(reader, no)
    )
    elementwise.same(yes, no)
    result = yes.like()
    text = f"pl.select {mask.ssa}, {yes.ssa}, {no.ssa} : {mask.type}, {yes.type}"
    result.ssa = reader.b.value(text, "chosen")
    return result


@handles(pl.cast)
def cast(reader, value, dtype, mode="rint"):
    dtype = element(dtype)
    if scalar.is_scalar(value):
        if dtype.is_float and reader.kind != "host" and scalar.is_known(value):
            return float(value)
        return scalar.cast(reader.b, value, dtype)
    tile = elementwise.operand(reader, value)
    result = tile.like(dtype=dtype)
    if mode not in ("none", "rint", "round", "floor", "ceil", "trunc"):
        raise Fault(
            f"mode is {what(mode)}, expected 'none', 'rint', 'round', 'floor', 'ceil' or 'trunc'"
        )
    result.ssa = reader.b.value(f"pl.cast {mode} {tile.ssa} : {tile.type} -> {result.type}", "cast")
    return result


@handles(pl.matmul)
def matmul(reader, a, b, a_trans=False, b_trans=False):
    return _product(reader, None, a, b, a_trans, b_trans)


@handles(pl.matmul_acc)
def matmul_acc(reader, acc, a, b, a_trans=False, b_trans=False):
    return _product(
        reader, elementwise.operand(reader, acc, "the accumulator"), a, b, a_trans, b_trans
    )


def _product(reader, acc, a, b, a_trans, b_trans):
    a, b = elementwise.operand(reader, a), elementwise.operand(reader, b)
    rows = a.cols if a_trans else a.rows
    cols = b.rows if b_trans else b.cols
    result = Tile("", rows, cols, FP32 if a.dtype.is_float else INT32, a.tensor)
    flags = (" transpose_a" if a_trans else "") + (" transpose_b" if b_trans else "")
    head = "pl.matmul" if acc is None else f"pl.matmul_acc {acc.ssa},"
    text = f"{head} {a.ssa}, {b.ssa}{flags} : {a.type}, {b.type} -> {result.type}"
    result.ssa = reader.b.value(text, "product")
    return result


@handles(pl.row_expand)
def row_expand(reader, value, shape):
    tile = elementwise.operand(reader, value)
    return _rearranged(reader, "row_expand", tile, tile.rows, arrays.tile_extents(shape)[1])


@handles(pl.col_expand)
def col_expand(reader, value, shape):
    tile = elementwise.operand(reader, value)
    rows, cols = arrays.tile_extents(shape)
    return _rearranged(reader, "col_expand", tile, rows, tile.cols)


@handles(pl.block_idx)
def block_idx(reader):
    return Number(reader.b.value("pl.block_idx", "block"), INDEX, True)


@handles(pl.block_num)
def block_num(reader):
    return Number(reader.b.value("pl.block_num", "blocks"), INDEX, True)


def _families():
    """Operations that differ in their name only."""

    def binary(name):
        def handler(reader, x, y):
            if scalar.is_scalar(x) and scalar.is_scalar(y) and name in ("max", "min"):
                return scalar.choose(reader.b, name == "min", x, y)
            if scalar.is_scalar(x) and scalar.is_scalar(y):
                raise Fault(f"pl.{name} of two scalars", "write it with Python's operator")
            return elementwise.binary(reader, name, x, y)

        return handler

    def unary(name):
        return lambda reader, x: elementwise.unary(reader, name, x)

    def reduction(name):
        return lambda reader, x: elementwise.reduce(reader, name, x)

    def expansion(form, name):
        return lambda reader, x, y: elementwise.expand(reader, form, name, x, y)

    for name in ("add", "sub", "mul", "div"):
        HANDLERS[getattr(pl, name)] = HANDLERS[getattr(pl, f"{name}s")] = binary(name)
    for name, others in (("max", ("maximum", "maxs")), ("min", ("minimum", "mins"))):
        for other in (name, *others):
            HANDLERS[getattr(pl, other)] = binary(name)
    for name in ("and", "or"):
        HANDLERS[getattr(pl, f"{name}_")] = binary(name)
    for name in ("xor", "shl", "shr"):
        HANDLERS[getattr(pl, name)] = binary(name)
    for name in ("exp", "log", "sqrt", "rsqrt", "recip", "neg", "abs", "relu"):
        HANDLERS[getattr(pl, name)] = unary(name)
    HANDLERS[pl.not_] = unary("not")
    for form in ("row", "col"):
        for name in ("sum", "max", "min", "prod"):
            HANDLERS[getattr(pl, f"{form}_{name}")] = reduction(f"{form}_{name}")
        for name in elementwise.BROADCASTS:
            HANDLERS[getattr(pl, f"{form}_expand_{name}")] = expansion(f"{form}_expand", name)


_families()
