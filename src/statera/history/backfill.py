"""Bisection of a change that was told: commits between the measured ones are measured, and each narrows the range.

`alerts.bisect` says which commit is next, and the analysis of all jobs says where the change may begin then. What
measures a commit is not known here.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Literal, NamedTuple

from statera.history.alerts import bisect, followed
from statera.history.job import lane_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from statera.history.alerts import Alert, Bisection
    from statera.history.analysis import Analysis

# found: the range is one commit. gone: with the new jobs no change is left. measured: no commit is left to measure.
# skipped: nor is one, but some could not be measured. budget: the time is spent.
Reason = Literal["found", "gone", "measured", "skipped", "budget"]


class Step(NamedTuple):
    """A job that is to be measured.

    Attributes:
        commit: its full name. job: its number among those of the commit, from 1. jobs: how many the commit gets.

        left: how many commits are not measured at which the change may begin.

    """

    commit: str
    job: int
    jobs: int
    left: int


class Backfilled(NamedTuple):
    """How a bisection ended.

    Attributes:
        reason: why it went no further.
        alert: the change as the last analysis tells it; the one before, if it is gone.
        analysis: the last one.
        measured: the commits that got jobs. skipped: those that could not be measured, or whose jobs lack the series.

    """

    reason: Reason
    alert: Alert
    analysis: Analysis
    measured: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


class Budget:
    """A length of time. Nothing begins that would probably end after it.

    Args:
        seconds: from now on.

    """

    def __init__(self, seconds: float) -> None:
        self._end = monotonic() + seconds
        self._longest = 0.0

    @property
    def left(self) -> float:
        """Return the seconds that are left; below 0 if it is overdrawn."""
        return self._end - monotonic()

    @property
    def is_spent(self) -> bool:
        """Return whether something that takes as long as the longest before would end too late."""
        return self.left <= self._longest

    def took(self, seconds: float) -> None:
        """Take note of how long something took."""
        self._longest = max(self._longest, seconds)


def at_most(commits: int) -> int:
    """Return how many of so many unmeasured commits a bisection measures, if each measurement decides."""
    return commits.bit_length()


def on_machine(alert: Alert, facts: Mapping[str, str], keys: Iterable[str]) -> bool:
    """Return whether jobs of a machine with these facts count for one of the series of an alert.

    Args:
        alert: the change.
        facts: about the machine.
        keys: of the facts that keep jobs apart.

    """
    own = lane_of(facts, keys)
    return any(part.track.line.lane == own for part in alert.parts)


def narrow(
    alert: Alert,
    analysis: Analysis,
    *,
    measure: Callable[[Step], bool],
    again: Callable[[], Analysis],
    told: Callable[[Alert, Analysis], None],
    budget: Budget,
) -> Backfilled:
    """Measure commits until a change begins at one commit, or nothing more can be said.

    Args:
        alert: the change.
        analysis: in which it was told.
        measure: adds one job of a commit to the history; returns whether it could be measured.
        again: analyses the history as it is then.
        told: takes what the alert became.
        budget: how long it may take.

    """
    measured: list[str] = []
    skipped: list[str] = []

    def ended(reason: Reason) -> Backfilled:
        return Backfilled(reason, alert, analysis, tuple(measured), tuple(skipped))

    while alert.first < alert.last:
        found = bisect(alert, analysis, skipped)
        if not found.commits:
            return ended("skipped" if bisect(alert, analysis).commits else "measured")
        if budget.is_spent:
            return ended("budget")
        commit = found.commits[0]
        if not _measured(commit, found, measure, budget):
            skipped.append(commit)
            continue
        measured.append(commit)
        order, analysis = analysis.orders[alert.branch], again()
        now = followed(alert, order, analysis)
        if now is None:
            return ended("gone")
        alert = now
        told(alert, analysis)
        if commit in bisect(alert, analysis).commits:
            # Its jobs lack the series, and it would be measured for ever.
            skipped.append(commit)
    return ended("found")


def _measured(commit: str, found: Bisection, measure: Callable[[Step], bool], budget: Budget) -> bool:
    """Measure the jobs of a commit, at least one, and the others as long as there is time."""
    for job in range(1, found.jobs + 1):
        if job > 1 and budget.is_spent:
            break
        begun = monotonic()
        is_done = measure(Step(commit, job, found.jobs, len(found.commits)))
        budget.took(monotonic() - begun)
        if not is_done:
            return job > 1
    return True
