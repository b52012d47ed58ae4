"""A host program around a kernel, for tests that are about the kernel."""

from __future__ import annotations

import inspect

import numpy
from pld import distributed as pld
from pld import language as pl

SIZE = 64
N = pl.dynamic("N")


@pl.jit.incore
def shift(x, y, data, signal):
    ctx = pld.get_comm_ctx(data)
    data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
    pld.barrier(signal)
    peer = (pld.rank(ctx) + 1) % pld.nranks(ctx)
    pl.store(pld.remote_load(data, peer, [0, 0], [1, SIZE]), [0, 0], y)


def exchange(kernel):
    """A program that runs ``kernel(x, y, data, signal)`` on every rank."""

    @pl.jit
    def per_rank(x, y, data, signal):
        kernel(x, y, data, signal)

    @pl.jit.host
    def program(
        x: pl.Tensor[[N, 1, SIZE], pl.FP32],
        y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]],
    ):
        n = pld.world_size()
        data_buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
        signal_buffer = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
        for r in pl.range(n):
            data = pld.window(data_buffer, [1, SIZE], dtype=pl.FP32)
            signal = pld.window(signal_buffer, [n, 1], dtype=pl.INT32)
            per_rank(x[r], y[r], data, signal, device=r)

    return program


def arrays(ranks=2):
    """An input, and room for the output."""
    x = numpy.arange(ranks * SIZE, dtype="float32").reshape(ranks, 1, SIZE)
    return x, numpy.zeros_like(x)


def line_of(function, text: str) -> int:
    """The line of the file that holds ``text`` in the source of a function."""
    lines, first = inspect.getsourcelines(getattr(function, "function", function))
    found = [first + k for k, line in enumerate(lines) if text in line]
    assert len(found) == 1, f"{len(found)} lines of {function} hold {text!r}"
    return found[0]
