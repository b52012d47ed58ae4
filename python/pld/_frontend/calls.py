"""Calls: operations, and functions of the language."""

from __future__ import annotations

import inspect

from ..jit import JitFunction
from ..types import MemoryType
from . import scalar
from .fault import Fault
from .values import Memory, Number, what


class Calls:
    """The part of the reader that reads calls."""

    def intrinsic(self, callee, positional, named):
        """An operation of ``pl`` or ``pld``."""
        from . import ops_pld  # noqa: F401  (registers its handlers)
        from .ops_pl import HANDLERS

        handler = HANDLERS.get(callee)
        if handler is None:
            raise Fault(f"{callee!r} stands where it has no meaning", _WHERE.get(callee.__name__))
        try:
            bound = inspect.signature(handler).bind(self, *positional, **named)
        except TypeError as error:
            names = list(inspect.signature(handler).parameters.values())[1:]
            shown = ", ".join(str(parameter) for parameter in names)
            raise Fault(f"{callee!r}: {error}", f"it is {callee!r}({shown})") from None
        return handler(*bound.args, **bound.kwargs)

    def call(self, callee: JitFunction, positional, named):
        """A function marked ``pl.jit``."""
        device = named.pop("device", None)
        if callee.kind == "host":
            raise Fault(
                f"a call of the host function '{callee.__name__}'",
                "a program has one, which nobody calls",
            )
        if self.kind == "host":
            if callee.kind == "incore":
                raise Fault(
                    f"the host calls the in-core function '{callee.__name__}'",
                    "call it from a pl.jit function, and that one here with device=r",
                    "pld-103",
                )
            if device is None and callee.kind == "device":
                raise Fault(
                    f"a call of '{callee.__name__}' without a device",
                    f"write {callee.__name__}(..., device=r)",
                )
        elif device is not None:
            raise Fault("device= outside of a host function", "only the host dispatches")
        arguments = self._bind(callee, positional, named)
        if callee.kind == "inline":
            return self.module.inline(self, callee, arguments)
        if callee.kind == "device" and self.kind != "host":
            raise Fault(
                f"a call of the device function '{callee.__name__}'",
                "only the host dispatches it",
                "pld-103",
            )
        instance = self.module.instance(callee, arguments)
        operands = [
            self._operand(callee, parameter, argument)
            for parameter, argument in zip(instance.parameters, arguments.values(), strict=False)
            if parameter.type is not None
        ]
        names = ", ".join(ssa for ssa, _ in operands)
        types = ", ".join(type_ for _, type_ in operands)
        if self.kind == "host":
            rank = scalar.index(self.b, device, "the device")
            self.b.emit(f"pld.dispatch @{instance.name}({names}) on {rank} : ({types})")
            return None
        return self._results(instance, f"func.call @{instance.name}({names}) : ({types})")

    def _results(self, instance, text):
        types = [dtype.name for dtype, _ in instance.results]
        text += f" -> ({', '.join(types)})" if len(types) != 1 else f" -> {types[0]}"
        if not types:
            self.b.emit(text)
            return None
        if len(types) == 1:
            ((dtype, natural),) = instance.results
            return Number(self.b.value(text, instance.name), dtype, natural)
        base = self.b.fresh(instance.name)
        self.b.emit(f"{base}:{len(types)} = {text}")
        return tuple(Number(f"{base}#{k}", *result) for k, result in enumerate(instance.results))

    def _bind(self, callee, positional, named):
        try:
            signature = inspect.signature(callee.function)
            bound = signature.bind(*positional, **named)
        except TypeError as error:
            if next(iter(signature.parameters), None) == "self":
                raise Fault(
                    f"'{callee.__name__}' is a method",
                    "there are no objects in the language: write a function",
                ) from None
            code = "pld-111" if self.kind == "host" else None
            raise Fault(
                f"{callee.__name__}(): {error}",
                f"it is {callee.__name__}{inspect.signature(callee.function)}",
                code,
            ) from None
        bound.apply_defaults()
        return dict(bound.arguments)

    def _operand(self, callee, parameter, value):
        """An argument as the parameter wants it."""
        type_ = parameter.type
        role = f"argument '{parameter.name}' of {callee.__name__}()"
        if not isinstance(type_, MemoryType):
            return scalar.as_type(self.b, value, type_.dtype, role), str(type_)
        if not isinstance(value, Memory):
            raise Fault(f"{role} is {what(value)}, expected {type_}")
        if value.window != type_.window:
            wanted = "a pld.DistributedTensor" if type_.window else "a pl.Tensor"
            raise Fault(
                f"{role} is {value.what}, expected {wanted}",
                "annotate the parameter as pld.DistributedTensor[[extents], dtype]"
                if value.window
                else "allocate a window buffer, and pass a pld.window(...) of it",
                "pld-101",
            )
        if parameter.direction in ("in", "inout"):
            value.parameter.reads()
        if parameter.direction in ("out", "inout"):
            value.parameter.writes()
        return self._memory(value, type_, role), str(type_)

    def _memory(self, value, type_, role):
        if (value.shape, value.dtype) == (type_.shape, type_.dtype):
            return value.ssa
        fits = (
            value.dtype == type_.dtype
            and len(value.shape) == len(type_.shape)
            and all(
                wanted is None or extent is None or extent == wanted
                for extent, wanted in zip(value.shape, type_.shape, strict=False)
            )
        )
        if fits and value.window and value.buffer is not None:
            from .ops_pld import view_as

            return view_as(self, value, type_.shape).ssa
        if fits and not value.window:
            return self.b.value(f"memref.cast {value.ssa} : {value.type} to {type_}", "cast")
        code = (
            "pld-105" if value.dtype != type_.dtype else "pld-111" if self.kind == "host" else None
        )
        raise Fault(
            f"{role} is {value.type}, expected {type_}",
            "let the annotation and the argument agree",
            code,
        )


_WHERE = {
    "pl.range": "write: for i in pl.range(n):",
    "pl.parallel": "write: for i in pl.parallel(n):",
    "pl.unroll": "write: for i in pl.unroll(4):",
    "pl.at": "write: with pl.at(level=pl.Level.CORE_GROUP):",
    "pl.spmd": "write: with pl.spmd(n):",
}
