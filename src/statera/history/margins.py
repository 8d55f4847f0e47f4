"""Which changes of a history are too small to look at: the margins that settings state, in a file or on a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.comparison.weighing.metric_rules import Stated
from statera.history import wording
from statera.reading.observations import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.comparison.weighing.metric_rules import Margin
    from statera.history.alerts import Part
    from statera.history.series import Series
    from statera.support.settings import Policy


def stated_margins(series: Iterable[Series], policy: Policy) -> dict[tuple[str, bool], Margin]:
    """Return the margins that a policy states, by the ids of series and whether their values are exact.

    Without one, the detector alone decides: no margin of comparisons holds.

    Raises:
        Stop: an amount is stated for metrics of another unit.

    """
    if not policy.margins:
        return {}
    known = {each.id: each for each in series}
    benchmarks = sorted({each.benchmark for each in known.values()})
    places = {name: place for place, name in enumerate(benchmarks)}
    metrics = {
        (each.metric, each.unit): Metric(
            each.metric, each.unit, each.quantity, each.better, assumed_exact=False, may_be_exact=False, primary=True
        )
        for each in known.values()
    }
    stated = Stated(
        policy._replace(margin_time=0.0, margin_count=0.0, margin_other=0.0, margin_exact=0.0),
        list(metrics.values()),
        benchmarks,
    )
    of_metrics = {key: stated.of(metric) for key, metric in metrics.items()}
    found: dict[tuple[str, bool], Margin] = {}
    for id_, each in known.items():
        of = of_metrics[each.metric, each.unit]
        varying, exact = of.own.get(places[each.benchmark], (of.varying, of.exact))
        found |= {(id_, False): varying, (id_, True): exact}
    return found


def is_small(part: Part, margins: Mapping[tuple[str, bool], Margin]) -> bool:
    """Return whether a change is below the margin of its series."""
    margin = margins.get((part.track.series.id, part.track.found.exact))
    if margin is None:
        return False
    level = wording.levels(part.track, part.change)[0]
    share = margin.relative(level)
    return abs(part.change.size) < (share if part.change.is_ratio else share * abs(level))
