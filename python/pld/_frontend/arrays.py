"""Subscripts: shards on the host, regions and elements elsewhere."""

from __future__ import annotations

import ast

from ..types import INDEX, MemoryType
from . import scalar
from .fault import Fault
from .values import Memory, Number, Tile, what


def entries(reader, values, role: str) -> str:
    """A list of offsets or extents."""
    if not isinstance(values, (list, tuple)):
        raise Fault(f"{role} is {what(values)}, expected a list such as [0, 0]")
    return ", ".join(scalar.entry(reader.b, value, role) for value in values)


def extent(reader, memory: Memory, dim):
    """An extent of an array or window."""
    if not isinstance(dim, int) or isinstance(dim, bool) or not 0 <= dim < len(memory.shape):
        raise Fault(f"dim {dim} of {memory.type}", f"it has {len(memory.shape)}, counted from 0")
    known = memory.shape[dim]
    if known is not None:
        return known
    if reader.kind == "host":
        at = reader.b.constant(dim, INDEX)
        return Number(reader.b.value(f"memref.dim {memory.ssa}, {at} : {memory.type}"), INDEX, True)
    return Number(reader.b.value(f"pl.dim {memory.ssa}, {dim} : {memory.type}"), INDEX, True)


def tile_extents(shape, role="shape"):
    """Rows and columns of a tile: leading extents are 1."""
    if isinstance(shape, int) and not isinstance(shape, bool):
        shape = [shape]
    if not isinstance(shape, (list, tuple)) or not shape:
        raise Fault(f"{role} is {what(shape)}, expected a list such as [8, 64]")
    for one in shape:
        if isinstance(one, Number):
            raise Fault(
                f"{role} has an extent that only the run knows",
                "a tile's shape is known: load the greatest one, and give valid_shape=[...]",
            )
        if not isinstance(one, int) or isinstance(one, bool) or one <= 0:
            raise Fault(f"{role} has the extent {what(one)}, expected a positive integer")
    if any(one != 1 for one in shape[:-2]):
        raise Fault(
            f"{role} is {list(shape)}: a tile has two extents", "those before the last two are 1"
        )
    return (1, shape[-1]) if len(shape) == 1 else (shape[-2], shape[-1])


def subscript(reader, base, node):
    """``base[...]``."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    if isinstance(base, Tile):
        offsets, shape = region(reader, (base.rows, base.cols), parts, node)
        return extract(reader, base, offsets, shape)
    if reader.kind == "host":
        return shard(reader, base, parts, node)
    if not any(isinstance(part, ast.Slice) for part in parts):
        indices = [reader.inner(part) for part in parts]
        reader.locate(node)
        return read(reader, base, indices)
    offsets, shape = region(reader, base.shape, parts, node)
    return load(reader, base, offsets, shape)


def assign(reader, base: Memory, node, value):
    """``base[...] = value``."""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    is_whole = len(parts) == 1 and isinstance(parts[0], ast.Constant) and parts[0].value is Ellipsis
    if isinstance(value, Memory):
        value = whole(reader, value)
    if not isinstance(value, Tile):
        if any(isinstance(part, ast.Slice) for part in parts) or is_whole:
            raise Fault(f"a region is assigned {what(value)}, expected a tile or tensor")
        indices = [reader.inner(part) for part in parts]
        reader.locate(node)
        write(reader, base, indices, value)
        return
    if is_whole:
        offsets = [0] * len(base.shape)
    else:
        offsets = []
        for part in parts:
            lower = part.lower if isinstance(part, ast.Slice) else part
            offsets.append(0 if lower is None else reader.inner(lower))
        offsets += [0] * (len(base.shape) - len(offsets))
        reader.locate(node)
    store(reader, value, offsets, base)


def shard(reader, base: Memory, parts, node):
    """``x[r]`` of a world array."""
    if len(parts) != 1 or isinstance(parts[0], ast.Slice):
        raise Fault(
            "the host reads no elements of arrays",
            "x[r] is rank r's slice of a world array; the rest belongs into a kernel",
            at=node,
        )
    if base.window or len(base.shape) < 2:
        raise Fault(
            f"x[r] of {base.type}",
            "it drops the leading extent of a world array, such as [N, 1, 64]",
            at=node,
        )
    rank = scalar.index(reader.b, reader.inner(parts[0]), "the rank")
    reader.locate(node)
    base.parameter.sharded = True
    type_ = MemoryType(base.shape[1:], base.dtype, False)
    ssa = reader.b.value(f"pl.shard {base.ssa}[{rank}] : {base.type} -> {type_}", "shard")
    return Memory(ssa, type_, base.parameter)


def region(reader, shape, parts, node):
    """Offsets and extents of ``[a:b, c:d]``."""
    if len(parts) > len(shape):
        raise Fault(f"{len(parts)} subscripts of {len(shape)} dims", at=node)
    offsets, extents = [], []
    for dim, part in enumerate(parts):
        if not isinstance(part, ast.Slice):
            offsets.append(reader.inner(part))
            extents.append(1)
            continue
        if part.step is not None:
            raise Fault("a region with a step", "regions are dense", at=part)
        lower = 0 if part.lower is None else reader.inner(part.lower)
        offsets.append(lower)
        extents.append(_extent(reader, part, lower, shape[dim]))
    for known in shape[len(parts) :]:
        if known is None:
            raise Fault(
                "a region as wide as an extent that only the run knows", "name its bounds", at=node
            )
        offsets.append(0)
        extents.append(known)
    reader.locate(node)
    return offsets, extents


def _extent(reader, part, lower, known):
    if part.upper is None:
        if known is None or not isinstance(lower, int):
            raise Fault("a region without an end", "name it: its extent has to be known", at=part)
        return known - lower
    if part.lower is None:
        upper = reader.inner(part.upper)
        if isinstance(upper, int):
            return upper
    else:
        difference = _minus(_linear(reader, part.upper), _linear(reader, part.lower))
        if set(difference) <= {""}:
            return difference.get("", 0)
    raise Fault(
        "a region whose extent only the run knows",
        "write it as x[a:a + 64]; for less than that, pl.load(..., valid_shape=[...])",
        at=part,
    )


def _linear(reader, node):
    """An expression as a sum: factor by term, the constant under ''."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        left, right = _linear(reader, node.left), _linear(reader, node.right)
        if isinstance(node.op, ast.Sub):
            return _minus(left, right)
        return _minus(left, {term: -factor for term, factor in right.items()})
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        left, right = _linear(reader, node.left), _linear(reader, node.right)
        for one, other in ((left, right), (right, left)):
            if set(one) <= {""}:
                factor = one.get("", 0)
                return {term: factor * f for term, f in other.items()}
        return {ast.dump(node): 1}
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        return {"": node.value}
    if isinstance(node, ast.Name):
        value = reader.lookup(node)
        if isinstance(value, int):
            return {"": value}
        return {getattr(value, "ssa", ast.dump(node)): 1}
    return {ast.dump(node): 1}


