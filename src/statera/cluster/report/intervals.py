"""The axis on which the changes of rows are drawn: of cost, so that worse lies to the right in every row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.views.numbers import percent
from statera.output.report.model import Interval

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.compare import ClusterComparison
    from statera.cluster.rows import Cell

# The axis reaches a little beyond the changes that were found, and shows at least so much; wider intervals are cut.
_ROOM: Final = 1.08
_LEAST: Final = math.log1p(0.05)
# Either side of no change takes at least this share of the other side.
_SHARE: Final = 0.35


class Axis(NamedTuple):
    """An axis of relative changes, as logarithms of ratios.

    Attributes:
        comparison: knows the better direction of each metric.
        low, high: the ends.

    """

    comparison: ClusterComparison
    low: float
    high: float

    def place(self, cell: Cell) -> Interval | None:
        """Return the change of a row as places on the axis; None if it has none, or none relative to the baseline."""
        span = _span(self.comparison, cell)
        if span is None:
            return None
        low, middle, high = span
        return Interval(
            self._at(low), self._at(middle), self._at(high), self._at(0.0), low < self.low, high > self.high
        )

    def _at(self, change: float) -> float:
        return round(min(max((change - self.low) / (self.high - self.low), 0.0), 1.0), 4)

    @property
    def words(self) -> str:
        """Which side is worse, and where the axis ends."""
        ends = (percent(100 * math.expm1(end)) for end in (self.low, self.high))
        return f"slower or more to the right, relative to the baseline's mean; from {' to '.join(ends)}"


def axis(comparison: ClusterComparison, cells: Sequence[Cell]) -> Axis:
    """Choose the axis: it holds the rows that changed with their intervals, or half of all rows if none did."""
    changed = [cell for cell in cells if cell.changed]
    spans = [span for cell in changed or cells if (span := _span(comparison, cell)) is not None]
    if not changed:
        spans = sorted(spans, key=_size)[: (len(spans) + 1) // 2]
    ends = [end for span in spans for end in span if math.isfinite(end)]
    low, high = (_ROOM * end for end in (min([0.0, *ends]), max([0.0, *ends])))
    least = max(_SHARE * max(-low, high), _LEAST)
    return Axis(comparison, min(low, -least), max(high, least))


def _size(span: tuple[float, float, float]) -> float:
    return max(abs(end) for end in span)


def _span(comparison: ClusterComparison, cell: Cell) -> tuple[float, float, float] | None:
    """Return the change of a row between the ends of its interval; of a metric of which more is better, mirrored."""
    if cell.delta_percent is None:
        return None
    middle = _log(cell.delta_percent)
    low, high = map(_log, cell.ends_percent) if cell.ends_percent else (middle, middle)
    return (-high, -middle, -low) if comparison.better(cell.metric) == "higher" else (low, middle, high)


def _log(per_cent: float) -> float:
    return math.log1p(per_cent / 100) if per_cent > -100 else -math.inf  # noqa: PLR2004 - nothing is left
