"""Expressions: what is known is computed, the rest becomes operations."""

from __future__ import annotations

import ast
import enum
import types

from ..intrinsic import Intrinsic
from ..jit import JitFunction
from ..types import Dim, DType, MemoryType
from . import arrays, elementwise, known, scalar
from .fault import Fault
from .values import Buffer, CommCtx, Memory, Number, Tile, what


class Expressions:
    """The part of the reader that reads expressions."""

    def builtin(self, name):
        return known.CALLABLE.get(name)

    def expression(self, node):
        """The value of an expression."""
        read = getattr(self, f"value_{type(node).__name__}", None)
        if read is None:
            raise Fault(
                f"{type(node).__name__} is not of the language",
                "there are names, numbers, arithmetic, comparisons, and, or, not, subscripts and calls",
                at=node,
            )
        return read(node)

    def inner(self, node):
        """The value of a part: its operations have no name of their own."""
        hint, self.b.hint = self.b.hint, None
        value = self.expression(node)
        self.b.hint = hint
        return value

    def value_Constant(self, node):
        return node.value

    def value_Name(self, node):
        return self.lookup(node)

    def value_JoinedStr(self, node):
        return "".join(self._formatted(part) for part in node.values)

    def _formatted(self, part):
        if not isinstance(part, ast.FormattedValue):
            return str(part.value)
        value = self.inner(part.value)
        spec = self.value_JoinedStr(part.format_spec) if part.format_spec else ""
        if not isinstance(value, (int, float, str, tuple, list, DType)):
            raise Fault(f"{what(value)} in text", "only what the source knows has one", at=part)
        try:
            return format(repr(value) if part.conversion == ord("r") else value, spec)
        except (TypeError, ValueError) as error:
            raise Fault(str(error), at=part) from None

    def value_Tuple(self, node):
        return tuple(self.inner(element) for element in node.elts)

    def value_List(self, node):
        return [self.inner(element) for element in node.elts]

    def value_Attribute(self, node):
        base = self.inner(node.value)
        if isinstance(base, Memory):
            if node.attr == "shape":
                return tuple(arrays.extent(self, base, k) for k in range(len(base.shape)))
            if node.attr == "dtype":
                return base.dtype
        if isinstance(base, Tile):
            if node.attr == "shape":
                return (base.rows, base.cols)
            if node.attr == "dtype":
                return base.dtype
        if isinstance(base, (Memory, Tile, Number, Buffer, CommCtx)):
            raise Fault(
                f"{what(base)} has no '.{node.attr}'", "there are .shape and .dtype", at=node
            )
        if not isinstance(base, (types.ModuleType, type, enum.Enum)) and not hasattr(
            base, node.attr
        ):
            raise Fault(f"{what(base)} has no '{node.attr}'", at=node)
        try:
            return known.plain(getattr(base, node.attr))
        except AttributeError:
            raise Fault(
                f"'{ast.unparse(node.value)}' has no '{node.attr}'",
                known.alike(node.attr, dir(base)),
                at=node,
            ) from None

    def value_BinOp(self, node):
        left, right = self.inner(node.left), self.inner(node.right)
        self.locate(node)
        if isinstance(left, (Tile, Memory)) or isinstance(right, (Tile, Memory)):
            return elementwise.operator(self, node.op, left, right)
        if isinstance(left, (Number, int, float)) and isinstance(right, (Number, int, float)):
            return scalar.binary(
                self.b, node.op, left, right, self.kind != "incore" and not self.in_at
            )
        if isinstance(left, Dim) or isinstance(right, Dim):
            raise Fault(
                "an extent that only the run knows is no number", "ask for it: pl.dim(x, 0)"
            )
        if (
            isinstance(left, (list, tuple))
            and isinstance(right, type(left))
            and isinstance(node.op, ast.Add)
        ):
            return left + right
        if isinstance(left, str) and isinstance(node.op, ast.Mod):
            return self._percent(left, right)
        raise Fault(f"arithmetic of {what(left)} and {what(right)}")

    def _percent(self, text, values):
        every = values if isinstance(values, tuple) else (values,)
        for value in every:
            if not isinstance(value, (int, float, str, tuple, list)):
                raise Fault(f"{what(value)} in text", "only what the source knows has one")
        try:
            return text % values
        except (TypeError, ValueError) as error:
            raise Fault(str(error)) from None

    def value_UnaryOp(self, node):
        value = self.inner(node.operand)
        self.locate(node)
        if isinstance(node.op, ast.Not):
            return scalar.negate(self.b, value)
        if isinstance(value, (Tile, Memory)):
            names = {ast.USub: "neg", ast.Invert: "not"}
            if type(node.op) not in names:
                return value
            return elementwise.unary(self, names[type(node.op)], value)
        if scalar.is_known(value):
            known = {ast.USub: lambda: -value, ast.UAdd: lambda: value, ast.Invert: lambda: ~value}
            try:
                return known[type(node.op)]()
            except TypeError as error:
                raise Fault(str(error)) from None
        if not isinstance(value, Number):
            raise Fault(f"a sign before {what(value)}")
        if isinstance(node.op, ast.UAdd):
            return value
        if isinstance(node.op, ast.Invert):
            return scalar.binary(self.b, ast.BitXor(), value, -1, False)
        return scalar.binary(self.b, ast.Sub(), 0, value, self.kind != "incore" and not self.in_at)

    def value_Compare(self, node):
        values = [self.inner(part) for part in (node.left, *node.comparators)]
        self.locate(node)
        result = True
        for op, left, right in zip(node.ops, values, values[1:], strict=False):
            one = self._compare(op, left, right)
            if result is True:
                result = one
            elif one is False or result is False:
                result = False
            elif one is not True:
                result = scalar.binary(self.b, ast.BitAnd(), result, one, False)
        return result

    def _compare(self, op, left, right):
        if isinstance(left, (Tile, Memory)) or isinstance(right, (Tile, Memory)):
            return elementwise.compare(self, op, left, right)
        if isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)):
            if isinstance(left, Number) and isinstance(op, (ast.In, ast.NotIn)):
                return self._among(left, right, isinstance(op, ast.In))
            if isinstance(left, Number) or isinstance(right, Number):
                raise Fault("'is' of scalars that only the run knows", "write '=='")
            compute = {
                ast.Is: lambda: left is right,
                ast.IsNot: lambda: left is not right,
                ast.In: lambda: left in right,
                ast.NotIn: lambda: left not in right,
            }
            try:
                return compute[type(op)]()
            except TypeError:
                raise Fault(f"'in' of {what(right)}", "there are tuples and lists") from None
        if scalar.is_scalar(left) and scalar.is_scalar(right):
            return scalar.compare(self.b, op, left, right)
        if isinstance(op, (ast.Eq, ast.NotEq)) and not any(
            isinstance(v, (Number, Buffer, CommCtx)) for v in (left, right)
        ):
            return (left == right) == isinstance(op, ast.Eq)
        raise Fault(f"comparison of {what(left)} and {what(right)}")

    def _among(self, value, values, wanted):
        """``value in (a, b)``."""
        if not isinstance(values, (tuple, list)) or not all(scalar.is_scalar(v) for v in values):
            raise Fault(f"'in' of {what(values)}", "there are tuples and lists of scalars")
        result = not wanted
        op, join = (ast.Eq(), ast.BitOr()) if wanted else (ast.NotEq(), ast.BitAnd())
        for one in values:
            found = scalar.compare(self.b, op, value, one)
            joined = not isinstance(result, bool)
            result = scalar.binary(self.b, join, result, found, False) if joined else found
        return result

    def value_BoolOp(self, node):
        every = isinstance(node.op, ast.And)
        result = every
        for part in node.values:
            value = scalar.truth(self.b, self.inner(part))
            self.locate(node)
            if value is (not every):
                return value
            if isinstance(value, bool):
                continue
            op = ast.BitAnd() if every else ast.BitOr()
            result = (
                value
                if isinstance(result, bool)
                else scalar.binary(self.b, op, result, value, False)
            )
        return result

    def value_IfExp(self, node):
        condition = scalar.truth(self.b, self.inner(node.test))
        if isinstance(condition, bool):
            return self.inner(node.body if condition else node.orelse)
        yes, no = self.inner(node.body), self.inner(node.orelse)
        self.locate(node)
        if not (scalar.is_scalar(yes) and scalar.is_scalar(no)):
            raise Fault("a choice between what are no scalars", "write if and else")
        dtype = (
            scalar.common(yes, no)
            if not (scalar.is_known(yes) and scalar.is_known(no))
            else scalar.INDEX
        )
        one = scalar.as_type(self.b, yes, dtype, "the value")
        other = scalar.as_type(self.b, no, dtype, "the value")
        ssa = self.b.value(f"arith.select {condition.ssa}, {one}, {other} : {dtype}")
        return Number(ssa, dtype, scalar.is_natural(yes) and scalar.is_natural(no))

    def value_Subscript(self, node):
        base = self.inner(node.value)
        if isinstance(base, (Memory, Tile)):
            return arrays.subscript(self, base, node)
        key = self.inner(node.slice) if not isinstance(node.slice, ast.Slice) else None
        if isinstance(base, (list, tuple, str, dict)) and isinstance(key, (int, str)):
            try:
                return base[key]
            except (IndexError, KeyError, TypeError):
                raise Fault(f"no element {key!r} in {what(base)}", at=node) from None
        if isinstance(base, Buffer):
            raise Fault(
                "a window buffer has no elements", "make a view of it: pld.window(...)", at=node
            )
        raise Fault(f"a subscript of {what(base)}", at=node)

    def store_into(self, target: ast.Subscript, value):
        """``target[...] = value``."""
        base = self.inner(target.value)
        found = self.inner(value)
        self.locate(target)
        if not isinstance(base, Memory):
            raise Fault(
                f"an assignment into {what(base)}",
                "there are stores into arrays and windows",
                at=target,
            )
        arrays.assign(self, base, target, found)

    def value_Call(self, node):
        hint, self.b.hint = self.b.hint, None
        callee = self.expression(node.func)
        positional, named = [], {}
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                raise Fault("'*' in a call", "write the arguments one by one", at=argument)
            positional.append(self.expression(argument))
        for keyword in node.keywords:
            if keyword.arg is None:
                raise Fault("'**' in a call", "write the arguments one by one", at=keyword.value)
            named[keyword.arg] = self.expression(keyword.value)
        self.locate(node)
        self.b.hint = hint
        if isinstance(callee, Intrinsic):
            return self.intrinsic(callee, positional, named)
        if isinstance(callee, JitFunction):
            return self.call(callee, positional, named)
        if callee in (min, max) and not named and len(positional) > 1:
            if all(scalar.is_scalar(value) for value in positional):
                least, *rest = positional
                for value in rest:
                    least = scalar.choose(self.b, callee is min, least, value)
                return least
        if len(positional) == 1 and not named:
            (only,) = positional
            if callee is len and isinstance(only, (Memory, Tile)):
                return only.rows if isinstance(only, Tile) else arrays.extent(self, only, 0)
            if callee is int and isinstance(only, Number) and not only.dtype.is_float:
                return only
        if isinstance(callee, (DType, MemoryType)):
            raise Fault(f"{callee} is a type", "convert with pl.cast(value, dtype)")
        operands = [*positional, *named.values()]
        if known.is_computable(callee) and not any(
            isinstance(value, (Memory, Tile, Number, Buffer, CommCtx)) for value in operands
        ):
            try:
                return known.plain(callee(*positional, **named))
            except (TypeError, ValueError, ArithmeticError) as error:
                raise Fault(str(error)) from None
        raise Fault(
            f"a call of {what(callee)}, which is no operation of pl or pld and no pl.jit function",
            known.instead(getattr(callee, "__name__", ""))
            or "mark a helper @pl.jit.inline or @pl.jit.incore",
        )
