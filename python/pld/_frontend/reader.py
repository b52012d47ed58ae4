"""Reads the body of a function, statement by statement."""

from __future__ import annotations

import ast

from ..errors import Error
from . import known
from .builder import Builder, quoted
from .calls import Calls
from .expressions import Expressions
from .fault import Fault
from .regions import Regions
from .source import Source
from .values import Gone, Memory, Tile, what

#: What the language has of Python's statements, for messages.
ALLOWED = (
    "there are assignments, calls, if, for over pl.range, while, "
    "with pl.at(...) and pl.spmd(...), assert, pass and return"
)


class Reader(Expressions, Regions, Calls):
    """The state of one function: its names, its text, where it stands."""

    def __init__(self, module, source: Source, kind: str, builder: Builder):
        self.module, self.source, self.kind, self.b = module, source, kind, builder
        self.globals = source.names()
        self.env = {}
        #: Inside ``pl.at``: values are tensors.
        self.in_at = False
        self.in_spmd = False
        #: Inside an arm of an ``if``, which pl.yield_ may end.
        self.in_arm = False
        self.results = None
        #: What an inlined function returns.
        self.is_inlined, self.returned = False, []
        #: Whether the statement may return.
        self.may_return = True

    # Places and faults

    def locate(self, node):
        """What is written from now on comes from this node."""
        file, self.b.line, self.b.column = self.source.place(node)
        self.b.file = quoted(file)

    def error(self, fault: Fault) -> Error:
        """The fault where the reader stands."""
        if fault.at is not None:
            self.locate(fault.at)
        return fault.error((self.source.file, self.b.line, self.b.column))

    # Statements

    def body(self, statements):
        """Reads statements one after another; only the last one of a function may return."""
        may_return = self.may_return
        for position, statement in enumerate(statements):
            self.may_return = may_return and position == len(statements) - 1
            self.locate(statement)
            self.statement(statement)
        self.may_return = may_return

    def statement(self, node):
        read = getattr(self, f"read_{type(node).__name__}", None)
        try:
            if read is None:
                raise Fault(f"{_called(node)} is not of the language", ALLOWED, at=node)
            read(node)
        except Fault as fault:
            raise self.error(fault) from None
        except Error:
            raise
        except RecursionError:
            raise self.error(
                Fault("this is nested too deeply", "give parts of it a name")
            ) from None
        except Exception as error:
            said = f"this cannot be read: {type(error).__name__}: {error}"
            note = "the frontend did not expect it: please report it, and write it another way"
            raise self.error(Fault(said, note)) from None

    def read_Pass(self, node):
        pass

    def read_Expr(self, node):
        if not isinstance(node.value, ast.Constant):
            self.expression(node.value)

    def read_Assert(self, node):
        condition = self.expression(node.test)
        if not isinstance(condition, (bool, int)):
            raise Fault(
                f"assert of {what(condition)}",
                "only what the source knows can be asserted; the simulator checks the rest",
                at=node,
            )
        if not condition:
            said = self.expression(node.msg) if node.msg else "it is false"
            raise Fault(f"assertion fails: {said}", at=node)

    def read_Assign(self, node):
        if len(node.targets) != 1:
            raise Fault("one assignment to several targets", "write one after another", at=node)
        self.assign(node.targets[0], node.value)

    def read_AnnAssign(self, node):
        if node.value is None:
            raise Fault("a declaration without a value", "assign one", at=node)
        self.assign(node.target, node.value)

    def read_AugAssign(self, node):
        load = ast.copy_location(_as_load(node.target), node.target)
        value = ast.copy_location(ast.BinOp(load, node.op, node.value), node)
        self.assign(node.target, value)

    def assign(self, target, value):
        if isinstance(target, ast.Name):
            self.b.hint = target.id
            found = self.expression(value)
            self.b.hint = None
            if found is None:
                raise Fault(f"'{target.id}' is assigned nothing: the call has no value", at=value)
            self.env[target.id] = found
        elif isinstance(target, (ast.Tuple, ast.List)):
            found = self.expression(value)
            if not isinstance(found, (tuple, list)) or len(found) != len(target.elts):
                raise Fault(f"{len(target.elts)} names are assigned {what(found)}", at=value)
            for name, one in zip(target.elts, found, strict=False):
                if not isinstance(name, ast.Name):
                    raise Fault("a target that is no name", at=name)
                self.env[name.id] = one
        elif isinstance(target, ast.Subscript):
            self.store_into(target, value)
        else:
            raise Fault("an assignment to what is no name and no subscript", at=target)

    def read_inlined(self, statements):
        """A body whose caller takes what it returns, of any kind."""
        self.is_inlined = True
        self.body(statements)

    def read_Return(self, node):
        if not self.may_return:
            raise Fault(
                "return in the middle of a function",
                "let it be the last statement, and use if and else before it",
                at=node,
            )
        values = [] if node.value is None else self.expression(node.value)
        if not isinstance(values, (tuple, list)):
            values = [values]
        self.returned = list(values)
        if self.is_inlined:
            return
        returned = []
        for value in values:
            if isinstance(value, Memory) or value is None:
                continue
            if isinstance(value, Tile):
                raise Fault("a tile does not leave its function", "store it to a pl.Out parameter")
            returned.append(value)
        if returned and self.kind in ("host", "device"):
            raise Fault(
                f"a pl.jit.{self.kind} function returns {what(returned[0])}"
                if self.kind == "host"
                else f"a pl.jit function returns {what(returned[0])}",
                "it may return its pl.Out parameters only",
            )
        self.results = returned

    # Names

    def lookup(self, node: ast.Name):
        name = node.id
        if name in self.env:
            value = self.env[name]
            if isinstance(value, Gone):
                raise Fault(
                    f"'{name}' is known only inside {value.region}",
                    "assign it before, and again inside",
                    at=node,
                )
            return value
        if name in self.globals:
            return known.plain(self.globals[name])
        found = self.builtin(name)
        if found is not None:
            return found
        if known.is_builtin(name):
            note = known.instead(name) or "its operations are those of pl and pld"
            raise Fault(f"Python's '{name}' is not of the language", note, at=node)
        raise Fault(
            f"'{name}' is not defined", known.alike(name, [*self.env, *self.globals]), at=node
        )


def _as_load(node):
    """The same target, read."""
    copy = ast.parse(ast.unparse(node), mode="eval").body
    for part in ast.walk(copy):
        ast.copy_location(part, node)
    return copy


def _called(node) -> str:
    names = {
        "FunctionDef": "a function inside a function",
        "ClassDef": "a class",
        "Import": "import",
        "ImportFrom": "import",
        "Try": "try",
        "Raise": "raise",
        "Delete": "del",
        "Global": "global",
        "Nonlocal": "nonlocal",
        "Break": "break",
        "Continue": "continue",
        "Match": "match",
        "AsyncFor": "async for",
        "AsyncWith": "async with",
        "AsyncFunctionDef": "async def",
    }
    return names.get(type(node).__name__, f"this statement ({type(node).__name__})")
