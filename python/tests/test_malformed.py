"""Functions that are not of the language: each gives an error with a file, a line and what is
expected instead, never an exception of the frontend's own."""

import textwrap

import pytest
from blocks import load
from pld import Error

#: A statement of a kernel, and a part of what is said of it. `x` and `y` are arrays of 8x64,
#: `w` is a window, `s` a signal, `t` a tile of 8x64 f32, `i` a rank.
STATEMENTS = [
    # Statements that the language has not.
    ("import math", "import is not of the language"),
    ("from math import pi", "import is not of the language"),
    ("def f(): pass", "a function inside a function"),
    ("class C: pass", "a class"),
    ("try:\n    pass\nexcept ValueError:\n    pass", "try is not of the language"),
    ("raise ValueError(1)", "raise"),
    ("del t", "del"),
    ("global q", "global"),
    ("match 1:\n    case 1:\n        pass", "match"),
    ("for k in [1, 2]:\n    pass", "pl.range"),
    ("for k in pl.range(4):\n    pass\nelse:\n    pass", "else of a loop"),
    ("for a, b in pl.range(4):\n    pass", "several names"),
    ("for k in pl.range(0, 4, 0):\n    pass", "expected a positive one"),
    ("for k in pl.range():\n    pass", "pl.range"),
    ("for k in pl.unroll(i):\n    pass", "are not known"),
    ("with open('f') as f:\n    pass", "Python's 'open' is not of the language"),
    ("with pl.at(level=3):\n    pass", "pl.Level.CORE_GROUP"),
    ("with pl.range(3):\n    pass", "pl.at"),
    ("a = b = t", "several targets"),
    ("t.rows = 3", "no name and no subscript"),
    ("assert i", "only what the source knows"),
    ("assert 1 == 2, 'no'", "assertion fails: no"),
    # Expressions that it has not.
    ("f = lambda a: a", "Lambda"),
    ("f = [k for k in (1, 2)]", "ListComp"),
    ("f = {1: 2}", "Dict"),
    ("f = f'{i}'", "only what the source knows"),
    ("f = (yield)", "Yield"),
    ("f = pl.load(*[x, [0, 0], [8, 64]])", "one by one"),
    ("f = pl.load(**{})", "one by one"),
    ("f = t.exp()", "has no '.exp'"),
    ("f = x.T", "has no '.T'"),
    # Names and calls.
    ("f = nothing", "'nothing' is not defined"),
    ("f = pl.nothing(t)", "has no 'nothing'"),
    ("f = pld.tensor.nothing(t)", "has no 'nothing'"),
    ("f = print(t)", "nothing is printed"),
    ("f = pl.barrier(s)", "has no 'barrier'"),
    ("f = pl.exp()", "missing a required argument"),
    ("f = pl.exp(t, t)", "too many positional arguments"),
    ("f = pl.load(x, [0, 0], [8, 64], colour=1)", "unexpected keyword"),
    ("f = pld.barrier(s, op=1)", "unexpected keyword"),
    ("f = pl.range(3)", "for i in pl.range"),
    ("pld.wait(s, [0, 0], 1, cmp='ge')", "pld.WaitCmp.Ge"),
    ("pld.notify(s, i, [0, 0], 1, op=1)", "pld.NotifyOp.AtomicAdd"),
    ("pld.allreduce(w, s, mode='star')", "'mesh', 'ring' or 'auto'"),
    # Shapes and types.
    ("f = pl.load(x, [0, 0], [8, 1.5])", "expected a positive integer"),
    ("f = pl.load(x, [0, 0], [8, -1])", "expected a positive integer"),
    ("f = pl.load(x, [0, 0], [2, 8, 64])", "a tile has two extents"),
    ("f = pl.load(x, [0, 0], [i, 64])", "valid_shape"),
    ("f = pl.load(x, 0, [8, 64])", "expected a list"),
    ("f = pl.load(x, [0], [8, 64])", "pld-104"),
    ("f = pl.load(x, [0, 1], [8, 64])", "pld-104"),
    ("f = pl.load(x, ['a', 0], [8, 64])", "expected an integer"),
    ("f = pl.load(t, [0, 0], [8, 64])", "expected an array or window"),
    ("f = pl.add(x, t)", "load a tile of it first"),
    ("f = t + 'a'", "expected a tile"),
    ("f = t + pl.full([4, 64], pl.FP32, 0)", "operands of 8x64 and 4x64"),
    ("f = t + pl.cast(t, pl.FP16)", "pld-105"),
    ("f = pl.cast(t, pl.FP32)", "pld-105"),
    ("f = pl.cast(t, 32)", "pl.FP32"),
    ("f = pl.cast(t, pl.FP16, mode='up')", "'rint'"),
    ("f = t % t", "there are + - * /"),
    ("f = t + i", "pl.cast"),
    ("f = i / 2", "write '//'"),
    ("f = i + 0.5", "pld-109"),
    ("f = 1 // 0", "cannot compute"),
    ("f = pl.row_sum(x)", "expected a tile"),
    ("f = x[0:i, 0:64]", "only the run knows"),
    ("f = x[0:8:2, 0:64]", "a step"),
    ("f = x[0, 0, 0]", ""),
    ("y[0:8, 0:64] = 3", "expected a tile or tensor"),
    ("t[0, 0] = 1.0", "there are stores into arrays"),
    ("if t:\n    pass", "expected a scalar"),
    ("while t:\n    pass", "expected a scalar"),
    # What belongs elsewhere.
    ("f = pld.alloc_window_buffer([8, 64], dtype=pl.FP32)", "pld-103"),
    ("f = pld.world_size()", "pld-103"),
    ("f = pld.remote_load(x, i, [0, 0], [8, 64])", "pld-101"),
    ("f = pld.rank(w)", "pld.get_comm_ctx"),
    ("f = pld.get_comm_ctx(x)", "pld-101"),
    ("pld.barrier(x)", "pld-101"),
    ("pld.barrier(w)", "pld-105"),
    ("return 3\npass", "return in the middle"),
]

