"""Element types, shapes and annotations: what a parameter of a kernel is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class DType:
    """An element type. ``name`` is MLIR's, ``numpy`` NumPy's (none for bfloat16)."""

    name: str
    numpy: str | None
    bytes: int

    @property
    def is_float(self) -> bool:
        return "f" in self.name

    def __repr__(self) -> str:
        return self.name


FP32 = DType("f32", "float32", 4)
FP16 = DType("f16", "float16", 2)
BF16 = DType("bf16", None, 2)
INT8 = DType("i8", "int8", 1)
INT16 = DType("i16", "int16", 2)
INT32 = DType("i32", "int32", 4)
INT64 = DType("i64", "int64", 8)
BOOL = DType("i1", "bool", 1)
#: The type of ranks, peers, offsets and extents.
INDEX = DType("index", None, 8)

DTYPES = {t.name: t for t in (FP32, FP16, BF16, INT8, INT16, INT32, INT64, BOOL)}


class Dim:
    """An extent that is known when the program runs: ``N = pl.dynamic("N")``."""

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return self.name

    # An expression of an unknown extent is another one.
    def _derived(self, sign: str, other) -> Dim:
        return Dim(f"({self.name} {sign} {other})")

    def __mul__(self, other):
        return self._derived("*", other)

    __rmul__ = __mul__

    def __add__(self, other):
        return self._derived("+", other)

    __radd__ = __add__

    def __sub__(self, other):
        return self._derived("-", other)

    def __floordiv__(self, other):
        return self._derived("//", other)


#: Extents; ``None`` is one that only the run knows.
Shape = tuple[int | None, ...]


def shape_of(extents) -> Shape:
    """The shape that a list in an annotation says."""
    if not isinstance(extents, (list, tuple)):
        extents = [extents]
    shape = []
    for extent in extents:
        if isinstance(extent, Dim):
            shape.append(None)
        elif isinstance(extent, bool) or not isinstance(extent, int):
            raise TypeError(f"extent {extent!r} is no integer and no pl.dynamic(...)")
        elif extent <= 0:
            raise TypeError(f"extent {extent} is not positive")
        else:
            shape.append(extent)
    if not shape:
        raise TypeError("a shape has at least one extent")
    return tuple(shape)


@dataclass(frozen=True)
class MemoryType:
    """An array in global memory, or a view of a window buffer."""

    shape: Shape
    dtype: DType
    window: bool
    #: ``in``, ``out`` or ``inout``; none where the body decides.
    direction: str | None = "in"

    def __str__(self) -> str:
        head = "!pld.dtensor" if self.window else "memref"
        extents = "".join("?x" if extent is None else f"{extent}x" for extent in self.shape)
        return f"{head}<{extents}{self.dtype.name}>"


@dataclass(frozen=True)
class ScalarType:
    """A number."""

    dtype: DType

    def __str__(self) -> str:
        return self.dtype.name


class _Memory:
    """``Tensor[[shape], dtype]``."""

    def __init__(self, name: str, window: bool):
        self.name, self.window = name, window

    def __getitem__(self, item) -> MemoryType:
        if not isinstance(item, tuple) or len(item) != 2 or not isinstance(item[1], DType):
            raise TypeError(
                f"write {self.name}[[extents], dtype], such as {self.name}[[1, 64], pl.FP32]"
            )
        return MemoryType(shape_of(item[0]), item[1], self.window)

    def __call__(self, *_, **__):
        raise TypeError(f"write {self.name}[[extents], dtype], with brackets")

    def __repr__(self) -> str:
        return self.name


class _Directed:
    """``Out[...]`` and ``InOut[...]``."""

    def __init__(self, name: str, direction: str):
        self.name, self.direction = name, direction

    def __getitem__(self, item) -> MemoryType:
        if not isinstance(item, MemoryType):
            raise TypeError(f"{self.name}[...] holds a pl.Tensor[[extents], dtype]")
        if item.window:
            raise TypeError(
                f"a pld.DistributedTensor is always read and written: leave {self.name}[...] out"
            )
        return MemoryType(item.shape, item.dtype, False, self.direction)

    def __repr__(self) -> str:
        return self.name


class _Scalar:
    """``Scalar[dtype]``."""

    def __getitem__(self, item) -> ScalarType:
        if not isinstance(item, DType):
            raise TypeError("write pl.Scalar[dtype], such as pl.Scalar[pl.INT32]")
        return ScalarType(item)

    def __repr__(self) -> str:
        return "pl.Scalar"


Tensor = _Memory("pl.Tensor", False)
DistributedTensor = _Memory("pld.DistributedTensor", True)
Out = _Directed("pl.Out", "out")
InOut = _Directed("pl.InOut", "inout")
Scalar = _Scalar()
