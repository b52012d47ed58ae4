"""The operations of ``pld``: what each argument is, and the operation it becomes."""

from __future__ import annotations

from .. import distributed as pld
from ..intrinsic import AtomicType, NotifyOp, ReduceOp, WaitCmp
from ..types import INDEX, INT8, INT32, MemoryType
from . import arrays, elementwise, scalar
from .fault import Fault
from .ops_pl import atomic_of, element, handles, memory
from .values import Buffer, CommCtx, Memory, Number, Tile, what


def window_of(value, role="the window") -> Memory:
    """An operand that peers reach."""
    return memory(value, role, window=True)


def member(value, kind, role):
    """A member of one of the enumerations."""
    if not isinstance(value, kind):
        names = ", ".join(f"pld.{kind.__name__}.{name}" for name in kind.__members__)
        raise Fault(f"{role} is {what(value)}, expected one of {names}")
    return value.value


@handles(pld.alloc_window_buffer)
def alloc_window_buffer(reader, shape, dtype=None, ranks=None):
    if scalar.is_scalar(shape):
        if dtype is not None:
            raise Fault(
                "a buffer of bytes with a dtype",
                "give a shape: pld.alloc_window_buffer([1, 64], dtype=pl.FP32)",
            )
        shape, dtype = [shape], INT8
    if dtype is None:
        raise Fault(
            "a window buffer without a dtype",
            "write pld.alloc_window_buffer([1, 64], dtype=pl.FP32)",
        )
    dtype = element(dtype)
    group = ""
    if ranks is not None:
        if not isinstance(ranks, (list, tuple)) or not all(type(r) is int for r in ranks):
            raise Fault(f"ranks is {what(ranks)}, expected a list of ranks")
        group = f" {{ranks = array<i64: {', '.join(map(str, ranks))}>}}"
    extents = arrays.entries(reader, shape, "extent")
    text = f"pld.alloc_window_buffer [{extents}] of {dtype}{group}"
    return Buffer(reader.b.value(text, "buffer"), dtype)


@handles(pld.window)
def window(reader, buffer, shape, dtype=None):
    if isinstance(buffer, Memory):
        raise Fault(
            f"a window of {buffer.what}, expected a window buffer",
            "allocate one: pld.alloc_window_buffer([1, 64], dtype=pl.FP32)",
            "pld-101",
        )
    if not isinstance(buffer, Buffer):
        raise Fault(f"a window of {what(buffer)}, expected a window buffer")
    dtype = buffer.dtype if dtype is None else element(dtype)
    if not isinstance(shape, (list, tuple)):
        shape = [shape]
    view = Memory("", MemoryType((), dtype, True), buffer=buffer, extents=tuple(shape))
    return view_as(reader, view, tuple(e if isinstance(e, int) else None for e in shape))


def view_as(reader, view: Memory, shape) -> Memory:
    """The same view of its buffer, with these extents in its type."""
    unknown = [e for e, known in zip(view.extents, shape, strict=False) if known is None]
    extents = (
        f"[{', '.join(scalar.index(reader.b, e, 'extent') for e in unknown)}]" if unknown else ""
    )
    type_ = MemoryType(tuple(shape), view.dtype, True)
    ssa = reader.b.value(f"pld.window {view.buffer.ssa}{extents} : {type_}", "window")
    return Memory(ssa, type_, view.parameter, view.buffer, view.extents)


@handles(pld.world_size)
def world_size(reader):
    return Number(reader.b.value("pld.world_size", "n"), INDEX, True)


@handles(pld.get_comm_ctx)
def get_comm_ctx(reader, window):
    window = window_of(window)
    return CommCtx(reader.b.value(f"pld.get_comm_ctx {window.ssa} : {window.type}", "ctx"))


@handles(pld.rank)
def rank(reader, ctx):
    return Number(reader.b.value(f"pld.rank {_ctx(reader, ctx)}", "me"), INDEX, True)


@handles(pld.nranks)
def nranks(reader, ctx):
    return Number(reader.b.value(f"pld.nranks {_ctx(reader, ctx)}", "n"), INDEX, True)


