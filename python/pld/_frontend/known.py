"""What Python itself can compute of values that the source knows, and what stands for the rest."""

from __future__ import annotations

import builtins
import difflib
import math
import types

#: Functions of Python that are called where all arguments are known.
CALLABLE = {
    name: getattr(builtins, name)
    for name in "range len min max int float bool str abs round tuple list".split()
}

#: What the language has instead of a function of Python or NumPy.
INSTEAD = {
    "print": "nothing is printed from a kernel: write into a pl.Out parameter, or look at program.mlir()",
    "len": "there is x.shape[0], or pl.dim(x, 0)",
    "abs": "write pl.abs(tile)",
    "sum": "write pl.row_sum(tile) or pl.col_sum(tile)",
    "max": "write pl.maximum(a, b), pl.row_max(tile) or pl.col_max(tile)",
    "min": "write pl.minimum(a, b), pl.row_min(tile) or pl.col_min(tile)",
    "float": "write pl.cast(value, pl.FP32)",
    "int": "write pl.cast(value, pl.INT32)",
    "range": "it stands in a loop: for i in pl.range(n):",
    "enumerate": "loops go over pl.range(n): read what belongs to each i in the body",
    "zip": "loops go over pl.range(n): read what belongs to each i in the body",
    "where": "write pl.select(pl.cmp(...), a, b)",
}


def plain(value):
    """A scalar of NumPy as Python's own; anything else as it is."""
    if type(value).__module__ == "numpy" and getattr(value, "shape", None) == ():
        return value.item()
    return value


def is_computable(callee) -> bool:
    """Whether it is a function of Python or a type of NumPy's scalars that may be called on
    known values: it changes nothing, and gives a value of the same kind."""
    if callee in CALLABLE.values():
        return True
    if isinstance(callee, types.BuiltinFunctionType):
        return getattr(math, callee.__name__, None) is callee or isinstance(callee.__self__, str)
    return isinstance(callee, type) and callee.__module__ == "numpy" and hasattr(callee, "item")


def instead(name: str) -> str | None:
    """What to write instead of this function."""
    from .. import language as pl

    if name in INSTEAD:
        return INSTEAD[name]
    return f"write pl.{name}(...)" if hasattr(pl, name) else None


def is_builtin(name: str) -> bool:
    return hasattr(builtins, name)


def alike(name: str, names) -> str | None:
    """A note that names what may have been meant."""
    found = difflib.get_close_matches(
        name, [n for n in names if not n.startswith("_")], n=3, cutoff=0.7
    )
    return f"there is {', '.join(found)}" if found else None
