"""Calling a host function: arrays in and out, options, what is refused, what is raised."""

import _thread
import array
import json
import signal
import threading

import numpy
import pld as package
import pytest
from kernels import SIZE, arrays, exchange, shift
from pld import Error, ProgramWarning, RunError, _native
from pld import distributed as pld
from pld import language as pl


@pl.jit.incore
def hang(x, y, data, signal):
    pld.wait(signal, [0, 0], 1)
    pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], y)


def test_options():
    """Every option of a call, together."""
    x, y = arrays(3)
    outcome = exchange(shift)(
        x,
        y,
        check="races",
        schedules=4,
        seed=7,
        weak=True,
        cost=True,
        barrier="credit",
        expect={"y": numpy.roll(x, -1, axis=0)},
    )
    numpy.testing.assert_array_equal(y, numpy.roll(x, -1, axis=0))
    assert outcome.exit_code == 0 and "rounds" in outcome.cost
    assert json.loads(outcome.json)["verdict"] == "agrees"


def test_trace(tmp_path):
    """A timeline for Perfetto."""
    x, y = arrays()
    exchange(shift)(x, y, trace=str(tmp_path / "t.json"))
    assert json.loads((tmp_path / "t.json").read_text())


def test_deadlock():
    """Raised at once, with the line of the wait; nothing is written into the arrays."""
    x, y = arrays()
    with pytest.raises(RunError) as raised:
        exchange(hang)(x, y, check="races")
    assert raised.value.code == "pld-402"
    assert "test_run.py" in str(raised.value)
    with pytest.raises(Error) as raised:
        exchange(hang)(x, y)
    assert raised.value.code == "pld-204" and raised.value.position[0].endswith("test_run.py")
    assert not y.any()


@pytest.fixture
def ctrl_c_counts():
    """Python's own handler of SIGINT, which what runs in the background starts without."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c_counts")
@pytest.mark.parametrize("emulate", [False, True])
def test_interrupt(emulate):
    """Ctrl-C ends a run, with nothing written into the arrays, and the next one works."""
    x, y = arrays()
    program = exchange(shift)
    program(x, numpy.empty_like(y), emulate=emulate)
    ctrl_c = threading.Timer(0.2, _thread.interrupt_main)
    ctrl_c.start()
    with pytest.raises(KeyboardInterrupt):
        program(x, y, emulate=emulate, schedules=10**9)
    ctrl_c.join()
    assert not y.any()
    program(x, y, emulate=emulate)
    assert y.any()


def test_other_arrays():
    """What is no NumPy array but has its memory: read and written in place."""
    x, y = arrays()
    flat = array.array("f", x.ravel())
    view = memoryview(flat).cast("B").cast("f", x.shape)
    out = bytearray(y.nbytes)
    exchange(shift)(view, memoryview(out).cast("f", y.shape))
    numpy.testing.assert_array_equal(
        numpy.frombuffer(out, "float32").reshape(x.shape), numpy.roll(x, -1, axis=0)
    )


@pytest.mark.parametrize(
    "change,said",
    [
        (lambda x: x.astype("float64"), "expected float32"),
        (lambda x: x[:, :, :32], "pld-405"),
        (lambda x: x[0], "pld-405"),
    ],
)
def test_bad_arrays(change, said):
    """An array that is not what the program declares."""
    x, y = arrays()
    with pytest.raises((Error, TypeError)) as raised:
        exchange(shift)(change(x), y)
    assert said in str(raised.value)


def test_any_order_of_bytes():
    """Arrays of the other order of bytes, of Fortran's order of elements, and by name."""
    x, y = arrays()
    swapped, out = x.astype(">f4"), numpy.asfortranarray(y.astype(">f4"))
    exchange(shift)(y=out, x=swapped)
    numpy.testing.assert_array_equal(out, numpy.roll(x, -1, axis=0))


@pytest.mark.parametrize(
    "call,said",
    [
        (lambda f, x, y: f(), "misses the argument 'x'"),
        (lambda f, x, y: f(x), "misses the argument 'y'"),
        (lambda f, x, y: f(None, y), "misses the argument 'x'"),
        (lambda f, x, y: f(y=y), "misses the argument 'x'"),
        (lambda f, x, y: f(x, y, y), "too many"),
        (lambda f, x, y: f(x, y, chek="none"), "'chek'"),
        (lambda f, x, y: f(x.tolist(), y), "expected float32"),
        (lambda f, x, y: f(x, y.astype("float64")), "expected float32"),
        (lambda f, x, y: f(x, y[:1]), "expected 2, one for each rank"),
        (lambda f, x, y: f(x, numpy.broadcast_to(y, y.shape)), "read-only"),
        (lambda f, x, y: f(x, y, check=["races"]), "expected 'protocol,races'"),
        (lambda f, x, y: f(x, y, schedules=0), "at least 1"),
        (lambda f, x, y: f(x, y, schedules=1.5), "expected an integer"),
        (lambda f, x, y: f(x, y, seed=-1), "at least 0"),
        (lambda f, x, y: f(x, y, world=0), "at least 1"),
        (lambda f, x, y: f(x, y, expect=[x]), "by name"),
        (lambda f, x, y: f(x, y, expect={"z": x}), "no parameter"),
        (lambda f, x, y: f(x, y, barrier="tree"), "dissemination or credit"),
    ],
)
def test_bad_calls(call, said):
    """Nothing is made up for what is missing, and nothing is written before all is known to fit."""
    x, y = arrays()
    with pytest.raises((TypeError, ValueError)) as raised:
        call(exchange(shift), x, y)
    assert said in str(raised.value) and not y.any()


