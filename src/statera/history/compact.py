"""The uploads of a month that is over → one file, without the values that nothing needs any longer.

The merged file is written first, then the list of the uploads that it replaces, and only then are these removed: a
command that is killed loses nothing, and the next one ends its work.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history.catalog import most
from statera.history.folder import hash_of
from statera.history.job import from_json, moment, to_json
from statera.support import stages
from statera.support.errors import Problem, Stop
from statera.support.files.lock import locked

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.folder import Folder
    from statera.history.job import Stored
    from statera.support.settings.limits import Limits

LOCK: Final = ".compact"


class Compacted(NamedTuple):
    """What was merged: months, each with the hash of its file; the uploads that these replace; and damaged uploads."""

    months: dict[str, str]
    replaced: list[str]
    problems: list[Problem]


class _File(NamedTuple):
    """A file with the number of its first job in the catalog, and its jobs; None for one that counts elsewhere."""

    path: Path
    first: int
    jobs: list[Stored | None]


def compact(
    folder: Folder,
    analysis: Analysis,
    limits: Limits,
    days: int,
    now: datetime | None = None,
    *,
    dry: bool = False,
) -> Compacted:
    """Merge the uploads of months that ended so many days ago, and retire values; the analysis is of all branches.

    With ``dry`` nothing changes: what is returned would be done.
    """
    stages.enter("compacting")
    catalog = analysis.catalog
    with locked(folder.path, name=LOCK, required=False):
        folder.sweep()
        held = _held(catalog)
        months, problems = _months(held, (now or datetime.now(tz=UTC)) - timedelta(days=days))
        found = [track.found for track in analysis.tracks]
        retention = _native.Retention(catalog.native, found, folder.about.samples, folder.about.around)
        merged, replaced = {}, []
        for month, files in sorted(months.items()):
            hash_, gone = _merged(folder, [held[file] for file in files], retention, limits, dry=dry)
            if gone:
                if not dry:
                    folder.replace(gone)
                merged[month] = hash_
                replaced += gone
        if idle := _idle(catalog, held):
            replaced += idle
            if not dry:
                folder.replace(idle)
        if not dry:
            # What a command that was killed has left.
            folder.remove_replaced()
        return Compacted(merged, replaced, problems)


def _held(catalog: Catalog) -> dict[int, _File]:
    """Return the files of which a job counts, by number."""
    stated = catalog.native.jobs
    found: dict[int, _File] = {}
    for number, each in enumerate(catalog.jobs):
        if each:
            if each.file not in found:
                count = len(json.loads(stated[each.file]))
                found[each.file] = _File(catalog.files[each.file], number - each.place, [None] * count)
            found[each.file].jobs[each.place] = each
    return found


def _idle(catalog: Catalog, held: Mapping[int, _File]) -> list[str]:
    """Return the hashes of the files all of whose jobs count in other files, such as those merged in two copies."""
    counted = {each.id for each in catalog.held}
    found = []
    for number, (path, text) in enumerate(zip(catalog.files, catalog.native.jobs, strict=True)):
        if number in held or not path.is_file() or hash_of(path) != path.stem:
            continue
        try:
            listed = from_json(text, path.name)
        except Stop:
            # What is damaged, or of another version of statera, stays as it is.
            continue
        if all((id_ or path.stem) in counted for id_, _ in listed):
            found.append(path.stem)
    return found


def _months(held: dict[int, _File], end: datetime) -> tuple[dict[str, list[int]], list[Problem]]:
    """Return the files of each month that was over at a moment, by number, and those that are damaged.

    A file belongs to the month in which the last of its jobs began. One that lacks a time stays as it is.
    """
    months: dict[str, list[int]] = {}
    problems = []
    for number, file in held.items():
        times = [moment(each.job.started) for each in file.jobs if each]
        known = [time for time in times if time]
        if len(known) < len(times) or _month(max(known)) >= _month(end):
            continue
        if hash_of(file.path) == file.path.stem:
            months.setdefault(f"{max(known):%Y-%m}", []).append(number)
        else:
            what = "its content does not match its name, so it is kept unchanged"
            problems.append(Problem("bad-upload", str(file.path), 0, what, "restore it from another copy"))
    return months, problems


def _merged(
    folder: Folder, files: list[_File], retention: _native.Retention, limits: Limits, *, dry: bool
) -> tuple[str, list[str]]:
    """Write the jobs of some files into one; return its hash, and those of the files that it replaces."""
    jobs: list[Stored] = []
    parts: list[tuple[Path, int, list[int | None]]] = []
    for file in files:
        places: list[int | None] = []
        for each in file.jobs:
            places.append(len(jobs) if each else None)
            if each:
                jobs.append(each)
        parts.append((file.path, file.first, places))
    text = to_json([(each.id, each.job) for each in jobs])
    gone = [file.path.stem for file in files]
    with folder.receiving() as part:
        _native.merge_uploads(parts, text, part, most(limits), retention)
        hash_ = hash_of(part)
        # Either there is nothing to do, or another version of statera wrote this file, and a later one replaced it.
        if hash_ in gone or hash_ in folder.replaced():
            return hash_, []
        if not dry:
            folder.keep(part)
    return hash_, gone


def _month(when: datetime) -> tuple[int, int]:
    return when.year, when.month
