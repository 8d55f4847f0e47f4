"""Alerts: the changes of many series that have one cause, told together and once."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, NamedTuple

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from statera.history.analysis import Analysis, Change, Track

# So many digits name an alert.
_DIGITS = 8


class Part(NamedTuple):
    """A change of an alert, with the series on its line."""

    track: Track
    change: Change

    @property
    def is_worse(self) -> bool | None:
        """Return whether it is for the worse; None if nobody knows which way is better."""
        return self.change.is_worse(self.track.series)


class Alert(NamedTuple):
    """Changes whose places may be the same commit.

    Attributes:
        id: 8 hexadecimal digits, made of the alarm that came first: it stays when others join.
        branch: the branch.
        first, last: the positions of the commits that all its changes may begin at.
        raised: the position of the commit whose job told the first of them.
        parts: the changes, the worst first.

    """

    id: str
    branch: str
    first: int
    last: int
    raised: int
    parts: tuple[Part, ...]

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
        parts = [
            Part(track, change)
            for track in analysis.tracks
            if track.is_watched and track.line.branch == branch
            for change in track.changes
        ]
        taken: set[str] = set()
        for together in _sharing(parts):
            alert = _alert(branch, order.commits, together, taken)
            taken.add(alert.id)
            found.append(alert)
    return sorted(found, key=lambda alert: (alert.last, alert.first, alert.id), reverse=True)


def named(name: str, analysis: Analysis) -> Alert:
    """Return the alert whose name begins so.

    Raises:
        Stop: there is none, or there are several.

    """
    found = [alert for alert in alerts(analysis) if name and alert.id.startswith(name)]
    if len(found) != 1:
        why = (
            "several alerts begin with this"
            if found
            else "there is no such alert; statera history points --all lists them"
        )
        raise Stop("no-alert", f"{name}: {why}")
    return found[0]


def _sharing(parts: Iterable[Part]) -> list[list[Part]]:
    """Group changes so that the intervals of each group share a commit, in as few groups as possible."""
    groups: list[list[Part]] = []
    end = -1
    for part in sorted(parts, key=lambda part: (part.change.last, part.change.first)):
        if part.change.first > end:
            groups.append([])
            end = part.change.last
        groups[-1].append(part)
    return groups


def _alert(branch: str, commits: list[str], parts: list[Part], taken: Collection[str]) -> Alert:
    told = min(parts, key=lambda part: (part.change.raised, part.track.series.id, part.track.line.lane))
    key = "\0".join([branch, commits[told.change.raised], told.track.series.id, repr(told.track.line.lane)])
    while (name := hashlib.sha256(key.encode(errors="surrogateescape")).hexdigest()[:_DIGITS]) in taken:
        # Many jobs of a commit can tell two changes of a series.
        key += "\0"
    return Alert(
        name,
        branch,
        max(part.change.first for part in parts),
        min(part.change.last for part in parts),
        told.change.raised,
        tuple(sorted(parts, key=_gravity)),
    )


def _gravity(part: Part) -> tuple[int, float, str]:
    """Order changes: what is worse first, then what nobody can judge, then what is better; the largest first."""
    rank = {True: 0, None: 1, False: 2}[part.is_worse]
    return rank, -abs(part.change.size), part.track.name
