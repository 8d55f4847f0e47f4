"""The written form of a cluster's numbers: units stand in the row's title, so that all cells of a row share them."""

from __future__ import annotations

import math

from statera import _native

_SIGNIFICANT = 5
_LEAST, _MOST = 1e-9, 1e15
_LEAST_PERCENT = 0.005


def amount(value: float | None, significant: int = _SIGNIFICANT) -> str:
    """Write a number with so many significant digits, without exponent within reason; whole numbers stay whole."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    if not _LEAST <= abs(value) < _MOST:
        return f"{value:.{significant - 1}e}"
    if float(value).is_integer() and abs(value) < 10**9:
        return f"{value:.0f}"
    return f"{value:.{_decimals(value, significant)}f}"


def counted(number: int, one: str, many: str = "") -> str:
    """Write a number of things: 1 block, 2 blocks."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def difference(value: float | None) -> str:
    """Write a change with its sign, three digits."""
    if value is None or value == 0:
        return amount(value)
    text = amount(value, 3)
    return text if value < 0 else f"+{text}"


def percent(per_cent: float | None) -> str:
    """Write a change in per cent. What is not 0 and would look like 0 is written as less than the last digit."""
    if per_cent is None:
        return "-"
    if 0 < abs(per_cent) < _LEAST_PERCENT:
        return f"{'+' if per_cent > 0 else '-'}<0.01%"
    return _native.percent(per_cent / 100)


def interval(low: float | None, high: float | None) -> str:
    """Write an interval of a change, both ends with as many decimals as the wider end needs."""
    if low is None or high is None:
        return "-"
    if low == high:
        return f"[{difference(low)}, {difference(high)}]"
    widest = max(abs(low), abs(high))
    if not _LEAST <= widest < _MOST:
        return f"[{low:+.2e}, {high:+.2e}]"
    decimals = _decimals(widest, 3)
    return f"[{low:+.{decimals}f}, {high:+.{decimals}f}]"


def _decimals(value: float, significant: int) -> int:
    return max(0, significant - 1 - math.floor(math.log10(abs(value))))
