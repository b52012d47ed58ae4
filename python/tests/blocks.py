"""Blocks of code in a page of plain text, and the programs around them."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

#: A line that starts a block: a decorator, a constant, or a statement of a body.
_STARTS = re.compile(r"@\w|[A-Z_]+ = |def |    \S")
#: A line that goes on with one.
_GOES_ON = re.compile(r"@\w|[A-Z_]+ = |def |\s|[\])}]|$")


def blocks(page: Path) -> list:
    """The blocks of Python on a page: runs of lines as they stand."""
    found, block = [], []
    for line in [*page.read_text().split("\n"), "end"]:
        starts = _STARTS.match(line)
        if block and (starts or _GOES_ON.match(line)):
            block.append(line)
        elif starts:
            block = [line]
        elif block:
            while not block[-1].strip():
                block.pop()
            found.append("\n".join(block))
            block = []
    return found


def load(path: Path, text: str):
    """The module of this text, in a file of its own, so that its source can be read."""
    path.write_text(text)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