def _minus(left, right):
    terms = dict(left)
    for term, factor in right.items():
        terms[term] = terms.get(term, 0) - factor
    return {term: factor for term, factor in terms.items() if factor}


def whole(reader, memory: Memory) -> Tile:
    """All of a small array, as a tile or tensor."""
    if None in memory.shape:
        raise Fault(
            f"{memory.type} as a value", "its extents have to be known: name a region, x[0:8, 0:64]"
        )
    return load(reader, memory, [0] * len(memory.shape), list(memory.shape))


def load(reader, memory: Memory, offsets, shape, valid=None, pad=None) -> Tile:
    """A region as a tile, or inside ``pl.at`` as a tensor."""
    rows, cols = tile_extents(shape)
    tile = Tile("", rows, cols, memory.dtype, reader.in_at)
    memory.parameter.reads()
    offsets = entries(reader, offsets, "offset")
    if reader.in_at and valid is None and pad is None:
        text = f"pl.slice {memory.ssa}[{offsets}] : {memory.type} -> {tile.type}"
        tile.ssa = reader.b.value(text, "slice")
        return tile
    if reader.in_at:
        raise Fault(
            "valid_shape inside pl.at", "the compiler tiles what is there; its regions are whole"
        )
    text = f"pl.load {memory.ssa}[{offsets}]{partial(reader, valid, pad, memory.dtype)}"
    tile.ssa = reader.b.value(f"{text} : {memory.type} -> {tile.type}", "load")
    return tile


def partial(reader, valid, pad=None, dtype=None) -> str:
    """The ``valid`` and ``pad`` of a load or store."""
    text = ""
    if valid is not None:
        if isinstance(valid, (list, tuple)) and len(valid) == 1:
            valid = [1, *valid]
        text += f" valid [{entries(reader, valid[-2:] if isinstance(valid, (list, tuple)) else valid, 'valid_shape')}]"
    if pad is not None:
        text += f" pad({scalar.as_type(reader.b, pad, dtype, 'pad_value')} : {dtype})"
    return text


def store(reader, tile, offsets, memory, valid=None, atomic=""):
    """A tile or tensor into a region."""
    memory.parameter.writes()
    offsets = entries(reader, offsets, "offset")
    valid = partial(reader, valid)
    if tile.tensor and not valid and not atomic:
        reader.b.emit(
            f"pl.assemble {tile.ssa}, {memory.ssa}[{offsets}] : {tile.type}, {memory.type}"
        )
        return
    atomic = f" atomic {atomic}" if atomic else ""
    reader.b.emit(
        f"pl.store {tile.ssa}, {memory.ssa}[{offsets}]{valid}{atomic} : {tile.type}, {memory.type}"
    )


def extract(reader, tile: Tile, offsets, shape) -> Tile:
    """A part of a tile."""
    rows, cols = tile_extents(shape)
    part = tile.like(rows, cols)
    offsets = entries(reader, offsets, "offset")
    part.ssa = reader.b.value(
        f"pl.extract_slice {tile.ssa}[{offsets}] : {tile.type} -> {part.type}", "part"
    )
    return part


def read(reader, memory: Memory, indices):
    """One element."""
    memory.parameter.reads()
    text = f"pl.read {memory.ssa}[{entries(reader, indices, 'index')}] : {memory.type}"
    return Number(reader.b.value(text, "read"), memory.dtype)


def write(reader, memory: Memory, indices, value):
    """One element."""
    memory.parameter.writes()
    indices = entries(reader, indices, "index")
    operand = scalar.as_type(reader.b, value, memory.dtype, "the value")
    reader.b.emit(f"pl.write {operand}, {memory.ssa}[{indices}] : {memory.type}")
