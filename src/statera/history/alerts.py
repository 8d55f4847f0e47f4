"""Alerts: the changes of many series that have one cause, told together and once, and what people decided about them.

Events state the decisions; a recomputation changes none of them.
"""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from fnmatch import fnmatchcase
from math import ceil, inf, isfinite, log1p
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from statera.history.track import DIRECTIONS
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.order import Order
    from statera.history.track import Change, Track


# So many digits name an alert.
_DIGITS = 8
STATES: Final = ("new", "acknowledged", "fixed", "wontfix", "noise", "expected")
# These say that there is nothing to do.
QUIET: Final = frozenset({"acknowledged", "fixed", "wontfix", "noise", "expected"})
# A reader asks why.
WITH_REASON: Final = frozenset({"noise", "wontfix", "expected"})
STATE: Final = "state"
EXPECT: Final = "expect"
LINK: Final = "link"
_RANGE: Final = re.compile(r"([+-]?\d+(?:\.\d+)?)%\.\.([+-]?\d+(?:\.\d+)?)%")
# If two levels are so many standard deviations of a mean apart, the mean lies on the wrong side of their middle in one
# of 40 cases: twice the 97.5 % quantile of the normal distribution.
_APART = 3.919927969080108
_MOST_JOBS = 20
# A change of at least so many series and of this share of them is one of what they have in common.
_LEAST: Final = 5
_ALMOST_ALL: Final = 0.8
# So many commits beside its interval the place of a change may be, and half of the interval more: of noise that comes
# and goes the interval is too narrow.
_NEAR: Final = 5
# So many changes at one commit may be what those beside it are part of.
_SEVERAL: Final = 3
# A group with less than this share of the changes of an alert does not add to the commits that it may be.
_HEAVY: Final = 0.15
Scope = Literal["", "suite", "machine"]


class Part(NamedTuple):
    """A change of an alert, with the series on its line."""

    track: Track
    change: Change

    @property
    def is_worse(self) -> bool | None:
        """Return whether it is for the worse; None if nobody knows which way is better."""
        return self.change.is_worse(self.track.series)

    @property
    def word(self) -> str:
        """Return what readers call its change."""
        return self.change.word(self.track.series)

    @property
    def gravity(self) -> tuple[int, float]:
        """Return its place among others: what is worse, then what nobody can judge; the largest first."""
        return list(DIRECTIONS).index(self.is_worse), -abs(self.change.size)


class Alert(NamedTuple):
    """Changes whose places may be the same commit."""

    id: str  # 8 hexadecimal digits, made of the alarm that came first: it stays when others join
    branch: str
    # first, last: the positions of the commits that all its changes may begin at.
    first: int
    last: int
    raised: int  # the position of the commit whose job told the first of them
    parts: tuple[Part, ...]  # the changes, the worst first
    # Of a change of almost all series in one direction, whether it is one of the suite or of a machine alone, while
    # others measured the same commits; empty otherwise.
    scope: Scope = ""
    reached: int = 0  # how many series the suite or the machine measured before and after it

    @property
    def changed(self) -> int:
        """Return how many series changed."""
        return len({id(part.track) for part in self.parts})

    @property
    def worse(self) -> int:
        """Return how many of its changes are for the worse."""
        return sum(part.is_worse is True for part in self.parts)

    @property
    def better(self) -> int:
        """Return how many of its changes are for the better."""
        return sum(part.is_worse is False for part in self.parts)


def alerts(analysis: Analysis) -> list[Alert]:
    """Return the alerts of an analysis, the newest first."""
    found = []
    for branch, order in analysis.orders.items():
        parts = [Part(track, change) for track in analysis.watched(branch) for change in track.changes]
        taken: set[str] = set()
        spans = [
            (track, track.found.first, track.newest)
            for track in analysis.watched(branch)
            if track.found.first is not None
        ]
        for together in pooled(_sharing(parts)):
            alert = _with_scope(_alert(branch, order.commits, together, taken), spans)
            taken.add(alert.id)
            found.append(alert)
    return sorted(found, key=lambda alert: (alert.last, alert.first, alert.id), reverse=True)


def _with_scope(alert: Alert, spans: Sequence[tuple[Track, int, int]]) -> Alert:
    """Return an alert with what it reached."""
    changed = {id(part.track): part.track for part in alert.parts}
    if len(changed) < _LEAST or len({part.is_worse for part in alert.parts}) > 1:
        return alert
    measured = {id(track): track for track, first, last in spans if first < alert.last <= last} | changed
    if len(changed) >= _ALMOST_ALL * len(measured):
        return alert._replace(scope="suite", reached=len(measured))
    lines = {id(track.line) for track in changed.values()}
    own = [track for track in measured.values() if id(track.line) in lines]
    if len(lines) == 1 and len(changed) >= _ALMOST_ALL * len(own):
        return alert._replace(scope="machine", reached=len(own))
    return alert


