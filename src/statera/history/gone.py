"""Series that are no longer measured, so that a removed benchmark is found and not lost."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.history import words
from statera.history.instants import moment
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from statera.history.analysis import Analysis, Track
    from statera.history.job import Stored

DAYS: Final = 31
_NAMED: Final = 4


class Gone(NamedTuple):
    """A series without a value for a month: its newest track, and when its last job was."""

    track: Track
    last: datetime


def gone(analysis: Analysis) -> list[Gone]:
    """Return the watched series of which no value is younger than 31 days before the newest job of the branch.

    The newest job is the one of the newest commit: an old commit that is measured today says nothing of the present.
    The machine does not count: a series that another one measures is not gone.
    """
    newest: dict[str, tuple[int, datetime]] = {}
    for line in analysis.lines:
        position = analysis.orders[line.branch].position
        at = next(((position[each.job.commit], when) for each in reversed(line.jobs) if (when := time_of(each))), None)
        if at and at > newest.get(line.branch, (-1, at[1])):
            newest[line.branch] = at
    last: dict[tuple[str, str], Gone] = {}
    for track in analysis.tracks:
        job = None if track.found.newest is None else analysis.catalog.jobs[track.found.newest]
        when = time_of(job) if job else None
        key = track.line.branch, track.series.id
        if track.is_watched and when and (key not in last or when > last[key].last):
            last[key] = Gone(track, when)
    found = [each for (branch, _), each in last.items() if newest[branch][1] - each.last > timedelta(days=DAYS)]
    return sorted(found, key=lambda each: (each.last, each.track.name), reverse=True)


def sentence(found: Sequence[Gone]) -> str:
    """Write what is gone in a line; an empty text if nothing is."""
    if not found:
        return ""
    names = words.names([each.track.name for each in found])
    dated = listed([f"{name} ({each.last:%Y-%m-%d})" for name, each in zip(names, found, strict=True)], _NAMED)
    series = counted(len(found), "series", "series")
    return f"{series} without a value in the {DAYS} days before the newest job: {dated}."


def time_of(stored: Stored) -> datetime | None:
    """Return when a job began, otherwise when its commit was made; None if nobody knows."""
    return moment(stored.job.started) or moment(stored.job.committed)
