"""peers.py CASE RANKS BYTES RESULT: what another library needs for CASE, in microseconds.

Prints `TIMES t1 t2 ...`, one a sample, after it has compared its result with ours in the
.npy file RESULT ('-': there is none). Input is ours, too: element k of rank r is k + 100 r.
CASE is LIBRARY:OPERATION; under mpirun every rank runs this.
"""

import sys
import time

import numpy as np

# Rounds of the run that left the result.
ROUNDS = 3
SAMPLES = 5
# Seconds of one sample.
LONG_ENOUGH = 0.1


def inputs(ranks, size):
    slices = np.arange(size // 4, dtype=np.float32)
    return np.stack([slices + np.float32(100 * r) for r in range(ranks)])


def agree(mine, result):
    if result != "-":
        theirs = np.load(result).reshape(mine.shape)
        np.testing.assert_allclose(mine, theirs, rtol=1e-5)


def sample(once, agreed=lambda count: count):
    """Microseconds of one call, several times over; `agreed` makes all ranks use one count."""
    once()
    start = time.perf_counter()
    once()
    count = agreed(max(1, int(LONG_ENOUGH / max(time.perf_counter() - start, 1e-7))))
    times = []
    for _ in range(SAMPLES):
        start = time.perf_counter()
        for _ in range(count):
            once()
        times.append((time.perf_counter() - start) / count * 1e6)
    return times


def numpy(operation, ranks, size, result):
    """The same movement of bytes by one thread, without communication."""
    x = inputs(ranks, size)
    window, y = np.empty_like(x), np.empty_like(x)

    def shift():
        for r in range(ranks):
            window[r] = x[r]
        for r in range(ranks):
            y[r] = window[(r + 1) % ranks]

    def allreduce():
        for r in range(ranks):
            window[r] = x[r]
        for r in range(ranks):
            y[r] = x[r]
            for p in range(1, ranks):
                y[r] += window[(r + p) % ranks]

    times = sample({"shift": shift, "allreduce": allreduce}[operation])
    agree(y, result)
    return times


def mpi(operation, ranks, size, result):
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    me = comm.Get_rank()
    assert comm.Get_size() == ranks
    x = inputs(ranks, size)[me].copy()
    y = np.empty_like(x)
    # Rank r wants what rank r + 1 has.
    before, after = (me - 1) % ranks, (me + 1) % ranks
    window = MPI.Win.Create(y, comm=comm) if operation == "put" else None

    def put():
        window.Fence()
        window.Put(x, before)
        window.Fence()

    calls = {
        "shift": lambda: comm.Sendrecv(x, before, recvbuf=y, source=after),
        "put": put,
        "allreduce": lambda: comm.Allreduce(x, y),
        # Soon infinite, which takes no longer to add.
        "allreduce_in_place": lambda: comm.Allreduce(MPI.IN_PLACE, y),
        "barrier": comm.Barrier,
    }
    y[:] = x
    for _ in range(ROUNDS):
        calls[operation]()
    if operation != "barrier":
        all_y = comm.gather(y)
        if me == 0:
            agree(np.stack(all_y), result)
    times = sample(calls[operation], lambda count: comm.bcast(count))
    if window:
        window.Free()
    return times if me == 0 else None


def pallas(operation, ranks, size, result):
    import jax
    import jax.numpy as jnp
    from jax.experimental import pallas as pl
    from jax.experimental.pallas import tpu as pltpu
    from jax.sharding import NamedSharding, PartitionSpec

    assert operation == "shift"
    mesh = jax.make_mesh((ranks,), ("x",), devices=jax.devices()[:ranks])
    spec = PartitionSpec("x", None)
    rows = size // 4 // 128

    def kernel(source, target, send, receive):
        me = jax.lax.axis_index("x")
        copy = pltpu.make_async_remote_copy(
            src_ref=source,
            dst_ref=target,
            send_sem=send,
            recv_sem=receive,
            device_id=(jax.lax.rem(me + ranks - 1, ranks),),
            device_id_type=pl.DeviceIdType.MESH,
        )
        copy.start()
        copy.wait()

    call = pl.pallas_call(
        kernel,
        out_shape=jax.ShapeDtypeStruct((rows, 128), jnp.float32),
        in_specs=[pl.BlockSpec(memory_space=pl.ANY)],
        out_specs=pl.BlockSpec(memory_space=pl.ANY),
        scratch_shapes=[pltpu.SemaphoreType.DMA] * 2,
        interpret=pltpu.InterpretParams(),
    )
    shift = jax.jit(jax.shard_map(call, mesh=mesh, in_specs=spec, out_specs=spec, check_vma=False))
    x = jax.device_put(inputs(ranks, size).reshape(ranks * rows, 128), NamedSharding(mesh, spec))
    times = sample(lambda: jax.block_until_ready(shift(x)))
    agree(np.asarray(shift(x)).reshape(ranks, -1), result)
    return times


def main():
    case, ranks, size, result = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    library, operation = case.split(":")
    times = {"numpy": numpy, "mpi": mpi, "pallas": pallas}[library](operation, ranks, size, result)
    if times:
        print("TIMES", *times)


main()
