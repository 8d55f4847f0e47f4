"""The axis on which the changes of rows are drawn: of cost, so that worse lies to the right in every row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.views.numbers import percent
from statera.report.model import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.rows import Cell

# The axis reaches a little beyond the changes that were found, and shows at least so much; wider intervals are cut.
_ROOM: Final = 1.1
_LEAST: Final = math.log1p(0.05)
_USUAL: Final = 0.5  # without a change, half of all intervals fit


class Axis(NamedTuple):
    """An axis of relative changes, as logarithms of ratios, which reaches as far to both sides of no change.

    Attributes:
        comparison: knows the better direction of each metric.
        reach: the end on either side.

    """

    comparison: ClusterComparison
    reach: float

    def place(self, cell: Cell) -> Interval | None:
        """Return the change of a row as places on the axis; None if it has none, or none relative to the baseline."""
        span = _span(cell)
        if span is None:
            return None
        low, middle, high = span
        if self.comparison.better(cell.metric) == "higher":
            low, middle, high = -high, -middle, -low
        return Interval(self._at(low), self._at(middle), self._at(high), 0.5, low < -self.reach, high > self.reach)

    def _at(self, change: float) -> float:
        return round(min(max(0.5 + 0.5 * change / self.reach, 0.0), 1.0), 4)

    @property
    def words(self) -> str:
        """Which side is worse, and where the axis ends."""
        ends = (percent(100 * math.expm1(end)) for end in (-self.reach, self.reach))
        return f"slower or more to the right, relative to the baseline's mean; from {' to '.join(ends)}"


def axis(comparison: ClusterComparison, cells: Sequence[Cell]) -> Axis:
    """Choose the axis: it holds the changes of the rows that changed, or most rows if none did."""
    spans = {id(cell): span for cell in cells if (span := _span(cell)) is not None}
    held = [spans[id(cell)] for cell in cells if cell.changed and id(cell) in spans]
    sizes = sorted(_size(span) for span in held or spans.values())
    sizes = [size for size in sizes if math.isfinite(size)]
    share = sizes[-1 if held else int(_USUAL * (len(sizes) - 1))] if sizes else 0.0
    return Axis(comparison, max(share * _ROOM, _LEAST))


def _size(span: tuple[float, float, float]) -> float:
    return max(abs(end) for end in span)


def _span(cell: Cell) -> tuple[float, float, float] | None:
    if cell.delta_percent is None:
        return None
    middle = _log(cell.delta_percent)
    low, high = map(_log, cell.ends_percent) if cell.ends_percent else (middle, middle)
    return low, middle, high


def _log(per_cent: float) -> float:
    return math.log1p(per_cent / 100) if per_cent > -100 else -math.inf  # noqa: PLR2004 - nothing is left
