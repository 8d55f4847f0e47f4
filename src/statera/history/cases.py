"""Alerts with what was decided about them, and whether somebody has to look: the one judge of that for all outputs.

An alert below the margins of the settings, of a file or a server, is too small to look at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.comparison.weighing.metric_rules import Stated
from statera.history import wording
from statera.history.alerts import alerts, decisions, expectations, reason_of, state_of
from statera.reading.observations import Metric

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.comparison.weighing.metric_rules import Margin
    from statera.history.alerts import Alert, Part, State
    from statera.history.analysis import Analysis
    from statera.history.series import Series
    from statera.support.settings import Policy

# What an alert is called of which every change is below its margin.
BELOW: Final = "below its margin"


class Case(NamedTuple):
    """An alert, what was decided about it, and whether somebody has to look."""

    alert: Alert
    state: State
    events: list[dict[str, Any]]
    expected: frozenset[int]  # the numbers of its changes that were announced
    is_open: bool
    small: frozenset[int] = frozenset()  # the numbers of those below the margins that the settings state

    @property
    def word(self) -> str:
        """Return what readers call its state: what was decided, or why nobody has to look at it."""
        if self.is_open or self.state.is_quiet:
            return self.state.word
        return BELOW if self.small else "expected"


def cases(analysis: Analysis) -> list[Case]:
    """Return the alerts of an analysis with what was decided about them, the newest first."""
    announced = expectations(analysis.catalog)
    margins = stated_margins((track.series for track in analysis.tracks if track.is_watched), analysis.policy)
    found = []
    for alert in alerts(analysis):
        order = analysis.orders[alert.branch]
        state = state_of(alert, order, analysis.catalog, announced)
        expected = frozenset(n for n, part in enumerate(alert.parts) if reason_of(part, order, announced) is not None)
        small = frozenset(n for n, part in enumerate(alert.parts) if is_small(part, margins))
        is_open = not state.is_quiet and len(expected | small) < len(alert.parts)
        found.append(Case(alert, state, decisions(alert, order, analysis.catalog), expected, is_open, small))
    return found


def stated_margins(series: Iterable[Series], policy: Policy) -> dict[tuple[str, bool], Margin]:
    """Return the margins that a policy states, by the ids of series and whether their values are exact.

    Without one, the detector alone decides: no margin of comparisons holds.

    Raises ``Stop`` if an amount is stated for metrics of another unit.
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