CONTEXTS = {
    "plain": "{}",
    "in a loop": "for outer in pl.range(4):\n{1}",
    "in a branch": "if i == 1:\n    pass\nelse:\n{1}",
}

KERNEL = """\
from pld import distributed as pld
from pld import language as pl

N = pl.dynamic("N")


@pl.jit.incore
def kernel(x, y, w, s):
    i = pld.rank(pld.get_comm_ctx(w))
    t = pl.load(x, [0, 0], [8, 64])
    y = pl.store(t, [0, 0], y)
{}


@pl.jit
def per_rank(x, y, w, s):
    kernel(x, y, w, s)


@pl.jit.host
def program(x: pl.Tensor[[N, 8, 64], pl.FP32], y: pl.Out[pl.Tensor[[N, 8, 64], pl.FP32]]):
    n = pld.world_size()
    data = pld.alloc_window_buffer([8, 64], dtype=pl.FP32)
    signal = pld.alloc_window_buffer([n, 1], dtype=pl.INT32)
    for r in pl.range(n):
        per_rank(x[r], y[r], pld.window(data, [8, 64]), pld.window(signal, [n, 1]), device=r)
"""


def refused(path, text):
    """What is said of the program in ``text``."""
    module = load(path, text)
    with pytest.raises(Error) as raised:
        module.program.program().check()
    error = raised.value
    assert error.position is not None, f"no place: {error}"
    file, line, column = error.position
    assert file.endswith(path.name), str(error)
    assert 1 <= line <= text.count("\n") and column >= 1
    return error


@pytest.mark.parametrize("context", CONTEXTS)
@pytest.mark.parametrize("statement,said", STATEMENTS)
def test_statement(statement, said, context, tmp_path):
    """A bad statement, wherever it stands, is named at its own lines."""
    body = CONTEXTS[context].format(statement, textwrap.indent(statement, "    "))
    text = KERNEL.format(textwrap.indent(body, "    "))
    error = refused(tmp_path / "bad.py", text)
    assert said in str(error), str(error)
    first = KERNEL.split("{}")[0].count("\n") + 1
    assert first <= error.position[1] <= first + body.count("\n"), str(error)


HEADS = [
    ("def kernel(x, y, w, *s):", "any number of arguments"),
    ("def kernel(x: 3, y, w, s):", "is annotated as 3"),
    ("def kernel(x: 'nothing', y, w, s):", "cannot be read"),
    ("def kernel(x, y, w, s, more):", "missing a required argument"),
    ("def kernel(x, y, w):", "too many positional arguments"),
    ("def kernel(x: pl.Tensor[[8, 32], pl.FP32], y, w, s):", "expected memref<8x32xf32>"),
    ("def kernel(x: pl.Tensor[[8, 64], pl.INT32], y, w, s):", "pld-105"),
    ("def kernel(x: pld.DistributedTensor[[8, 64], pl.FP32], y, w, s):", "pld-101"),
    ("def kernel(x, y, w: pl.Tensor[[8, 64], pl.FP32], s):", "pld-101"),
    ("def kernel(x, y: pl.Tensor[[8, 64], pl.FP32], w, s):", "pld-108"),
    ("def kernel(x: pl.Scalar[pl.INT32], y, w, s):", "expected an array or window"),
]


@pytest.mark.parametrize("head,said", HEADS)
def test_head(head, said, tmp_path):
    """Parameters that are none, or that the call does not fit."""
    text = KERNEL.format("").replace("def kernel(x, y, w, s):", head)
    assert said in str(refused(tmp_path / "bad.py", text))


ANNOTATIONS = [
    "pl.Tensor[8]",
    "pl.Tensor[[8, 64]]",
    "pl.Tensor[[8, 0], pl.FP32]",
    "pl.Tensor[[8, 1.5], pl.FP32]",
    "pl.Tensor[[], pl.FP32]",
    "pl.Tensor[[8, 64], float]",
    "pl.Out[3]",
    "pl.Scalar[int]",
    "pl.Out[pld.DistributedTensor[[8, 64], pl.FP32]]",
]


@pytest.mark.parametrize("annotation", ANNOTATIONS)
def test_annotation(annotation):
    """An annotation that is none is Python's own TypeError, at the line that holds it."""
    from pld import distributed as pld
    from pld import language as pl

    with pytest.raises(TypeError):
        eval(annotation, {"pl": pl, "pld": pld})


def test_not_called():
    """Operations and kernels that are called from plain Python say why they do nothing."""
    from pld import language as pl

    with pytest.raises(TypeError, match="read from the source"):
        pl.load(1, 2, 3)

    @pl.jit.incore
    def kernel(x):
        pass

    with pytest.raises(TypeError, match="call that one"):
        kernel(1)


def test_calls_itself(tmp_path):
    """Recursion has no end that the frontend could see."""
    text = KERNEL.format("    kernel(x, y, w, s)")
    assert "calls itself" in str(refused(tmp_path / "bad.py", text))


def test_no_source():
    """A function without a file has no source to be read."""
    from pld import language as pl

    space = {"pl": pl}
    exec("@pl.jit.host\ndef program():\n    pass\n", space)
    with pytest.raises(Error, match="cannot be read"):
        space["program"].program()
