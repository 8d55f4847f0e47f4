"""What failed in the jobs of a benchmark: a gain with which more fails is of other work, as in a comparison."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.history.track import Change, Track


def with_invalid(tracks: Iterable[Track]) -> list[Track]:
    """Return tracks whose changes for the better are invalid where more fails in the same benchmark and line."""
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
