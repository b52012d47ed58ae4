"""``pl.jit``: marks functions that are read, not run."""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .program import Program


class JitFunction:
    """A function of the language: ``kind`` is host, device, incore or inline."""

    def __init__(self, function, kind: str, world_sizes=None):
        if not hasattr(function, "__code__"):
            raise TypeError(
                f"pl.jit marks functions, not {function!r}: let it be the innermost decorator, "
                "just above 'def'"
            )
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
        signature = inspect.signature(self.function)
        named = {
            name: options.pop(name)
            for name in list(options)
            if name in signature.parameters and name not in inspect.signature(run).parameters
        }
        if named:
            bound = signature.bind_partial(*args, **named)
            bound.apply_defaults()
            # In the order of the parameters; what is missing is said later.
            args = [bound.arguments.get(name) for name in signature.parameters]
        return run(self, args, **options)


class _Jit:
    """``@pl.jit`` marks a device function, ``@pl.jit.incore`` and ``@pl.jit.host`` the others; each
    may be written with empty parentheses."""

    def __call__(self, function=None, **options):
        return _mark(function, "device", options)

    def host(self, function=None, *, world_sizes=None, **options):
        """Runs on the host CPU, once per program. ``pl.jit.host(world_sizes=[2, 4])`` states the
        numbers of ranks that it is written for."""
        return _mark(function, "host", options, world_sizes)

    def incore(self, function=None, **options):
        """Runs on an AI core."""
        return _mark(function, "incore", options)

    def inline(self, function=None, **options):
        """Is spliced into its caller."""
        return _mark(function, "inline", options)

    def __getattr__(self, name):
        raise AttributeError(
            f"pl.jit has no '{name}': there are pl.jit, pl.jit.host, pl.jit.incore and pl.jit.inline"
        )


def _mark(function, kind, options, world_sizes=None):
    """A function marked, or what marks one, for a decorator with parentheses."""
    name = "pl.jit" if kind == "device" else f"pl.jit.{kind}"
    if options:
        known = "world_sizes" if kind == "host" else "none"
        raise TypeError(f"{name} has no option '{next(iter(options))}'; options: {known}")
    if function is None:
        return lambda function: JitFunction(function, kind, world_sizes)
    return JitFunction(function, kind, world_sizes)


jit = _Jit()
