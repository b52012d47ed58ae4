"""Remote load and store: a one-step ring shift.

    python examples/distributed/05_remote_load_store.py -p a2a3sim -d 0,1
    python examples/distributed/05_remote_load_store.py -p a2a3sim -d 0,1 --mode store

Load: each rank stages its slice, and after the barrier loads the next rank's.
Store: each rank stores into the next rank's slice, and after the barrier reads its own.
"""

import sys

import numpy
from pld import command
from pld import distributed as pld
from pld import language as pl

SIZE = 64
N = pl.dynamic("N")


@pl.jit.incore
def shift_by_load(x, y, data, signal):
    ctx = pld.get_comm_ctx(data)
    me = pld.rank(ctx)
    n = pld.nranks(ctx)

    # Stage: what peers load must be in the window first.
    staged = pl.load(x, [0, 0], [1, SIZE])
    data = pl.store(staged, [0, 0], data)
    # No rank loads before every rank has staged.
    signal = pld.tensor.barrier(signal)

    peer = (me + 1) % n
    recv = pld.tile.remote_load(data, peer=peer, offsets=[0, 0], shape=[1, SIZE])
    y = pl.store(recv, [0, 0], y)
    return y


@pl.jit.incore
def shift_by_store(x, y, data, signal):
    ctx = pld.get_comm_ctx(data)
    me = pld.rank(ctx)
    n = pld.nranks(ctx)

    local = pl.load(x, [0, 0], [1, SIZE])
    peer = (me + 1) % n
    pld.tile.remote_store(local, data, peer=peer, offsets=[0, 0])
    # No rank reads its slice before the previous rank has written it.
    signal = pld.tensor.barrier(signal)

    back = pl.load(data, [0, 0], [1, SIZE])
    y = pl.store(back, [0, 0], y)
    return y


@pl.jit
def load_rank(x, y, data, signal):
    shift_by_load(x, y, data, signal)


@pl.jit
def store_rank(x, y, data, signal):
    shift_by_store(x, y, data, signal)


@pl.jit.host
def load(
    x: pl.Tensor[[N, 1, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]],
):
    n = pld.world_size()
    data_buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
    signal_buffer = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        data = pld.window(data_buffer, [1, SIZE], dtype=pl.FP32)
        signal = pld.window(signal_buffer, [n, 1], dtype=pl.INT32)
        load_rank(x[r], y[r], data, signal, device=r)


@pl.jit.host
def store(
    x: pl.Tensor[[N, 1, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]],
):
    n = pld.world_size()
    data_buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
    signal_buffer = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        data = pld.window(data_buffer, [1, SIZE], dtype=pl.FP32)
        signal = pld.window(signal_buffer, [n, 1], dtype=pl.INT32)
        store_rank(x[r], y[r], data, signal, device=r)


def main():
    parser = command.parser(__doc__)
    parser.add_argument(
        "--mode", choices=["load", "store"], default="load", help="pull or push (load)"
    )
    options = parser.parse_args()
    if options.mode == "load":
        return command.run(load, lambda x: numpy.roll(x, -1, axis=0), options)
    return command.run(store, lambda x: numpy.roll(x, 1, axis=0), options)


if __name__ == "__main__":
    sys.exit(main())
