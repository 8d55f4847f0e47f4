"""The changes of level of all series, on every line of jobs."""

from __future__ import annotations

from bisect import bisect_left
from itertools import permutations
from math import expm1, inf, isnan
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.history.job import lane_of
from statera.history.kept import CHANGES
from statera.history.order import Order, by_position, of_branches
from statera.history.series import names_of
from statera.history.track import Change, Line, Track, is_weak, with_carried, with_invalid
from statera.support import stages
from statera.support.settings import Policy
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera import _native
    from statera.history.catalog import Catalog
    from statera.history.job import Lane, Stored

# A machine that begins within so many commits of another's end replaced it.
_NEAR = 20


class Analysis(NamedTuple):
    """What a history shows."""

    catalog: Catalog  # what was analysed
    orders: dict[str, Order]  # the line of commits of each branch
    lines: list[Line]
    tracks: list[Track]  # every series on every line that has values of it
    policy: Policy = Policy()  # its margins say which changes are too small to look at
    parents: Mapping[str, str | None] | None = None  # the first parents that a repository stated

    def jobs(self, branch: str) -> list[Stored]:
        """Return the jobs on the lines of a branch."""
        return [job for line in self.lines if line.branch == branch for job in line.jobs]

    def watched(self, branch: str) -> list[Track]:
        """Return the series of a branch whose changes are told."""
        return [track for track in self.tracks if track.is_watched and track.line.branch == branch]


def analyse(
    catalog: Catalog,
    lane: Iterable[str],
    *,
    branches: Iterable[str] = (),
    parents: Mapping[str, str | None] | None = None,
    detector: Detector | None = None,
) -> Analysis:
    """Find the changes of level of all series, of all branches by default.

    ``lane`` has the facts about machines that keep jobs apart, ``parents`` first parents of commits from a repository,
    and ``detector`` the constants; without it they are the calibrated ones.
    """
    stages.enter("analysing")
    constants = detector or Detector()
    keys = tuple(lane)
    numbers = {each.id: number for number, each in enumerate(catalog.jobs) if each}
    held = catalog.held
    orders = of_branches(held, catalog.events, parents, branches)
    lines = []
    for branch, order in orders.items():
        of_lanes: dict[Lane, list[Stored]] = {}
        for each in by_position((each for each in held if each.job.branch == branch), order):
            of_lanes.setdefault(lane_of(each.job.environment, keys), []).append(each)
        lines += [Line(branch, lane, jobs) for lane, jobs in of_lanes.items()]
    steps = [
        [(numbers[each.id], orders[line.branch].position[each.job.commit]) for each in line.jobs] for line in lines
    ]
    found = _found(catalog, steps, constants)
    names = names_of(catalog.series)
    tracks = []
    for of_series in found:
        line, number = lines[of_series.line], of_series.series
        track = Track(names[number], catalog.series[number], line, orders[line.branch], of_series)
        tracks.append(_with_changes(track, constants.level) if of_series.shows else track)
    whole = with_invalid(with_carried(tracks, replaced(lines, orders), catalog))
    return Analysis(catalog, orders, lines, whole, parents=parents)


def _found(catalog: Catalog, steps: list[list[tuple[int, int]]], constants: Detector) -> list[_native.Found]:
    kept = catalog.kept
    if kept is None or not kept.is_own:
        return catalog.native.detect(steps, constants)
    found, now = catalog.native.detect_again(steps, constants, kept.path(CHANGES), kept.version)
    kept.write(CHANGES, now)
    return found


def _with_changes(track: Track, level: float) -> Track:
    native = track.found.changes
    where = track.positions
    weak = is_weak(track.corrected, level)
    return track._replace(
        changes=tuple(_change(point, where, is_ratio=native["ratio"], weak=weak) for point in native["points"]),
        withdrawn=tuple((where[place], where[raised]) for place, raised, gone in native["alarms"] if gone),
        spikes=tuple(native["spikes"]),
        suspect=native["suspect"],
    )


def _change(point: dict[str, Any], where: list[int], *, is_ratio: bool, weak: bool) -> Change:
    first = where[point["first"]]
    before = bisect_left(where, first) - 1
    size, low, high = ((_share(point[name]) if is_ratio else point[name]) for name in ("size", "low", "high"))
    p = point["p"]
    return Change(
        where[point["place"]],
        where[before] + 1 if before >= 0 else first,
        where[point["last"]],
        where[point["raised"]],
        size,
        low,
        high,
        is_ratio,
        None if isnan(p) else p,
        point["returns"],
        weak,
    )


def _share(logarithm: float) -> float:
    try:
        return expm1(logarithm)
    except OverflowError:
        return inf


def replaced(lines: Iterable[Line], orders: Mapping[str, Order]) -> list[tuple[Line, Line]]:
    """Return the pairs of lines of which one ends where the other begins, so that the machine was replaced.

    Each line follows one at most.
    """
    pairs = []
    for old, new in permutations(lines, 2):
        if old.branch != new.branch:
            continue
        position = orders[old.branch].position
        end, begin = position[old.jobs[-1].job.commit], position[new.jobs[0].job.commit]
        if 0 <= begin - end <= _NEAR and position[old.jobs[0].job.commit] < begin:
            pairs.append((begin, old, new))
    pairs.sort(key=lambda pair: (pair[0], pair[1].lane, pair[2].lane))
    followed: set[int] = set()
    following: set[int] = set()
    found = []
    for _, old, new in pairs:
        if id(old) not in followed and id(new) not in following:
            followed.add(id(old))
            following.add(id(new))
            found.append((old, new))
    return found
