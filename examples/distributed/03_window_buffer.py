"""The window buffer: store into the own slice of a symmetric window, load it back.

    python examples/distributed/03_window_buffer.py -p a2a3sim -d 0,1

The host allocates one buffer, once; every rank gets a slice of it at the same offset. What
pld.window makes of it is a pld.DistributedTensor, which peers can reach. Here nobody does.
"""

import sys

from pld import command
from pld import distributed as pld
from pld import language as pl

SIZE = 256  # 1 KiB a rank: the buffer costs 4 KiB all the same
N = pl.dynamic("N")


@pl.jit.incore
def window_roundtrip(
    x: pl.Tensor[[1, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
    data: pld.DistributedTensor[[1, SIZE], pl.FP32],
):
    staged = pl.load(x, [0, 0], [1, SIZE])
    data = pl.store(staged, [0, 0], data)
    back = pl.load(data, [0, 0], [1, SIZE])
    y = pl.store(back, [0, 0], y)
    return y


@pl.jit
def per_rank(
    x: pl.Tensor[[1, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[1, SIZE], pl.FP32]],
    data: pld.DistributedTensor[[1, SIZE], pl.FP32],
):
    window_roundtrip(x, y, data)


@pl.jit.host
def window_program(
    x: pl.Tensor[[N, 1, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]],
):
    buffer = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
    for r in pl.range(pld.world_size()):
        data = pld.window(buffer, [1, SIZE], dtype=pl.FP32)
        per_rank(x[r], y[r], data, device=r)


if __name__ == "__main__":
    sys.exit(command.main(window_program, golden=lambda x: x))
