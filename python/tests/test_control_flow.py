"""Scalar code means what Python means by it: random programs, run as Python and on the simulator."""

import os
import random

import numpy
import pytest
from blocks import load

HEAD = """\
from pld import distributed as pld
from pld import language as pl

N = pl.dynamic("N")


@pl.jit.incore
def kernel(y: pl.Out[pl.Tensor[[1, 8], pl.INT32]], r: pl.Scalar[pl.INDEX]):
    a, b, c = 3, r, r - 2
{body}
    pl.write(y, [0, 0], a)
    pl.write(y, [0, 1], b)
    pl.write(y, [0, 2], c)


@pl.jit
def per_rank(y: pl.Out[pl.Tensor[[1, 8], pl.INT32]], r: pl.Scalar[pl.INDEX]):
    kernel(y, r)


@pl.jit.host
def program(y: pl.Out[pl.Tensor[[N, 1, 8], pl.INT32]]):
    for r in pl.range(pld.world_size()):
        per_rank(y[r], r, device=r)


def plain(r):
    a, b, c = 3, r, r - 2
{body}
    return a, b, c
"""


class Writer:
    """Random statements over the names a, b and c."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.loops = 0

    def expression(self, depth):
        if depth == 0 or self.random.random() < 0.25:
            return self.random.choice(["a", "b", "c", "r", str(self.random.randint(-5, 9))])
        kind = self.random.randrange(6)
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if kind < 3:
            # Kept small, so that no product overflows.
            return f"(({left} {self.random.choice('+-*')} {right}) % 1009)"
        if kind == 3:
            return (
                f"({left} {self.random.choice(['//', '%'])} {self.random.choice([-7, -3, 2, 5])})"
            )
        if kind == 4:
            return f"({left} if {self.condition(depth - 1)} else {right})"
        return f"{self.random.choice(['min', 'max'])}({left}, {right})"

    def condition(self, depth):
        left, right = self.expression(depth), self.expression(depth)
        one = f"{left} {self.random.choice(['<', '<=', '==', '!=', '>', '>='])} {right}"
        more = self.random.random()
        if more < 0.2:
            return f"not ({one})"
        if more < 0.4:
            return f"({one} {self.random.choice(['and', 'or'])} {self.expression(0)} > 1)"
        return one

    def statements(self, depth, indent):
        lines = []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.randrange(5) if depth else 0
            name = self.random.choice("abc")
            if kind <= 1:
                if self.random.random() < 0.3:
                    lines.append(
                        f"{indent}{name} {self.random.choice(['+=', '-='])} {self.expression(2)}"
                    )
                else:
                    lines.append(f"{indent}{name} = {self.expression(2)}")
            elif kind == 2:
                lines.append(f"{indent}if {self.condition(1)}:")
                lines += self.statements(depth - 1, indent + "    ")
                if self.random.random() < 0.6:
                    lines.append(f"{indent}else:")
                    lines += self.statements(depth - 1, indent + "    ")
            elif kind == 3:
                self.loops += 1
                bounds = self.random.choice(["3", "1, 4", "0, 7, 3", "r", "a % 4"])
                lines.append(f"{indent}for k{self.loops} in range({bounds}):")
                lines += self.statements(depth - 1, indent + "    ")
            else:
                self.loops += 1
                count = f"w{self.loops}"
                lines.append(f"{indent}{count} = 0")
                lines.append(f"{indent}while {count} < {self.random.choice(['2', 'b % 3'])}:")
                lines += self.statements(depth - 1, indent + "    ")
                lines.append(f"{indent}    {count} += 1")
        return lines


@pytest.mark.parametrize("seed", range(600 if os.environ.get("PLD_LONG") else 60))
def test_scalars(seed, tmp_path):
    """Loops, branches, remainders and their like over integers."""
    body = "\n".join(Writer(seed).statements(3, "    "))
    module = load(tmp_path / "scalars.py", HEAD.format(body=body))
    ranks = 3
    y = numpy.zeros((ranks, 1, 8), "int32")
    module.program(y)
    for r in range(ranks):
        assert tuple(y[r, 0, :3]) == module.plain(r), body
