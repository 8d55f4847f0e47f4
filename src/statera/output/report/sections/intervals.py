"""The axis on which the changes of a table are drawn: of cost, so that worse lies to the right in every row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.output.report.model import Interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.report.sections.index import Index

# With so many rows the axis may end before the largest change, if that exceeds the usual ones so many times.
_ENOUGH: Final = 4
_FAR: Final = 15.0
# Of rows none of which changed at all.
_FLAT: Final = (-1.0, 1.0)
# Each side of no change takes at least this share of the axis; so much room stays beyond the outermost mark.
_LEAST: Final = 0.14
_ROOM: Final = 0.04
_TIMED: Final = ("time", "throughput")
_RATES: Final = "higher"


class _Span(NamedTuple):
    """A change and the ends of its interval on the axis; an end is infinite if it is open."""

    low: float
    middle: float
    high: float


class Axis(NamedTuple):
    """An axis of changes of cost: logarithms of ratios, or differences; a rate that falls costs more.

    Attributes:
        ratio: whether the places are logarithms of ratios.
        low, high: the ends.
        words: what left and right mean, as a sentence without a full stop.

    """

    ratio: bool
    low: float
    high: float
    words: str

    def place(self, index: Index, row: int) -> Interval | None:
        """Return a row's change as places on the axis; None if the row has no change of this kind."""
        span = _span(index, row, ratio=self.ratio)
        if span is None:
            return None
        low, middle, high = (self._at(value) for value in span)
        return Interval(low, middle, high, self._at(0.0), span.low < self.low, span.high > self.high)

    def _at(self, value: float) -> float:
        return round(min(max((value - self.low) / (self.high - self.low), 0.0), 1.0), 4)


def axis_of(index: Index, rows: Sequence[int]) -> Axis:
    """Choose the axis of rows: of ratios, unless most rows have differences of one metric."""
    fields = [index.fields(row) for row in rows]
    changes = [each for each in fields if each["change"] is not None]
    one_metric = len({each["metric"] for each in changes}) <= 1
    ratio = not one_metric or 2 * sum(each["scale"] == "ratio" for each in changes) >= len(changes)
    spans = [span for span in (_span(index, row, ratio=ratio) for row in rows) if span is not None]
    low, high = _ends(spans)
    return Axis(ratio, low, high, _words(index, rows, (low, high), ratio=ratio))


def _span(index: Index, row: int, *, ratio: bool) -> _Span | None:
    fields = index.fields(row)
    if fields["change"] is None or (fields["scale"] == "ratio") != ratio:
        return None
    low = -math.inf if fields["change_low_open"] else fields["change_low"]
    high = math.inf if fields["change_high_open"] else fields["change_high"]
    middle = _along(fields["change"], ratio=ratio)
    ends = [middle if end is None else _along(end, ratio=ratio) for end in (low, high)]
    span = _Span(ends[0], middle, ends[1])
    return _Span(-span.high, -span.middle, -span.low) if index.rule(fields["metric"]).better == _RATES else span


def _along(change: float, *, ratio: bool) -> float:
    if not ratio:
        return change
    return math.log1p(change) if change > -1 else -math.inf


def _ends(spans: Sequence[_Span]) -> tuple[float, float]:
    """Return ends that hold all changes and intervals, but those that would compress all others."""
    sizes = sorted(
        max(abs(end) for end in span if math.isfinite(end)) for span in spans if any(map(math.isfinite, span))
    )
    if not sizes or sizes[-1] <= 0:
        return _FLAT
    usual = sizes[len(sizes) // 2]
    most = _FAR * usual if len(sizes) >= _ENOUGH and usual > 0 else math.inf
    ends = [min(max(end, -most), most) for span in spans for end in span if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    least = _LEAST * (high - low)
    low, high = min(low, -least), max(high, least)
    room = _ROOM * (high - low)
    return low - room, high + room


def _words(index: Index, rows: Iterable[int], ends: tuple[float, float], *, ratio: bool) -> str:
    """Say which side is worse; and where the axis ends, if one sign means the same in all rows and any changed."""
    names = {index.fields(row)["metric"] for row in rows}
    metrics = [metric for metric in index.comparison.observations.metrics if metric.name in names]
    better = {index.rule(metric.name).better for metric in metrics}
    bad = "slower" if all(metric.quantity in _TIMED for metric in metrics) else "worse"
    words = f"{'more' if better <= {None} else bad} to the right"
    if None in better and len(better) > 1:
        words += ", more where the direction is not known"
    if not ratio or len(better) != 1 or ends == _FLAT:
        return words
    turn = -1 if better == {_RATES} else 1
    low, high = (_native.percent(math.expm1(min(turn * end, 700.0))) for end in ends)
    return f"{words}; the axis runs from {low} to {high}"


def interval_words(index: Index, row: int) -> str:
    """Write the interval of a row; empty if it has none, or if its change is exact."""
    words = index.weighing.cell(row, "interval") or ""
    return "" if words.endswith("exactly") else words
