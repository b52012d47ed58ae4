"""What a name stands for while a kernel is read."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..types import DType, MemoryType, Shape


@dataclass
class Parameter:
    """A parameter of memory: what the body does with it decides its direction."""

    read: bool = False
    written: bool = False
    #: Read before anything was written.
    read_first: bool = False
    #: The host takes a rank's slice of it: its leading extent is the number of ranks.
    sharded: bool = False

    def reads(self):
        self.read_first |= not self.written
        self.read = True

    def writes(self):
        self.written = True


@dataclass
class Memory:
    """A reference to global memory or to a window."""

    ssa: str
    type: MemoryType
    parameter: Parameter = field(default_factory=Parameter)
    #: For a window made here: its buffer, and the extents it was asked for.
    buffer: Buffer | None = None
    extents: tuple = ()

    @property
    def shape(self) -> Shape:
        return self.type.shape

    @property
    def dtype(self) -> DType:
        return self.type.dtype

    @property
    def window(self) -> bool:
        return self.type.window

    @property
    def what(self) -> str:
        return "a pld.DistributedTensor" if self.window else "a pl.Tensor"


@dataclass
class Tile:
    """A value of rank 2: a tile, or inside ``pl.at`` a tensor."""

    ssa: str
    rows: int
    cols: int
    dtype: DType
    tensor: bool = False

    @property
    def type(self) -> str:
        extents = f"{self.rows}x{self.cols}x{self.dtype.name}"
        return f"tensor<{extents}>" if self.tensor else f"!pl.tile<{extents}>"

    def like(self, rows=None, cols=None, dtype=None) -> Tile:
        return Tile(
            "",
            self.rows if rows is None else rows,
            self.cols if cols is None else cols,
            dtype or self.dtype,
            self.tensor,
        )

    what = "a tile"


@dataclass
class Number:
    """A scalar that the run knows."""

    ssa: str
    dtype: DType
    #: Never negative, so that remainders of it need no care.
    natural: bool = False

    what = "a scalar"


@dataclass
class Buffer:
    """A window buffer."""

    ssa: str
    dtype: DType
    what = "a window buffer"


@dataclass
class CommCtx:
    """The communication context of a window."""

    ssa: str
    what = "a communication context"


@dataclass
class Gone:
    """A name whose value ended with the region that defined it."""

    region: str


def what(value) -> str:
    """How a message names a value."""
    described = getattr(value, "what", None)
    if isinstance(described, str):
        return described
    if value is None:
        return "nothing"
    if isinstance(value, (bool, int, float, str, list, tuple, DType)):
        return repr(value)
    name = getattr(value, "__name__", None)
    return f"'{name}'" if name else f"a {type(value).__name__}"


Values = list[object]
