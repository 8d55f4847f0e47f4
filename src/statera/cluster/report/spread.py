"""Tables of a single configuration: the distribution of the values of one run, or the variation between its runs."""

from __future__ import annotations

from statistics import stdev
from typing import TYPE_CHECKING, Final

from statera.cluster.report.wording import count, number, title
from statera.cluster.views.numbers import percent
from statera.report.model import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.compare import Variant
    from statera.cluster.rows import MetricRow

_LEVELS: Final = {"0.05": "5 %", "0.5": "median", "0.95": "95 %", "1": "largest"}


def table(variant: Variant, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    """Build the table of some metrics."""
    if len(variant.runs) == 1:
        what, names = "Means and spread", ("mean", "n", "standard deviation", *_LEVELS.values())
        body = [(title(row.metric, mark), *_values(variant, row)) for row, mark in rows]
    else:
        what = f"{len(variant.runs)} runs together"
        names = ("mean", "n", "standard deviation between runs", "in per cent", "smallest mean", "largest mean")
        body = [(title(row.metric, mark), *_between(variant, row)) for row, mark in rows]
    return Table(what, (Column("metric"), *(Column(each, numeric=True) for each in names)), tuple(body), notes)


def _values(variant: Variant, row: MetricRow) -> tuple[Cell, ...]:
    found = variant.runs[0].summary["metrics"][row.metric.key]
    quantiles = found["quantiles"] or {}
    return (
        number(found["mean"]),
        count(found["n"]),
        number(found["stddev"]),
        *(number(quantiles.get(level)) for level in _LEVELS),
    )


def _between(variant: Variant, row: MetricRow) -> tuple[Cell, ...]:
    stated = [run.summary["metrics"][row.metric.key]["mean"] for run in variant.runs]
    means = [mean for mean in stated if mean is not None]
    apart = stdev(means) if len(means) > 1 else None
    share = 100 * apart / abs(row.base.mean) if apart is not None and row.base.mean else None
    return (
        number(row.base.mean),
        count(row.base.n),
        number(apart),
        number(share, percent(share).lstrip("+")),
        number(min(means, default=None)),
        number(max(means, default=None)),
    )
