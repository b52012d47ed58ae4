"""``pl``: the tile language.

``from pld import language as pl``. Functions marked ``pl.jit.host``, ``pl.jit`` and
``pl.jit.incore`` are read from their source and become programs of the dialects ``pl`` and
``pld``; docs/embedding.md lists the names.
"""

from __future__ import annotations

from .intrinsic import Intrinsic, Level
from .jit import jit
from .types import (
    BF16,
    BOOL,
    FP16,
    FP32,
    INDEX,
    INT8,
    INT16,
    INT32,
    INT64,
    Dim,
    InOut,
    Out,
    Scalar,
    Tensor,
)

#: Names of operations, and where they are the same as another one.
_OPERATIONS = """
load store read write dim full arange slice assemble concat reshape transpose gather
add sub mul div maximum minimum max min adds subs muls divs maxs mins
exp log sqrt rsqrt recip neg abs relu
and_ or_ xor not_ shl shr cmp select cast
row_sum row_max row_min row_prod col_sum col_max col_min col_prod
row_expand row_expand_add row_expand_sub row_expand_mul row_expand_div row_expand_max row_expand_min
col_expand col_expand_add col_expand_sub col_expand_mul col_expand_div col_expand_max col_expand_min
matmul matmul_acc range parallel unroll yield_ at spmd block_idx block_num create_tile
""".split()
_SAME = {
    "sel": "select",
    "iota": "arange",
    "get_block_idx": "block_idx",
    "get_block_num": "block_num",
}

for _name in _OPERATIONS:
    globals()[_name] = Intrinsic(f"pl.{_name}")
for _name, _other in _SAME.items():
    globals()[_name] = globals()[_other]


class tile:
    """Long names of operations on tiles: ``pl.tile.load`` is ``pl.load``."""


class tensor:
    """Long names of operations on tensors: ``pl.tensor.mul`` is ``pl.mul``."""


for _name in (*_OPERATIONS, *_SAME):
    setattr(tile, _name, staticmethod(globals()[_name]))
    setattr(tensor, _name, staticmethod(globals()[_name]))


def dynamic(name: str) -> Dim:
    """An extent that is known when the program runs."""
    return Dim(name)


def __getattr__(name: str):
    import difflib

    found = difflib.get_close_matches(name, [n for n in globals() if not n.startswith("_")], n=3)
    alike = f": there is {', '.join(found)}" if found else ""
    raise AttributeError(f"pl has no '{name}'{alike}")
