"""A series on a line of jobs of machines that are alike, with the changes of level that it shows."""

from __future__ import annotations

from itertools import accumulate, groupby, takewhile
from math import expm1, hypot, isfinite, log, log1p, pi, sqrt
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera import _native
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.history.catalog import Catalog
    from statera.history.job import Lane, Stored
    from statera.history.order import Order
    from statera.history.series import Series

Direction = Literal["worse", "better", "changed"]
# Of a change, by whether it is for the worse, in the order in which outputs list them.
DIRECTIONS: Final[dict[bool | None, Direction]] = {True: "worse", None: "changed", False: "better"}


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
    invalid: bool = False  # whether it would be for the better, but more fails from it on: it is of other work

    def direction(self, series: Series) -> Direction:
        """Return the code of its direction."""
        return DIRECTIONS[self.is_worse(series)]

    def word(self, series: Series) -> str:
        """Return what readers call it: slower, less, invalid; changed where nobody knows which way is better."""
        if self.invalid:
            return "invalid"
        if series.better is None:
            return "changed"
        return _native.series_moved(series.quantity, series.better, self.size > 0)

    def is_worse(self, series: Series) -> bool | None:
        """Return whether it is for the worse; None if nobody knows which way is better."""
        if series.better is None:
            return None
        return self.invalid or (self.size > 0) == (series.better == "lower")


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
        weak = is_weak(corrected, Detector().level)
        return self._replace(name=name, changes=tuple(change._replace(weak=weak) for change in self.changes))

    @property
    def newest(self) -> int:
        """Return the position of the commit of the last value; -1 without values."""
        return -1 if self.found.last is None else self.found.last

    def newest_positions(self, _catalog: Catalog, most: int) -> list[int]:
        """Return the positions of the commits of the newest values."""
        return self.found.newest_positions(most)

    @property
    def positions(self) -> list[int]:
        """Return the position of the commit of each value."""
        return self.found.positions


def is_weak(corrected: float | None, level: float) -> bool:
    """Return whether a change with this corrected p does not hold among all series."""
    return corrected is not None and corrected > level


# So many jobs of the new machine decide, once and for all: what is told never depends on when somebody looks. First its
# first jobs do, then as many that begin up to so much later: from there on the detector knows enough of the series.
_JOBS: Final = 3
_LATEST: Final = 4
# So few values of the old machine are no level, and so few benchmarks have nothing in common.
_LEAST_VALUES: Final = 5
_LEAST_SERIES: Final = 6
_WINDOW: Final = 64
# The change may begin at one of so many values before the change of machine, or at this itself.
_BACK: Final = 10
# The chance that any of all benchmarks is called, if their noise is normal: by the first jobs, and by all later ones.
_LEVEL: Final = 0.05
_LATER_LEVEL: Final = 0.01
# The median absolute deviation of normal values is this share of their standard deviation, and as uncertain as the
# standard deviation of half as many values.
_SHARE: Final = 0.6744897501960817
_EFFICIENCY: Final = 0.5
_ERRORS: Final = 1.959963984540054
# As in the detector: twice the logarithm of the likelihood ratio up to which a place is not excluded, and how far
# values are drawn in.
_LIKELY: Final = 6.0
_CLIP: Final = 2.5


class _Pair(NamedTuple):
    """A series on two machines, in logarithms."""

    number: int  # of the track on the new one
    old: Track
    new: Track
    held: list[float]  # the newest values of the old one
    level: float  # their median
    fresh: list[float]  # the values of the first jobs of the new one, of which the last are looked at
    noise: float  # the standard deviation of a value
    is_known: bool  # whether the series has enough values to know its noise
    # How far values before those that are looked at moved from the level, and the standard error of that.
    moved: float = 0.0
    uncertain: float = 0.0

    def first(self, count: int) -> _Pair:
        """Return it with so many jobs of the new machine only."""
        return self._replace(fresh=self.fresh[:count])

    @property
    def change(self) -> float:
        """Return how far the values that are looked at are from what was expected."""
        return median(self.fresh[-_JOBS:]) - self.level - self.moved

    @property
    def error(self) -> float:
        """Return the standard error of the change, as far as the noise goes: that of medians of normal values."""
        return hypot(self.noise * sqrt(pi / 2 * (1 / _JOBS + 1 / len(self.held))), self.uncertain)

    def is_clear(self, shift: float) -> bool:
        """Return whether the values that are looked at are outside all before them; ``shift`` is what was expected.

        Some noise has levels that single values come from: three in a row are none that the series had before.
        """
        before = [*(value + shift for value in self.held), *self.fresh[:-_JOBS]]
        looked = self.fresh[-_JOBS:]
        return min(looked) > max(before) or max(looked) < min(before)


