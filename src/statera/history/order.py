"""The order of jobs: the position of their commits on the first-parent line of their branch, also in portions."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.history.job import LINE, Stored, moment

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from statera.history.catalog import Events
    from statera.history.job import Job


# The kind of events that state the order of commits.
ORDER: Final = "order"


class Order(NamedTuple):
    """The line of a branch."""

    commits: list[str]  # the commits from the oldest to the newest, also those without jobs
    position: dict[str, int]  # the position of each
    off_line: list[Stored]  # jobs whose commits are no longer on the branch, because it was rewritten
    unconnected: list[Stored]  # jobs whose commits are older than the oldest that the lines of all jobs lead back to


def ordered(jobs: Sequence[Stored], parents: Mapping[str, str | None] | None = None) -> Order:
    """Order the commits of a branch, of which all jobs are given.

    ``parents`` has further first parents, from a repository or from jobs of other branches; None for a commit without
    any.
    """
    first = {**first_parents(each.job for each in jobs), **(parents or {})}
    tip = _tip(jobs, first)
    commits = [] if tip is None else list(_back(tip, first))
    ends = bool(commits) and first.get(commits[-1], "") is None
    commits.reverse()
    position = {commit: number for number, commit in enumerate(commits)}
    others = [each for each in jobs if each.job.commit not in position]
    # A commit that leads to the line left it; one that leads nowhere may stand before its beginning.
    joins = [each for each in others if ends or _joins(each.job, first, position)]
    apart = {each.id for each in joins}
    return Order(commits, position, joins, [each for each in others if each.id not in apart])


def of_branches(
    jobs: Iterable[Stored],
    events: Events,
    parents: Mapping[str, str | None] | None = None,
    branches: Iterable[str] = (),
) -> dict[str, Order]:
    """Order the commits of each branch, or of those that are wanted; ``parents`` as in `ordered`."""
    held: dict[str, list[Stored]] = {}
    for each in jobs:
        held.setdefault(each.job.branch, []).append(each)
    wanted = set(branches)
    # A commit has the same parents on every branch; which one measured it first is chance.
    every = [each.job for own in held.values() for each in own]
    known = {**first_parents(every), **stated_parents(every, events), **(parents or {})}
    return {branch: ordered(own, known) for branch, own in sorted(held.items()) if not wanted or branch in wanted}


def by_position(jobs: Iterable[Stored], order: Order) -> list[Stored]:
    """Return the jobs on the line: by commit, then by start, then by id."""
    held = [each for each in jobs if each.job.commit in order.position]
    return sorted(held, key=lambda each: (order.position[each.job.commit], each.job.started, each.id))


def first_parents(jobs: Iterable[Job]) -> dict[str, str | None]:
    """Return the first parent of each commit that jobs know it of; None for a commit that has none."""
    found: dict[str, str | None] = {}
    for job in jobs:
        found.update(zip(job.line, job.line[1:], strict=False))
        if job.parents is not None:
            found[job.commit] = job.parents[0] if job.parents else None
    return found


def stated_parents(jobs: Iterable[Job], events: Events) -> dict[str, str | None]:
    """Return the commit before each, as events state it: the last counts, but what a repository knew counts more."""
    stated = [event for _, event in events if event.get("kind") == ORDER and _is_list(event.get("commits"))]
    if not stated:
        return {}
    known = {job.commit for job in jobs if job.parents is not None}
    found: dict[str, str | None] = {}
    for event in sorted(stated, key=lambda event: str(event.get("when", ""))):
        found.update((after, before) for after, before in pairwise(event["commits"]) if after not in known)
    return found


def _is_list(stated: object) -> bool:
    return isinstance(stated, list) and all(isinstance(each, str) for each in stated)


def _tip(jobs: Sequence[Stored], first: Mapping[str, str | None]) -> str | None:
    """Return the newest commit: no other of the branch leads to it.

    Of several, after a rewrite, it is the one that was made last: an old one may run again at any time. Whatever its
    clock said, no commit was made before those that it follows.
    """
    inner: set[str] = set()
    for each in jobs:
        at = first.get(each.job.commit)
        while at is not None and at not in inner:
            inner.add(at)
            at = first.get(at)
    inner = inner.union(*(each.job.parents or () for each in jobs))
    tips = [each for each in jobs if each.job.commit not in inner] or list(jobs)
    times = {each.job.commit: moment(each.job.committed) for each in jobs}
    dated = all(times[each.job.commit] for each in tips)

    def when(each: Stored) -> tuple[float, str, str]:
        made = [times.get(commit) for commit in _back(each.job.commit, first)]
        return max((at.timestamp() for at in made if at and dated), default=0.0), each.job.started, each.id

    last = max(tips, key=when, default=None)
    return last.job.commit if last else None


def _joins(job: Job, first: Mapping[str, str | None], position: Mapping[str, int]) -> bool:
    return any(commit in position for commit in _back(job.commit, first))


def _back(commit: str, first: Mapping[str, str | None]) -> Iterator[str]:
    """Yield a commit and its first parents, as far as they are known; lines that form a circle end."""
    at: str | None = commit
    seen = set()
    while at is not None and at not in seen:
        yield at
        seen.add(at)
        at = first.get(at)


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