def named(name: str, analysis: Analysis) -> Alert:
    """Return the alert whose name begins so."""
    found = [alert for alert in alerts(analysis) if name and alert.id.startswith(name)]
    if len(found) != 1:
        none = "there is no such alert; statera history points --all lists them"
        raise Stop("no-alert", f"{name}: {'several alerts begin with this' if found else none}")
    return found[0]


class Cause(NamedTuple):
    """Changes that have one cause, and the positions of the commits that it may be."""

    parts: list[Part]
    first: int
    last: int

    @property
    def direction(self) -> bool | None:
        """Whether most of it is for the worse; None if nobody knows."""
        return max(DIRECTIONS, key=lambda way: sum(part.is_worse is way for part in self.parts))

    @property
    def reach(self) -> float:
        """How many commits beyond its own another group may be the same: intervals of places err by a few commits."""
        return _NEAR + (self.last - self.first + 1) / 2

    def to(self, other: Cause) -> int:
        """Return how many commits lie between this group and another."""
        return max(other.first - self.last, self.first - other.last, 0)


def _sharing(parts: Iterable[Part]) -> list[Cause]:
    """Group changes so that the intervals of each group share a commit, in as few groups as possible."""
    groups: list[list[Part]] = []
    end = -1
    for part in sorted(parts, key=lambda part: (part.change.last, part.change.first)):
        if part.change.first > end:
            groups.append([])
            end = part.change.last
        groups[-1].append(part)
    return [
        Cause(each, max(part.change.first for part in each), min(part.change.last for part in each)) for each in groups
    ]


def pooled(groups: Sequence[Cause]) -> list[Cause]:
    """Join smaller groups to a larger one beside them that went the same way: one commit's evidence is pooled.

    The place of a small step in a noisy series is often told a few commits beside the one at which the suite changed.
    The commits of all groups that have a good part of the changes remain possible, so that no cause is ruled out.
    """
    order = sorted(groups, key=lambda group: (-len(group.parts), group.first))
    joined: dict[int, list[Cause]] = {}
    for place, group in enumerate(order):
        home = min(
            (
                large
                for large in joined
                if len(order[large].parts) >= max(_SEVERAL, len(group.parts))
                and order[large].direction == group.direction
                and group.to(order[large]) <= group.reach
            ),
            key=lambda large: (group.to(order[large]), large),
            default=place,
        )
        joined.setdefault(home, []).append(group)
    found = []
    for members in joined.values():
        parts = [part for group in members for part in group.parts]
        heavy = [group for group in members if len(group.parts) >= _HEAVY * len(parts)]
        found.append(Cause(parts, min(group.first for group in heavy), max(group.last for group in heavy)))
    return sorted(found, key=lambda group: (group.last, group.first))


def _alert(branch: str, commits: list[str], group: Cause, taken: Collection[str]) -> Alert:
    parts = group.parts
    told = min(parts, key=lambda part: (part.change.raised, part.track.series.id, part.track.line.lane))
    key = "\0".join([branch, commits[told.change.raised], told.track.series.id, repr(told.track.line.lane)])
    while (name := hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()[:_DIGITS]) in taken:
        # Many jobs of a commit can tell two changes of a series.
        key += "\0"
    return Alert(
        name,
        branch,
        group.first,
        group.last,
        told.change.raised,
        tuple(sorted(parts, key=lambda part: (part.gravity, part.track.name))),
    )


class Expectation(NamedTuple):
    """A change that somebody announced."""

    commits: frozenset[str]  # the commits that it may begin at
    pattern: str  # of names of benchmarks; a whole name is that name, whatever characters it has
    # low, high: the sizes that are expected, as shares.
    low: float
    high: float
    reason: str

    def covers(self, part: Part, order: Order) -> bool:
        """Return whether a change is the expected one."""
        change = part.change
        commits = order.commits[change.first : change.last + 1]
        size = change.size
        return (
            any(commit in self.commits for commit in commits)
            and any(name == self.pattern or fnmatchcase(name, self.pattern) for name in part.track.series.names)
            and change.is_ratio
            and isfinite(size)
            and self.low <= size <= self.high
        )


class State(NamedTuple):
    """What was decided about an alert: the word, the reason, who and when, and the page of an issue."""

    word: str = "new"
    reason: str = ""
    who: str = ""
    when: str = ""
    url: str = ""

    @property
    def is_quiet(self) -> bool:
        """Return whether there is nothing to do."""
        return self.word in QUIET


def expectation(commits: Iterable[str], text: str) -> Expectation:
    """Read ``PATTERN RANGE REASON``, such as ``Parse/* +5%..+15% checks input``."""
    pattern, _, rest = text.strip().partition(" ")
    between, _, reason = rest.strip().partition(" ")
    found = _RANGE.fullmatch(between)
    low, high = (float(number) / 100 for number in found.groups()) if found else (inf, -inf)
    if not pattern or not found or low > high or not reason.strip():
        raise Stop(
            "bad-expectation", f"{text}: write PATTERN LOW..HIGH REASON, such as: Parse/* +5%..+15% checks input"
        )
    return Expectation(frozenset(commits), pattern, low, high, reason.strip())


