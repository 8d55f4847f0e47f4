"""Results of several commits that come in portions → one order of their commits, as if all had come at once.

Where no repository knows the commits, the results say their order, and each job carries it. A later portion is joined
to what the history has by the commits that both have, otherwise by dates. What earlier jobs carry never changes, so an
event states the order where these do not lead the right way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.history.job import LINE, Stored, moment
from statera.history.order import ORDER, first_parents, ordered, stated_parents

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statera.history.catalog import Events
    from statera.history.job import Job

# So many commits stand in an event, which has at most 1 MiB; names of commits may be long.
_MOST: Final = 200


class Joined(NamedTuple):
    """The order of the commits of results and of the jobs that a history has."""

    commits: list[str]  # the commits, the oldest first
    apart: int  # how many commits of the history neither commits nor dates connect with the results
    events: list[dict[str, Any]]  # what states the order where earlier jobs do not lead the right way

    def lines(self) -> dict[str, tuple[str, ...]]:
        """Return for each commit what its job carries: the commit and those before it, newest first."""
        newest = self.commits[::-1]
        return {commit: tuple(newest[at : at + LINE]) for at, commit in enumerate(newest)}


def joined(said: Sequence[str], dates: Mapping[str, float], held: Sequence[Job], events: Events) -> Joined:
    """Join the commits of results, the oldest first, with those of jobs that a history has.

    ``dates`` has the times of the commits of the results that have one.
    """
    first = {**first_parents(held), **stated_parents(held, events)}
    times = {**_dates(held), **dates}
    together, apart = list(said), 0
    parts = _parts(held, first)
    # Commits that both have say most: what they connect may connect the others.
    for part in sorted(parts, key=lambda part: set(part).isdisjoint(said)):
        merged = _merged(part, together, times)
        apart += len(part) if merged is None else 0
        together = merged or together
    return Joined(together, apart, _events(together, {job.commit for job in held}, first))


def _dates(jobs: Iterable[Job]) -> dict[str, float]:
    found: dict[str, float] = {}
    for job in jobs:
        when = moment(job.started) or moment(job.committed)
        if when:
            found[job.commit] = min(when.timestamp(), found.get(job.commit, when.timestamp()))
    return found


def _parts(held: Iterable[Job], first: Mapping[str, str | None]) -> list[list[str]]:
    """Return the measured commits of each line that nothing connects with the others, the oldest first."""
    left = [Stored(str(number), job, 0, 0) for number, job in enumerate(held)]
    found = []
    while left:
        order = ordered(left, first)
        measured = {each.job.commit for each in left}
        found.append([commit for commit in order.commits if commit in measured])
        left = order.unconnected
    return found


def _merged(held: Sequence[str], said: Sequence[str], times: Mapping[str, float]) -> list[str] | None:
    """Merge two orders; None if nothing connects them. Where they contradict each other, the later one counts."""
    both = {*held} & {*said}
    if not both and not all(commit in times for commit in (*held, *said)):
        return None
    between: dict[str | None, list[str]] = {None: []}
    at: str | None = None
    for commit in held:
        if commit in both:
            at = commit
        else:
            between.setdefault(at, []).append(commit)
    found: list[str] = []
    own: list[str] = []
    at = None
    for commit in said:
        if commit in both:
            found += [*_by_dates(between.get(at, []), own, times), commit]
            at, own = commit, []
        else:
            own.append(commit)
    return found + _by_dates(between.get(at, []), own, times)


def _by_dates(held: Sequence[str], said: Sequence[str], times: Mapping[str, float]) -> list[str]:
    """Merge commits that stand between the same two; without dates, those that came earlier stand first."""
    if not all(commit in times for commit in (*held, *said)):
        return [*held, *said]
    found: list[str] = []
    rest = list(said)
    for commit in held:
        while rest and times[rest[0]] < times[commit]:
            found.append(rest.pop(0))
        found.append(commit)
    return found + rest


def _events(commits: Sequence[str], held: set[str], first: Mapping[str, str | None]) -> list[dict[str, Any]]:
    """State the order from the first to the last commit that earlier jobs do not lead to the one before it."""
    number = {commit: at for at, commit in enumerate(commits)}
    wrong = [
        at for at, commit in enumerate(commits) if at and commit in held and _before(commit, number, first) != at - 1
    ]
    if not wrong:
        return []
    stretch = commits[wrong[0] - 1 : wrong[-1] + 1]
    return [
        {"kind": ORDER, "commits": list(reversed(stretch[begin : begin + _MOST]))}
        for begin in range(0, len(stretch) - 1, _MOST - 1)
    ]


def _before(commit: str, number: Mapping[str, int], first: Mapping[str, str | None]) -> int | None:
    """Return the number of the first ordered commit that a commit leads back to; None without one."""
    seen = {commit}
    at = first.get(commit)
    while at is not None and at not in number and at not in seen:
        seen.add(at)
        at = first.get(at)
    return number.get(at) if at is not None else None
