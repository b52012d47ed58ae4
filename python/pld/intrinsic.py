"""Names that the frontend reads; they are never called."""

from __future__ import annotations

import enum


class Intrinsic:
    """An operation of the language."""

    def __init__(self, name: str):
        self.__name__ = name
        self.__qualname__ = name

    def __call__(self, *args, **kwargs):
        raise TypeError(
            f"{self.__name__} is read from the source of a function marked pl.jit, "
            "pl.jit.incore or pl.jit.host; outside of one it does nothing"
        )

    def __repr__(self) -> str:
        return self.__name__


class Level(enum.Enum):
    """Where a ``pl.at`` region runs."""

    CORE_GROUP = "core_group"


class NotifyOp(enum.Enum):
    """What a notify does to the cell."""

    AtomicAdd = "add"
    Add = "add"
    Set = "set"


class WaitCmp(enum.Enum):
    """What a wait compares the cell by."""

    Eq = "eq"
    Ne = "ne"
    Gt = "gt"
    Ge = "ge"
    Lt = "lt"
    Le = "le"


class AtomicType(enum.Enum):
    """How a store combines with what is there."""

    None_ = ""
    Add = "add"


class ReduceOp(enum.Enum):
    """How a collective combines values."""

    Sum = "sum"
    Max = "max"
    Min = "min"
    Prod = "prod"
