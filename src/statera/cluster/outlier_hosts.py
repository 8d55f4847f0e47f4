"""Hosts that stand apart from their cluster, by the means of what they used and how their loops went."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.cluster.metrics import METRICS, Metric

if TYPE_CHECKING:
    from statera.cluster.samples import Analysed

# Median absolute deviations, scaled to the standard deviation of a normal distribution (Rousseeuw & Croux 1993).
_SCALE: Final = 1.4826
_FAR: Final = 5.0
# Hosts that are much alike stand apart by next to nothing: that is not worth a word.
_LEAST_SHARE: Final = 0.1
_FEWEST: Final = 5


class Apart(NamedTuple):
    """A host that stands apart.

    Attributes:
        host: its name.
        metric: in what.
        mean: its mean, in the metric's unit.
        middle: the median of the means of all hosts.
        deviations: how many scaled median absolute deviations lie between.

    """

    host: str
    metric: Metric
    mean: float
    middle: float
    deviations: float


def apart(run: Analysed) -> list[Apart]:
    """Find hosts whose mean is far from the median of all hosts, the farthest first.

    Far is more than 5 scaled median absolute deviations and a tenth of the median. What is counted once a host (blocks)
    is left out: how many blocks a host forges is a matter of chance. Of fewer than 5 hosts none stands apart.
    """
    found = []
    for metric in METRICS:
        means = run.hosts.get(metric.key, {})
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
