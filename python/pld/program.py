"""A program: read, checked, shown, generated."""

from __future__ import annotations

import inspect
import re

from . import _native
from ._frontend.fault import Fault
from ._frontend.known import plain
from ._frontend.module import Module
from ._frontend.values import Memory
from .errors import Diagnostic, Error, of_native, shown
from .jit import JitFunction
from .types import MemoryType


def natively(call, *args):
    """Calls the native part; what it refuses becomes an :class:`Error`."""
    try:
        return call(*args)
    except _native.Refused as refused:
        raise Error(of_native(refused.args[1])) from None


def _parsed(text: str, name: str):
    """The program of this text. What the parser says of a line is said of the Python line that
    it was written for."""
    try:
        return natively(_native.Program, text, name)
    except Error as error:
        lines = text.split("\n")
        raise Error([_in_python(d, name, lines) for d in error.diagnostics]) from None


def _in_python(diagnostic: Diagnostic, name: str, lines) -> Diagnostic:
    if diagnostic.position is None or diagnostic.position[0] != name:
        return diagnostic
    found = None
    for line in lines[diagnostic.position[1] - 1 :]:
        found = re.search(r'loc\("([^"]*)":(\d+):(\d+)\)$', line)
        if found:
            break
    place = (found[1], int(found[2]), int(found[3])) if found else None
    return Diagnostic(diagnostic.severity, diagnostic.code, diagnostic.message, place)


class Program:
    """A host function with all that it calls, as IR that has been verified."""

    def __init__(self, function: JitFunction, args=(), kwargs=None):
        module = Module()
        try:
            arguments = dict(
                inspect.signature(function.function).bind_partial(*args, **(kwargs or {})).arguments
            )
            defaults = {
                name: parameter.default
                for name, parameter in inspect.signature(function.function).parameters.items()
                if parameter.default is not parameter.empty
            }
            known = {name: _value(value) for name, value in {**defaults, **arguments}.items()}
            instance = module.entry(function, known)
        except Fault as fault:
            code = function.function.__code__
            raise fault.error((shown(code.co_filename), code.co_firstlineno, 1)) from None
        self.function = function
        self.entry = instance.name
        #: Parameters that are passed when it runs.
        self.parameters = [p for p in instance.parameters if p.type is not None]
        self.text = module.text()
        self._native = _parsed(self.text, f"<{function.__name__}>")

    def bind(self, arguments) -> list:
        """Arguments of the entry in the order of the parameters that are passed."""
        bound = inspect.signature(self.function.function).bind_partial(*arguments)
        bound.apply_defaults()
        return [bound.arguments.get(formal.name) for formal in self.parameters]

    def check(self) -> list[Diagnostic]:
        """Lints the program: the warnings; what is refused raises :class:`Error`."""
        return of_native(natively(self._native.check))

    def refused_by(self, target: str, world: int) -> list[Diagnostic]:
        """What a target profile, ``"a2a3"`` or ``"a5"``, refuses of it on so many ranks."""
        return of_native(natively(self._native.refused_by, self.entry, target, world))

    def mlir(self, locations: bool = False) -> str:
        """The IR."""
        return self._native.text(locations)

    def lowered(self, pipeline: str = "lower-pld-to-tile") -> str:
        """The IR after a pass pipeline of pld-opt."""
        return natively(self._native.lowered, pipeline)

    def ascendc(self, barrier=None, target: str = "a2a3") -> dict:
        """The generated AscendC and HCCL project: texts by path."""
        return dict(natively(self._native.project, self.entry, barrier, target))

    def write_project(self, folder, barrier=None, target: str = "a2a3") -> int:
        """Writes that project below ``folder``: how many files."""
        return natively(self._native.write_project, folder, self.entry, barrier, target)

    def run(self, world: int, options: dict):
        """Runs it on ``world`` ranks; ``options`` are those of the native part."""
        return natively(self._native.run, world, {"entry": self.entry, **options})


def _value(value):
    """An argument of the entry as the reader takes it: memory of its type, or a known value."""
    from .run import dtype_of

    value = plain(value)
    dtype = dtype_of(value)
    if dtype is None:
        return value
    return Memory("", MemoryType(tuple(value.shape), dtype, False, None))
