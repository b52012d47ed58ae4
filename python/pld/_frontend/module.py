"""From a host function and what it calls to the text of a module."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field

from ..errors import Error
from ..jit import JitFunction
from ..types import FP32, INDEX, MemoryType, ScalarType
from .builder import Builder
from .fault import Fault
from .reader import Reader
from .source import Source
from .values import Memory, Number, Parameter, Tile, what


@dataclass
class Formal:
    """A parameter of a function in the module; a known value has no type and is not passed."""

    name: str
    type: object
    value: object = None
    direction: str | None = None
    #: Has a slice for each rank.
    is_world: bool = False


@dataclass
class Instance:
    """A function of the module: one for each set of types that it is called with."""

    name: str
    parameters: list[Formal]
    #: Type, and whether never negative, of each result.
    results: list[tuple[object, bool]] = field(default_factory=list)
    done: bool = False


class Module:
    """Functions as they are read, callees first."""

    def __init__(self):
        self.functions: list[str] = []
        self.instances: dict[tuple, Instance] = {}
        self.names: dict[str, int] = {}
        self.inlining: list[JitFunction] = []

    def text(self) -> str:
        return "\n\n".join(self.functions) + "\n"

    def entry(self, function: JitFunction, arguments: dict) -> Instance:
        """Reads the host function."""
        return self.instance(function, arguments)

    def instance(self, function: JitFunction, arguments: dict) -> Instance:
        """The function for arguments of these types, read now if it was not before."""
        source = _sourced(function)
        formals = self._formals(function, source, arguments)
        key = (function, tuple((f.name, str(f.type), f.direction, repr(f.value)) for f in formals))
        found = self.instances.get(key)
        if found is not None:
            if not found.done:
                raise Fault(f"'{function.__name__}' calls itself", "write a loop")
            return found
        found = self.instances[key] = Instance(self._name(function.__name__), formals)
        self._read(function, source, found)
        found.done = True
        return found

    def _name(self, name: str) -> str:
        count = self.names.get(name, 0)
        self.names[name] = count + 1
        return name if count == 0 else self._name(f"{name}_{count}")

    def _formals(self, function, source, arguments) -> list[Formal]:
        formals = []
        for name, parameter in inspect.signature(function.function).parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
                raise _at(
                    source,
                    source.tree,
                    f"'{function.__name__}' takes any number of arguments",
                    "name them",
                )
            annotation = _annotation(source, function, name)
            formals.append(_formal(source, function, name, annotation, arguments))
        return formals

    def _read(self, function, source, instance):
        builder = Builder(source.file)
        reader = Reader(self, source, function.kind, builder)
        heads, memories = [], {}
        for formal in instance.parameters:
            if formal.type is None:
                reader.env[formal.name] = formal.value
                continue
            ssa = builder.fresh(formal.name)
            if isinstance(formal.type, MemoryType):
                memories[formal.name] = value = Memory(ssa, formal.type)
            else:
                value = Number(ssa, formal.type.dtype)
            reader.env[formal.name] = value
            heads.append((ssa, formal))
        reader.locate(source.tree)
        place = builder.place
        reader.body(_without_docstring(source.tree.body))
        for formal in instance.parameters:
            if not isinstance(formal.type, MemoryType):
                continue
            done = memories[formal.name].parameter
            formal.is_world = done.sharded
            if not formal.type.window and formal.type.direction is None:
                formal.direction = _direction(done)
        results = self._results(reader, source, builder)
        instance.results = [(value.dtype, value.natural) for value in results]
        parameters = ", ".join(f"{ssa}: {formal.type}{_attribute(formal)}" for ssa, formal in heads)
        types = ", ".join(value.dtype.name for value in results)
        arrow = f" -> ({types})" if types else ""
        names = ", ".join(value.ssa for value in results)
        last = f"  return {names} : {types} {place}" if results else f"  return {place}"
        self.functions.append(
            "\n".join(
                [
                    f"func.func @{instance.name}({parameters}){arrow} attributes {{pl.{function.kind}{_sizes(function)}}} {{",
                    *builder.body(place),
                    last,
                    f"}} {place}",
                ]
            )
        )

    def _results(self, reader, source, builder):
        results = []
        for value in reader.results or []:
            if isinstance(value, bool) or not isinstance(value, (Number, int, float)):
                raise _at(
                    source,
                    source.tree,
                    f"it returns {what(value)}",
                    "functions return scalars and their pl.Out parameters",
                )
            if not isinstance(value, Number):
                dtype = FP32 if isinstance(value, float) else INDEX
                value = Number(builder.constant(value, dtype), dtype, value >= 0)
            results.append(value)
        return results

    def inline(self, caller: Reader, function: JitFunction, arguments: dict):
        """Reads the body into the caller's."""
        if function in self.inlining:
            raise Fault(f"'{function.__name__}' calls itself", "write a loop")
        source = _sourced(function)
        reader = Reader(self, source, caller.kind, caller.b)
        reader.in_at, reader.in_spmd = caller.in_at, caller.in_spmd
        reader.env = dict(arguments)
        file = caller.b.file
        self.inlining.append(function)
        try:
            reader.read_inlined(_without_docstring(source.tree.body))
        finally:
            self.inlining.pop()
            caller.b.file = file
        returned = reader.returned
        return returned[0] if len(returned) == 1 else tuple(returned) if returned else None


