"""Outlier hosts: hosts whose means of resources or of the forge loop are far from the rest of the cluster."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.metrics import METRICS, Metric

if TYPE_CHECKING:
    from statera.cluster.samples import Analysed

# Median absolute deviations, scaled to the standard deviation of a normal distribution (Rousseeuw & Croux 1993).
_SCALE: Final = 1.4826
_FAR: Final = 5.0
# Among nearly equal hosts tiny differences are many deviations; they are not worth reporting.
_LEAST_SHARE: Final = 0.1
_FEWEST: Final = 5


class Apart(NamedTuple):
    """An outlier host.

    Attributes:
        host: its name.
        metric: the metric in which it differs.
        mean: its mean, in the metric's unit.
        middle: the median of the means of all hosts.
        deviations: the distance of the two, in scaled median absolute deviations.

    """

    host: str
    metric: Metric
    mean: float
    middle: float
    deviations: float


def apart(run: Analysed) -> list[Apart]:
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
            Apart(host, metric, mean, middle, abs(mean - middle) / scale)
            for host, mean in means.items()
            if abs(mean - middle) > max(_FAR * scale, _LEAST_SHARE * abs(middle))
        ]
    return sorted(found, key=lambda each: -each.deviations)
