"""The statistics of a metric over its pooled samples (spec 8): exact, by the engine, one column at a time."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, Protocol

from statera.cluster.metrics import METRICS, Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

LEVELS: Final = (
    "0", "0.01", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.75", "0.8", "0.85", "0.875", "0.9",
    "0.925", "0.95", "0.97", "0.98", "0.99", "0.995", "0.997", "0.998", "0.999", "0.9995", "0.9997", "0.9998",
    "0.9999", "1",
)  # fmt: skip
"""Levels of the quantiles, as they are written."""
_MEDIAN: Final = LEVELS.index("0.5")
FIXED: Final = 2**60
"""Units of one in sums of fixed point: fine enough for nanoseconds, and 10^20 has room."""


class Engine(Protocol):
    """What answers queries."""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Give the rows of a query."""


def all_metrics(engine: Engine) -> dict[str, dict[str, Any]]:
    """Give every metric with its unit, population and statistics."""
    return {metric.key: _described(metric) | _statistics(engine, metric) for metric in METRICS}


def _described(metric: Metric) -> dict[str, Any]:
    return {
        "title": metric.title,
        "unit": metric.unit,
        "population": metric.population,
        "table": metric.section,
    }


def query(metric: Metric) -> str:
    """Write the query of a metric's statistics; quantiles are of type 7 (Hyndman & Fan)."""
    column = metric.column
    return (
        f"SELECT count({column}), {exact_sum(column)}, min({column}), max({column}), "
        f"quantile_cont({column}, [{', '.join(LEVELS)}]) FROM {metric.source} WHERE {metric.where}"
    )


def exact_sum(expression: str) -> str:
    """Write the sum of an expression in fixed point, units of 2^-60: the same in any order and on any threads."""
    return f"sum(CAST(({expression}) * {FIXED}e0 AS DECIMAL(38, 0)))"


def _statistics(engine: Engine, metric: Metric) -> dict[str, Any]:
    [(n, total, least, largest, quantiles)] = engine.rows(query(metric))
    if not n:
        return {"n": 0, **dict.fromkeys(("mean", "median", "stddev", "min", "max", "quantiles"))}
    mean = float(Fraction(int(total), n * FIXED))
    return {
        "n": n,
        "mean": mean,
        "median": quantiles[_MEDIAN],
        "stddev": _stddev(engine, metric, n, mean, float(largest) - float(least)),
        "min": least,
        "max": largest,
        "quantiles": dict(zip(LEVELS, quantiles, strict=True)),
    }


def _stddev(engine: Engine, metric: Metric, n: int, mean: float, spread: float) -> float | None:
    """Give the standard deviation; deviations are taken in parts of the range, so that none is lost in fixed point."""
    if n == 1:
        return None
    if spread == 0:
        return 0.0
    # With an exponent a number is a double in every dialect, without one a decimal.
    part = f"({metric.column} - ({mean:.17e})) / {spread:.17e}"
    [(total,)] = engine.rows(
        f"SELECT {exact_sum(f'(({part}) * ({part}))')} FROM {metric.source} "
        f"WHERE {metric.where} AND {metric.column} IS NOT NULL"
    )
    return spread * sqrt(Fraction(int(total), (n - 1) * FIXED))


def host_means_query() -> str:
    """Write the query of the means of every host, for metrics whose values belong to hosts."""
    return "\nUNION ALL\n".join(_host_means(metric) for metric in METRICS if metric.paired)


def _host_means(metric: Metric) -> str:
    column = f"s.{metric.column}"
    where = metric.where if metric.where == "TRUE" else f"s.{metric.where}"
    mean = f"CAST({exact_sum(column)} AS DOUBLE) / (count({column}) * {FIXED}e0)"
    return (
        f"SELECT '{metric.key}' AS metric, h.name AS host, count({column}) AS n, {mean} AS mean "
        f"FROM {metric.source} AS s JOIN host AS h ON h.host = s.host WHERE {where} GROUP BY h.name"
    )