def expectations(catalog: Catalog) -> list[Expectation]:
    """Return what trailers of commits and events announced. One that cannot be read announces nothing."""
    stated = [([commit], text) for commit, text in sorted({pair for each in catalog.held for pair in each.job.expects})]
    stated += [
        (_texts(event.get("commits")), str(event.get("text", "")))
        for _, event in catalog.events
        if event.get("kind") == EXPECT
    ]
    found = []
    for commits, text in stated:
        with suppress(Stop):
            found.append(expectation(commits, text))
    return found


def unread(catalog: Catalog) -> list[tuple[str, str]]:
    """Return the trailers that cannot be read, each with its commit."""
    found = []
    for commit, text in sorted({pair for each in catalog.held for pair in each.job.expects}):
        try:
            expectation([commit], text)
        except Stop:
            found.append((commit, text))
    return found


def state_of(alert: Alert, order: Order, catalog: Catalog, announced: Sequence[Expectation]) -> State:
    """Return what was decided about an alert: the last event on it, otherwise what was announced."""
    events = decisions(alert, order, catalog)
    url = next((str(event["url"]) for event in reversed(events) if event.get("kind") == LINK), "")
    for event in reversed(events):
        if event.get("kind") == STATE:
            words = {name: str(event.get(name, "")) for name in ("reason", "who", "when")}
            return State(str(event.get("state", "new")), **words, url=url)
    reasons = [reason_of(part, order, announced) for part in alert.parts]
    if all(reason is not None for reason in reasons):
        return State("expected", next(filter(None, reasons), ""), url=url)
    return State(url=url)


def decisions(alert: Alert, order: Order, catalog: Catalog) -> list[dict[str, Any]]:
    """Return the events about an alert, the oldest first."""
    events = [event for _, event in catalog.events if _touches(event, alert, order)]
    return sorted(events, key=lambda event: str(event.get("when", "")))


def event_on(alert: Alert, order: Order, **words: str) -> dict[str, Any]:
    """Return an event about an alert. It names commits and series, so that it stays with them after a recomputation."""
    return {
        "branch": alert.branch,
        "commits": order.commits[alert.first : alert.last + 1],
        "series": sorted({part.track.series.id for part in alert.parts}),
        **words,
    }


def reason_of(part: Part, order: Order, announced: Sequence[Expectation]) -> str | None:
    """Return why a change was announced; None if nobody did."""
    return next((each.reason for each in announced if each.covers(part, order)), None)


def _touches(event: dict[str, Any], alert: Alert, order: Order) -> bool:
    """Return whether an event is about an alert: they share a commit and a series."""
    if event.get("kind") not in {STATE, LINK} or event.get("branch") != alert.branch:
        return False
    commits = set(_texts(event.get("commits")))
    series = set(_texts(event.get("series")))
    return any(commit in commits for commit in order.commits[alert.first : alert.last + 1]) and any(
        part.track.series.id in series for part in alert.parts
    )


def followed(alert: Alert, order: Order, analysis: Analysis) -> Alert | None:
    """Return what an alert of an earlier analysis is in a later one; None if its change is told no longer.

    With more jobs a change may be told earlier, so that its alert has another name. It keeps commits and series in
    common with the earlier one; of several that do, it is the one with the most of its series, and of the nearest size.
    ``order`` is the line of its branch in the earlier analysis.
    """
    event = event_on(alert, order, kind=LINK)
    series = set(event["series"])
    size = alert.parts[0].change.size

    def likeness(other: Alert) -> tuple[int, float]:
        common = {part.track.series.id for part in other.parts} & series
        return len(common), -abs(other.parts[0].change.size - size)

    now = analysis.orders.get(alert.branch)
    same = [each for each in alerts(analysis) if now and _touches(event, each, now)]
    return max(same, key=likeness, default=None)


def _texts(stated: object) -> list[str]:
    return [each for each in stated if isinstance(each, str)] if isinstance(stated, list) else []


class Bisection(NamedTuple):
    """Where to look for the beginning of a change."""

    commits: list[str]  # the unmeasured commits that it may begin at, in the order to measure them
    measured: int  # how many of the commits in question were measured
    jobs: int  # how many jobs of each commit tell on which side of the change it is


def bisect(alert: Alert, analysis: Analysis) -> Bisection:
    """Return the commits to measure: each halves what is left, whatever the ones before it say.

    Of lanes that did not measure the change, no job tells on which side of it a commit is.
    """
    order = analysis.orders[alert.branch]
    measured = {position for part in alert.parts for position in part.track.positions}
    places = range(alert.first, alert.last + 1)
    return Bisection(
        [order.commits[place] for place in _halving([each for each in places if each not in measured])],
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
    needed = []
    for part in alert.parts:
        noise = part.track.noise
        size = abs(log1p(part.change.size)) if part.change.is_ratio and part.change.size > -1 else abs(part.change.size)
        if noise is not None and size > 0 and isfinite(size):
            needed.append(ceil((_APART * noise / size) ** 2))
    return max(min(min(needed, default=1), _MOST_JOBS), 1)
