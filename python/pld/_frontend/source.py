"""The source of a function: its tree, its file, and the lines of both."""

from __future__ import annotations

import ast
import inspect
import textwrap

from ..errors import shown
from .fault import Fault


class Source:
    """The definition of a function as it stands in its file."""

    def __init__(self, function):
        self.function = function
        if hasattr(function, "__wrapped__"):
            raise Fault(
                f"another decorator has wrapped '{function.__name__}'",
                "functions are read, not run, so it would do nothing: take it away",
            )
        code = function.__code__
        self.file = shown(code.co_filename)
        try:
            lines, first = inspect.getsourcelines(function)
        except (OSError, TypeError):
            raise Fault(
                f"the source of '{function.__name__}' cannot be read",
                "define it in a file: functions typed at a prompt or made by exec have none",
            ) from None
        text = textwrap.dedent("".join(lines))
        self.line_offset = first - 1
        self.lines = text.split("\n")
        indent = len(lines[0]) - len(lines[0].lstrip())
        self.column_offset = indent
        try:
            self.tree = ast.parse(text).body[0]
        except SyntaxError as error:
            raise Fault(
                f"the source of '{function.__name__}' cannot be read: {error.msg}"
            ) from None
        if not isinstance(self.tree, ast.FunctionDef):
            raise Fault(f"'{function.__name__}' is no plain function", "write it with 'def'")

    def place(self, node) -> tuple:
        """File, line and column, counted from 1."""
        line = getattr(node, "lineno", 1)
        # Python counts bytes of UTF-8; a place counts characters.
        before = self.lines[line - 1].encode()[: getattr(node, "col_offset", 0)]
        column = len(before.decode(errors="replace"))
        return self.file, line + self.line_offset, column + self.column_offset + 1

    def names(self) -> dict:
        """What the function sees of the world around it."""
        function = self.function
        seen = dict(function.__globals__)
        closure = function.__closure__ or ()
        for name, cell in zip(function.__code__.co_freevars, closure, strict=False):
            try:
                seen[name] = cell.cell_contents
            except ValueError:
                continue
        return seen