def _ctx(reader, value) -> str:
    if isinstance(value, CommCtx):
        return value.ssa
    raise Fault(f"the context is {what(value)}", "ask a window for it: pld.get_comm_ctx(data)")


def _peer(reader, value) -> str:
    if isinstance(value, Number) and value.dtype.is_float:
        raise Fault(
            f"the peer is a scalar of {value.dtype}, expected an integer",
            "keep the mathematics of ranks in integers, such as (r + 1) % n",
            "pld-109",
        )
    return scalar.index(reader.b, value, "the peer")


@handles(pld.notify)
def notify(reader, target, peer, offsets, value, op=NotifyOp.AtomicAdd):
    target = window_of(target, "the signal")
    value = scalar.as_type(reader.b, value, INT32, "the value")
    cell = arrays.entries(reader, offsets, "offset")
    peer = _peer(reader, peer)
    reader.b.emit(
        f"pld.notify {member(op, NotifyOp, 'op')} {value}, {target.ssa}[{cell}] to {peer} : {target.type}"
    )


@handles(pld.wait)
def wait(reader, signal, offsets, expected, cmp=WaitCmp.Ge):
    signal = window_of(signal, "the signal")
    value = scalar.as_type(reader.b, expected, INT32, "the expected value")
    cell = arrays.entries(reader, offsets, "offset")
    reader.b.emit(
        f"pld.wait {member(cmp, WaitCmp, 'cmp')} {value}, {signal.ssa}[{cell}] : {signal.type}"
    )


@handles(pld.barrier)
def barrier(reader, signal):
    signal = window_of(signal, "the signal")
    reader.b.emit(f"pld.barrier {signal.ssa} : {signal.type}")
    return signal


@handles(pld.remote_load)
def remote_load(reader, target, peer, offsets, shape, valid_shape=None, pad_value=None):
    target = window_of(target, "what is loaded")
    rows, cols = arrays.tile_extents(shape)
    tile = Tile("", rows, cols, target.dtype)
    offsets = arrays.entries(reader, offsets, "offset")
    rest = arrays.partial(reader, valid_shape, pad_value, target.dtype)
    text = f"pld.remote_load {target.ssa}[{offsets}]{rest} from {_peer(reader, peer)}"
    tile.ssa = reader.b.value(f"{text} : {target.type} -> {tile.type}", "recv")
    return tile


@handles(pld.remote_store)
def remote_store(reader, src, target, peer, offsets, atomic=None, valid_shape=None):
    target = window_of(target, "what is stored into")
    tile = elementwise.operand(reader, src, "what is stored")
    offsets = arrays.entries(reader, offsets, "offset")
    valid = arrays.partial(reader, valid_shape)
    atomic = f" atomic {atomic_of(atomic)}" if atomic_of(atomic) else ""
    text = f"pld.remote_store {tile.ssa}, {target.ssa}[{offsets}]{valid} to {_peer(reader, peer)}{atomic}"
    reader.b.emit(f"{text} : {tile.type}, {target.type}")
    return target


@handles(pld.put)
def put(
    reader,
    dst,
    peer,
    src,
    dst_offsets=None,
    src_offsets=None,
    shape=None,
    atomic=AtomicType.None_,
    chunk_rows=0,
    chunk_cols=0,
    pipeline=False,
):
    dst, src = window_of(dst, "what is put into"), memory(src, "what is put")
    src.parameter.reads()
    ends = _ends(reader, src, src_offsets, dst, dst_offsets, shape)
    atomic = f" atomic {atomic_of(atomic)}" if atomic_of(atomic) else ""
    knobs = _knobs(chunk_rows, chunk_cols, pipeline)
    reader.b.emit(
        f"pld.put {ends} to {_peer(reader, peer)}{atomic}{knobs} : {src.type}, {dst.type}"
    )
    return dst


@handles(pld.get)
def get(
    reader,
    dst,
    peer,
    src,
    dst_offsets=None,
    src_offsets=None,
    shape=None,
    chunk_rows=0,
    chunk_cols=0,
    pipeline=False,
):
    dst, src = memory(dst, "what is got into"), window_of(src, "what is got")
    dst.parameter.writes()
    ends = _ends(reader, src, src_offsets, dst, dst_offsets, shape)
    knobs = _knobs(chunk_rows, chunk_cols, pipeline)
    reader.b.emit(f"pld.get {ends} from {_peer(reader, peer)}{knobs} : {src.type}, {dst.type}")
    return dst