def _sourced(function: JitFunction) -> Source:
    if not hasattr(function, "_source"):
        function._source = Source(function.function)
    return function._source


def _without_docstring(statements):
    import ast

    first = statements[0]
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return statements[1:]
    return statements


def _annotation(source, function, name):
    annotation = function.function.__annotations__.get(name)
    if isinstance(annotation, str):
        try:
            annotation = eval(annotation, source.names())  # noqa: S307 (the program's own annotation)
        except Exception as error:
            raise _at(
                source,
                _argument(source, name),
                f"the annotation of '{name}' cannot be read: {error}",
            ) from None
    return annotation


def _formal(source, function, name, annotation, arguments) -> Formal:
    if isinstance(annotation, MemoryType):
        return Formal(
            name, annotation, direction=None if annotation.window else annotation.direction
        )
    if isinstance(annotation, ScalarType):
        return Formal(name, annotation)
    if annotation is not None and annotation not in (int, float, bool, str):
        raise _at(
            source,
            _argument(source, name),
            f"parameter '{name}' is annotated as {what(annotation)}",
            "there are pl.Tensor[[...], dtype], pl.Out[...], pl.InOut[...], pld.DistributedTensor[[...], dtype] and pl.Scalar[dtype]",
        )
    if name not in arguments:
        raise _at(
            source,
            _argument(source, name),
            f"parameter '{name}' has no type",
            "annotate it, such as pl.Tensor[[1, 64], pl.FP32], or give an argument to take it from",
        )
    value = arguments[name]
    if isinstance(value, Memory):
        direction = None
        type_ = MemoryType(value.shape, value.dtype, value.window, direction)
        return Formal(name, type_)
    if isinstance(value, Number):
        return Formal(name, ScalarType(value.dtype))
    if isinstance(value, Tile):
        raise Fault(
            f"argument '{name}' of {function.__name__}() is a tile, which does not cross functions",
            "mark the function @pl.jit.inline, or pass memory",
        )
    return Formal(name, None, value)


def _argument(source, name):
    arguments = source.tree.args
    for argument in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
        if argument.arg == name:
            return argument
    return source.tree


def _at(source, node, message, note=None, code=None) -> Error:
    return Fault(message, note, code).error(source.place(node))


def _direction(parameter: Parameter) -> str:
    if not parameter.written:
        return "in"
    return "inout" if parameter.read_first else "out"


def _sizes(function: JitFunction) -> str:
    if function.world_sizes is None:
        return ""
    return f", pld.world_sizes = array<i64: {', '.join(str(int(n)) for n in function.world_sizes)}>"


def _attribute(formal: Formal) -> str:
    if formal.direction in ("out", "inout"):
        return f" {{pl.{formal.direction}}}"
    return ""
