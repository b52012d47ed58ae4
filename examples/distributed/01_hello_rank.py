"""Hello, rank: every rank adds its number to its slice.

    python examples/distributed/01_hello_rank.py -p a2a3sim -d 0,1

The host dispatches one device function per rank, and passes it the rank; the in-core function
works on tiles. Scalars of the AI core are integers: the rank becomes a float by a cast.
"""

import sys

import numpy
from pld import command
from pld import distributed as pld
from pld import language as pl

ROWS, COLS = 8, 8
N = pl.dynamic("N")


@pl.jit.incore
def add_rank(
    x: pl.Tensor[[ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]],
    rank: pl.Scalar[pl.INDEX],
):
    tile = pl.load(x, [0, 0], [ROWS, COLS])
    tile = tile + pl.cast(rank, pl.FP32)
    y = pl.store(tile, [0, 0], y)
    return y


@pl.jit
def per_rank(
    x: pl.Tensor[[ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]],
    rank: pl.Scalar[pl.INDEX],
):
    add_rank(x, y, rank)


@pl.jit.host
def hello(
    x: pl.Tensor[[N, ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[N, ROWS, COLS], pl.FP32]],
):
    for r in pl.range(pld.world_size()):
        per_rank(x[r], y[r], r, device=r)


def golden(x):
    return x + numpy.arange(len(x), dtype=x.dtype)[:, None, None]


if __name__ == "__main__":
    sys.exit(command.main(hello, golden))
