"""The jobs of two commits, or of the levels around them → observations, which are compared like any others."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from statera import _native
from statera.history.catalog import most
from statera.history.job import lane_name, lane_of
from statera.history.wording import short
from statera.reading.observations import Observations
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from statera.comparison.pairing.request import Request
    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.checkout import Checkout
    from statera.history.job import Lane, Stored
    from statera.history.track import Track
    from statera.support.settings.limits import Limits


def measured(name: str, jobs: Iterable[Stored], checkout: Checkout | None = None) -> str:
    """Return the full name of a commit that has jobs, by its beginning or by any name that git understands."""
    known = {each.job.commit for each in jobs}
    full = checkout.resolve(name) if checkout and name else None
    for wanted in (name, full):
        if wanted in known:
            return str(wanted)
    found = [commit for commit in known if name and commit.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Stop("no-commit", f"{name}: {len(found)} commits begin with this. Write more of the name")
    what = f"{full} was not measured" if full else "the history has no jobs of such a commit"
    raise Stop("no-commit", f"{name}: {what}. Name one that was")


def both(text: str) -> tuple[str, str]:
    """Return the names that ``A..B`` states."""
    first, dots, last = text.partition("..")
    if not dots or not first or not last or last.startswith("."):
        raise Stop("bad-option", f"{text}: write OLD..NEW, two commits with two dots between them")
    return first, last


class Side(NamedTuple):
    """A side of a comparison: its label and its jobs."""

    label: str
    jobs: list[Stored]


def of_commits(jobs: Sequence[Stored], old: str, new: str) -> tuple[Side, Side]:
    """Return the jobs of two commits, which have their full names."""
    return sides(old, new, at_commit(jobs, old), at_commit(jobs, new))


def sides(old: str, new: str, before: list[Stored], after: list[Stored]) -> tuple[Side, Side]:
    """Return jobs under the names of two commits, which are shortened where that leaves them different."""
    if old == new:
        raise Stop("bad-option", f"{short(old)}: both names stand for one commit. Name two")
    labels = [short(old), short(new)] if short(old) != short(new) else [old, new]
    return Side(labels[0], before), Side(labels[1], after)


def at_commit(jobs: Iterable[Stored], commit: str) -> list[Stored]:
    """Return the jobs of a commit, in the order of their start."""
    return sorted((each for each in jobs if each.job.commit == commit), key=lambda each: (each.job.started, each.id))


def at_level(analysis: Analysis, branch: str, commit: str, tracks: Iterable[Track]) -> list[Stored]:
    """Return the jobs between the changes next to a commit; the changes of these series count."""
    order = analysis.orders[branch]
    at = order.position[commit]
    changes = [change for track in tracks if track.line.branch == branch for change in track.changes]
    # Where the place of a change is uncertain, the commits that it may begin at belong to neither side.
    first = max((min(change.last, at) for change in changes if change.place <= at), default=0)
    end = min((max(change.first, at + 1) for change in changes if change.place > at), default=len(order.commits))
    return [each for each in analysis.jobs(branch) if first <= order.position[each.job.commit] < end]


def on_same_machines(old: Side, new: Side, keys: Sequence[str]) -> tuple[Side, Side, int]:
    """Return the jobs on machines that both sides have, and how many are left out."""
    sides = [{each.id: lane_of(each.job.environment, keys) for each in side.jobs} for side in (old, new)]
    shared = {*sides[0].values()} & {*sides[1].values()}
    if not shared:
        held = " and ".join(
            f"{side.label} by {_machines(lanes.values())}" for side, lanes in zip((old, new), sides, strict=True)
        )
        raise Stop("other-machine", f"no machine measured both: {held}; --lane none compares them nevertheless")
    kept = [
        [job for job in side.jobs if lanes[job.id] in shared] for side, lanes in zip((old, new), sides, strict=True)
    ]
    left = len(old.jobs) + len(new.jobs) - sum(map(len, kept))
    return old._replace(jobs=kept[0]), new._replace(jobs=kept[1]), left


def read(
    catalog: Catalog,
    sides: Sequence[Side],
    lane: Iterable[str],
    limits: Limits,
    request: Request,
    *,
    named: Callable[[Stored], str] | None = None,
) -> tuple[Observations, Request]:
    """Read the values of both sides; return them, and the request as it can be answered.

    Jobs that ran at different times share no rounds: blocks pair only where both sides measured some. Messages call a
    job by its file, unless ``named`` does.
    """
    keys = tuple(lane)
    found = observations_of(catalog, sides, keys, limits, named)
    if not found.has_blocks:
        return found, request
    old, new = (
        set(_native.block_names(observations_of(catalog, [side], keys, limits, named).native)) for side in sides
    )
    return found, request._replace(apart=not old & new)


def observations_of(
    catalog: Catalog,
    sides: Sequence[Side],
    lane: Iterable[str],
    limits: Limits,
    named: Callable[[Stored], str] | None = None,
) -> Observations:
    """Read the values of jobs; where they were retired, their median stands for them, as a summary of so many."""
    factors = {key for series in catalog.series for key in series.levels}
    numbers = {each.id: number for number, each in enumerate(catalog.jobs) if each}
    jobs = []
    for number, side in enumerate(sides):
        shared = _shared([each.job.environment for each in side.jobs], lane)
        for each in side.jobs:
            environment = {key: value for key, value in each.job.environment.items() if key in shared}
            keys = {**environment, "commit": each.job.commit, "date": each.job.started or each.job.committed}
            stated = [(key, value) for key, value in keys.items() if value and key not in factors]
            source = named(each) if named else _source(catalog, each)
            jobs.append((catalog.files[each.file], each.place, numbers[each.id], source, number, stated))
    try:
        return Observations(_native.upload_samples(catalog.native, jobs, limits, most(limits)), limits)
    except _native.Failure as failure:
        code, name, why = failure.args
        raise Stop(code, f"{_native.printable(name)}: {why}" if name else why) from None


def _shared(environments: Sequence[Mapping[str, str]], lane: Iterable[str]) -> set[str]:
    """Return the facts that all jobs of a side share, and those that keep machines apart."""
    first = environments[0]
    return {*lane, *(key for key in first if all(each.get(key) == first[key] for each in environments))}


def _source(catalog: Catalog, stored: Stored) -> str:
    """Return what messages call a job: its file, with the job where the file has several."""
    path = catalog.files[stored.file]
    return os.fspath(path) if path.stem == stored.id else f"{path}:{stored.id[:12]}"


def _machines(lanes: Iterable[Lane]) -> str:
    return listed(sorted({lane_name(lane) for lane in lanes}), 3)
