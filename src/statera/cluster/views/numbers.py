"""The written form of a cluster's numbers; ``cluster.units`` chooses the unit that the cells of a row share."""

from __future__ import annotations

import math

from statera import _native

SIGNIFICANT = 5
"""The digits of a value that are written."""
_LEAST, _MOST = 1e-9, 1e15


def amount(value: float | None, significant: int = SIGNIFICANT) -> str:
    """Write a number with some significant digits and separators; only very large and small ones have an exponent."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if not _LEAST <= abs(value) < _MOST:
        return f"{value:.{significant - 1}e}"
    if float(value).is_integer() and abs(value) < 10**9:
        return f"{value:,.0f}"
    return f"{value:,.{_decimals(value, significant)}f}"


def difference(value: float | None) -> str:
    """Write a change with its sign and three significant digits."""
    if value is None or value == 0:
        return amount(value)
    text = amount(value, 3)
    return text if value < 0 else f"+{text}"


def percent(per_cent: float | None) -> str:
    """Write a change in per cent, as all other outputs do."""
    return "-" if per_cent is None else _native.percent(per_cent / 100)


def interval(low: float | None, high: float | None) -> str:
    """Write an interval of a change, both ends with the decimals of the end of larger magnitude."""
    if low is None or high is None:
        return "-"
    if low == high:
        return f"[{difference(low)}, {difference(high)}]"
    widest = max(abs(low), abs(high))
    if not _LEAST <= widest < _MOST:
        return f"[{low:+.2e}, {high:+.2e}]"
    decimals = _decimals(widest, 3)
    return f"[{low:+,.{decimals}f}, {high:+,.{decimals}f}]"


def _decimals(value: float, significant: int) -> int:
    return max(0, significant - 1 - math.floor(math.log10(abs(value))))
