"""Runs compared with a baseline, each change with its interval and verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera import stats
from statera.cluster import weighing
from statera.cluster.metrics import METRICS, Metric

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.samples import Analysed, Series
    from statera.cluster.weighing import Weighed
    from statera.settings import Policy

ONE_RUN_EACH = "(one run each)"


class Variant(NamedTuple):
    """One or several runs of one configuration.

    Attributes:
        label: its name.
        runs: analysed.

    """

    label: str
    runs: tuple[Analysed, ...]


class Side(NamedTuple):
    """A metric of a variant.

    Attributes:
        mean: over its samples; of several runs the mean of their means. None where there is no sample.
        n: samples, of all runs.

    """

    mean: float | None
    n: int


class Cell(NamedTuple):
    """A metric of a variant, against the baseline.

    Attributes:
        side: its mean and samples.
        delta: its mean less that of the baseline, unrounded.
        delta_percent: that, in per cent of the size of the baseline's mean.
        weighed: interval and p.
        p_corrected: p, corrected for the number of all rows.
        verdict: better, worse, changed, equivalent or inconclusive.
        rider: what holds of every verdict: "(one run each)".

    """

    side: Side
    delta: float | None
    delta_percent: float | None
    weighed: Weighed
    p_corrected: float | None
    verdict: str
    rider: str

    @property
    def words(self) -> str:
        """The verdict as it is shown."""
        reason = f": {self.reason}" if self.verdict == "inconclusive" and self.reason else ""
        return f"{self.verdict}{reason} {self.rider}".rstrip()

    @property
    def reason(self) -> str:
        """Why there is no interval, or why one beyond 0 decides nothing; empty where it is as it looks."""
        low, high = self.weighed.low, self.weighed.high
        if self.weighed.reason or low is None or high is None or low <= 0 <= high:
            return self.weighed.reason
        return "not among so many rows"


class Row(NamedTuple):
    """A metric of all variants."""

    metric: Metric
    base: Side
    cells: tuple[Cell, ...]


class ClusterComparison(NamedTuple):
    """Variants compared.

    Attributes:
        variants: the baseline first.
        rows: every metric, in the order of its definition.
        policy: the thresholds used.

    """

    variants: tuple[Variant, ...]
    rows: tuple[Row, ...]
    policy: Policy


def compare(variants: Sequence[Variant], policy: Policy, metrics: Sequence[Metric] = METRICS) -> ClusterComparison:
    """Compare every variant with the first."""
    rows = [_row(metric, variants, policy) for metric in metrics]
    p = [cell.weighed.p for row in rows for cell in row.cells]
    corrected = stats.adjust(p).p if any(value is not None for value in p) else tuple(p)
    judged = iter(corrected)
    return ClusterComparison(
        tuple(variants),
        tuple(
            row._replace(cells=tuple(_judged(row, cell, next(judged), policy) for cell in row.cells)) for row in rows
        ),
        policy,
    )


def _row(metric: Metric, variants: Sequence[Variant], policy: Policy) -> Row:
    base, *others = variants
    return Row(metric, _side(metric, base), tuple(_cell(metric, base, other, policy) for other in others))


def _cell(metric: Metric, base: Variant, other: Variant, policy: Policy) -> Cell:
    old, new = _side(metric, base), _side(metric, other)
    delta = None if old.mean is None or new.mean is None else new.mean - old.mean
    percent = 100 * delta / abs(old.mean) if delta is not None and old.mean else None
    return Cell(new, delta, percent, _weighed(metric, base, other, delta, policy), None, "", _rider(base, other))


def _rider(base: Variant, other: Variant) -> str:
    single = [variant.label for variant in (base, other) if len(variant.runs) == 1]
    if len(single) > 1:
        return ONE_RUN_EACH
    return f"(one run of {single[0]})" if single else ""


def _side(metric: Metric, variant: Variant) -> Side:
    found = [run.summary["metrics"][metric.key] for run in variant.runs]
    means = _means(metric, variant)
    return Side(sum(means) / len(means) if means else None, sum(one["n"] for one in found))


def _means(metric: Metric, variant: Variant) -> list[float]:
    stated = [run.summary["metrics"][metric.key]["mean"] for run in variant.runs]
    return [mean for mean in stated if mean is not None]


def _weighed(metric: Metric, base: Variant, other: Variant, delta: float | None, policy: Policy) -> Weighed:
    """Weigh by the largest unit that there are several of: runs, else hosts or blocks of the runs there are."""
    confidence = 1 - policy.alpha
    if min(len(base.runs), len(other.runs)) > 1:
        return weighing.of_runs(_means(metric, base), _means(metric, other), confidence)
    before, after = _times(metric, base), _times(metric, other)
    if metric.common or (metric.paired and before and after):
        return weighing.of_series(before, after, delta, confidence, "stretches of time")
    if metric.paired:
        return weighing.of_hosts(_hosts(metric, base), _hosts(metric, other), delta, confidence)
    return weighing.of_series(_series(metric, base), _series(metric, other), delta, confidence, metric.samples)


def _hosts(metric: Metric, variant: Variant) -> dict[str, float]:
    """Give the mean of each host over the runs that it has values in."""
    of: dict[str, list[float]] = {}
    for run in variant.runs:
        for host, mean in run.hosts.get(metric.key, {}).items():
            of.setdefault(host, []).append(mean)
    return {host: sum(means) / len(means) for host, means in of.items()}


def _times(metric: Metric, variant: Variant) -> Series:
    """Give the series in time of what hosts have in common, or where a variant is a single run of a single host."""
    runs = variant.runs if metric.common or len(variant.runs) == 1 else ()
    return [value for run in runs for value in run.times.get(metric.key, [])]


def _series(metric: Metric, variant: Variant) -> Series:
    return [value for run in variant.runs for value in run.series[metric.key]]


def _judged(row: Row, cell: Cell, corrected: float | None, policy: Policy) -> Cell:
    return cell._replace(p_corrected=corrected, verdict=_verdict(row, cell, corrected, policy))


def _verdict(row: Row, cell: Cell, corrected: float | None, policy: Policy) -> str:
    low, high = cell.weighed.low, cell.weighed.high
    if low is None or high is None or row.base.mean is None:
        return "inconclusive"
    margin = _margin(row.metric, policy) * abs(row.base.mean)
    if -margin <= low and high <= margin:
        return "equivalent"
    if corrected is None or corrected > policy.alpha or low <= 0 <= high:
        return "inconclusive"
    if row.metric.better == "none":
        return "changed"
    return "worse" if (low > 0) == (row.metric.better == "lower") else "better"


def _margin(metric: Metric, policy: Policy) -> float:
    """Give the relative change too small to matter; rates are amounts over time and are as noisy as times."""
    timed = metric.unit in {"s", "%"} or metric.unit.endswith("/s")
    return margins(policy)[0 if timed else 1][1]


def margins(policy: Policy) -> tuple[tuple[str, float], tuple[str, float]]:
    """Give, for each sort of metrics, the relative change too small to matter."""
    return ("times, rates and shares of a core", policy.margin_time), ("everything else", policy.margin_other)


def document(comparison: ClusterComparison) -> dict[str, Any]:
    """Give the document of ``-f json``."""
    base, *others = comparison.variants
    return {
        "spec": 1,
        "baseline": base.label,
        "runs": [variant.label for variant in others],
        "numberOfRuns": {variant.label: len(variant.runs) for variant in comparison.variants},
        "confidence": 1 - comparison.policy.alpha,
        "manifests": {
            variant.label: [run.summary["manifest"] for run in variant.runs] for variant in comparison.variants
        },
        "metrics": {
            row.metric.key: {
                "title": row.metric.title,
                "unit": row.metric.unit,
                "table": row.metric.section,
                "base": row.base.mean,
                "n": row.base.n,
                "runs": [_cell_document(cell) for cell in row.cells],
            }
            for row in comparison.rows
        },
    }


def _cell_document(cell: Cell) -> dict[str, Any]:
    weighed = cell.weighed
    return {
        "mean": cell.side.mean,
        "n": cell.side.n,
        "delta": cell.delta,
        "deltaPercent": cell.delta_percent,
        "interval": None if weighed.low is None else [weighed.low, weighed.high],
        "p": weighed.p,
        "pCorrected": cell.p_corrected,
        "verdict": cell.words,
        "samplesAre": weighed.unit,
        "samples": list(weighed.samples),
        "method": weighed.method,
        "reason": cell.reason if cell.verdict == "inconclusive" else "",
    }
