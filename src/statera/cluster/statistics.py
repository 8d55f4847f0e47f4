"""The statistics of a metric over its pooled samples (spec 8): exact, and the same on any number of threads."""

from __future__ import annotations

from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from statera.cluster.metrics import METRICS, Metric

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

LEVELS: Final = (
    "0", "0.01", "0.05", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.75", "0.8", "0.85", "0.875", "0.9",
    "0.925", "0.95", "0.97", "0.98", "0.99", "0.995", "0.997", "0.998", "0.999", "0.9995", "0.9997", "0.9998",
    "0.9999", "1",
)  # fmt: skip
"""Levels of the quantiles, as they are written."""
_MEDIAN: Final = LEVELS.index("0.5")
FIXED: Final = 2**60
"""Units of one in sums of fixed point: fine enough for nanoseconds, and 10^20 has room."""
_PARTS: Final = 4


class Engine(Protocol):
    """What answers queries."""

    def rows(self, query: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
        """Give the rows of a query."""


class Total(NamedTuple):
    """The samples of a metric, of one host or of all.

    Attributes:
        n: their number.
        total: their sum, in units of 2^-60.
        least, largest: None where there are none.

    """

    n: int
    total: int
    least: float | None
    largest: float | None

    @property
    def mean(self) -> float | None:
        """The mean, rounded once."""
        return float(Fraction(self.total, self.n * FIXED)) if self.n else None


class Measured(NamedTuple):
    """All metrics.

    Attributes:
        metrics: for each its unit, population and statistics, as summary.json has them.
        hosts: (metric, host, n, mean) for those whose values belong to hosts, which are numbered.

    """

    metrics: dict[str, dict[str, Any]]
    hosts: list[tuple[str, int, int, float | None]]


def measure(engine: Engine) -> Measured:
    """Compute the statistics of every metric: sums of all columns of a table at once, quantiles one by one."""
    found: dict[str, dict[str, Any]] = {}
    hosts: list[tuple[str, int, int, float | None]] = []
    for source in dict.fromkeys(metric.source for metric in METRICS):
        metrics = [metric for metric in METRICS if metric.source == source]
        for metric, of in zip(metrics, _totals(engine, metrics), strict=True):
            found[metric.key] = _described(metric) | _statistics(engine, metric, _all(of.values()))
            if metric.paired:
                hosts += [(metric.key, host, total.n, total.mean) for host, total in of.items()]
    return Measured({metric.key: found[metric.key] for metric in METRICS}, hosts)


def _described(metric: Metric) -> dict[str, Any]:
    return {
        "title": metric.title,
        "unit": metric.unit,
        "population": metric.population,
        "table": metric.section,
    }


def totals_query(metrics: Sequence[Metric], sum_of: Callable[[str], str]) -> str:
    """Write the query of number, sum, least and largest value of metrics of one table, host by host."""
    [(source, where, paired)] = {(metric.source, metric.where, metric.paired) for metric in metrics}
    columns = [
        text
        for column in (metric.column for metric in metrics)
        for text in (f"count({column})", sum_of(column), f"min({column})", f"max({column})")
    ]
    host = "host" if paired else "0"
    return f"SELECT {host} AS host_number, {', '.join(columns)} FROM {source} WHERE {where} GROUP BY 1 ORDER BY 1"


def _totals(engine: Engine, metrics: Sequence[Metric]) -> list[dict[int, Total]]:
    """Give for each metric the totals of every host; where values belong to blocks, all under 0."""
    found: list[dict[int, Total]] = [{} for _ in metrics]
    try:
        rows = engine.rows(totals_query(metrics, exact_sum))
    except OverflowError:
        rows = engine.rows(totals_query(metrics, float_sum))
    for host, *values in rows:
        for number, of in enumerate(found):
            n, total, least, largest = values[number * _PARTS : (number + 1) * _PARTS]
            of[host] = Total(n, int(total or 0), least, largest)
    return found


def _all(totals: Any) -> Total:  # noqa: ANN401 - the values of a dictionary
    """Put the totals of hosts together."""
    known = [total for total in totals if total.n]
    return Total(
        sum(total.n for total in known),
        sum(total.total for total in known),
        min((total.least for total in known), default=None),
        max((total.largest for total in known), default=None),
    )


def _statistics(engine: Engine, metric: Metric, total: Total) -> dict[str, Any]:
    mean, least, largest = total.mean, total.least, total.largest
    if mean is None or least is None or largest is None:
        return {"n": 0, **dict.fromkeys(("mean", "median", "stddev", "min", "max", "quantiles"))}
    spread = float(largest) - float(least)
    [(quantiles, squares)] = engine.rows(spread_query(metric, mean, spread))
    return {
        "n": total.n,
        "mean": mean,
        "median": quantiles[_MEDIAN],
        "stddev": spread * sqrt(Fraction(int(squares), (total.n - 1) * FIXED)) if total.n > 1 else None,
        "min": least,
        "max": largest,
        "quantiles": dict(zip(LEVELS, quantiles, strict=True)),
    }


def spread_query(metric: Metric, mean: float, spread: float) -> str:
    """Write the query of quantiles, of type 7 (Hyndman & Fan), and of the sum of squared deviations.

    Deviations are taken in parts of the range, so that none is lost in fixed point. With an exponent a number is a
    double in every dialect, without one a decimal.
    """
    column = metric.column
    part = f"({column} - ({mean:.17e})) / {spread or 1.0:.17e}"
    return (
        f"SELECT quantile_cont({column}, [{', '.join(LEVELS)}]), {exact_sum(f'({part}) * ({part})')} "
        f"FROM {metric.source} WHERE {metric.where} AND {column} IS NOT NULL"
    )


def exact_sum(expression: str) -> str:
    """Write the sum of an expression in fixed point, units of 2^-60: the same in any order and on any threads."""
    return f"sum(CAST(({expression}) * {FIXED}e0 AS DECIMAL(38, 0)))"


def float_sum(expression: str) -> str:
    """Write the sum in floating point, for values that have no room in fixed point; in the same units."""
    return f"sum(CAST(({expression}) AS DOUBLE)) * {FIXED}e0"
