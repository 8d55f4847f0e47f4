"""A series on a line of jobs of machines that are alike, with the changes of level that it shows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera import _native
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
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
