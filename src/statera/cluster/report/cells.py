"""The cells of a row of a metric, the axis on which its change is drawn, and names and numbers of the report.

``Values`` are the numbers in the analysts' prose: ``effect("cdf0.50", "new")``, with the key of a metric and a label.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.cluster.metrics import BY_KEY
from statera.cluster.numbers import amount, percent
from statera.cluster.views.comparison import verdict
from statera.output.report.model import Cell, Column, Interval
from statera.output.report.notes import call
from statera.output.report.sections.rows import TONES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.cluster.comparison import Change, ClusterComparison, MetricRow
    from statera.cluster.numbers import RowUnit
    from statera.output.report.model import Tone

_NAME: Final = 100


def shown(name: str) -> str:
    """Make untrusted text printable, and shorten a long one in the middle."""
    return _native.shortened(_native.printable(name), _NAME)


def number(value: float | None, text: str | None = None, tone: Tone = "") -> Cell:
    """Return a cell that sorts by its value."""
    return Cell(amount(value) if text is None else text, value, tone)


def count(value: int) -> Cell:
    """Return a cell with a whole number."""
    return Cell(f"{value:,}", value)


def change_columns(level: str) -> tuple[Column, ...]:
    """Return the columns of a change; a phone shows the change in per cent and the verdict."""
    return (
        Column(f"Δ [{level}% interval]", numeric=True, minor=True),
        Column("Δ%", numeric=True),
        Column("verdict"),
        Column("n", numeric=True, minor=True),
    )


def title(text: str, unit: RowUnit, link: str = "") -> Cell:
    """Return the first cell of a row: the metric, the unit of its numbers, and a link to its charts."""
    return Cell(f"{text}, {unit.name}", link=link)


def mean(value: float | None, unit: RowUnit) -> Cell:
    """Return a cell with a mean in the unit of its row."""
    return number(value, unit.amount(value))


def change(cell: Change, axis: Axis, rider: str = "") -> tuple[Cell, ...]:
    """Return the cells below the columns of a change; ``rider`` is a qualification that stands elsewhere."""
    unit = cell.written
    ends = f" {unit.interval(cell.low, cell.high)}" if cell.low is not None else ""
    # The numbers of values of both sides, or the one number that they share.
    counts = dict.fromkeys((cell.before.n, cell.side.n))
    return (
        number(cell.delta, f"{unit.difference(cell.delta)}{ends}"),
        Cell(percent(cell.delta_percent), cell.delta_percent, tone(cell), axis.place(cell)),
        Cell(verdict(cell, rider), tone=tone(cell), chip=True),
        Cell(", ".join(f"{n:,}" for n in counts), cell.before.n),
    )


def tone(cell: Change) -> Tone:
    """Return the colour of a verdict."""
    return toned(cell.verdict)


def toned(verdict: str) -> Tone:
    """Return the colour of a verdict by its code."""
    return TONES.get(verdict, "")


# The axis reaches a little beyond the changes that were found, and shows at least so much; wider intervals are cut.
_ROOM: Final = 1.08
_LEAST: Final = math.log1p(0.05)
# Either side of no change takes at least this share of the other side.
_SHARE: Final = 0.35
_NOTHING_LEFT: Final = -100


class Axis(NamedTuple):
    """An axis of relative changes, as logarithms of ratios."""

    comparison: ClusterComparison  # knows the better direction of each metric
    # the ends.
    low: float
    high: float

    def place(self, cell: Change) -> Interval | None:
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


def axis(comparison: ClusterComparison, cells: Sequence[Change]) -> Axis:
    """Choose the axis: it holds the rows that changed with their intervals, or half of all rows if none did."""
    changed = [cell for cell in cells if cell.changed]
    spans = [span for cell in changed or cells if (span := _span(comparison, cell)) is not None]
    if not changed:
        spans = sorted(spans, key=lambda span: max(map(abs, span)))[: (len(spans) + 1) // 2]
    ends = [end for span in spans for end in span if math.isfinite(end)]
    low, high = (_ROOM * end for end in (min([0.0, *ends]), max([0.0, *ends])))
    least = max(_SHARE * max(-low, high), _LEAST)
    return Axis(comparison, min(low, -least), max(high, least))


def _span(comparison: ClusterComparison, cell: Change) -> tuple[float, float, float] | None:
    """Return the change of a row between the ends of its interval; of a metric of which more is better, mirrored."""
    if cell.delta_percent is None:
        return None
    middle = _log(cell.delta_percent)
    low, high = map(_log, cell.ends_percent) if cell.ends_percent else (middle, middle)
    return (-high, -middle, -low) if comparison.better(cell.metric) == "higher" else (low, middle, high)


def _log(per_cent: float) -> float:
    return math.log1p(per_cent / 100) if per_cent > _NOTHING_LEFT else -math.inf


_OF_SIDES: Final = ("mean", "n")
_OF_CHANGES: Final[dict[str, Callable[[MetricRow, Change], str]]] = {
    "effect": lambda _, cell: percent(cell.delta_percent),
    "delta": lambda _, cell: f"{cell.written.difference(cell.delta)} {cell.written.name}",
    "interval": lambda _, cell: f"{cell.written.interval(cell.low, cell.high)} {cell.written.name}",
    "p": lambda _, cell: _p(cell),
    "verdict": lambda _, cell: cell.words,
}


def _p(cell: Change) -> str:
    p = cell.row.p_corrected if cell.row else None
    return "-" if p is None else _native.p_value(p)


class Values:
    """The values that prose can refer to."""

    def __init__(self, comparison: ClusterComparison) -> None:
        self._rows = {row.metric.key: row for row in comparison.rows}
        self._labels = [variant.label for variant in comparison.variants]

    def written(self, expression: str) -> str:
        """Return the value of an expression, as Markdown.

        Raises ``ValueError`` if the function, metric or label is unknown; the text lists the known ones.
        """
        function, names, keywords = call(expression)
        known = (*_OF_SIDES, *_OF_CHANGES)
        if function not in known:
            raise ValueError(
                f"there is no function {function}(); the functions are {', '.join(f'{each}()' for each in known)}"
            )
        if keywords:
            raise ValueError('write a metric\'s key and a label, as in effect("cdf0.50", "new")')
        keys = [name for name in names if name in BY_KEY]
        labels = [name for name in names if name not in BY_KEY]
        if len(keys) != 1:
            raise ValueError("name one metric by its key, for instance cdf0.50; the data dictionary lists all keys")
        if keys[0] not in self._rows:
            raise ValueError(f"{keys[0]} is not in this report; --metric excludes it")
        return _native.markdown_text(
            self._value(function, self._rows[keys[0]], self._place(labels, side=function in _OF_SIDES))
        )

    def _place(self, labels: list[str], *, side: bool) -> int:
        listed = ", ".join(_native.printable(label) for label in self._labels)
        for label in labels:
            if label not in self._labels:
                raise ValueError(f"no run is named {label!r}; the labels are {listed}")
        places = [self._labels.index(label) for label in labels]
        # There is no choice between one run, or one contender.
        if not places and len(self._labels) == (1 if side else 2):
            places = [len(self._labels) - 1]
        if len(places) != 1 or not (side or places[0]):
            which = "runs" if side else "contenders"
            raise ValueError(f"name one of the {which}; the labels are {listed}")
        return places[0]

    def _value(self, function: str, row: MetricRow, place: int) -> str:
        if function in _OF_CHANGES:
            return _OF_CHANGES[function](row, row.cells[place - 1])
        side = row.base if place == 0 else row.cells[place - 1].side
        return f"{side.n:,}" if function == "n" else f"{row.written.amount(side.mean)} {row.written.name}"