def test_programs_cross_threads():
    """A program that one thread has made is used by others, each in its turn."""
    x, y = arrays()
    program = exchange(shift).program()
    said = []

    def use():
        said.append("pld.remote_load" in program.mlir())
        program.check()
        exchange(shift)(x, numpy.zeros_like(y))

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert said == [True] * 4


def test_types_from_arguments():
    """Parameters without a type take it from the arrays of the call, one program for each."""

    @pl.jit
    def per_rank(x, y):
        with pl.at(level=pl.Level.CORE_GROUP):
            y[...] = pl.add(x, x)

    @pl.jit.host
    def program(x, y):
        for r in pl.range(pld.world_size()):
            per_rank(x[r], y[r], device=r)

    for shape, dtype in [((2, 8, 64), "float32"), ((3, 16, 16), "int32"), ((1, 4, 128), "float16")]:
        x = numpy.arange(numpy.prod(shape)).reshape(shape).astype(dtype)
        y = numpy.zeros_like(x)
        program(x, y)
        numpy.testing.assert_array_equal(y, x + x)
    with pytest.raises(Error, match="parameter 'x' has no type"):
        program.mlir()


def test_scalars():
    """Numbers of the host's signature."""

    @pl.jit.incore
    def scale(x, y, factor: pl.Scalar[pl.FP32]):
        pl.store(pl.load(x, [0, 0], [1, SIZE]) * factor, [0, 0], y)

    @pl.jit
    def per_rank(x, y, factor: pl.Scalar[pl.FP32]):
        scale(x, y, factor)

    @pl.jit.host
    def program(x, y, factor: pl.Scalar[pl.FP32]):
        for r in pl.range(pld.world_size()):
            per_rank(x[r], y[r], factor, device=r)

    x, y = arrays()
    program(x, y, 2.5)
    numpy.testing.assert_array_equal(y, x * numpy.float32(2.5))


def test_world_sizes():
    """A program that states its sizes is refused at others."""

    @pl.jit.incore
    def swap(x, y, data, signal):
        data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
        pld.barrier(signal)
        pl.store(
            pld.remote_load(data, 1 - pld.rank(pld.get_comm_ctx(data)), [0, 0], [1, SIZE]),
            [0, 0],
            y,
        )

    program = exchange(swap)
    program.world_sizes = [2]
    x, y = arrays(2)
    program(x, y)
    numpy.testing.assert_array_equal(y, x[::-1])
    with pytest.raises(Error) as raised:
        program(*arrays(3))
    assert raised.value.code == "pld-406"


def test_warnings():
    """What is odd but runs is Python's own kind of warning."""

    @pl.jit.incore
    def forgets(x, y, data, signal):
        data = pl.store(pl.load(x, [0, 0], [1, SIZE]), [0, 0], data)
        pld.barrier(signal)
        pl.store(pl.load(data, [0, 0], [1, SIZE]), [0, 0], y)

    with pytest.warns(ProgramWarning, match="pld-113"):
        exchange(forgets)(*arrays())


def test_generated_code():
    """The IR, with and without places, and the generated project."""
    program = exchange(shift)
    assert "pld.remote_load" in program.mlir() and "loc(" not in program.mlir()
    assert "kernels.py" in program.mlir(locations=True)
    assert "pld.barrier" not in program.program().lowered("lower-pld-to-tile").replace(
        '"pld.barrier"', ""
    )
    with pytest.raises(Error):
        program.program().lowered("no-such-pass")
    with pytest.raises(Error, match="expected a2a3"):
        program.program().ascendc(target="a4")
    assert program.program().ascendc(target="a5").keys() == program.ascendc().keys()
    files = program.ascendc()
    assert any("AscendC::DataCopyPad" in text for text in files.values())
    assert "README.md" in files


def test_explain():
    """The page of a code."""
    assert package.explain("pld-104").startswith("pld-104")
    assert package.explain("104") == package.explain("pld-104")
    assert package.explain("nothing") is None


def test_broken_programs_cost_nothing():
    """Thousands of programs that are refused: the process lives on, and does not grow with them."""
    resource = pytest.importorskip("resource")
    text = "func.func @f(%x: memref<4xf32>) attributes {{pl.incore}} {{ {} }}"
    bodies = [
        "return",
        "pl.store %x, %x",
        "%t = pl.load %x[0] : memref<4xf32> -> !pl.tile<1x8xf32> return",
        "((",
    ]

    def refuse(count):
        for k in range(count):
            try:
                _native.Program(text.format(bodies[k % len(bodies)]), f"p{k}")
            except _native.Refused:
                pass
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = refuse(500)
    assert refuse(2500) - before < 20_000  # KiB


def test_run_error_says_all():
    """A wrong result names argument, rank and element."""
    x, y = arrays()
    with pytest.raises(RunError) as raised:
        exchange(shift)(x, y, expect={"y": x + 1000})
    assert "argument #1" in str(raised.value) and "rank 0" in str(raised.value)
    with pytest.raises(ValueError, match="expect names 'z'"):
        exchange(shift)(x, y, expect={"z": x})
