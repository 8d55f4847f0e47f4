"""What outputs show: series as they are drawn, alerts with what was decided, and facts about commits."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from itertools import pairwise
from math import isfinite
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from statera.history import analysis as analyses
from statera.history.cases import cases
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from statera import _native
    from statera.history.analysis import Analysis
    from statera.history.cases import Case
    from statera.history.job import Lane
    from statera.history.track import Change, Line, Track

_WEB: Final = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
_COMMIT: Final = "{commit}"
# What main branches are called.
_MAIN: Final = ("main", "master", "trunk", "default")
# So many commits before a branch begins the main branch is drawn beside it.
_BEFORE: Final = 20


class Level(NamedTuple):
    """The values between two changes."""

    # begin, end: the number of its first value, and that after its last.
    begin: int
    end: int
    value: float  # their median
    # low, high: the interval of the change that leads to it, upon the level before; None of the first level.
    low: float | None
    high: float | None


class Stretch(NamedTuple):
    """A series on a line, which has values."""

    track: Track
    levels: list[Level]

    @property
    def found(self) -> _native.Found:
        """Return its values: what draws and writes them makes no object of each."""
        return self.track.found

    @property
    def first(self) -> int:
        """Return the position of the commit of the first value."""
        return self.found.first or 0

    @property
    def last(self) -> int:
        """Return the position of the commit of the last value."""
        return self.found.last or 0

    @property
    def outside(self) -> list[tuple[int, int]]:
        """Return the values that are spikes or suspect: number of the first, and how many."""
        return [*self.track.spikes, *([self.track.suspect] if self.track.suspect else [])]

    @property
    def is_ratio(self) -> bool:
        """Return whether sizes and noise are shares of the level."""
        return self.found.ratio


class Beside(NamedTuple):
    """The same series on the main branch, on the same machine, to be drawn beside another branch."""

    stretch: Stretch
    begin: int  # the number of the first of its values that is drawn
    # What to add to a position on the main branch, so that the last common commit has the same place on both.
    shift: int
    fork: int  # the position of that commit

    @property
    def positions(self) -> list[int]:
        """Return the positions of its drawn values, as of the other branch."""
        return [position + self.shift for position in self.stretch.found.positions[self.begin :]]


class Course(NamedTuple):
    """The stretches of a series on a branch of which each begins where the machine of the one before was replaced."""

    stretches: tuple[Stretch, ...]
    beside: Beside | None = None

    @property
    def newest(self) -> Stretch:
        """Return the stretch that is still measured."""
        return self.stretches[-1]


def stretch(track: Track) -> Stretch:
    """Return a series on its line with its levels."""
    return Stretch(track, _levels(track.found, track.changes))


def line_id(line: Line) -> str:
    """Return what names a line in paths: 16 hexadecimal digits of a hash of its branch and machine."""
    return _line_id(line.branch, line.lane)


@cache
def _line_id(branch: str, lane: Lane) -> str:
    return hashlib.sha256(json.dumps([branch, lane]).encode()).hexdigest()[:16]


def successors(analysis: Analysis) -> dict[str, str]:
    """Return for each line the line of the machine that replaced it, by their ids; each follows one at most."""
    return {line_id(old): line_id(new) for old, new in analyses.replaced(analysis.lines, analysis.orders)}


def courses(stretches: Iterable[Stretch], following: dict[str, str]) -> list[Course]:
    """Join the stretches of a series; courses of one branch stand together, the one that was measured last first."""
    held = {line_id(each.track.line): each for each in stretches}
    inner = {following[name] for name in held if following.get(name) in held}
    found = []
    for first in held.keys() - inner:
        name: str | None = first
        chain = []
        while name is not None and name in held:
            chain.append(held[name])
            name = following.get(name)
        found.append(Course(tuple(chain)))
    main = main_branch(each.track for each in held.values())
    return sorted((_with_main(each, main, held.values()) for each in found), key=_place)


def main_branch(tracks: Iterable[Track]) -> str | None:
    """Return the branch that others are compared with: the one with a usual name, if there are several."""
    branches = {track.line.branch for track in tracks}
    return next((name for name in _MAIN if name in branches), None) if len(branches) > 1 else None


def _with_main(course: Course, main: str | None, stretches: Iterable[Stretch]) -> Course:
    """Return a course with the main branch beside it, if the same machine measured that, and both share a commit."""
    track = course.newest.track
    other = next((s for s in stretches if (s.track.line.branch, s.track.line.lane) == (main, track.line.lane)), None)
    if other is None or track.line.branch == main:
        return course
    position, of_main = track.order.position, other.track.order
    fork = next((name for name in reversed(of_main.commits) if name in position), None)
    if fork is None:
        return course
    shift = position[fork] - of_main.position[fork]
    first = min(stretch.first for stretch in course.stretches)
    begin = other.found.since(max(min(first, position[fork] - _BEFORE) - shift, 0))
    return course._replace(beside=Beside(other, begin, shift, position[fork])) if begin < len(other.found) else course


def _place(course: Course) -> tuple[str, int, str]:
    newest = course.newest
    return newest.track.line.branch, -newest.last, line_id(newest.track.line)


def _levels(values: _native.Found, changes: tuple[Change, ...]) -> list[Level]:
    places = [0, *(values.since(change.place) for change in changes), len(values)]
    found: list[Level] = []
    for number, (begin, end) in enumerate(pairwise(places)):
        if begin == end:
            # The level before a change of machine is not one of this machine.
            continue
        low = high = None
        if found:
            low, high = _ends(found[-1].value, changes[number - 1])
        found.append(Level(begin, end, values.median(begin, end), low, high))
    return found


def _ends(before: float, change: Change) -> tuple[float | None, float | None]:
    ends = [before * (1 + end) if change.is_ratio else before + end for end in (change.low, change.high)]
    return (ends[0], ends[1]) if all(map(isfinite, ends)) else (None, None)


class Fact(NamedTuple):
    """What is known of a commit: the first line of its message, and when it was made, ISO 8601."""

    subject: str = ""
    committed: str = ""


class Material(NamedTuple):
    """What the pages of a site show."""

    project: str
    analysis: Analysis
    cases: list[Case]  # the alerts, the newest first
    alert_of: dict[tuple[str, str, int], Case]  # the alert of each change, by series, line and place
    following: dict[str, str]  # for each line the one of the machine that replaced it
    facts: dict[str, Fact]  # what is known of commits
    commit_url: str  # the page of a commit, with ``{commit}`` for its name; empty without one

    def fact(self, commit: str) -> Fact:
        """Return what is known of a commit."""
        return self.facts.get(commit, Fact())

    def case(self, track: Track, change: Change) -> Case | None:
        """Return the alert of a change; None if changes of its series raise none."""
        return self.alert_of.get((track.series.id, line_id(track.line), change.place))

    def page_of(self, commit: str) -> str:
        """Return the address of the page of a commit; empty if there is none."""
        return self.commit_url.replace(_COMMIT, quote(commit, safe=""))


def gather(project: str, analysis: Analysis, known: Mapping[str, Fact], commit_url: str) -> Material:
    """Return the material of a site.

    ``known`` is what a repository knows of commits; jobs know the commits that they measured.
    """
    if commit_url and not (web(commit_url) and _COMMIT in commit_url):
        raise Stop(
            "bad-option",
            f"{commit_url}: write the address of a commit's page with {_COMMIT} in the place of its name, such as "
            f"https://github.com/OWNER/NAME/commit/{_COMMIT}",
        )
    found = cases(analysis)
    alert_of = {
        (part.track.series.id, line_id(part.track.line), part.change.place): case
        for case in found
        for part in case.alert.parts
    }
    facts = {each.job.commit: Fact(each.job.subject, each.job.committed) for each in analysis.catalog.held}
    return Material(project, analysis, found, alert_of, successors(analysis), {**facts, **known}, commit_url)


def web(url: str) -> str:
    """Return an address if a browser may follow it: of the web, without blanks; otherwise an empty text."""
    return url if _WEB.fullmatch(url) else ""


def day(*moments: str) -> str:
    """Return the day of the first moment that is one (ISO 8601); empty if none is."""
    return next((found[0] for moment in moments if (found := _DAY.match(moment))), "")
