"""The changes of level of all series, on every line of jobs."""

from __future__ import annotations

from bisect import bisect_left
from math import expm1, inf, isnan
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from statera import _native
from statera.history.job import Lane, lane_of
from statera.history.order import Order, by_position, of_branches
from statera.history.series import names_of
from statera.support import stages
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera.history.catalog import Catalog
    from statera.history.job import Stored
    from statera.history.series import Series

Direction = Literal["worse", "better", "changed"]
# Of a change, by whether it is for the worse, in the order in which outputs list them.
DIRECTIONS: Final[dict[bool | None, Direction]] = {True: "worse", None: "changed", False: "better"}
# A machine that begins within so many commits of another's end replaced it.
_NEAR = 20


class Line(NamedTuple):
    """The jobs of a branch on machines that are alike, in the order of their commits."""

    branch: str
    lane: Lane
    jobs: list[Stored]


class Change(NamedTuple):
    """A change of level in a series."""

    # place: the position of the first measured commit at the new level. first, last: those of the earliest and the
    # latest commit that it may begin at. The earliest follows the last commit that its series measured before, since
    # nobody knows on which side the commits between two measured ones are.
    place: int
    first: int
    last: int
    raised: int  # the position of the commit whose job told it first
    size: float  # the change, as a share of the level before (0.05: 5 % more), or as a difference
    low: float
    high: float
    is_ratio: bool  # whether the size is a share
    p: float | None  # how likely anything as strong is in a series without change; None of exact values
    returns: bool  # whether it undoes the change before it
    weak: bool  # whether it does not hold among all series

    def direction(self, series: Series) -> Direction:
        """Return the code of its direction."""
        return DIRECTIONS[self.is_worse(series)]

    def word(self, series: Series) -> str:
        """Return what readers call it: slower, less, higher, and changed where nobody knows which way is better."""
        if series.better is None:
            return "changed"
        return _native.series_moved(series.quantity, series.better, self.size > 0)

    def is_worse(self, series: Series) -> bool | None:
        """Return whether it is for the worse; None if nobody knows which way is better."""
        if series.better is None:
            return None
        return (self.size > 0) == (series.better == "lower")


class Track(NamedTuple):
    """A series on a line, with what it shows."""

    name: str  # how outputs name the series: its benchmark, and the factors that not all series share
    series: Series
    line: Line
    order: Order
    found: _native.Found  # the values, and what the compiled part found in them
    changes: tuple[Change, ...] = ()
    # Alarms that do not hold any longer: positions of their commit, and of the commit that raised them.
    withdrawn: tuple[tuple[int, int], ...] = ()
    # Values that stood outside and whose successors came back: number of the first, and how many.
    spikes: tuple[tuple[int, int], ...] = ()
    suspect: tuple[int, int] | None = None  # the same of the newest values, which are too few for an alarm

    def jobs(self, catalog: Catalog) -> list[Stored]:
        """Return the jobs of the values."""
        return [job for number in self.found.jobs if (job := catalog.jobs[number])]

    @property
    def is_watched(self) -> bool:
        """Return whether its changes are told: its metric is compared without being asked for, or exact."""
        return self.series.is_primary or self.found.exact

    @property
    def noise(self) -> float | None:
        """Return the standard deviation of a value around its level, in the unit of the sizes; None if unknown."""
        return self.found.noise

    @property
    def corrected(self) -> float | None:
        """Return the least p of its changes, corrected over all series."""
        return self.found.corrected

    def among(self, name: str, corrected: float | None) -> Track:
        """Return it as it stands among series that were not analysed with it: its name, and the corrected p."""
        weak = _is_weak(corrected, Detector().level)
        return self._replace(name=name, changes=tuple(change._replace(weak=weak) for change in self.changes))

    def newest(self, catalog: Catalog) -> int:
        """Return the position of the commit of the last value; -1 without values."""
        job = None if self.found.newest is None else catalog.jobs[self.found.newest]
        return self.order.position[job.job.commit] if job else -1

    def newest_positions(self, catalog: Catalog, most: int) -> list[int]:
        """Return the positions of the commits of the newest values."""
        jobs = (catalog.jobs[number] for number in self.found.jobs[-most:])
        return [self.order.position[job.job.commit] for job in jobs if job]

    def positions(self, catalog: Catalog) -> list[int]:
        """Return the position of the commit of each value."""
        return [self.order.position[job.job.commit] for job in self.jobs(catalog)]


class Analysis(NamedTuple):
    """What a history shows."""

    catalog: Catalog  # what was analysed
    orders: dict[str, Order]  # the line of commits of each branch
    lines: list[Line]
    tracks: list[Track]  # every series on every line that has values of it

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
    found = catalog.native.detect(steps, constants)
    names = names_of(catalog.series)
    tracks = []
    for of_series in found:
        line, number = lines[of_series.line], of_series.series
        track = Track(names[number], catalog.series[number], line, orders[line.branch], of_series)
        tracks.append(_with_changes(track, catalog, constants.level) if of_series.shows else track)
    return Analysis(catalog, orders, lines, tracks)


def _with_changes(track: Track, catalog: Catalog, level: float) -> Track:
    native = track.found.changes
    where = track.positions(catalog)
    weak = _is_weak(track.corrected, level)
    return track._replace(
        changes=tuple(_change(point, where, is_ratio=native["ratio"], weak=weak) for point in native["points"]),
        withdrawn=tuple((where[place], where[raised]) for place, raised, gone in native["alarms"] if gone),
        spikes=tuple(native["spikes"]),
        suspect=native["suspect"],
    )


def _is_weak(corrected: float | None, level: float) -> bool:
    return corrected is not None and corrected > level


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


def near(lines: list[Line], order: Order) -> list[tuple[Line, Line]]:
    """Return the pairs of lines of which one ends where the other begins, so that the machine was replaced."""
    found = []
    for old in lines:
        for new in lines:
            if old is new or old.branch != new.branch:
                continue
            end, begin = order.position[old.jobs[-1].job.commit], order.position[new.jobs[0].job.commit]
            if 0 <= begin - end <= _NEAR and order.position[old.jobs[0].job.commit] < begin:
                found.append((old, new))
    return found
