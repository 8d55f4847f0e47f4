"""Inline values in the analysts' prose: ``effect("cdf0.50", "new")`` with the key of a metric and a label."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.metrics import BY_KEY
from statera.cluster.numbers import percent
from statera.output.report.notes import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.cluster.comparison import Change, ClusterComparison, MetricRow

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

        Raises:
            ValueError: the function, metric or label is unknown; the text lists the known ones.

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