def with_carried(tracks: list[Track], replaced: Iterable[tuple[Line, Line]], catalog: Catalog) -> list[Track]:
    """Return tracks with the changes at changes of machine; ``replaced`` has pairs of lines, the old one first."""
    of_lines: dict[int, list[int]] = {}
    for number, track in enumerate(tracks):
        of_lines.setdefault(id(track.line), []).append(number)
    found = list(tracks)
    for old, new in replaced:
        before = {tracks[number].series.id: tracks[number] for number in of_lines.get(id(old), [])}
        pairs = [
            pair
            for number in of_lines.get(id(new), [])
            if (pair := _pair(number, before.get(tracks[number].series.id), tracks[number], catalog))
        ]
        called: set[int] = set()
        for _, together in groupby(sorted(pairs, key=_metric), _metric):
            alike = list(together)
            for skipped in range(_LATEST + 1):
                count = skipped + _JOBS
                looked = [each.first(count) for each in alike if len(each.fresh) >= count]
                for pair, change in _changed(looked, skipped):
                    if pair.number not in called:
                        called.add(pair.number)
                        found[pair.number] = begun_with(found[pair.number], change)
    return found


def _metric(pair: _Pair) -> str:
    return pair.new.series.metric


def _pair(number: int, old: Track | None, new: Track, catalog: Catalog) -> _Pair | None:
    first = new.line.jobs[: _LATEST + _JOBS]
    if old is None or len(first) < _JOBS or old.found.exact or new.found.exact:
        return None
    measured = zip(new.found.values[: len(first)], new.jobs(catalog)[: len(first)], first, strict=False)
    fresh = [value for value, _, _ in takewhile(lambda one: one[1].id == one[2].id, measured)]
    since = old.changes[-1].place if old.changes else -1
    held = [value for value, at in zip(old.found.values, old.positions, strict=True) if at >= since][-_WINDOW:]
    if len(fresh) < _JOBS or len(held) < _LEAST_VALUES or min(*held, *fresh) <= 0:
        return None
    values = [log(value) for value in held]
    level = median(values)
    known = old.noise if old.noise is not None and isfinite(old.noise) else None
    noise = median(abs(each - level) for each in values) / _SHARE if known is None else known
    return _Pair(number, old, new, values, level, [log(value) for value in fresh], noise, known is not None)


def _changed(pairs: list[_Pair], skipped: int) -> Iterable[tuple[_Pair, Change]]:
    """Yield the series that are far from what all have in common, each with its change."""
    if len(pairs) < _LEAST_SERIES:
        return
    # Few values may be close to each other by chance.
    usual = median(pair.noise for pair in pairs)
    pairs = [pair if pair.is_known else pair._replace(noise=max(pair.noise, usual)) for pair in pairs]
    level = _LEVEL
    if skipped:
        level = _LATER_LEVEL / _LATEST
        pairs = _expected(pairs, skipped)
    common = median(pair.change for pair in pairs)
    spread = median(abs(pair.change - common) for pair in pairs) / _SHARE
    degrees = (len(pairs) - 1) * _EFFICIENCY
    far = _native.t_quantile(1 - level / 2 / len(pairs), degrees)
    for pair in pairs:
        scale = max(spread, pair.error)
        size = pair.change - common
        is_far = scale > 0 and abs(size) > far * scale
        if is_far and (not skipped or pair.is_clear(pair.moved + common)):
            yield pair, _change(pair, common, scale, _p(abs(size) / scale, degrees))


