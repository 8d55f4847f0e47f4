"""A row in a line, as Python and notebooks show it."""

from __future__ import annotations

from types import SimpleNamespace

from statera import _native
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

_QUANTITIES: Final = {"s": "time", "B": "bytes"}
_NONE: Final = "no value"


def of_row(fields: Mapping[str, Any]) -> str:
    """Write a row: what is compared, both values, the change with its interval, the verdict."""
    row = SimpleNamespace(**fields)
    old, new = (_amount(value, row.unit) for value in (row.baseline_centre, row.contender_centre))
    change = "" if row.change is None else f", {_change(row, row.change)}"
    if row.change_low is not None and row.change_high is not None:
        change += f" [{_change(row, row.change_low)}, {_change(row, row.change_high)}]"
    group = f"{row.group}, " if row.group else ""
    line = f"{group}{row.benchmark} {row.metric}: {row.baseline} {old} → {row.contender} {new}{change}, {row.verdict}"
    return f"Row({_native.printable(line)})"


def of_inspected(fields: Mapping[str, Any]) -> str:
    """Write a row: what is inspected, its value, how often it was measured, and its defects or else its grade."""
    row = SimpleNamespace(**fields)
    group = f"{row.group}, " if row.group else ""
    found = ", ".join(row.defects) or row.grade
    line = f"{group}{row.benchmark} {row.metric} of {row.variant}: {_amount(row.centre, row.unit)}, n {row.n}, {found}"
    return f"Inspected({_native.printable(line)})"


def _change(row: SimpleNamespace, change: float) -> str:
    if row.change_unit == "ratio":
        return _native.percent(change)
    return f"{'+' if change > 0 else ''}{_amount(change, row.unit)}"


def _amount(value: float | None, unit: str) -> str:
    if value is None:
        return _NONE
    quantity = _QUANTITIES.get(unit, "throughput" if unit.endswith("/s") else "other")
    return _native.series_amount(quantity, unit, value, abs(value))
