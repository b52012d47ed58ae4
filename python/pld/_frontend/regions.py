"""Loops, branches and scopes."""

from __future__ import annotations

import ast
import inspect

from .. import language as pl
from ..intrinsic import Intrinsic, Level
from ..types import INDEX
from . import carrying, scalar
from .fault import Fault
from .values import Gone, Memory, Number, Tile, what


def assigned(statements) -> list:
    """Names that statements assign, in order."""
    names = []
    for statement in statements:
        for node in ast.walk(statement):
            if (
                isinstance(node, ast.Name)
                and isinstance(node.ctx, ast.Store)
                and node.id not in names
            ):
                names.append(node.id)
            elif (
                isinstance(node, ast.AugAssign)
                and isinstance(node.target, ast.Name)
                and node.target.id not in names
            ):
                names.append(node.target.id)
    return names


class Regions:
    """The part of the reader that reads statements with bodies."""

    # Scopes

    def read_With(self, node):
        if len(node.items) != 1:
            raise Fault("several scopes in one 'with'", "write one inside the other", at=node)
        item = node.items[0]
        callee, positional, named = self._scope(item.context_expr, "with")
        self.locate(node)
        if callee is pl.at:
            level = _bound(lambda level=Level.CORE_GROUP, **_: level, callee, positional, named)
            if level is not Level.CORE_GROUP:
                raise Fault(f"pl.at at {what(level)}", "there is pl.Level.CORE_GROUP")
            self._region(node, "pl.at core_group {", "pl.at", in_at=True)
        elif callee is pl.spmd:
            count = _bound(lambda count: count, callee, positional, named)
            count = scalar.index(self.b, count, "the number of blocks")
            self._region(node, f"pl.spmd {count} {{", "pl.spmd", in_spmd=True)
        else:
            raise Fault(
                f"'with' of {what(callee)}",
                "there are pl.at(...) and pl.spmd(...)",
                at=item.context_expr,
            )

    def _scope(self, node, word):
        """What a 'with' or 'for' is over: an operation and its arguments."""
        there = {
            "with": "there are pl.at(...) and pl.spmd(...)",
            "for": "loops go over pl.range(n), pl.parallel(n), pl.unroll(4) and pl.spmd(n)",
        }[word]
        if not isinstance(node, ast.Call):
            raise Fault(f"'{word}' over {what(self.expression(node))}", there, at=node)
        callee = self.expression(node.func)
        if callee is range:
            callee = pl.range
        if not isinstance(callee, Intrinsic):
            raise Fault(f"'{word}' over a call of {what(callee)}", there, at=node)
        positional = [self.expression(argument) for argument in node.args]
        named = {keyword.arg: self.expression(keyword.value) for keyword in node.keywords}
        return callee, positional, named

    def _region(self, node, head, name, in_at=False, in_spmd=False, before=None):
        outer = dict(self.env)
        state = (self.in_at, self.in_spmd, self.may_return)
        self.in_at, self.in_spmd = self.in_at or in_at, self.in_spmd or in_spmd
        self.may_return = False
        self.b.open(head)
        if before:
            before()
        self.body(node.body)
        self.locate(node)
        self.b.close()
        self.in_at, self.in_spmd, self.may_return = state
        self._leave(outer, name)

    def _leave(self, outer, region):
        """Names whose values ended with a region are known no more."""
        for name, value in self.env.items():
            if (
                outer.get(name) is value
                or isinstance(value, Memory)
                and not _made_inside(value, outer, name)
            ):
                continue
            if isinstance(value, (Tile, Number)) or isinstance(value, Memory):
                self.env[name] = Gone(region)

    # Loops

    def read_For(self, node):
        if node.orelse:
            raise Fault("else of a loop", "write it after the loop", at=node.orelse[0])
        callee, positional, named = self._scope(node.iter, "for")
        if callee in (pl.range, pl.parallel) and "init_values" in named:
            return carrying.read(self, node, named["init_values"])
        if not isinstance(node.target, ast.Name):
            raise Fault("a loop over several names", "write: for i in pl.range(n):", at=node.target)
        self.locate(node)
        if callee is pl.spmd:
            count = scalar.index(
                self.b,
                _bound(lambda count: count, callee, positional, named),
                "the number of blocks",
            )

            def block():
                self.env[node.target.id] = Number(
                    self.b.value("pl.block_idx", node.target.id), INDEX, True
                )

            return self._region(node, f"pl.spmd {count} {{", "pl.spmd", in_spmd=True, before=block)
        bounds = _bounds(callee, positional, named)
        if callee is pl.unroll:
            return self._unrolled(node, bounds)
        if callee not in (pl.range, pl.parallel):
            raise Fault(
                f"'for' over {callee!r}",
                "there are pl.range, pl.parallel, pl.unroll and pl.spmd",
                at=node.iter,
            )
        start, stop, step = bounds
        if scalar.is_known(step) and step <= 0:
            raise Fault(
                f"the step of a loop is {step}, expected a positive one",
                "count up, and turn the index round",
            )
        texts = [
            scalar.index(self.b, value, role)
            for value, role in zip(bounds, ("start", "stop", "step"), strict=False)
        ]
        natural = scalar.is_natural(start)

        def head(carried):
            counter = self.b.fresh(node.target.id)
            self.env[node.target.id] = Number(counter, INDEX, natural)
            text = f"scf.for {counter} = {texts[0]} to {texts[1]} step {texts[2]}"
            if carried:
                inits = ", ".join(f"{inside} = {init}" for inside, init, _ in carried)
                text += f" iter_args({inits}) -> ({', '.join(type_ for *_, type_ in carried)})"
            return text

        self._loop(node, [n for n in assigned(node.body) if n != node.target.id], head)

    def _unrolled(self, node, bounds):
        if not all(scalar.is_known(bound) for bound in bounds):
            raise Fault("the bounds of pl.unroll are not known", "write pl.range(...)")
        may_return, self.may_return = self.may_return, False
        for value in range(*bounds):
            self.env[node.target.id] = value
            self.body(node.body)
        self.may_return = may_return

    def read_While(self, node):
        if node.orelse:
            raise Fault("else of a loop", "write it after the loop", at=node.orelse[0])
        self.locate(node)
        self._loop(node, assigned(node.body), None)

    def _condition(self, node):
        """The condition of a 'while', which the run decides."""
        condition = scalar.truth(self.b, self.expression(node.test))
        if isinstance(condition, bool):
            leaves = [part for part in ast.walk(node) if isinstance(part, ast.Break)]
            raise Fault(
                "break is not of the language"
                if leaves
                else f"the condition of 'while' is always {condition}",
                "let the condition depend on what the loop assigns; there is no break",
                at=leaves[0] if leaves else node.test,
            )
        return condition

    def _loop(self, node, names, head):
        """A loop; names that it assigns and that were there before go round with it."""
        outer = dict(self.env)
        names = [name for name in names if isinstance(outer.get(name), (Tile, Number, int, float))]
        # What a name is after a trip may be of another type than before the loop.
        types = {name: self._start_type(outer[name]) for name in names}
        for _ in range(4):
            mark = self.b.mark()
            ended = self._one_loop(node, names, types, head, dict(outer))
            if ended is None:
                return
            self.b.back_to(mark)
            types = ended
        raise Fault(
            "the types of a loop's values do not settle", "give each name one type", at=node
        )

    def _start_type(self, value):
        return (
            (value.dtype if isinstance(value, Number) else INDEX)
            if not isinstance(value, Tile)
            else value.like()
        )

    def _one_loop(self, node, names, types, head, outer):
        self.env = dict(outer)
        self.locate(node)
        carried = []
        for name in names:
            init, type_ = self._operand_of(outer[name], types[name], name)
            inside = self.b.fresh(name)
            self.env[name] = self._value_of(inside, types[name], False)
            carried.append((inside, init, type_))
        result = self.b.fresh("out") if carried else ""
        left = (
            f"{result}:{len(carried)} = " if len(carried) > 1 else f"{result} = " if carried else ""
        )
        state = self.may_return, self.in_arm
        self.may_return = self.in_arm = False
        if head is None:
            self._while_head(node, left, names, carried)
        else:
            self.b.open(left + head(carried) + " {")
        self.body(node.body)
        self.locate(node)
        ended = {name: self._start_type(self._still(name)) for name in names}
        agrees = all(
            _same(ended[name], types[name]) or isinstance(self.env[name], (int, float))
            for name in names
        )
        if agrees:
            last = [self._operand_of(self.env[name], types[name], name) for name in names]
            if carried:
                self.b.emit(
                    f"scf.yield {', '.join(v for v, _ in last)} : {', '.join(t for _, t in last)}"
                )
            elif head is None:
                self.b.emit("scf.yield")
            self.b.close()
        else:
            self.b.depth -= 1
        self.may_return, self.in_arm = state
        if not agrees:
            return {
                name: types[name] if isinstance(self.env[name], (int, float)) else ended[name]
                for name in names
            }
        self._leave(outer, "the loop")
        for k, name in enumerate(names):
            ssa = result if len(carried) == 1 else f"{result}#{k}"
            self.env[name] = self._value_of(ssa, types[name], False)
        if isinstance(node, ast.For) and node.target.id not in outer:
            self.env[node.target.id] = Gone("the loop")
        return None

    def _while_head(self, node, left, names, carried):
        types = ", ".join(type_ for *_, type_ in carried)
        inits = ", ".join(f"{inside} = {init}" for inside, init, _ in carried)
        self.b.open(f"{left}scf.while ({inits}) : ({types}) -> ({types}) {{")
        condition = self._condition(node)
        self.locate(node)
        ssa = scalar.as_type(self.b, condition, scalar.BOOL, "the condition")
        values = ", ".join(inside for inside, *_ in carried)
        self.b.emit(
            f"scf.condition({ssa}) {values} : {types}" if carried else f"scf.condition({ssa})"
        )
        self.b.middle("} do {")
        if carried:
            inner = []
            for name, (*_, type_) in zip(names, carried, strict=False):
                fresh = self.b.fresh(name)
                inner.append(f"{fresh}: {type_}")
                self.env[name] = self._value_of(fresh, self._start_type(self.env[name]), False)
            self.b.middle(f"^bb0({', '.join(inner)}):")

    def _still(self, name):
        value = self.env[name]
        if not isinstance(value, (Tile, Number, int, float)):
            raise Fault(
                f"'{name}' is {what(value)} after a trip of the loop",
                "a name keeps its kind of value in a loop",
            )
        return value

    def _operand_of(self, value, type_, name):
        """A value as an operand of the type that its name has."""
        if isinstance(type_, Tile):
            if not isinstance(value, Tile):
                raise Fault(f"'{name}' is {what(value)}, and a tile elsewhere")
            return value.ssa, type_.type
        return scalar.as_type(self.b, value, type_, f"'{name}'"), type_.name

    def _value_of(self, ssa, type_, natural):
        if isinstance(type_, Tile):
            value = type_.like()
            value.ssa = ssa
            return value
        return Number(ssa, type_, natural)

    # Branches

    def read_If(self, node):
        condition = scalar.truth(self.b, self.expression(node.test))
        in_arm, self.in_arm = self.in_arm, True
        if isinstance(condition, bool):
            self.body(node.body if condition else node.orelse)
            self.in_arm = in_arm
            return
        self.locate(node)
        outer = dict(self.env)
        mark, hint = self.b.mark(), self.b.hint
        may_return, self.may_return = self.may_return, False
        # Once to see what the arms assign, once more to write it.
        ends = [self._arm(body, outer) for body in (node.body, node.orelse)]
        self.b.back_to(mark)
        merged = self._merged(node, outer, ends)
        self.locate(node)
        result = self.b.fresh("chosen") if merged else ""
        left = f"{result}:{len(merged)} = " if len(merged) > 1 else f"{result} = " if merged else ""
        types = f" -> ({', '.join(self._type_text(t) for t in merged.values())})" if merged else ""
        self.b.open(f"{left}scf.if {condition.ssa}{types} {{")
        for position, body in enumerate((node.body, node.orelse)):
            if position == 1:
                if not body and not merged:
                    break
                self.b.middle("} else {")
            self.env = dict(outer)
            self.body(body)
            self.locate(node)
            if merged:
                last = [
                    self._operand_of(self.env[name], type_, name) for name, type_ in merged.items()
                ]
                self.b.emit(
                    f"scf.yield {', '.join(v for v, _ in last)} : {', '.join(t for _, t in last)}"
                )
        self.b.close()
        self.b.hint, self.may_return, self.in_arm = hint, may_return, in_arm
        self.env = {**self.env, **outer}
        for name in {*ends[0], *ends[1]} - set(merged):
            one, other = ends[0].get(name), ends[1].get(name)
            if name not in outer:
                known = not isinstance(one, (Tile, Number, Memory, type(None))) and one == other
                self.env[name] = one if known else Gone("the branch")
        for k, (name, type_) in enumerate(merged.items()):
            ssa = result if len(merged) == 1 else f"{result}#{k}"
            natural = all(
                scalar.is_scalar(end[name]) and scalar.is_natural(end[name]) for end in ends
            )
            self.env[name] = self._value_of(ssa, type_, natural)

    def _arm(self, body, outer):
        self.env = dict(outer)
        depth = self.b.depth
        self.body(body)
        self.b.depth = depth
        return self.env

    def _merged(self, node, outer, ends):
        """Names that both arms leave with a value, at least one of them a new one."""
        merged = {}
        for name in {**ends[0], **ends[1]}:
            one, other = ends[0].get(name), ends[1].get(name)
            if one is None or other is None or one is other:
                continue
            if scalar.is_known(one) and scalar.is_known(other) and one == other:
                continue
            if isinstance(one, Memory) and isinstance(other, Memory):
                if one.ssa == other.ssa:
                    continue
                raise Fault(
                    f"'{name}' is one array or another", "use each in its own branch", at=node
                )
            if not isinstance(one, (Tile, Number, int, float)) or not isinstance(
                other, (Tile, Number, int, float)
            ):
                continue
            if (
                isinstance(one, Tile) != isinstance(other, Tile)
                or isinstance(one, Tile)
                and one.type != other.type
            ):
                if name in outer:
                    raise Fault(
                        f"'{name}' is {_typed(one)} or {_typed(other)}",
                        "a name keeps its type",
                        at=node,
                    )
                continue
            if isinstance(one, Tile):
                merged[name] = one.like()
            else:
                known = scalar.is_known(one) and scalar.is_known(other)
                merged[name] = (
                    INDEX if known and not isinstance(one, float) else scalar.common(one, other)
                )
        return merged

    def _type_text(self, type_):
        return type_.type if isinstance(type_, Tile) else type_.name


def _same(one, other) -> bool:
    if isinstance(one, Tile) or isinstance(other, Tile):
        return isinstance(one, Tile) and isinstance(other, Tile) and one.type == other.type
    return one is other


def _typed(value) -> str:
    return value.type if isinstance(value, Tile) else what(value)


def _made_inside(value, outer, name) -> bool:
    return all(not isinstance(v, Memory) or v.ssa != value.ssa for v in outer.values())


def _bound(signature, callee, positional, named):
    try:
        bound = inspect.signature(signature).bind(*positional, **named)
    except TypeError as error:
        raise Fault(f"{callee!r}: {error}") from None
    bound.apply_defaults()
    return next(iter(bound.arguments.values()))


def _bounds(callee, positional, named):
    if named:
        raise Fault(
            f"{callee!r} with {', '.join(named)}=",
            f"write {callee!r}(stop), (start, stop) or (start, stop, step)",
        )
    if len(positional) == 1:
        return 0, positional[0], 1
    if len(positional) == 2:
        return (*positional, 1)
    if len(positional) == 3:
        return tuple(positional)
    raise Fault(
        f"{callee!r} of {len(positional)} arguments",
        "write it with a stop; a start and a stop; or those and a step",
    )
