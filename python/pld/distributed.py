"""``pld``: windows, signals, remote memory and collectives.

``from pld import distributed as pld``. Every name has a long form, as ``pld.tensor.barrier``,
and a short one, ``pld.barrier``.
"""

from __future__ import annotations

from .intrinsic import AtomicType, Intrinsic, NotifyOp, ReduceOp, WaitCmp
from .types import DistributedTensor

#: Operations, by the long names' groups.
_GROUPS = {
    "tensor": """alloc_window_buffer window put get remote_store barrier allreduce broadcast allgather
                 reduce_scatter all_to_all all_to_all_v""",
    "tile": "remote_load remote_store",
    "system": "world_size get_comm_ctx rank nranks notify wait",
}


class tensor:
    """Long names of what works on windows and arrays."""


class tile:
    """Long names of what works on tiles."""


class system:
    """Long names of ranks and signals."""


for _group, _names in _GROUPS.items():
    for _name in _names.split():
        _op = globals().get(_name) or Intrinsic(f"pld.{_name}")
        globals()[_name] = _op
        setattr(globals()[_group], _name, staticmethod(_op))


def __getattr__(name: str):
    import difflib

    found = difflib.get_close_matches(name, [n for n in globals() if not n.startswith("_")], n=3)
    alike = f": there is {', '.join(found)}" if found else ""
    raise AttributeError(f"pld has no '{name}'{alike}")
