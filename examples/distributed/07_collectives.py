"""Collectives: in a kernel and on the host.

    python examples/distributed/07_collectives.py -p a2a3sim -d 0,1

A device function stages; the host sums all slices, in place on every rank; a second device
function gathers every rank's row inside a kernel.
"""

import sys

import numpy
from pld import command
from pld import distributed as pld
from pld import language as pl

SIZE = 64
N = pl.dynamic("N")


@pl.jit.incore
def stage(x, data):
    data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)


@pl.jit.incore
def gather(x, total, rows, data, every, signal):
    total = pl.store(pl.load(data, [0, 0], [1, SIZE]), [0, 0], total)
    every = pld.tensor.allgather(x, every, signal)
    for r in pl.range(pld.nranks(pld.get_comm_ctx(every))):
        rows = pl.store(pl.load(every, [r, 0], [1, SIZE]), [r, 0], rows)


@pl.jit
def stage_rank(x, data):
    stage(x, data)


@pl.jit
def gather_rank(x, total, rows, data, every, signal):
    gather(x, total, rows, data, every, signal)


@pl.jit.host
def collectives(
    x: pl.Tensor[[N, 1, SIZE], pl.FP32],
    total: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]],
    rows: pl.Out[pl.Tensor[[N, N, SIZE], pl.FP32]],
):
    n = pld.world_size()
    data_buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
    every_buffer = pld.alloc_window_buffer([n, SIZE], dtype=pl.FP32)
    signal_buffer = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    data = pld.window(data_buffer, [1, SIZE])
    every = pld.window(every_buffer, [n, SIZE])
    signal = pld.window(signal_buffer, [n, 1])

    for r in pl.range(n):
        stage_rank(x[r], data, device=r)
    pld.tensor.allreduce(data, signal, op=pld.ReduceOp.Sum, mode="ring")
    for r in pl.range(n):
        gather_rank(x[r], total[r], rows[r], data, every, signal, device=r)


def golden(x):
    n = len(x)
    total = numpy.repeat(x.sum(axis=0, keepdims=True), n, axis=0)
    return total, numpy.repeat(x.reshape(1, n, SIZE), n, axis=0)


if __name__ == "__main__":
    sys.exit(command.main(collectives, golden))
