"""Outlier hosts: hosts whose means of resources or of the forge loop are far from the rest, and their table."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.metrics import METRICS, Metric, name
from statera.cluster.numbers import suited
from statera.cluster.report.cells import count, shown
from statera.output.report.model import Cell, Column, Table
from statera.support.wording import several

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.report.material import ReportedRun
    from statera.cluster.samples import Analysed


# Median absolute deviations, scaled to the standard deviation of a normal distribution (Rousseeuw & Croux 1993).
_SCALE: Final = 1.4826
_FAR: Final = 5.0
# Among nearly equal hosts tiny differences are many deviations; they are not worth reporting.
_LEAST_SHARE: Final = 0.1
_FEWEST: Final = 5


class Outlier(NamedTuple):
    """An outlier host."""

    host: str  # its name
    metric: Metric  # the metric in which it differs
    mean: float  # its mean, in the metric's unit
    middle: float  # the median of the means of all hosts
    deviations: float  # the distance of the two, in scaled median absolute deviations


def outliers(run: Analysed) -> list[Outlier]:
    """Find hosts whose mean is far from the median of all hosts, the farthest first.

    Far means more than 5 scaled median absolute deviations and more than a tenth of the median. Metrics counted once
    per host (blocks) are left out: how many blocks a host forges is chance. Fewer than 5 hosts have no outliers.
    """
    found = []
    for metric in METRICS:
        means = {host: found.mean for host, found in run.hosts.get(metric.key, {}).items()}
        if not metric.paired or metric.source == "host_facts" or len(means) < _FEWEST:
            continue
        middle = median(means.values())
        scale = _SCALE * median(abs(mean - middle) for mean in means.values())
        if not scale:
            continue
        found += [
            Outlier(host, metric, mean, middle, abs(mean - middle) / scale)
            for host, mean in means.items()
            if abs(mean - middle) > max(_FAR * scale, _LEAST_SHARE * abs(middle))
        ]
    return sorted(found, key=lambda each: -each.deviations)


RULE: Final = (
    "A host is an outlier if its mean differs from the median of the hosts of its run by more than five scaled "
    "median absolute deviations and by more than a tenth. Runs of fewer than five hosts have no outlier hosts."
)
_MOST: Final = 12
_NAMED: Final = 3


def outliers_of(each: Sequence[ReportedRun]) -> list[tuple[ReportedRun, Outlier]]:
    """Return the outlier hosts of all runs, the farthest first."""
    return sorted(((one, far) for one in each for far in outliers(one.run)), key=lambda pair: -pair[1].deviations)


def outliers_table(each: Sequence[ReportedRun]) -> Table | None:
    """Build the table of outlier hosts; None if there are none."""
    of: dict[tuple[str, str], list[Outlier]] = {}
    for one, far in outliers_of(each):
        of.setdefault((shown(far.host), shown(one.name)), []).append(far)
    if not of:
        return None
    rows = [_row(host, run, far, several_runs=len(each) > 1) for (host, run), far in of.items()]
    runs = (Column("run", minor=True),) if len(each) > 1 else ()
    heads = (Column("host"), *runs, Column("metrics", numeric=True), Column("farthest, of its peers"))
    return Table("Outlier hosts, the farthest first", heads, tuple(rows[:_MOST]), (RULE,), len(rows))


def _row(host: str, run: str, far: Sequence[Outlier], *, several_runs: bool) -> tuple[Cell, ...]:
    told = Cell(several([_told(one) for one in far], _NAMED))
    return (Cell(host, tone="doubtful"), *((Cell(run),) if several_runs else ()), count(len(far)), told)


def _told(far: Outlier) -> str:
    unit = suited(far.metric.unit, (far.mean, far.middle))
    return f"{name(far.metric)} {unit.amount(far.mean, 3)}{unit.words} (median {unit.amount(far.middle, 3)})"
