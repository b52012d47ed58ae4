"""What is wrong with a kernel, before it has a place."""

from __future__ import annotations

from ..errors import Diagnostic, Error


class Fault(Exception):
    """A mistake; the reader of the statement adds the place."""

    def __init__(self, message: str, note: str | None = None, code: str | None = None, at=None):
        super().__init__(message)
        self.message, self.note, self.code = message, note, code
        #: The part of the source that is meant, if it is not the whole.
        self.at = at

    def error(self, place) -> Error:
        """The same as what a user gets; ``place`` is file, line and column, if there is one."""
        notes = [(self.note, None)] if self.note else []
        return Error([Diagnostic("error", self.code, self.message, place, notes)])
