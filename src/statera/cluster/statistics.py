"""The statistics of metrics over their pooled samples: exact, and the same on any number of threads."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.cluster.metrics import METRICS, Metric

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from statera.cluster.engine import DuckDB

LEVELS: Final = (
    "0", "0.01", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.75", "0.8", "0.85", "0.875", "0.9",
    "0.925", "0.95", "0.97", "0.98", "0.99", "0.995", "0.997", "0.998", "0.999", "0.9995", "0.9997", "0.9998",
    "0.9999", "1",
)  # fmt: skip
"""Levels of the quantiles, as text."""
_MEDIAN: Final = LEVELS.index("0.5")
FIXED: Final = 2**60
"""Fixed-point units per one: fine enough for nanoseconds, with room for sums of 10^20."""
_PARTS: Final = 4
_MOST_BESIDE: Final = 2


class Total(NamedTuple):
    """Totals of the samples of a metric, of one host or of all."""

    n: int  # the number of samples
    total: int  # their sum, in units of 2^-60
    # the extremes; None if there are no samples.
    least: float | None
    largest: float | None

    @property
    def mean(self) -> float | None:
        """The mean, correctly rounded once."""
        return float(Fraction(self.total, self.n * FIXED)) if self.n else None

    @property
    def spread(self) -> float:
        """The largest value less the least."""
        return 0.0 if self.least is None or self.largest is None else float(self.largest) - float(self.least)


class Measured(NamedTuple):
    """The statistics of all metrics."""

    metrics: dict[str, dict[str, Any]]  # for each metric its unit, population and statistics, as in summary.json
    # (metric, number of the host, n, mean) for hosts with values of metrics whose values belong to hosts.
    hosts: list[tuple[str, int, int, float | None]]


class _Known(NamedTuple):
    """Interim results of a metric: the totals of every host, quantiles and the sum of squares."""

    totals: dict[int, Total]
    spread: tuple[Sequence[float], float]


def measure(engine: DuckDB, metrics: Sequence[Metric] = METRICS) -> Measured:
    """Compute the statistics of metrics from their columns, or by queries if memory or fixed point has no room."""
    known = _by_columns(engine, metrics)
    known |= _by_queries(engine, [metric for metric in metrics if metric.key not in known])
    return Measured(
        {
            metric.key: _described(metric)
            | _statistics(_all(known[metric.key].totals.values()), *known[metric.key].spread)
            for metric in metrics
        },
        [
            (metric.key, host, total.n, total.mean)
            for metric in metrics
            if metric.paired
            for host, total in known[metric.key].totals.items()
            if total.n
        ],
    )


def _by_columns(engine: DuckDB, metrics: Sequence[Metric]) -> dict[str, _Known]:
    """Compute the statistics of metrics whose values fit into memory, one column at a time per thread."""
    rows = {source: engine.rows(f"SELECT count(*) FROM {source}")[0][0] for source in {one.source for one in metrics}}
    # Each query takes milliseconds, also of an empty table.
    empty = {metric.key: _Known({}, ((), 0.0)) for metric in metrics if not rows[metric.source]}
    held = [metric for metric in metrics if 0 < rows[metric.source] <= engine.most_held]
    found = engine.each([column_query(metric) for metric in held], _beside(engine, rows.values()), _of_column)
    return empty | {metric.key: known for metric, known in zip(held, found, strict=True) if known}


def column_query(metric: Metric) -> str:
    """Write the query of host number (0 if values belong to blocks) and value of every sample."""
    host, column = "host" if metric.paired else "0", metric.column
    return (
        f"SELECT CAST({host} AS USMALLINT) AS host_number, CAST({column} AS DOUBLE) AS value "
        f"FROM {metric.source} WHERE {metric.where} AND {column} IS NOT NULL"
    )


def _of_column(column: object) -> _Known | None:
    """Compute the statistics of a column; None if its sums overflow fixed point."""
    sample = _native.LargeSample(column)
    try:
        totals = {host: Total(n, total, least, largest) for host, n, total, least, largest in sample.totals()}
        whole = _all(totals.values())
        spread = sample.spread([float(level) for level in LEVELS], whole.mean or 0.0, whole.spread or 1.0)
    except OverflowError:
        return None
    return _Known(totals, spread)


def _beside(engine: DuckDB, counts: Iterable[int]) -> int:
    """Return how many metrics can be computed in parallel, so that their values fit into memory."""
    return max(1, min(_MOST_BESIDE, engine.most_held // max(1, *counts, 0)))


def _by_queries(engine: DuckDB, metrics: Sequence[Metric]) -> dict[str, _Known]:
    """Compute the statistics of metrics by queries: sums of all columns of a table at once, quantiles separately."""
    totals: dict[str, dict[int, Total]] = {}
    for source in dict.fromkeys(metric.source for metric in metrics):
        own = [metric for metric in metrics if metric.source == source]
        totals |= {metric.key: of for metric, of in zip(own, _totals(engine, own), strict=True)}
    whole = {key: _all(of.values()) for key, of in totals.items()}
    some = [metric for metric in metrics if whole[metric.key].n]
    # Each query holds all values of its metric, and its last step runs on one core.
    beside = _beside(engine, (total.n for total in whole.values()))
    large = [metric for metric in some if whole[metric.key].n > engine.most_held]
    small = [metric for metric in some if metric not in large]
    queries = [spread_query(metric, whole[metric.key]) for metric in small]
    answers = engine.each(queries, beside, lambda found: found.fetchall())
    spreads = {metric.key: row for metric, [row] in zip(small, answers, strict=True)}
    spreads |= {metric.key: _spread_of_many(engine, metric, whole[metric.key]) for metric in large}
    return {key: _Known(of, spreads.get(key, ((), 0))) for key, of in totals.items()}


def _described(metric: Metric) -> dict[str, Any]:
    return {
        "title": metric.title, "unit": metric.unit, "better": metric.better, "population": metric.population,
        "table": metric.section,
    }  # fmt: skip


def totals_query(metrics: Sequence[Metric], sum_of: Callable[[str], str]) -> str:
    """Write the query of count, sum, minimum and maximum of metrics of one table, per host."""
    [(source, where, paired)] = {(metric.source, metric.where, metric.paired) for metric in metrics}
    columns = [
        text
        for column in (metric.column for metric in metrics)
        for text in (f"count({column})", sum_of(column), f"min({column})", f"max({column})")
    ]
    host = "host" if paired else "0"
    return f"SELECT {host} AS host_number, {', '.join(columns)} FROM {source} WHERE {where} GROUP BY 1 ORDER BY 1"


def _totals(engine: DuckDB, metrics: Sequence[Metric]) -> list[dict[int, Total]]:
    """Return for each metric the totals of every host; values that belong to blocks are under host 0."""
    found: list[dict[int, Total]] = [{} for _ in metrics]
    try:
        rows = engine.rows(totals_query(metrics, exact_sum))
    except OverflowError:
        rows = engine.rows(totals_query(metrics, float_sum))
    for host, *values in rows:
        for number, of in enumerate(found):
            n, total, least, largest = values[number * _PARTS : (number + 1) * _PARTS]
            # Whole numbers become floats, so that both ways of computing return the same type.
            of[host] = Total(n, int(total or 0), *(None if end is None else float(end) for end in (least, largest)))
    return found


def _all(totals: Iterable[Total]) -> Total:
    """Add up the totals of hosts."""
    known = [total for total in totals if total.n]
    return Total(
        sum(total.n for total in known),
        sum(total.total for total in known),
        min((total.least for total in known if total.least is not None), default=None),
        max((total.largest for total in known if total.largest is not None), default=None),
    )


def _statistics(total: Total, quantiles: Sequence[float], squares: float) -> dict[str, Any]:
    if not total.n:
        return {"n": 0, **dict.fromkeys(("mean", "median", "stddev", "min", "max", "quantiles"))}
    return {
        "n": total.n,
        "mean": total.mean,
        "median": quantiles[_MEDIAN],
        "stddev": total.spread * sqrt(Fraction(int(squares), (total.n - 1) * FIXED)) if total.n > 1 else None,
        "min": total.least,
        "max": total.largest,
        "quantiles": dict(zip(LEVELS, quantiles, strict=True)),
    }


def spread_query(metric: Metric, total: Total) -> str:
    """Write the query of the quantiles (type 7, Hyndman & Fan) and the sum of squared deviations of a metric.

    Deviations are divided by the range, so that fixed point loses none.
    """
    column = metric.column
    return (
        f"SELECT quantile_cont({column}, [{', '.join(LEVELS)}]), {_squares(metric, total)} "
        f"FROM {metric.source} WHERE {metric.where} AND {column} IS NOT NULL"
    )


def _spread_of_many(engine: DuckDB, metric: Metric, total: Total) -> tuple[list[float], float]:
    """Return quantiles and the sum of squares of more values than memory may hold: they are sorted on disk."""
    heights = [(total.n - 1) * Fraction(level) for level in LEVELS]
    places = sorted({min(int(height) + step, total.n - 1) for height in heights for step in (0, 1)})
    chosen = f"FROM {metric.source} WHERE {metric.where} AND {metric.column} IS NOT NULL"
    of = dict(zip(places, engine.ordered(f"SELECT {metric.column} AS value {chosen}", places), strict=True))
    quantiles = []
    for height in heights:
        low = of[int(height)]
        quantiles.append(low + float(height - int(height)) * (of[min(int(height) + 1, total.n - 1)] - low))
    [(squares,)] = engine.rows(f"SELECT {_squares(metric, total)} {chosen}")
    return quantiles, squares


def _squares(metric: Metric, total: Total) -> str:
    part = f"({metric.column} - ({total.mean:.17e})) / {total.spread or 1.0:.17e}"
    return exact_sum(f"({part}) * ({part})")


def exact_sum(expression: str) -> str:
    """Write the sum of an expression in fixed point, in units of 2^-60: the same in any order of the rows."""
    return f"sum(CAST(({expression}) * {FIXED}e0 AS DECIMAL(38, 0)))"


def float_sum(expression: str) -> str:
    """Write the sum in floating point, in the same units, for values that overflow fixed point."""
    return f"sum(CAST(({expression}) AS DOUBLE)) * {FIXED}e0"
