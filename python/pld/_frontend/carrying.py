"""Loops that name what goes round: ``init_values`` and ``pl.yield_``.

::

    for i, (a,) in pl.range(n, init_values=(a0,)):      a = a0
        ...                                             for i in pl.range(n):
        b = pl.yield_(new)                                  ...
                                                            a = new
                                                        b = a
"""

from __future__ import annotations

import ast

from .. import language as pl
from .fault import Fault

_SHAPE = "write: for i, (a, b) in pl.range(n, init_values=(a0, b0)):"


def read(reader, node: ast.For, init):
    """Reads the loop on the left as the one on the right."""
    counter, names = _targets(node)
    init = init if isinstance(init, (tuple, list)) else [init]
    if len(names) != len(init):
        raise Fault(f"{len(init)} init_values for {len(names)} names", _SHAPE, at=node.target)
    results, given = _yielded(reader, node, len(names))
    for name, value in zip(names, init, strict=True):
        reader.env[name.id] = value
    last = ast.Assign([ast.Tuple(names, ast.Store())], ast.Tuple(given, ast.Load()))
    keywords = [keyword for keyword in node.iter.keywords if keyword.arg != "init_values"]
    bounds = ast.Call(node.iter.func, node.iter.args, keywords)
    loop = ast.For(counter, bounds, [*node.body[:-1], last], [])
    for new, old in ((last, node.body[-1]), (last.targets[0], last), (loop, node), (bounds, loop)):
        ast.copy_location(new, old)
    reader.read_For(loop)
    for result, name in zip(results, names, strict=False):
        reader.env[result.id] = reader.env[name.id]


def _targets(node):
    """The counter, and the names of what goes round."""
    target = node.target
    parts = target.elts if isinstance(target, ast.Tuple) else []
    if len(parts) == 2 and isinstance(parts[0], ast.Name):
        names = parts[1].elts if isinstance(parts[1], (ast.Tuple, ast.List)) else [parts[1]]
        if all(isinstance(name, ast.Name) for name in names):
            return parts[0], names
    raise Fault("a loop with init_values that does not name them", _SHAPE, at=target)


def _yielded(reader, node, count):
    """What the last statement names, and what it gives on."""
    last = node.body[-1]
    call = getattr(last, "value", None)
    if not isinstance(call, ast.Call) or reader.expression(call.func) is not pl.yield_:
        raise Fault(
            "a loop with init_values does not end with pl.yield_",
            "let its last statement be: a = pl.yield_(new_a)",
            at=last,
        )
    if call.keywords or any(isinstance(value, ast.Starred) for value in call.args):
        raise Fault("pl.yield_ with '*' or keywords", "write the values one by one", at=call)
    if len(call.args) != count:
        raise Fault(
            f"pl.yield_ of {len(call.args)} values, expected {count}",
            "one for each of init_values",
            at=call,
        )
    targets = getattr(last, "targets", [])
    results = targets[0].elts if targets and isinstance(targets[0], ast.Tuple) else targets
    if not all(isinstance(name, ast.Name) for name in results):
        raise Fault("pl.yield_ assigned to what is no name", at=last)
    if results and len(results) != count:
        raise Fault(f"{len(results)} names for {count} values of pl.yield_", at=last)
    return results, call.args
