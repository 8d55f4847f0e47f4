"""Tables of a single configuration: the distribution of the values of one run, or the variation between its runs."""

from __future__ import annotations

from statistics import stdev
from typing import TYPE_CHECKING, Final

from statera.cluster.report.cells import mean as written
from statera.cluster.report.cells import title
from statera.cluster.report.pictures import anchor
from statera.cluster.report.wording import count, number
from statera.cluster.units import suited
from statera.cluster.views.numbers import percent
from statera.output.report.model import Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.compare import Variant
    from statera.cluster.report.material import Material
    from statera.cluster.rows import MetricRow
    from statera.cluster.units import RowUnit

# A phone shows these.
_MAJOR: Final = ("mean", "95 %", "in per cent")
_LEVELS: Final = {"0.05": "5 %", "0.5": "median", "0.95": "95 %", "1": "largest"}


def table(material: Material, rows: Sequence[tuple[MetricRow, str]], notes: tuple[str, ...]) -> Table:
    """Build the table of some metrics of a report without a comparison."""
    [variant] = material.comparison.variants
    units = [suited(row.metric.unit, (row.base.mean,)) for row, _ in rows]
    titles = [
        title(f"{mark}{row.metric.title}", unit, material.pictures.link(row.metric))
        for (row, mark), unit in zip(rows, units, strict=True)
    ]
    if len(variant.runs) == 1:
        what, names = "Means and spread", ("mean", "n", "standard deviation", *_LEVELS.values())
        cells = _values
    else:
        what = f"{len(variant.runs)} runs together"
        names = ("mean", "n", "standard deviation between runs", "in per cent", "smallest mean", "largest mean")
        cells = _between
    body = tuple((first, *cells(variant, row, unit)) for first, (row, _), unit in zip(titles, rows, units, strict=True))
    heads = (Column("metric"), *(Column(each, numeric=True, minor=each not in _MAJOR) for each in names))
    return Table(what, heads, body, notes, anchors=tuple(anchor("row", row.metric) for row, _ in rows))


def _values(variant: Variant, row: MetricRow, unit: RowUnit) -> tuple[Cell, ...]:
    found = variant.runs[0].summary["metrics"][row.metric.key]
    quantiles = found["quantiles"] or {}
    return (
        written(found["mean"], unit),
        count(found["n"]),
        written(found["stddev"], unit),
        *(written(quantiles.get(level), unit) for level in _LEVELS),
    )


def _between(variant: Variant, row: MetricRow, unit: RowUnit) -> tuple[Cell, ...]:
    stated = [run.summary["metrics"][row.metric.key]["mean"] for run in variant.runs]
    means = [mean for mean in stated if mean is not None]
    apart = stdev(means) if len(means) > 1 else None
    share = 100 * apart / abs(row.base.mean) if apart is not None and row.base.mean else None
    return (
        written(row.base.mean, unit),
        count(row.base.n),
        written(apart, unit),
        number(share, percent(share).lstrip("+")),
        written(min(means, default=None), unit),
        written(max(means, default=None), unit),
    )
