"""Alerts with what was decided about them, and whether somebody has to look: the one judge of that for all outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.history.alerts import alerts, decisions, expectations, reason_of, state_of
from statera.history.margins import is_small, stated_margins

if TYPE_CHECKING:
    from statera.history.alerts import Alert, State
    from statera.history.analysis import Analysis

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
