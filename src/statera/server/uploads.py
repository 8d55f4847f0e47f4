"""Uploads → rows, in transactions of as many uploads as wait."""

from __future__ import annotations

import hashlib
import json
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.history import catalog
from statera.history.catalog import most, names_now
from statera.history.job import Job, from_json, to_json
from statera.history.series import Series
from statera.server import tables
from statera.server.moments import now
from statera.server.projects import hold, touch
from statera.server.renamings import renamings
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from sqlalchemy import Connection

    from statera.server.database import Database
    from statera.support.settings.limits import Limits


class Prepared(NamedTuple):
    """An upload that was read and found right.

    Attributes:
        hash: the SHA-256 of its content.
        content: the file.
        jobs: its jobs, each with its id.
        series: the series it has values of.
        values: for each value the numbers of series and job, n, median, mad, least, largest.
        new_unit: whether series may have another unit than before.

    """

    hash: str
    content: bytes
    jobs: list[tuple[str, Job]]
    series: list[Series]
    values: list[tuple[int, int, int, float, float, float, float]]
    new_unit: bool = True

    @property
    def memory(self) -> int:
        """Return about how many bytes of memory it takes until it is stored."""
        return len(self.content) + _OF_VALUE * len(self.values)


# A tuple of three numbers and four fractions.
_OF_VALUE: Final = 256


class Stored(NamedTuple):
    """What became of an upload: its hash, whether it is new, and how many of its jobs are."""

    hash: str
    new: bool
    jobs: int


def prepare(path: Path, project: str, limits: Limits) -> Prepared:
    """Read an upload.

    Args:
        path: the file.
        project: the project that it has to be of.
        limits: how much is read of it.

    Raises:
        Stop: it is not an upload, or that of another project.

    """
    content = path.read_bytes()
    hash_ = hashlib.sha256(content).hexdigest()
    native = _native.Catalog.read([path], most(limits))
    for _, why in native.refused:
        raise Stop("bad-upload", f"the upload: {why}")
    jobs = [(id_ or hash_, job) for id_, job in from_json(native.jobs[0], "the upload")]
    for _, job in jobs:
        if job.project != project:
            raise Stop("other-project", f"the upload is of the project {job.project}, and this is {project}")
    found = [Series(*each) for each in native.series]
    values = [(number, *entry) for number in range(len(found)) for entry in native.summaries(number)]
    if why := _wrong(native.jobs[0], jobs, found, values):
        raise Stop("bad-upload", f"the upload: {why}")
    return Prepared(hash_, content, jobs, found, values)


def _wrong(
    stated: str,
    jobs: Iterable[tuple[str, Job]],
    series: Sequence[Series],
    values: Sequence[tuple[int, int, *tuple[float, ...]]],
) -> str:
    """Return what no result of statera has, and what the database or a page could not hold; otherwise nothing.

    ``stated`` is the JSON of the jobs: it writes U+0000 in one way only, which hardly any has.
    """
    levels = [_levels(text) for text in {each.factors for each in series}]
    if None in levels:
        return "the factors of a series are not a JSON object of texts"
    of_series = "".join("".join(filter(None, each)) for each in series)
    of_jobs = _texts([tuple(job) for _, job in jobs]) if _NUL in stated else ""
    if "\0" in "".join((of_series, *of_jobs, *_texts(levels))):
        return "a text has the character U+0000, which PostgreSQL does not store; take it out of the name"
    if len({each[:2] for each in values}) < len(values):
        return "a job has the same series twice"
    return ""


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from _texts([*value.items()])
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from _texts(each)


_NUL: Final = "\\u0000"


def _levels(text: str) -> dict[str, str] | None:
    try:
        found = json.loads(text)
        # Halves of characters cannot be written.
        "".join(_texts(found)).encode()
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and all(isinstance(each, str) for each in found.values()) else None


