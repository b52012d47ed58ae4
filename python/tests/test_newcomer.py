"""Kernels as somebody writes them who comes from NumPy and Python: each gives the right result, or
is refused at its own line with what is there instead. Never an exception of the frontend's own."""

import textwrap

import numpy as np
import pytest
from blocks import load
from pld import Error

HEAD = """\
import functools
import math
import numpy as np
import pld.language as aliased
from pld import distributed as pld
from pld import language as pl

N = pl.dynamic("N")
SHAPE, FOUR, TWO = [8, 64], np.int64(4), np.float32(2.0)
ARRAY = np.ones((8, 64), "float32")
dbl = lambda t: t * 2.0

@pl.jit.inline
def doubled(t):
    return t * 2.0

@pl.jit.incore
def copied(a, b):
    b[:, :] = a[:, :]

"""

KERNEL = """\
@pl.jit.incore
def k(x, y, scale=3.0, *, also=1):
"""

HOST = """

@pl.jit
def per_rank(x, y):
    k(x, y)

@pl.jit.host
def program(x: pl.Tensor[[N, 8, 64], pl.FP32], y: pl.Out[pl.Tensor[[N, 8, 64], pl.FP32]]):
    for r in pl.range(pld.world_size()):
        per_rank(x[r], y[r], device=r)
"""

X = (np.arange(2 * 8 * 64).reshape(2, 8, 64) % 13).astype("float32")


def rows(keep):
    """Rows of which `keep` is true."""
    wanted = np.array([bool(keep(i)) for i in range(8)])
    return lambda x: x * wanted[None, :, None]


def picked(of):
    """Row `of(i)` at i."""
    return lambda x: x[:, [of(i) for i in range(8)], :]


#: What stands before the row that a condition keeps.
ZERO = "y[:, :] = x[:, :] * 0.0\nfor i in pl.range(8):\n    if "
ROW = ":\n        y[i:i+1, :] = x[i:i+1, :]"
#: What stands around the row that is picked.
EACH = "for i in pl.range(8):\n    j = "
PICK = "\n    y[i:i+1, :] = x[j:j+1, :]"
T = "t = x[:, :]\n"
Y = "\ny[:, :] = t"

