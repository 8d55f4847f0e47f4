"""The written form of a cluster's numbers: the digits, and the unit of a row.

The numbers of a row have one unit, in which they are easy to read: the same for both sides and their change.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native

if TYPE_CHECKING:
    from collections.abc import Iterable


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


_TIMES: Final = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
_BINARY: Final = {"B": 1.0, "KiB": 1024.0, "MiB": 1024.0**2, "GiB": 1024.0**3, "TiB": 1024.0**4}
_DECIMAL: Final = {"B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
_PER_SECOND: Final = "/s"
# Sizes are written in the unit of their metric from the first to below the second of these numbers of it.
_READABLE: Final = (0.1, 10_000.0)


class RowUnit(NamedTuple):
    """The unit of a row."""

    name: str  # as the title of the row states it
    size: float = 1.0  # how much one of it is in the unit of the metric

    def amount(self, value: float | None, significant: int = SIGNIFICANT) -> str:
        """Write a value."""
        return amount(self._of(value), significant)

    def difference(self, value: float | None) -> str:
        """Write a change with its sign."""
        return difference(self._of(value))

    def interval(self, low: float | None, high: float | None) -> str:
        """Write an interval of a change."""
        return interval(self._of(low), self._of(high))

    @property
    def words(self) -> str:
        """The unit behind a number in a sentence, with a leading space; counts and ratios have none."""
        return {"#": "", "/": "", "#/s": " per second"}.get(self.name, f" {self.name}")

    def _of(self, value: float | None) -> float | None:
        return None if value is None else value / self.size


def suited(unit: str, values: Iterable[float | None]) -> RowUnit:
    """Choose the unit for some values of a metric by the largest of them; ``unit`` is that of the metric."""
    size = max((abs(value) for value in values if value is not None), default=0.0)
    bare = unit.removesuffix(_PER_SECOND)
    if not size or bare not in _TIMES | _BINARY:
        return RowUnit(unit)
    steps = _TIMES if bare in _TIMES else _DECIMAL if unit == "B" else _BINARY
    least, most = _READABLE
    if steps is not _TIMES and least <= size < most:
        return RowUnit(unit)
    fitting = [name for name, step in steps.items() if size * steps[bare] >= step]
    name = fitting[-1] if fitting else next(iter(steps))
    return RowUnit(name + unit[len(bare) :], steps[name] / steps[bare])


def quantity(unit: str, value: float | None) -> str:
    """Write a value for a sentence, in the unit in which it is easy to read; ``unit`` is that of its metric."""
    found = suited(unit, (value,))
    return f"{found.amount(value)}{found.words}"