def store(
    database: Database, connection: Connection, project_id: int, uploads: Iterable[tuple[Prepared, int | None]]
) -> list[Stored]:
    """Store uploads of a project, each with the number of the token that brought it.

    The same upload twice is one, and so is a job that stands in several uploads.
    """
    hold(connection, project_id)
    together = list(uploads)
    all_series = {each for one, _ in together for each in one.series}
    series = _series_numbers(database, connection, project_id, all_series, [one for one, _ in together])
    received = now()
    found = []
    rows: list[tuple[int, int, int, float | None, float | None, float | None, float | None]] = []
    for prepared, token_id in together:
        stated = {"project_id": project_id, "hash": prepared.hash, "received": received, "token_id": token_id}
        added = database.added(connection, tables.upload, {**stated, "content": prepared.content})
        numbers = {} if added is None else _store_jobs(database, connection, project_id, added, prepared)
        own = [series[each] for each in prepared.series]
        rows += [
            (own[number], numbers[place], n, _finite(median), _finite(mad), _finite(least), _finite(largest))
            for number, place, n, median, mad, least, largest in prepared.values
            if place in numbers
        ]
        found.append(Stored(prepared.hash, added is not None, len(numbers)))
    database.add(connection, tables.value, _VALUE, rows)
    if any(each.new for each in found):
        touch(connection, project_id)
    return found


def _store_jobs(
    database: Database, connection: Connection, project_id: int, upload_id: int, prepared: Prepared
) -> dict[int, int]:
    """Store the jobs of an upload that no other one has; return their numbers by their places."""
    numbers = {}
    for place, (id_, job) in enumerate(prepared.jobs):
        stated = {"branch": job.branch, "commit": job.commit, "started": job.started, "content": to_json([(id_, job)])}
        values = {"project_id": project_id, "hash": id_, "upload_id": upload_id, "place": place}
        added = database.added(connection, tables.job, {**values, **stated})
        if added is not None:
            numbers[place] = added
    return numbers


_VALUE: Final = ("series_id", "job_id", "n", "median", "mad", "least", "largest")


def _finite(number: float) -> float | None:
    return None if isnan(number) else number


def _series_numbers(
    database: Database,
    connection: Connection,
    project_id: int,
    series: Iterable[Series],
    together: Sequence[Prepared],
) -> dict[Series, int]:
    """Return the numbers of series in the database; those that it lacks are added."""
    hashes = {_hash(each): each for each in series}
    known = database.numbers(connection, tables.series, project_id, list(hashes))
    # Two processes that add the same series at the same time wait for each other only in the same order.
    missing = sorted(hashes.keys() - known.keys())
    if missing:
        _refuse_changed(database, connection, project_id, {hashes[hash_] for hash_ in missing}, together)
        rows = [(project_id, hash_, hashes[hash_].id, *hashes[hash_]) for hash_ in missing]
        database.add(connection, tables.series, _SERIES, rows, known=True)
        known |= database.numbers(connection, tables.series, project_id, missing)
    return {each: known[hash_] for hash_, each in hashes.items()}


def _refuse_changed(
    database: Database,
    connection: Connection,
    project_id: int,
    missing: AbstractSet[Series],
    together: Sequence[Prepared],
) -> None:
    """Refuse an upload with a series that the project, or an upload before it, has in other units only."""
    checked = {each.benchmark for one in together if not one.new_unit for each in one.series if each in missing}
    if not checked:
        return
    names = names_now(renamings(connection, project_id))
    now = {names.get(name, name) for name in checked}
    called = list(checked | now | {old for old, new in names.items() if new in now})
    rows = database.among(connection, tables.series.c.benchmark, called, project_id, Series._fields)
    known = [Series(*row) for row in rows]
    for prepared in together:
        added = [each for each in prepared.series if each in missing]
        if not prepared.new_unit:
            catalog.refuse_other_units(known, added, names)
        known += added


# So many series of all projects are recognized without being hashed again.
_KNOWN: Final = 1 << 16
_SERIES: Final = ("project_id", "hash", "key", *Series._fields)


@lru_cache(_KNOWN)
def _hash(series: Series) -> str:
    return hashlib.sha256(json.dumps(series).encode()).hexdigest()
