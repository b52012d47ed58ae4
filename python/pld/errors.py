"""Diagnostics as values, and the exception that carries them."""

from __future__ import annotations

import linecache
import os
from dataclasses import dataclass, field

Position = tuple[str, int, int]


@dataclass
class Diagnostic:
    """What a check says. ``position`` is file, line and column, both counted from 1."""

    severity: str
    code: str | None
    message: str
    position: Position | None
    notes: list[tuple[str, Position | None]] = field(default_factory=list)
    text: str = ""

    def __post_init__(self):
        if not self.text:
            self.text = self._render()

    @property
    def headline(self) -> str:
        """The message with its code."""
        return f"{self.message} [{self.code}]" if self.code else self.message

    def _render(self) -> str:
        lines = [f"{place(self.position)}{self.severity}: {self.headline}"]
        lines += caret(self.position)
        for message, position in self.notes:
            lines.append(f"{place(position)}note: {message}")
            lines += caret(position)
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text


def place(position: Position | None) -> str:
    """``file:line:column: ``, if there is one."""
    return "" if position is None else "{}:{}:{}: ".format(*position)


def caret(position: Position | None) -> list[str]:
    """The source line, and a caret below its column."""
    if position is None:
        return []
    file, line, column = position
    text = linecache.getline(file, line).rstrip("\n")
    if not text:
        return []
    number = str(line)
    blank = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
    return [f" {number} | {text}", f" {' ' * len(number)} | {blank}^"]


def shown(file: str) -> str:
    """A file as messages name it: relative where it lies below the working directory."""
    try:
        relative = os.path.relpath(file)
    except (ValueError, OSError):
        return file
    return file if relative.startswith("..") else relative


class Error(Exception):
    """A program, an input or an option that is refused."""

    def __init__(self, diagnostics: list[Diagnostic]):
        super().__init__("\n".join(d.text for d in diagnostics))
        self.diagnostics = diagnostics

    @property
    def code(self) -> str | None:
        """The first code, such as ``pld-104``."""
        return next((d.code for d in self.diagnostics if d.code), None)

    @property
    def position(self) -> Position | None:
        """The first place."""
        return next((d.position for d in self.diagnostics if d.position), None)


class ProgramWarning(UserWarning):
    """What a check says of a program that runs all the same."""


class RunError(Error):
    """A run that went wrong: a deadlock, a race, an access out of bounds."""

    def __init__(self, outcome):
        diagnostics = [
            Diagnostic("error", code, text, None, text=text)
            for code, text in zip(
                list(outcome.codes) + [None] * len(outcome.problems), outcome.problems, strict=False
            )
        ]
        super().__init__(diagnostics)
        self.outcome = outcome


def of_native(entries) -> list[Diagnostic]:
    """Diagnostics as the native part hands them over."""
    return [
        Diagnostic(
            e["severity"], e["code"], e["message"], e["position"], list(e["notes"]), e["text"]
        )
        for e in entries
    ]
