"""All jobs and series of a history, without the values of the jobs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history.job import Stored, from_json
from statera.history.renaming import applied
from statera.history.series import Series
from statera.support import stages
from statera.support.errors import Problem, Stop

if TYPE_CHECKING:
    from pathlib import Path

    from statera.history.renaming import Events
    from statera.history.store import Readable
    from statera.support.settings.limits import Limits

_ROWS: Final = 100_000_000
# How often uploads are read again, because others took their place.
_READINGS: Final = 10


class Catalog(NamedTuple):
    """What a history holds.

    Attributes:
        read: the summaries of the values, under the names that the files have for benchmarks.
        native: the same, under the names that count.
        jobs: the jobs by their numbers; None for one that counts already, from another file.
        series: the series by their numbers.
        files: the files of the uploads, by number.
        problems: files that are not uploads.
        events: what was decided about alerts, with the hash of each event.
        names: the present names of benchmarks that were renamed, by their former ones.

    """

    read: _native.Catalog
    native: _native.Catalog
    jobs: list[Stored | None]
    series: list[Series]
    files: list[Path]
    problems: list[Problem]
    events: Events
    names: dict[str, str]

    @property
    def held(self) -> list[Stored]:
        """Return the jobs, each once."""
        return [each for each in self.jobs if each]


def most(limits: Limits) -> tuple[int, int]:
    """Return how many bytes and rows an upload may hold."""
    return limits.bytes, min(limits.values, _ROWS)


def read(folder: Readable, limits: Limits) -> Catalog:
    """Read the jobs and summaries of all uploads.

    Raises:
        Stop: the history cannot be read.

    """
    stages.enter("reading")
    files, native = _read(folder, limits)
    jobs: list[Stored | None] = []
    why = dict(native.refused)
    seen: set[str] = set()
    for number, (path, text) in enumerate(zip(files, native.jobs, strict=True)):
        if number in why:
            continue
        try:
            listed = from_json(text, path.name)
        except Stop as stop:
            why[number] = str(stop)
            # It is a list: the compiled part has counted it.
            jobs += [None] * len(json.loads(text))
            continue
        for place, (id_, job) in enumerate(listed):
            jobs.append(_once(Stored(id_ or path.stem, job, number, place), seen))
    problems = [
        Problem("bad-upload", str(files[number]), 0, what, "remove it, or restore it from another copy of the history")
        for number, what in sorted(why.items())
    ]
    return assembled(native, jobs, files, problems, folder.events())


def assembled(
    native: _native.Catalog, jobs: list[Stored | None], files: list[Path], problems: list[Problem], events: Events
) -> Catalog:
    """Put together what a history holds; renamed benchmarks have their new names.

    Args:
        native: the summaries of the values, as they were read.
        jobs: the jobs by their numbers.
        files: the files of the uploads.
        problems: files that are not uploads.
        events: the events, with their hashes.

    """
    found = applied(native, events)
    return Catalog(native, found.native, jobs, found.series, files, problems, found.events, found.names)


def series_of(native: _native.Catalog) -> list[Series]:
    """Return the series of summaries, under the names that their files have for benchmarks."""
    return [Series(*each) for each in native.series]


def _read(folder: Readable, limits: Limits) -> tuple[list[Path], _native.Catalog]:
    """Read the uploads. Those that another command replaced by a merged file meanwhile are read from that one."""
    for _ in range(_READINGS):
        # A job that stands in two files, because a command was killed between writing one and removing the other,
        # counts once: no list of what was replaced is needed.
        files = [path for _, path in folder.uploads()]
        native = _native.Catalog.read(files, most(limits))
        if all(files[number].exists() for number, _ in native.refused):
            break
    return files, native


def _once(stored: Stored, seen: set[str]) -> Stored | None:
    if stored.id in seen:
        return None
    seen.add(stored.id)
    return stored
