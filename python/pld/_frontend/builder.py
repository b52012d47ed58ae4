"""The text of one function, as it is read."""

from __future__ import annotations

from ..types import INDEX, DType


def quoted(text: str) -> str:
    """A string as MLIR writes it."""
    escaped = "".join(
        c if 32 <= ord(c) < 127 and c not in '"\\' else "".join(f"\\{b:02X}" for b in c.encode())
        for c in text
    )
    return f'"{escaped}"'


class Builder:
    """Lines of a function's body; constants stand at its start, once each."""

    def __init__(self, file: str):
        self.file = quoted(file)
        self.lines: list[str] = []
        self.constants: dict[tuple[str, str], tuple[str, str]] = {}
        self.used: dict[str, int] = {}
        self.depth = 1
        self.line, self.column = 1, 1
        #: What the next result is called in the source.
        self.hint = None

    @property
    def place(self) -> str:
        return f"loc({self.file}:{self.line}:{self.column})"

    def fresh(self, hint: str) -> str:
        """A name that no other value has."""
        hint = "".join(c if c.isalnum() and c.isascii() or c == "_" else "_" for c in hint) or "v"
        if hint[0].isdigit():
            hint = "v" + hint
        while True:
            count = self.used.get(hint, 0)
            self.used[hint] = count + 1
            name = hint if count == 0 else f"{hint}_{count}"
            if count == 0 or name not in self.used:
                self.used.setdefault(name, 1)
                return f"%{name}"

    def emit(self, text: str):
        """An operation without a result."""
        self.lines.append("  " * self.depth + f"{text} {self.place}")

    def value(self, text: str, hint: str = "v") -> str:
        """An operation with one result: its name."""
        name = self.fresh(self.hint or hint)
        self.hint = None
        self.emit(f"{name} = {text}")
        return name

    def open(self, text: str):
        """The head of an operation with a region."""
        self.lines.append("  " * self.depth + text)
        self.depth += 1

    def middle(self, text: str):
        """Between two regions."""
        self.lines.append("  " * (self.depth - 1) + text)

    def close(self):
        """The end of a region's operation; set the place of its head first."""
        self.depth -= 1
        self.emit("}")

    def constant(self, value, dtype: DType) -> str:
        """A constant of the function."""
        if dtype.is_float:
            value = float(value)
            text = _float(value, dtype)
            name = "c" + repr(value).replace("-", "m").replace(".", "_").replace("+", "")
        elif dtype.name == "i1":
            text, name = ("true", "true") if value else ("false", "false")
        else:
            text, name = str(int(value)), "c" + str(int(value)).replace("-", "m")
        key = (text, dtype.name)
        if key not in self.constants:
            hint = name if dtype is INDEX else f"{name}_{dtype.name}"
            operation = text if dtype.name == "i1" else f"{text} : {dtype.name}"
            self.constants[key] = (self.fresh(hint), f"arith.constant {operation}")
        return self.constants[key][0]

    def mark(self):
        """Where the text stands, to come back to."""
        return len(self.lines), self.depth

    def back_to(self, mark):
        """Takes back what was written since. Names and constants stay."""
        lines, self.depth = mark
        del self.lines[lines:]

    def body(self, place: str) -> list[str]:
        heads = [f"  {name} = {text} {place}" for name, text in self.constants.values()]
        return heads + self.lines


#: Bits of infinity, of minus infinity and of a NaN.
_SPECIAL = {
    "f32": ("0x7F800000", "0xFF800000", "0x7FC00000"),
    "f16": ("0x7C00", "0xFC00", "0x7E00"),
    "bf16": ("0x7F80", "0xFF80", "0x7FC0"),
}


def _float(value: float, dtype: DType) -> str:
    """A float as MLIR reads it, exactly."""
    infinity, negative, nan = _SPECIAL[dtype.name]
    if value != value:
        return nan
    if value in (float("inf"), float("-inf")):
        return infinity if value > 0 else negative
    text = repr(value)
    if "e" in text and "." not in text:
        mantissa, exponent = text.split("e")
        text = f"{mantissa}.0e{exponent}"
    return text
