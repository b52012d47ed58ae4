"""The three levels of a program: host, device, core.

    python examples/distributed/02_programming_model.py -p a2a3sim -d 0,1

The device function holds tensor-level code in pl.at: values of any size, which the compiler
cuts into tiles and fuses. Here y[r] = x[r] r + x[r], loaded once and stored once.
"""

import sys

import numpy
from pld import command
from pld import distributed as pld
from pld import language as pl

ROWS, COLS = 8, 8
N = pl.dynamic("N")


@pl.jit
def per_rank(
    x: pl.Tensor[[ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[ROWS, COLS], pl.FP32]],
    rank: pl.Scalar[pl.INDEX],
):
    with pl.at(level=pl.Level.CORE_GROUP):
        value = x[0:ROWS, 0:COLS]
        y[0:ROWS, 0:COLS] = value * pl.cast(rank, pl.FP32) + value


@pl.jit.host
def model(
    x: pl.Tensor[[N, ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[N, ROWS, COLS], pl.FP32]],
):
    for r in pl.range(pld.world_size()):
        per_rank(x[r], y[r], r, device=r)


def golden(x):
    return x * (1 + numpy.arange(len(x), dtype=x.dtype))[:, None, None]


if __name__ == "__main__":
    sys.exit(command.main(model, golden))
