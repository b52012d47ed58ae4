"""``pl.jit``: marks functions that are read, not run."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import Program


class JitFunction:
    """A function of the language: ``kind`` is host, device, incore or inline."""

    def __init__(self, function, kind: str, world_sizes=None):
        if not hasattr(function, "__code__"):
            raise TypeError(f"pl.jit marks functions, not {function!r}")
        functools.update_wrapper(self, function)
        self.function, self.kind = function, kind
        #: The numbers of ranks that a host function is written for; none if any will do.
        self.world_sizes = world_sizes

    def __repr__(self) -> str:
        return f"<pl.jit {self.kind} function {self.__name__}>"

    def _only_host(self, what: str):
        if self.kind != "host":
            raise TypeError(
                f"'{self.__name__}' is a {self.kind} function, and {what} a pl.jit.host function: "
                "call that one, which dispatches it"
            )

    def program(self, *args, **kwargs) -> Program:
        """The program whose entry this is. Arguments are needed for parameters without a type."""
        from .program import Program

        self._only_host("a program starts with")
        return Program(self, args, kwargs)

    def mlir(self, *args, locations: bool = False, **kwargs) -> str:
        """The IR of the program."""
        return self.program(*args, **kwargs).mlir(locations)

    def ascendc(self, *args, **kwargs) -> dict:
        """The generated AscendC and HCCL project: texts by path."""
        return self.program(*args, **kwargs).ascendc()

    def __call__(self, *args, **options):
        """Runs the program on NumPy arrays; see :func:`pld.run.run`."""
        from .run import run

        self._only_host("what runs is")
        return run(self, args, **options)


class _Jit:
    """``@pl.jit`` marks a device function, ``@pl.jit.incore`` and ``@pl.jit.host`` the others."""

    def __call__(self, function) -> JitFunction:
        return JitFunction(function, "device")

    def host(self, function=None, *, world_sizes=None):
        """Runs on the host CPU, once per program. ``pl.jit.host(world_sizes=[2, 4])`` states the
        numbers of ranks that it is written for."""
        if function is None:
            return lambda function: JitFunction(function, "host", world_sizes)
        return JitFunction(function, "host", world_sizes)

    def incore(self, function) -> JitFunction:
        """Runs on an AI core."""
        return JitFunction(function, "incore")

    def inline(self, function) -> JitFunction:
        """Is spliced into its caller."""
        return JitFunction(function, "inline")


jit = _Jit()
