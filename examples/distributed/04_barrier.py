"""A barrier by hand: every rank notifies every other, and waits for all of them.

    python examples/distributed/04_barrier.py -p a2a3sim -d 0,1

Cell s of a rank's signal belongs to rank s, so no two notifies meet in one cell. y shows the
cells: 1 from every peer, 0 from the rank itself.
"""

import sys

import numpy
from pld import command
from pld import distributed as pld
from pld import language as pl

N = pl.dynamic("N")


@pl.jit.incore
def meet(y, signal):
    ctx = pld.get_comm_ctx(signal)
    me = pld.rank(ctx)
    n = pld.nranks(ctx)

    for peer in pl.range(n):
        if peer != me:
            pld.system.notify(
                signal, peer=peer, offsets=[me, 0], value=1, op=pld.NotifyOp.AtomicAdd
            )
    for source in pl.range(n):
        if source != me:
            pld.system.wait(signal, offsets=[source, 0], expected=1, cmp=pld.WaitCmp.Ge)

    for source in pl.range(n):
        pl.write(y, [source, 0], pl.read(signal, [source, 0]))


@pl.jit
def per_rank(y, signal):
    meet(y, signal)


@pl.jit.host
def barrier(y: pl.Out[pl.Tensor[[N, N, 1], pl.INT32]]):
    n = pld.world_size()
    buffer = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        per_rank(y[r], pld.window(buffer, [n, 1], dtype=pl.INT32), device=r)


def main():
    options = command.parser(__doc__).parse_args()
    n = command.world(options)
    expected = (1 - numpy.eye(n, dtype="int32"))[:, :, None]
    return command.run(barrier, lambda: expected, options)


if __name__ == "__main__":
    sys.exit(main())
