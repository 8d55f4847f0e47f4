"""What people decided about alerts. Events state it; a recomputation changes none of them."""

from __future__ import annotations

import re
from contextlib import suppress
from fnmatch import fnmatchcase
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.history.alerts import Alert, Part
    from statera.history.catalog import Catalog
    from statera.history.order import Order

STATES: Final = ("new", "acknowledged", "fixed", "wontfix", "noise", "expected")
# These say that there is nothing to do.
QUIET: Final = frozenset({"acknowledged", "fixed", "wontfix", "noise", "expected"})
# A reader asks why.
WITH_REASON: Final = frozenset({"noise", "wontfix", "expected"})
STATE: Final = "state"
EXPECT: Final = "expect"
LINK: Final = "link"


class Expectation(NamedTuple):
    """A change that somebody announced.

    Attributes:
        commits: the commits that it may begin at.
        pattern: of names of benchmarks; a whole name is that name, whatever characters it has.
        low, high: the sizes that are expected, as shares.
        reason: the reason.

    """

    commits: frozenset[str]
    pattern: str
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


_RANGE: Final = re.compile(r"([+-]?\d+(?:\.\d+)?)%\.\.([+-]?\d+(?:\.\d+)?)%")


def expectation(commits: Iterable[str], text: str) -> Expectation:
    """Read ``PATTERN RANGE REASON``, such as ``Parse/* +5%..+15% checks input``.

    Raises:
        Stop: it is written in another way.

    """
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
    reasons = [_reason(part, order, announced) for part in alert.parts]
    if all(reason is not None for reason in reasons):
        return State("expected", next(filter(None, reasons), ""), url=url)
    return State(url=url)


def decisions(alert: Alert, order: Order, catalog: Catalog) -> list[dict[str, Any]]:
    """Return the events about an alert, the oldest first."""
    events = [event for _, event in catalog.events if _touches(event, alert, order)]
    return sorted(events, key=lambda event: str(event.get("when", "")))


def is_expected(part: Part, order: Order, announced: Sequence[Expectation]) -> bool:
    """Return whether a change was announced."""
    return _reason(part, order, announced) is not None


def event_on(alert: Alert, order: Order, **words: Any) -> dict[str, Any]:  # noqa: ANN401
    """Return an event about an alert. It names commits and series, so that it stays with them after a recomputation."""
    return {
        "branch": alert.branch,
        "commits": order.commits[alert.first : alert.last + 1],
        "series": sorted({part.track.series.id for part in alert.parts}),
        **words,
    }


def _reason(part: Part, order: Order, announced: Sequence[Expectation]) -> str | None:
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


def _texts(stated: object) -> list[str]:
    return [each for each in stated if isinstance(each, str)] if isinstance(stated, list) else []
