"""The axis of changes at the levels of a distribution: linear, and it includes zero."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from statera.output.plots.frame import tidy
from statera.output.plots.magnitudes import LARGEST, scientific
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable

_WRITTEN = (1e-6, 1e4)  # range of changes that are written in per cent without an exponent
_PERCENT = "format(datum.value, '+,.6~p')"
_EXPONENT = f"{scientific('100 * datum.value', '+.3')} + '%'"
_NUMBER = "format(datum.value, '+,~r')"


def held(change: float) -> bool:
    """Return whether an axis can hold a change."""
    return math.isfinite(change) and abs(change) <= LARGEST


def left_out(count: int) -> list[str]:
    """Describe how many changes are left out because no axis can hold them."""
    return [f"{counted(count, 'change')} too large for any axis left out"] if count else []


def axis(values: Iterable[float], title: str, *, percent: bool) -> dict[str, Any]:
    """Encode changes, in per cent or in the unit that the title names."""
    ends = [0.0, *values]
    low, high = min(ends), max(ends)
    room = (high - low) * 0.06 or 0.01
    short = _WRITTEN[0] <= max(-low, high) <= _WRITTEN[1] or low == high
    label = (_PERCENT if short else _EXPONENT) if percent else _NUMBER
    zero = "'0%'" if percent else "'0'"
    return {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": [tidy(low - room), tidy(high + room)], "nice": False, "zero": False},
        "axis": {"title": title, "labelExpr": f"datum.value == 0 ? {zero} : {label}", "tickCount": 5},
    }