def _expected(pairs: list[_Pair], skipped: int) -> list[_Pair]:
    """Return series with how far their first values on the new machine moved: what all have in common, and their own.

    A benchmark's own part is known by few values: it is shrunk by how much the benchmarks differ (empirical Bayes). A
    single value can be a spike and says nothing of it; of two, the nearer to the others counts.
    """
    first = [median(pair.fresh[:skipped]) - pair.level for pair in pairs]
    common = median(first)
    spread = median(abs(each - common) for each in first) / _SHARE
    errors = [pi / 2 * pair.noise**2 / skipped for pair in pairs]
    differ = max(spread**2 - median(errors), 0.0)
    found = []
    for pair, error in zip(pairs, errors, strict=True):
        parts = sorted((value - pair.level - common for value in pair.fresh[:skipped]), key=abs)
        share = differ / (differ + error) if skipped > 1 and differ else 0.0
        own = share * parts[(skipped - 1) // 2]
        uncertain = sqrt(share * error if share else differ)
        found.append(pair._replace(moved=common + own, uncertain=uncertain))
    return found


def _p(distance: float, degrees: float) -> float:
    """Return the probability of a distance of at least so many standard deviations, from Student's t."""
    low, high = 0.5, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if middle in {low, high}:
            break
        low, high = (middle, high) if _native.t_quantile(middle, degrees) < distance else (low, middle)
    return 2 * (1 - low)


def _change(pair: _Pair, common: float, scale: float, p: float) -> Change:
    position, size = pair.new.order.position, pair.change - common
    held = [log(value) if value > 0 else pair.level for value in pair.old.found.values]
    # The change can also begin at the second of the jobs that are looked at: two of three values show it.
    at = [*pair.old.positions, *pair.new.positions[: len(pair.fresh)]]
    begin = max(len(held) - _BACK, 1)
    values = [*held[begin:], *(value - pair.moved - common for value in pair.fresh)]
    likely = _likely(values, pair.level, pair.level + size, pair.noise)
    # A change begins at the first job of a commit.
    places = [(cost, begin + number) for number, cost in enumerate(likely) if _begins(at, begin + number)]
    least, place = min(places)
    possible = [number for cost, number in places if cost - least <= _LIKELY]
    raised = position[pair.new.line.jobs[len(pair.fresh) - 1].job.commit]
    first = min(at[possible[0] - 1] + 1, at[place])
    return Change(
        place=at[place],
        first=first,
        last=at[possible[-1]],
        raised=raised,
        size=expm1(size),
        low=expm1(size - _ERRORS * scale),
        high=expm1(size + _ERRORS * scale),
        is_ratio=True,
        p=p,
        returns=False,
        weak=False,
    )


def _begins(positions: Sequence[int], number: int) -> bool:
    return positions[number] != positions[number - 1]


def _likely(values: Sequence[float], old: float, new: float, noise: float) -> list[float]:
    """Return the squared deviations if the values from a place on have the new level, for each, less the first's."""
    if noise <= 0:
        noise = abs(new - old) / _CLIP
    least, most = min(old, new) - _CLIP * noise, max(old, new) + _CLIP * noise
    drawn = [min(max(value, least), most) for value in values]
    moved = ((value - old) ** 2 - (value - new) ** 2 for value in drawn[:-1])
    return [cost / noise**2 for cost in accumulate(moved, initial=0.0)]


def begun_with(track: Track, change: Change) -> Track:
    """Return a track with a change before all others, unless it told the same; the one after it may take it back."""
    rest = [each for each in track.changes if each.first > change.last or (each.size > 0) != (change.size > 0)]
    if rest and rest[0].is_ratio and _undoes(rest[0], change):
        rest[0] = rest[0]._replace(returns=True)
    return track._replace(changes=(change, *rest))


def _undoes(later: Change, before: Change) -> bool:
    """Return whether a change takes another back: opposite signs, and sizes whose intervals overlap."""
    sizes = [(log1p(each.size), log1p(each.low), log1p(each.high)) for each in (later, before)]
    (size, low, high), (size_before, low_before, high_before) = sizes
    half = hypot(high - low, high_before - low_before) / 2
    return (size < 0) != (size_before < 0) and abs(abs(size) - abs(size_before)) <= half


def with_invalid(tracks: Iterable[Track]) -> list[Track]:
    """Return tracks whose changes for the better are invalid where more fails in the same benchmark and line.

    A gain with which more fails is of other work, as in a comparison.
    """
    all_tracks = list(tracks)
    failures: dict[tuple[int, str], list[Track]] = {}
    for track in all_tracks:
        if track.series.counts_failures:
            failures.setdefault((id(track.line), track.series.benchmark), []).append(track)
    if not failures:
        return all_tracks
    return [_judged(track, failures.get((id(track.line), track.series.benchmark), [])) for track in all_tracks]


def _judged(track: Track, failures: list[Track]) -> Track:
    if not failures or not track.changes or track.series.counts_failures:
        return track
    changes = (
        change._replace(
            invalid=change.is_worse(track.series) is False and any(_more(each, change) for each in failures)
        )
        for change in track.changes
    )
    return track._replace(changes=tuple(changes))


def _more(failures: Track, change: Change) -> bool:
    """Return whether more fails from a change on: it was told there, or all values are beyond all before."""
    if any(
        own.is_worse(failures.series) and own.first <= change.last and change.first <= own.last
        for own in failures.changes
    ):
        return True
    values = failures.found.values
    before, since = (
        values[: failures.found.since(change.first)],
        values[failures.found.since(change.last) :],
    )
    if not before or not since:
        return False
    return max(since) < min(before) if failures.series.better == "higher" else min(since) > max(before)
