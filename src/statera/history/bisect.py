"""The commits that a change may begin at and that nobody measured, in the order to measure them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from statera.history.alerts import Alert
    from statera.history.analysis import Analysis


class Bisection(NamedTuple):
    """Where to look for the beginning of a change.

    Attributes:
        commits: the unmeasured commits that it may begin at, in the order to measure them.
        measured: how many of the commits in question were measured.
        jobs: how many jobs of each commit tell on which side of the change it is.

    """

    commits: list[str]
    measured: int
    jobs: int


# If two levels are so many standard deviations of a mean apart, the mean lies on the wrong side of their middle in one
# of 40 cases: twice the 97.5 % quantile of the normal distribution.
_APART = 3.919927969080108
_MOST_JOBS = 20


def bisect(alert: Alert, analysis: Analysis) -> Bisection:
    """Return the commits to measure: each halves what is left, whatever the ones before it say.

    The change begins at a commit of the alert, or at an unmeasured one between the last measured commit and these.
    """
    order = analysis.orders[alert.branch]
    measured = {
        order.position[job.job.commit] for line in analysis.lines if line.branch == alert.branch for job in line.jobs
    }
    before = max((position for position in measured if position < alert.first), default=alert.first - 1)
    places = range(before + 1, alert.last + 1)
    return Bisection(
        [order.commits[place] for place in _halving(list(places)) if place not in measured],
        sum(place in measured for place in places),
        _jobs(alert),
    )


def _halving(places: list[int]) -> list[int]:
    """Order positions so that each lies in the middle of the longest stretch between those before it."""
    found = []
    stretches = [places]
    while stretches:
        stretches.sort(key=len, reverse=True)
        stretch = stretches.pop(0)
        if not stretch:
            break
        middle = len(stretch) // 2
        found.append(stretch[middle])
        stretches += [stretch[:middle], stretch[middle + 1 :]]
    return found


def _jobs(alert: Alert) -> int:
    """Return how many jobs of a commit tell the two levels apart, in the series that shows the change best."""
    from math import ceil, isfinite, log1p  # noqa: PLC0415 - only here

    needed = []
    for part in alert.parts:
        noise = part.track.noise
        size = abs(log1p(part.change.size)) if part.change.is_ratio and part.change.size > -1 else abs(part.change.size)
        if noise is not None and size > 0 and isfinite(size):
            needed.append(ceil((_APART * noise / size) ** 2))
    return max(min(min(needed, default=1), _MOST_JOBS), 1)