RIGHT = [
    # Subscripts.
    ("y[0:8, 0:64] = x[0:8, 0:64]", lambda x: x),
    ("y[:8, :] = x[0:, :64]", lambda x: x),
    ("for i in range(8):\n    y[i, :] = x[i, :]", lambda x: x),
    ("y[:, :] = x[:, :]\ny[:, :] += x[:, :]", lambda x: 2 * x),
    ("z = y\nz[:, :] = x[:, :]", lambda x: x),
    ("a, b = x.shape\nt = pl.load(x, [0, 0], [a, b])" + Y, lambda x: x),
    ("t = pl.load(x, (0, 0), SHAPE)" + Y, lambda x: x),
    (
        "pl.store(tile=pl.load(tensor=x, offsets=[0, 0], shape=SHAPE), offsets=[0, 0], tensor=y)",
        lambda x: x,
    ),
    # Arithmetic, and what Python knows.
    (T + "t += 1.0\nt *= 2.0" + Y, lambda x: (x + 1) * 2),
    (T + "t = 1 / (1.0 - -t)" + Y, lambda x: 1 / (1 + x)),
    (T + "t = t * 2 + 3" + Y, lambda x: 2 * x + 3),
    (T + "t = t * math.pi * math.sqrt(4.0) * TWO" + Y, lambda x: x * np.float32(np.pi) * 4),
    (T + "t = t * np.float32(2.0)" + Y, lambda x: 2 * x),
    (T + "t = pl.select(t > 5.0, t, t * 0.0)" + Y, lambda x: np.where(x > 5, x, 0)),
    (
        T + "t = t / pl.row_sum(t) - pl.col_max(t)" + Y,
        lambda x: x / x.sum(2, keepdims=True) - x.max(1, keepdims=True),
    ),
    (T + "t = t * scale * also" + Y, lambda x: 3 * x),
    ("t = x[:, :] \\\n    * 2.0; y[:, :] = t", lambda x: 2 * x),
    (
        "'''doc'''\nindex = x[:, :]\nfunc = index\nmemref = func" + Y.replace("t", "memref"),
        lambda x: x,
    ),
    ("größe = x[:, :]\ny[:, :] = größe", lambda x: x),
    # Scalars.
    (EACH + "(i - 1) % 8" + PICK, picked(lambda i: (i - 1) % 8)),
    (EACH + "(i - 9) // 8 + 2" + PICK, picked(lambda i: (i - 9) // 8 + 2)),
    (EACH + "min(i, 5, 3)" + PICK, picked(lambda i: min(i, 3))),
    (EACH + "max(int(i), len(x) - 4)" + PICK, picked(lambda i: max(i, 4))),
    (EACH + "i if i < FOUR else 3" + PICK, picked(lambda i: min(i, 3))),
    (ZERO + "i > 2 and i < 5 or i == 7" + ROW, rows(lambda i: i in (3, 4, 7))),
    (ZERO + "2 < i < 5" + ROW, rows(lambda i: i in (3, 4))),
    (ZERO + "not (i == 2)" + ROW, rows(lambda i: i != 2)),
    (ZERO + "i in (1, 2)" + ROW, rows(lambda i: i in (1, 2))),
    (ZERO + "i not in [1, i + 1]" + ROW, rows(lambda i: i != 1)),
    # Loops, branches, calls.
    ("i = 0\nwhile i < 8:\n    y[i:i+1, :] = x[i:i+1, :]\n    i += 1", lambda x: x),
    ("i = 0\nwhile i < 8:\n    i += 1\ny[:, :] = x[:, :]", lambda x: x),
    (
        "for i in pl.range(8):\n    t = x[0:1, :]\n    for j in pl.range(1, i + 1):\n        t = t + x[j:j+1, :]\n    y[i:i+1, :] = t",
        lambda x: np.cumsum(x, axis=1),
    ),
    (
        T
        + "for i in pl.range(2):\n    if i == 0:\n        s = t * 2.0\n    else:\n        s = t * 3.0\n    t = s"
        + Y,
        lambda x: 6 * x,
    ),
    (
        "a, b = 0, 1\nfor i in pl.range(3):\n    a, b = b, a\nif a == 1:\n    y[:, :] = x[:, :]",
        lambda x: x,
    ),
    ("assert x.shape[0] == 8, f'rows: {x.shape[0]}'\ny[:, :] = doubled(x[:, :])", lambda x: 2 * x),
    ("copied(a=x, b=y)", lambda x: x),
    ("pl.store(aliased.load(x, [0, 0], [8, 64]), [0, 0], y)", lambda x: x),
    # What goes round by name.
    (
        "zero = pl.full([1, 64], pl.FP32, 0.0)\nfor i, (a, m) in pl.range(8, init_values=(zero, 0)):\n    t = x[i:i+1, :]\n    if i > 3:\n        u = pl.yield_(t * 2.0)\n    else:\n        u = pl.yield_(t)\n    total, count = pl.yield_(a + u, m + 1)\nfor i in pl.range(count):\n    y[i:i+1, :] = total",
        lambda x: np.broadcast_to((x[:, :4].sum(1) + 2 * x[:, 4:].sum(1))[:, None], x.shape),
    ),
    (
        "for i, (a,) in pl.range(0, init_values=[x[:, :]]):\n    b = pl.yield_(a * 2.0)\ny[:, :] = b",
        lambda x: x,
    ),
]

WRONG = [
    (T + "t = t ** 2" + Y, 2, "there are + - * /"),
    (T + "t = abs(t)", 2, "write pl.abs"),
    (T + "t = max(t, 3.0)", 2, "pl.maximum"),
    (T + "t = sum(t)", 2, "pl.row_sum"),
    (T + "t = np.exp(t)", 2, "write pl.exp"),
    (T + "t = t + ARRAY", 2, "expected a tile"),
    (T + "print(t)", 2, "nothing is printed"),
    (T + "t = dbl(t)", 2, "@pl.jit.inline"),
    (T + "if t > 0:\n    pass", 2, "pl.select"),
    (T + "t = t * 2.0 if x[0, 0] else t", 2, ""),
    (T + "t[0:4, :] = t", 2, "stores into arrays"),
    ("t = x[:, :] * float(y)", 1, "pl.cast"),
    ("for i in pl.range(8):\n    t = x[:, :] * float(i)", 2, "pl.cast"),
    ("y[0, 0] += 1.0", 1, "pld-109"),
    ("y[-8:, :] = x[:, :]", 1, "pld-104"),
    ("assert x.shape[0] == 4, f'rows: {x.shape[0]:03d}'", 1, "assertion fails: rows: 008"),
    ("assert x.shape[0] == 4, 'rows: %d' % x.shape[0]", 1, "assertion fails: rows: 8"),
    ("assert x.shape[0] == 4, 'rows: {}'.format(x.shape[0])", 1, "assertion fails: rows: 8"),
    ("assert False, '%d' % (1, 2)", 1, "not all arguments"),
    ("f = f'{x[:, :]}'", 1, "only what the source knows"),
    ("f = f'{3:q}'", 1, "format code"),
    ("f = math.sqrt(-1.0)", 1, "domain"),
    ("while True:\n    pass", 1, "always True"),
    ("i = 0\nwhile i < 8:\n    break", 3, "break is not of the language"),
    ("for i in pl.range(8):\n    continue", 2, "continue is not of the language"),
    ("for i in pl.range(8):\n    return", 2, "return in the middle"),
    ("if x.shape[0] > 4:\n    return\npass", 2, "return in the middle"),
    ("for i in [0, 1]:\n    pass", 1, "pl.range(n)"),
    ("for i in x:\n    pass", 1, "pl.range(n)"),
    ("for i, j in enumerate(x):\n    pass", 1, "pl.range(n)"),
    ("for a, b in zip(x, y):\n    pass", 1, "pl.range(n)"),
    ("for i in pl.range(8.0):\n    pass", 1, "expected an integer"),
    ("for i in pl.range(1 << 70):\n    pass", 1, "does not hold"),
    ("for i in pl.range(8):\n    j = i + (1 << 70)", 2, "does not hold"),
    ("for i in pl.range(8):\n    j = i in 3", 2, "tuples and lists"),
    ("for i in pl.range(8):\n    j = i is 3", 2, "write '=='"),
    ("t = pl.load(x, [1 << 70, 0], [8, 64])", 1, "does not hold"),
    ("t = pl.full([8, 64], pl.INT8, 300)", 1, "does not hold"),
    ("for i in pl.range(8):\n    pass\nj = i", 3, "only inside the loop"),
    (
        "for i in pl.range(2):\n    if i == 0:\n        s = x[:, :]\n    y[:, :] = s",
        4,
        "only inside the branch",
    ),
    ("t = pl.laod(x, [0, 0], [8, 64])", 1, "there is load"),
    ("t = pl.load(x, [0, 0], SHAPEE)", 1, "there is SHAPE"),
    ("ü = 'äää'; t = nope_", 1, "'nope_' is not defined"),
    ("with pl.at(), pl.at():\n    pass", 1, "one inside the other"),
    ("with pl.at():\n    pass", 1, "pld-103"),
    # What goes round by name.
    (
        "for i, a in pl.range(8, init_values=(0, 1)):\n    pl.yield_(a)",
        1,
        "2 init_values for 1 names",
    ),
    ("for i in pl.range(8, init_values=(0,)):\n    pl.yield_(i)", 1, "does not name them"),
    ("for i, (a,) in pl.range(8, init_values=(0,)):\n    a = 3", 2, "end with pl.yield_"),
    ("for i, (a,) in pl.range(8, init_values=(0,)):\n    b = pl.yield_(a, a)", 2, "expected 1"),
    ("for i, (a,) in pl.range(8, init_values=(0,)):\n    b, c = pl.yield_(a)", 2, "2 names for 1"),
    ("for i in pl.range(8):\n    j = pl.yield_(i)", 2, "where it ends nothing"),
    ("j = pl.yield_(3)", 1, "where it ends nothing"),
]


def program(path, body):
    text = HEAD + KERNEL + textwrap.indent(body, "    ") + HOST
    return load(path / "kernel.py", text).program


@pytest.mark.parametrize("body,expected", RIGHT)
@pytest.mark.filterwarnings("ignore::pld.ProgramWarning")
def test_right(body, expected, tmp_path):
    """What reads as Python does what Python says."""
    y = np.zeros_like(X)
    program(tmp_path, body)(X, y)
    np.testing.assert_allclose(y, expected(X), rtol=1e-5)


@pytest.mark.filterwarnings("ignore:.*is.* with a literal:SyntaxWarning")
@pytest.mark.parametrize("body,line,said", WRONG)
def test_wrong(body, line, said, tmp_path):
    """What does not is refused at its line."""
    function = program(tmp_path, body)
    with pytest.raises(Error) as raised:
        function.program().check()
    first = (HEAD + KERNEL).count("\n")
    assert raised.value.position[1] == first + line, str(raised.value)
    assert said in str(raised.value), str(raised.value)
    assert "report it" not in str(raised.value)


def test_columns_are_characters(tmp_path):
    """A place counts characters, whatever their bytes."""
    with pytest.raises(Error) as raised:
        program(tmp_path, "ü = 'äää'; t = nope_").program()
    assert raised.value.position[2] == 5 + len("ü = 'äää'; t = ")


DEFINITIONS = [
    # A closure, a class, parentheses, a static method.
    ("def make(f):\n    @pl.jit.incore\n    def k(x, y):\n        y[:, :] = x[:, :] * f\n    return k\nk = make(5.0)", 5.0),
    ("class A:\n    S = 2.0\n    @pl.jit.incore\n    def k(x, y):\n        y[:, :] = x[:, :] * A.S\nk = A.k", 2.0),
    ("@pl.jit.incore()\ndef k(x, y):\n    y[:, :] = x[:, :]", 1.0),
    ("class A:\n    @staticmethod\n    @pl.jit.incore\n    def k(x, y):\n        y[:, :] = x[:, :]\nk = A.k", 1.0),
    ("from pld.language import *\n@pl.jit.incore\ndef k(x, y):\n    store(max(load(x, [0, 0], [8, 64]), 0.0), [0, 0], y)", 1.0),
    ("@pl.jit.incore\ndef k(x: 'pl.Tensor[[8, 64], pl.FP32]', y) -> None:\n    y[:, :] = x[:, :]\n    return y", 1.0),
]  # fmt: skip


@pytest.mark.parametrize("text,factor", DEFINITIONS)
def test_definition(text, factor, tmp_path):
    """Kernels are defined wherever Python defines functions."""
    y = np.zeros_like(X)
    load(tmp_path / "kernel.py", HEAD + text + HOST).program(X, y)
    np.testing.assert_allclose(y, factor * X)


REFUSED = [
    ("class A:\n    @pl.jit.incore\n    def k(self, x, y):\n        pass\nk = A().k", "is a method"),
    ("@pl.jit.incore\nasync def k(x, y):\n    pass", "no plain function"),
    ("k = pl.jit.incore(lambda x, y: 0)", "write it with 'def'"),
    ("def wrap(f):\n    @functools.wraps(f)\n    def g(*a):\n        return f(*a)\n    return g\n@pl.jit.incore\n@wrap\ndef k(x, y):\n    pass", "another decorator"),
    ("@pl.jit.incore\ndef k(x: np.ndarray, y):\n    pass", "pl.Tensor[[...], dtype]"),
    ("@pl.jit.incore\ndef k(x: pl.Tensor, y):\n    pass", "pl.Tensor[[...], dtype]"),
]  # fmt: skip


@pytest.mark.parametrize("text,said", REFUSED)
def test_refused_definition(text, said, tmp_path):
    """What is no function that can be read is refused where it is called."""
    function = load(tmp_path / "kernel.py", HEAD + text + HOST).program
    with pytest.raises(Error) as raised:
        function.program()
    assert said in str(raised.value) and raised.value.position is not None


@pytest.mark.parametrize(
    "text,said",
    [
        ("@pl.jit.kernel\ndef k(x, y):\n    pass", "pl.jit.incore and pl.jit.inline"),
        ("@pl.jit.incore(blocks=3)\ndef k(x, y):\n    pass", "no option 'blocks'"),
        ("@pl.jit.incore\nclass k:\n    pass", "innermost decorator"),
        ("@pl.jit.incore\n@functools.lru_cache\ndef k(x, y):\n    pass", "innermost decorator"),
        ("x = pl.Tensor((8, 64), pl.FP32)", "with brackets"),
        ("x = pl.Tensor[[8, 64], pl.FP64]", "there is FP16"),
    ],
)
def test_not_a_mark(text, said, tmp_path):
    """What Python itself runs is refused by Python's own exceptions, which say what is there."""
    with pytest.raises((TypeError, AttributeError), match=said.replace(".", r"\.")):
        load(tmp_path / "kernel.py", HEAD + text)


def test_a_default_of_the_host(tmp_path):
    """A host function has defaults, and takes NumPy's scalars for Python's."""
    text = HEAD + KERNEL + "    y[:, :] = x[:, :] * scale" + HOST
    text = text.replace("FP32]]):", "FP32]], s=2.0):").replace("y[r], device", "y[r], s, device")
    text = text.replace("def per_rank(x, y)", "def per_rank(x, y, s)").replace(
        "k(x, y)\n", "k(x, y, s)\n"
    )
    function = load(tmp_path / "kernel.py", text).program
    y = np.zeros_like(X)
    function(X, y)
    np.testing.assert_allclose(y, 2 * X)
    function(X, y, np.float32(4.0))
    np.testing.assert_allclose(y, 4 * X)
