"""Statera compares one build of a program with another by their benchmark results.

>>> import statera
>>> comparison = statera.compare("old.txt", "new.txt")  # doctest: +SKIP
>>> comparison.with_verdict("worse")  # doctest: +SKIP
"""

from __future__ import annotations

# A stand-in for ``typing.TYPE_CHECKING``: importing typing would take time in which nothing handles an interruption.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from statera.api import Comparison, Inspection, compare, inspect, read, report
    from statera.comparison.pairing import Request
    from statera.comparison.results.rows import Inspected, Row
    from statera.comparison.weighing.self_test import SelfTest
    from statera.reading.observations import Observations
    from statera.support.errors import Problem, StateraError, Stop
    from statera.support.settings import Limits, Policy

__version__ = "0.1.0"
__all__ = [
    "Comparison",
    "Inspected",
    "Inspection",
    "Limits",
    "Observations",
    "Policy",
    "Problem",
    "Request",
    "Row",
    "SelfTest",
    "StateraError",
    "Stop",
    "compare",
    "inspect",
    "read",
    "report",
]

# The module of each public name, imported on first use, so that a small command starts fast.
_HOMES = {
    "Comparison": "statera.api",
    "Inspected": "statera.comparison.results.rows",
    "Inspection": "statera.api",
    "Observations": "statera.reading.observations",
    "Limits": "statera.support.settings",
    "Policy": "statera.support.settings",
    "Problem": "statera.support.errors",
    "Request": "statera.comparison.pairing",
    "Row": "statera.comparison.results.rows",
    "SelfTest": "statera.comparison.weighing.self_test",
    "StateraError": "statera.support.errors",
    "Stop": "statera.support.errors",
    "compare": "statera.api",
    "inspect": "statera.api",
    "read": "statera.api",
    "report": "statera.api",
}


def __getattr__(name: str) -> Any:  # noqa: ANN401 - the names have different types
    """Import a public name on its first use."""
    from importlib import import_module  # noqa: PLC0415

    if name == "plots":
        return import_module("statera.output.plots")
    if name not in _HOMES:
        raise AttributeError(f"module 'statera' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names."""
    return sorted([*globals(), *__all__])
