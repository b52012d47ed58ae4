"""Distributed tile programs in Python.

::

    from pld import language as pl, distributed as pld

Kernels are read from their source, checked at their own lines, run on any number of simulated
ranks, and printed as AscendC and HCCL.
"""

from . import distributed, language
from .errors import Diagnostic, Error, ProgramWarning, RunError

__all__ = [
    "Diagnostic",
    "Error",
    "ProgramWarning",
    "RunError",
    "distributed",
    "explain",
    "language",
]


def explain(code: str):
    """What a diagnostic code means: ``pld.explain("pld-104")``."""
    from . import _native

    return _native.explain(code)
