"""The code blocks of the pages in PLD_PAGES, with their lines unaltered. Each gets only what
its page leaves out: imports, constants, per_rank, the head of a fragment, a host program."""

import os
from pathlib import Path

import numpy
import pytest
from blocks import blocks, load

PAGES = os.environ.get("PLD_PAGES")
IMPORTS = """\
from pld import distributed as pld
from pld import language as pl
"""
EXCHANGE_HOST = """
N = pl.dynamic("N")

@pl.jit
def per_rank(x, y, data, signal):
    {kernel}(x, y, data, signal)

@pl.jit.host
def program(
    x: pl.Tensor[[N, 1, SIZE], pl.FP32],
    y: pl.Out[pl.Tensor[[N, 1, SIZE], pl.FP32]],
):
    n = pld.world_size()
    data_buf = pld.alloc_window_buffer([1, SIZE], dtype=pl.FP32)
    signal_buf = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        data = pld.window(data_buf, [1, SIZE], dtype=pl.FP32)
        signal = pld.window(signal_buf, [n, 1], dtype=pl.INT32)
        per_rank(x[r], y[r], data, signal, device=r)
"""


def page_blocks():
    """Every block of every page, by a name for the report."""
    if PAGES is None:
        return []
    pages = sorted(Path(PAGES).glob("*.txt"))
    return [(f"{page.name}#{k}", block) for page in pages for k, block in enumerate(blocks(page))]


def around(block):
    """The whole text for a block, and what the run gives for x."""
    if "def window_roundtrip" in block:
        # The kernel: the host program of the same page is the next block.
        host = next(b for _, b in page_blocks() if "def window_program" in b)
        return (
            f"{IMPORTS}N_RANKS = pl.dynamic('N_RANKS')\n{block}\n{PER_RANK}\n{host}\n",
            lambda x: x,
        )
    if "def window_program" in block:
        kernel = next(b for _, b in page_blocks() if "def window_roundtrip" in b)
        return (
            f"{IMPORTS}N_RANKS = pl.dynamic('N_RANKS')\n{kernel}\n{PER_RANK}\n{block}\n",
            lambda x: x,
        )
    if "def shift_by_load" in block:
        return (
            f"{IMPORTS}SIZE = 64\n{block}\n{EXCHANGE_HOST.format(kernel='shift_by_load')}",
            lambda x: numpy.roll(x, -1, axis=0),
        )
    if "def push_scaled" in block:
        return (
            f"{IMPORTS}ROWS, COLS = 64, 64\n{block}\n{PUSH_HOST}",
            lambda x: 2 * numpy.roll(x, 1, axis=0),
        )
    if "remote_store(local, data" in block:
        return (
            f"{IMPORTS}SIZE = 64\n{STORE_HEAD}\n{block}\n{EXCHANGE_HOST.format(kernel='shift_by_store')}",
            lambda x: numpy.roll(x, 1, axis=0),
        )
    return None


PER_RANK = """
@pl.jit
def per_rank(x, y, data):
    window_roundtrip(x, y, data)
"""
STORE_HEAD = """
@pl.jit.incore
def shift_by_store(x, y, data, signal):
    ctx = pld.get_comm_ctx(data)
    my_rank = pld.rank(ctx)
    nranks = pld.nranks(ctx)
"""
PUSH_HOST = """
N = pl.dynamic("N")

@pl.jit
def fetch(y, win):
    with pl.at(level=pl.Level.CORE_GROUP):
        y[0:ROWS, 0:COLS] = win[0:ROWS, 0:COLS]

@pl.jit.host
def program(
    x: pl.Tensor[[N, ROWS, COLS], pl.FP32],
    y: pl.Out[pl.Tensor[[N, ROWS, COLS], pl.FP32]],
):
    n = pld.world_size()
    win_buf = pld.alloc_window_buffer([ROWS, COLS], dtype=pl.FP32)
    signal_buf = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    win = pld.window(win_buf, [ROWS, COLS], dtype=pl.FP32)
    for r in pl.range(n):
        push_scaled(x[r], win, (r + 1) % n, device=r)
    pld.barrier(pld.window(signal_buf, [n, 1], dtype=pl.INT32))
    for r in pl.range(n):
        fetch(y[r], win, device=r)
"""


@pytest.mark.skipif(
    PAGES is None, reason="PLD_PAGES is not set: the blocks of the pages are not run"
)
def test_there_are_pages():
    """A folder without blocks would make the tests below say nothing."""
    assert len(page_blocks()) >= 5


@pytest.mark.parametrize("name,block", page_blocks())
@pytest.mark.parametrize("ranks", [2, 3])
def test_block(name, block, ranks, tmp_path):
    """A block runs as it stands, and gives what its page says."""
    whole = around(block)
    assert whole is not None, f"no program is known for the block {name}:\n{block}"
    text, golden = whole
    assert block in text
    module = load(tmp_path / "page.py", text)
    program = getattr(module, "program", None) or module.window_program
    shape = [
        ranks if extent is None else extent for extent in program.program().parameters[0].type.shape
    ]
    x = numpy.arange(numpy.prod(shape), dtype="float32").reshape(shape)
    y = numpy.zeros_like(x)
    program(x, y, schedules=4)
    numpy.testing.assert_array_equal(y, golden(x))
