"""What a plug-in is made of: the description of its format, its two functions, and what they take and give.

A package that reads a format of its own has an entry point in the group ``statera.formats``, whose name is that of the
format and which leads to a ``Format``. The names are those of ``interface.py``, imported when a plug-in asks for them.
"""

from __future__ import annotations

# As in ``statera`` itself: every command imports this package, and few have a plug-in.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from statera.plugins.interface import File, Format, Head, Key, Metric, NoValue, Observation, Problem, Summary

__all__ = ["File", "Format", "Head", "Key", "Metric", "NoValue", "Observation", "Problem", "Summary"]


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the names have different types
    """Import a name on its first use."""
    if name not in __all__:
        raise AttributeError(f"module 'statera.plugins' has no attribute {name!r}")
    from statera.plugins import interface  # noqa: PLC0415

    return getattr(interface, name)