def _ends(reader, src, src_offsets, dst, dst_offsets, shape) -> str:
    given = [x is not None for x in (src_offsets, dst_offsets, shape)]
    if any(given) and not all(given):
        raise Fault(
            "offsets without a shape, or the reverse",
            "give dst_offsets, src_offsets and shape, or none of them",
        )
    if not any(given):
        return f"{src.ssa}, {dst.ssa}"
    source = arrays.entries(reader, src_offsets, "offset")
    target = arrays.entries(reader, dst_offsets, "offset")
    return f"{src.ssa}[{source}], {dst.ssa}[{target}] sizes [{arrays.entries(reader, shape, 'extent')}]"


def _knobs(rows, cols, pipeline) -> str:
    for name, value in (("chunk_rows", rows), ("chunk_cols", cols)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise Fault(f"{name} is {what(value)}, expected a known integer")
    knobs = [f"chunk_rows = {rows}"] * bool(rows) + [f"chunk_cols = {cols}"] * bool(cols)
    knobs += ["pipeline"] * bool(pipeline)
    return f" {{{', '.join(knobs)}}}" if knobs else ""


@handles(pld.allreduce)
def allreduce(reader, target, signal=None, op=ReduceOp.Sum, mode=None):
    target = window_of(target)
    algorithm = "" if mode is None else f' {{algorithm = "{_mode(mode)}"}}'
    return _collective(
        reader,
        f"pld.allreduce {member(op, ReduceOp, 'op')} {target.ssa}",
        [target],
        signal,
        algorithm,
    )


def _mode(mode) -> str:
    if mode not in ("mesh", "ring", "auto"):
        raise Fault(f"mode is {what(mode)}, expected 'mesh', 'ring' or 'auto'")
    return mode


@handles(pld.broadcast)
def broadcast(reader, target, signal=None, root=0):
    target = window_of(target)
    if not isinstance(root, int) or isinstance(root, bool):
        raise Fault(f"root is {what(root)}, expected a known rank")
    return _collective(reader, f"pld.broadcast {target.ssa}", [target], signal, f" root {root}")


@handles(pld.reduce_scatter)
def reduce_scatter(reader, target, signal=None, op=ReduceOp.Sum):
    target = window_of(target)
    return _collective(
        reader, f"pld.reduce_scatter {member(op, ReduceOp, 'op')} {target.ssa}", [target], signal
    )


@handles(pld.allgather)
def allgather(reader, input, target, signal=None):
    return _gathered(reader, "allgather", input, target, signal)


@handles(pld.all_to_all)
def all_to_all(reader, input, target, signal=None):
    return _gathered(reader, "all_to_all", input, target, signal)


def _gathered(reader, name, source, target, signal):
    source, target = memory(source, "the input"), window_of(target)
    source.parameter.reads()
    head = f"pld.{name} {source.ssa} into {target.ssa}"
    _collective(reader, head, [source, target], signal)
    return target


def _collective(reader, head, operands, signal, tail=""):
    types = [str(operand.type) for operand in operands]
    if signal is not None:
        signal = window_of(signal, "the signal")
        head += f", {signal.ssa}"
        types.append(str(signal.type))
    reader.b.emit(f"{head}{tail} : {', '.join(types)}")
    return operands[-1]


@handles(pld.all_to_all_v)
def all_to_all_v(reader, input, target, signal, send_counts, recv_counts):
    source, target = memory(input, "the input"), window_of(target)
    signal = window_of(signal, "the signal")
    send, recv = memory(send_counts, "send_counts"), window_of(recv_counts, "recv_counts")
    source.parameter.reads()
    send.parameter.reads()
    reader.b.emit(
        f"pld.all_to_all_v {source.ssa} into {target.ssa}, {signal.ssa} counts {send.ssa}, {recv.ssa} : "
        f"{source.type}, {target.type}, {signal.type} counts {send.type}, {recv.type}"
    )
    return target
