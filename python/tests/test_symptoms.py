"""Each row of the pages' tables of symptoms: the mistake, what is said of it, at which line."""

import numpy
import pytest
from kernels import SIZE, N, arrays, exchange, line_of
from pld import Error, RunError
from pld import distributed as pld
from pld import language as pl
from pld.run import outcome_of


def refused(program, code, function, line):
    """The program is refused with this code at the line that holds ``line``."""
    with pytest.raises(Error) as raised:
        program.program().check()
    error = raised.value
    assert error.code == code, str(error)
    assert error.position[0].endswith("test_symptoms.py"), str(error)
    assert error.position[1] == line_of(function, line), str(error)
    assert any(d.notes for d in error.diagnostics), "it does not say how to mend it"
    return error


# The window buffer


def test_window_where_a_local_array_is_declared():
    """A parameter for a window that is annotated as a local array."""

    @pl.jit.incore
    def kernel(x, y, data: pl.Tensor[[1, SIZE], pl.FP32], signal):
        pl.store(pl.load(data, [0, 0], [1, SIZE]), [0, 0], y)

    @pl.jit
    def per_rank(x, y, data, signal):
        kernel(x, y, data, signal)

    @pl.jit.host
    def program(x: pl.Tensor[[N, 1, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]]):
        buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
        signal = pld.alloc_window_buffer([8, 1], dtype=pl.INT32)
        for r in pl.range(pld.world_size()):
            per_rank(
                x[r], y[r], pld.window(buffer, [1, SIZE]), pld.window(signal, [8, 1]), device=r
            )

    error = refused(program, "pld-101", per_rank, "kernel(x, y, data, signal)")
    assert "pld.DistributedTensor[" in str(error)


def test_local_array_where_a_window_is_declared():
    """The reverse: a local array passed for a window, already at the dispatch."""

    @pl.jit
    def per_rank(
        y: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]], data: pld.DistributedTensor[[1, SIZE], pl.FP32]
    ):
        pass

    @pl.jit.host
    def program(x: pl.Tensor[[N, 1, SIZE], pl.FP32], y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]]):
        for r in pl.range(pld.world_size()):
            per_rank(y[r], x[r], device=r)

    refused(program, "pld-101", program, "per_rank(y[r], x[r]")


def test_window_made_of_a_local_array():
    """pld.window of an array that was never allocated as a window buffer."""

    @pl.jit.host
    def program(x: pl.Tensor[[N, 1, SIZE], pl.FP32]):
        pld.window(x, [1, SIZE], dtype=pl.FP32)

    refused(program, "pld-101", program, "pld.window(x")


def test_remote_load_of_a_local_array():
    """Remote memory access to what no peer can reach."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        pl.store(pld.remote_load(x, 0, [0, 0], [1, SIZE]), [0, 0], y)

    refused(exchange(kernel), "pld-101", kernel, "pld.remote_load(x")


def test_buffer_larger_than_its_data():
    """1 KiB of data costs 4 KiB: the cost card says so."""

    @pl.jit
    def per_rank(data):
        pass

    @pl.jit.host
    def program():
        buffer = pld.alloc_window_buffer([1, 256], dtype=pl.FP32)
        for r in pl.range(pld.world_size()):
            per_rank(pld.window(buffer, [1, 256]), device=r)

    outcome = outcome_of(program.program(), [], world=2, cost=True)
    assert "4096 bytes per rank for 1024 of data" in outcome.cost


def test_window_allocated_in_the_rank_loop():
    """Once per dispatch instead of once."""

    @pl.jit
    def per_rank(data):
        pass

    @pl.jit.host
    def program():
        for r in pl.range(pld.world_size()):
            buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
            per_rank(pld.window(buffer, [1, SIZE]), device=r)

    refused(program, "pld-102", program, "pld.alloc_window_buffer(")


def test_peers_slice_read_by_a_local_load():
    """A warning: the window is staged before a barrier, and only ever read by its owner."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
        pld.barrier(signal)
        pl.store(pl.load(data, [0, 0], [1, SIZE]), [0, 0], y)

    (warning,) = exchange(kernel).program().check()
    assert (warning.severity, warning.code) == ("warning", "pld-113")
    assert warning.position[1] == line_of(kernel, "[0, 0], data)")


# Remote load and store


def found(kernel, code, line):
    """The protocol check says so before the run, at this line; and the run would find it, too."""
    x, y = arrays()
    program = exchange(kernel)
    with pytest.raises(Error) as raised:
        program(x, y)
    error = raised.value
    assert error.code == code and error.position[1] == line_of(kernel, line), str(error)
    assert error.diagnostics[0].notes, "it does not name the other side"
    with pytest.raises(RunError) as raised:
        program(x, y, check="races", schedules=8)
    assert raised.value.code == "pld-403"


def test_remote_load_before_the_peer_has_staged():
    """No barrier at all."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        ctx = pld.get_comm_ctx(data)
        data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
        peer = (pld.rank(ctx) + 1) % pld.nranks(ctx)
        recv = pld.remote_load(data, peer, [0, 0], [1, SIZE])
        pl.store(recv, [0, 0], y)

    found(kernel, "pld-201", "pld.remote_load(")


def test_remote_load_before_the_barrier():
    """The barrier is there, one line too late."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        ctx = pld.get_comm_ctx(data)
        data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
        peer = (pld.rank(ctx) + 1) % pld.nranks(ctx)
        recv = pld.remote_load(data, peer, [0, 0], [1, SIZE])
        pld.barrier(signal)
        pl.store(recv, [0, 0], y)

    found(kernel, "pld-201", "pld.remote_load(")


def test_barrier_before_the_remote_store():
    """The store still races with the receiver's read."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        ctx = pld.get_comm_ctx(data)
        local = pl.load(x, [0, 0], [1, SIZE])
        pld.barrier(signal)
        peer = (pld.rank(ctx) + 1) % pld.nranks(ctx)
        pld.remote_store(local, data, peer, [0, 0])
        back = pl.load(data, [0, 0], [1, SIZE])
        pl.store(back, [0, 0], y)

    found(kernel, "pld-202", "pl.load(data")


def test_shift_the_wrong_way_round():
    """Not an error of the program: the comparison tells how far the result is turned."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        ctx = pld.get_comm_ctx(data)
        me, n = pld.rank(ctx), pld.nranks(ctx)
        data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
        pld.barrier(signal)
        pl.store(pld.remote_load(data, (me - 1) % n, [0, 0], [1, SIZE]), [0, 0], y)

    x, y = arrays(4)
    with pytest.raises(RunError) as raised:
        exchange(kernel)(x, y, expect={"y": numpy.roll(x, -1, axis=0)})
    assert raised.value.outcome.exit_code == 1
    assert "rotated by +2" in str(raised.value)
    assert "pull reads (r+1), push writes to (r+1)" in str(raised.value)


@pytest.mark.parametrize("form", ["in the sum", "by a cast"])
def test_float_arithmetic_of_the_peer(form):
    """The AI core computes with no floating-point scalars."""

    @pl.jit.incore
    def kernel(x, y, data, signal):
        ctx = pld.get_comm_ctx(data)
        if form == "in the sum":
            peer = (pld.rank(ctx) + 1.0) % 2
        else:
            peer = pl.cast(pld.rank(ctx), pl.FP32)
        data = pl.store(pld.remote_load(data, peer, [0, 0], [1, SIZE]), [0, 0], data)

    line = "+ 1.0" if form == "in the sum" else "pld.remote_load("
    refused(exchange(kernel), "pld-109", kernel, line)
