"""Bulk transfers: put and get move global memory through a staging tile.

    python examples/distributed/06_put_get.py -p a2a3sim -d 0,1
    python examples/distributed/06_put_get.py -p a2a3sim -d 0,1 --mode get

Put: each rank pushes its array into the next rank's window, in double-buffered chunks, and
tells it by a notify. Get: each rank stages, meets the others, and pulls the next rank's.
"""

import sys

import numpy
from pld import command
from pld import distributed as pld
from pld import language as pl

ROWS, COLS = 8, 128
N = pl.dynamic("N")


@pl.jit.incore
def put_ring(x, y, data, signal):
    ctx = pld.get_comm_ctx(data)
    me = pld.rank(ctx)
    n = pld.nranks(ctx)
    to = (me + 1) % n
    source = (me - 1) % n

    pld.tensor.put(data, to, x, chunk_rows=4, chunk_cols=64, pipeline=True)
    pld.system.notify(signal, to, [me, 0], 1)
    pld.system.wait(signal, [source, 0], 1)
    y = pl.store(pl.load(data, [0, 0], [ROWS, COLS]), [0, 0], y)
    return y


@pl.jit.incore
def get_ring(x, y, data, signal):
    ctx = pld.get_comm_ctx(data)
    peer = (pld.rank(ctx) + 1) % pld.nranks(ctx)

    data = pl.store(pl.load(x, [0, 0], [ROWS, COLS]), [0, 0], data)
    signal = pld.barrier(signal)
    pld.tensor.get(y, peer, data)
    return y


@pl.jit
def put_rank(x, y, data, signal):
    put_ring(x, y, data, signal)


@pl.jit
def get_rank(x, y, data, signal):
    get_ring(x, y, data, signal)


@pl.jit.host
def put(
    x: pl.Tensor[[N, ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[N, ROWS, COLS], pl.FP32]],
):
    n = pld.world_size()
    data = pld.alloc_window_buffer([ROWS, COLS], dtype=pl.FP32)
    signal = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        put_rank(x[r], y[r], pld.window(data, [ROWS, COLS]), pld.window(signal, [n, 1]), device=r)


@pl.jit.host
def get(
    x: pl.Tensor[[N, ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[N, ROWS, COLS], pl.FP32]],
):
    n = pld.world_size()
    data = pld.alloc_window_buffer([ROWS, COLS], dtype=pl.FP32)
    signal = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        get_rank(x[r], y[r], pld.window(data, [ROWS, COLS]), pld.window(signal, [n, 1]), device=r)


def main():
    parser = command.parser(__doc__)
    parser.add_argument("--mode", choices=["put", "get"], default="put", help="push or pull (put)")
    options = parser.parse_args()
    if options.mode == "put":
        return command.run(put, lambda x: numpy.roll(x, 1, axis=0), options)
    return command.run(get, lambda x: numpy.roll(x, -1, axis=0), options)


if __name__ == "__main__":
    sys.exit(main())
