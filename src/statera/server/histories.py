"""The histories of projects: uploads and events → rows, one writer for all uploads, and the interface of a folder.

Uploads that wait at the same time take effect in one transaction. The files of a history are copied into a folder of
this machine when they are read for the first time: what works on files works on them, as on the copy of a branch.
"""

from __future__ import annotations

import hashlib
import json
import queue
import threading
import time
from concurrent.futures import Future
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import delete, or_, select

from statera.history import catalog
from statera.history.catalog import RENAME, names_now
from statera.history.folder import create, event_text, exists, open_folder
from statera.history.job import Job, to_json
from statera.history.order import ORDER
from statera.history.series import Series
from statera.server import tables
from statera.server.database import add_many, add_new, is_away, numbers_of, rows_among
from statera.server.examination import Stored, examine
from statera.server.projects import hold, touch
from statera.server.tables import now
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from sqlalchemy import Connection

    from statera.history.catalog import Events
    from statera.history.folder import About
    from statera.server.database import Database
    from statera.server.examination import Examined
    from statera.server.projects import Project
    from statera.support.settings.limits import Limits

# A tuple of three numbers and four fractions takes so many bytes.
_OF_VALUE: Final = 256
_SHAPING: Final = (RENAME, ORDER)
_VALUE: Final = ("series_id", "job_id", "n", "median", "mad", "least", "largest")
_SERIES: Final = ("project_id", "hash", "key", *Series._fields)
# So many series of all projects are recognized without being hashed again.
_KNOWN: Final = 1 << 16
# So many uploads take effect together at most.
_TOGETHER: Final = 64
# So many wait at most, and of so many bytes if it is not a single one; more are refused, for they stand in memory.
_WAITING: Final = 256
_BYTES: Final = 1 << 30
# How often a transaction is tried that the database did not take, and the first pause in seconds.
_TRIES: Final = 4
_PAUSE: Final = 0.1


class Prepared(NamedTuple):
    """An upload that was read and found right."""

    hash: str  # the SHA-256 of its content
    content: bytes  # the file
    jobs: list[tuple[str, Job]]  # its jobs, each with its id
    series: list[Series]  # the series it has values of
    # for each value the numbers of series and job, n, median, mad, least, largest
    values: list[tuple[int, int, int, float, float, float, float]]
    new_unit: bool = True  # whether series may have another unit than before

    @property
    def memory(self) -> int:
        """Return about how many bytes of memory it takes until it is stored."""
        return len(self.content) + _OF_VALUE * len(self.values)


def prepare(
    path: Path, project: str, limits: Limits, examining: Callable[[Path, str, Limits], Examined] = examine
) -> Prepared:
    """Read an upload, which has to be of a project; ``examining`` may do so elsewhere.

    Raises ``Stop`` if it is not an upload, or that of another project.
    """
    found = examining(path, project, limits)
    content = path.read_bytes()
    hash_ = hashlib.sha256(content).hexdigest()
    return Prepared(hash_, content, [(id_ or hash_, job) for id_, job in found.jobs], found.series, found.values)


def store(connection: Connection, project_id: int, uploads: Iterable[tuple[Prepared, int | None]]) -> list[Stored]:
    """Store uploads of a project, each with the number of the token that brought it.

    The same upload twice is one, and so is a job that stands in several uploads.
    """
    hold(connection, project_id)
    together = list(uploads)
    all_series = {each for one, _ in together for each in one.series}
    series = _series_numbers(connection, project_id, all_series, [one for one, _ in together])
    received = now()
    found = []
    rows: list[tuple[int, int, int, float | None, float | None, float | None, float | None]] = []
    for prepared, token_id in together:
        stated = {"project_id": project_id, "hash": prepared.hash, "received": received, "token_id": token_id}
        added = add_new(connection, tables.upload, {**stated, "content": prepared.content})
        numbers = {} if added is None else _store_jobs(connection, project_id, added, prepared)
        if added is not None and not numbers:
            # All of its jobs stand in others, such as a merged one.
            connection.execute(delete(tables.upload).where(tables.upload.c.id == added))
            added = None
        own = [series[each] for each in prepared.series]
        rows += [
            (own[number], numbers[place], n, _finite(median), _finite(mad), _finite(least), _finite(largest))
            for number, place, n, median, mad, least, largest in prepared.values
            if place in numbers
        ]
        found.append(Stored(prepared.hash, added is not None, len(numbers)))
    add_many(connection, tables.value, _VALUE, rows)
    if any(each.new for each in found):
        touch(connection, project_id)
    return found


def _store_jobs(connection: Connection, project_id: int, upload_id: int, prepared: Prepared) -> dict[int, int]:
    """Store the jobs of an upload that no other one has; return their numbers by their places."""
    numbers = {}
    for place, (id_, job) in enumerate(prepared.jobs):
        stated = {"branch": job.branch, "commit": job.commit, "started": job.started, "content": to_json([(id_, job)])}
        values = {"project_id": project_id, "hash": id_, "upload_id": upload_id, "place": place}
        added = add_new(connection, tables.job, {**values, **stated})
        if added is not None:
            numbers[place] = added
    return numbers


def _finite(number: float) -> float | None:
    return None if isnan(number) else number


def _series_numbers(
    connection: Connection,
    project_id: int,
    series: Iterable[Series],
    together: Sequence[Prepared],
) -> dict[Series, int]:
    """Return the numbers of series in the database; those that it lacks are added."""
    hashes = {_hash(each): each for each in series}
    known = numbers_of(connection, tables.series, project_id, list(hashes))
    # Two processes that add the same series at the same time wait for each other only in the same order.
    missing = sorted(hashes.keys() - known.keys())
    if missing:
        _refuse_changed(connection, project_id, {hashes[hash_] for hash_ in missing}, together)
        rows = [(project_id, hash_, hashes[hash_].id, *hashes[hash_]) for hash_ in missing]
        add_many(connection, tables.series, _SERIES, rows, known=True)
        known |= numbers_of(connection, tables.series, project_id, missing)
    return {each: known[hash_] for hash_, each in hashes.items()}


def _refuse_changed(
    connection: Connection,
    project_id: int,
    missing: AbstractSet[Series],
    together: Sequence[Prepared],
) -> None:
    """Refuse an upload with a series that the project, or an upload before it, has in other units only."""
    checked = {each.benchmark for one in together if not one.new_unit for each in one.series if each in missing}
    if not checked:
        return
    names = names_now(shaping(connection, project_id))
    now = {names.get(name, name) for name in checked}
    called = list(checked | now | {old for old, new in names.items() if new in now})
    rows = rows_among(connection, tables.series.c.benchmark, called, project_id, Series._fields)
    known = [Series(*row) for row in rows]
    for prepared in together:
        added = [each for each in prepared.series if each in missing]
        if not prepared.new_unit:
            catalog.refuse_other_units(known, added, names)
        known += added


@lru_cache(_KNOWN)
def _hash(series: Series) -> str:
    return hashlib.sha256(json.dumps(series).encode()).hexdigest()


def record(connection: Connection, project_id: int, event: dict[str, Any]) -> str:
    """Store an event of a project; return its hash."""
    text = event_text(event)
    hash_ = hashlib.sha256(text.encode()).hexdigest()
    values = {"project_id": project_id, "hash": hash_, "received": now(), "content": text}
    added = add_new(connection, tables.event, values)
    if added is not None:
        touch(connection, project_id)
    return hash_


def shaping(connection: Connection, project_id: int) -> Events:
    """Return the events that rename benchmarks or state the order of commits: decisions change no series.

    A word of a reason may look like one, and is none.
    """
    columns = tables.event.c
    alike = (columns.content.contains(f'"kind":"{kind}"', autoescape=True) for kind in _SHAPING)
    wanted = select(columns.hash, columns.content).where(columns.project_id == project_id, or_(*alike))
    found = [(hash_, json.loads(text)) for hash_, text in connection.execute(wanted.order_by(columns.hash))]
    return [(hash_, event) for hash_, event in found if event.get("kind") in _SHAPING]


class Task(NamedTuple):
    """An upload that is to be stored, with the number of the token that brought it."""

    project_id: int  # its project
    prepared: Prepared  # the upload
    token_id: int | None  # the number of the token
    note: Callable[[Connection, Stored], None] | None  # called in the transaction that stores it


class _Waiting(NamedTuple):
    """A task, and whoever waits for it."""

    task: Task
    done: Future[Stored]


def commit(database: Database, tasks: Sequence[Task]) -> list[Stored]:
    """Store uploads in one transaction, which is tried again if the database is away; return what became of each."""
    of_projects: dict[int, list[int]] = {}
    for number, task in enumerate(tasks):
        of_projects.setdefault(task.project_id, []).append(number)
    for tried in range(1, _TRIES + 1):
        try:
            with database.writing() as connection:
                found: dict[int, Stored] = {}
                for project_id, own in sorted(of_projects.items()):
                    given = [(tasks[number].prepared, tasks[number].token_id) for number in own]
                    found |= dict(zip(own, store(connection, project_id, given), strict=True))
                for number, task in enumerate(tasks):
                    if task.note:
                        task.note(connection, found[number])
        except Exception as error:
            if tried == _TRIES or not is_away(error):
                raise
            time.sleep(_PAUSE * 2 ** (tried - 1))
        else:
            break
    return [found[number] for number in range(len(tasks))]


class Writer:
    """A thread that stores uploads. An upload that was answered is on the disk."""

    def __init__(self, database: Database) -> None:
        """Take the database; ``start`` begins."""
        self._database = database
        self._tasks: queue.Queue[_Waiting | None] = queue.Queue(_WAITING)
        self._bytes = 0
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=self._run, name="writer")

    def start(self) -> None:
        """Begin to store."""
        self._thread.start()

    def stop(self) -> None:
        """Store all that waits, and end."""
        self._tasks.put(None)
        self._thread.join()

    @property
    def waiting(self) -> int:
        """Return how many uploads wait."""
        return self._tasks.qsize()

    def put(
        self,
        project_id: int,
        prepared: Prepared,
        token_id: int | None = None,
        note: Callable[[Connection, Stored], None] | None = None,
    ) -> Future[Stored]:
        """Hand over an upload with the number of the token that brought it; the result comes when it is on the disk.

        ``note`` is called in the transaction that stores it.

        Raises ``Stop`` if too many wait.
        """
        done: Future[Stored] = Future()
        with self._lock:
            held = self._bytes + prepared.memory
            if self._bytes and held > _BYTES:
                raise _busy()
            try:
                self._tasks.put_nowait(_Waiting(Task(project_id, prepared, token_id, note), done))
            except queue.Full:
                raise _busy() from None
            self._bytes = held
        return done

    def _let_go(self, waiting: _Waiting) -> None:
        with self._lock:
            self._bytes -= waiting.task.prepared.memory

    def _run(self) -> None:
        ended = False
        while not ended:
            together: list[_Waiting] = []
            first = self._tasks.get()
            while first is not None:
                # Whoever no longer waits may have gone; from here on nobody can.
                if first.done.set_running_or_notify_cancel():
                    together.append(first)
                else:
                    self._let_go(first)
                if len(together) == _TOGETHER:
                    break
                try:
                    first = self._tasks.get_nowait()
                except queue.Empty:
                    break
            ended = first is None
            if together:
                self._store(together)
            for task in together:
                self._let_go(task)

    def _store(self, together: Sequence[_Waiting]) -> None:
        try:
            found = commit(self._database, [each.task for each in together])
        except Exception as error:
            # Whoever waits gets it.
            if len(together) > 1 and not is_away(error):
                # One that the database refuses must not take the others with it.
                for each in together:
                    self._store([each])
                return
            for each in together:
                each.done.set_exception(error)
        else:
            for each, stored in zip(together, found, strict=True):
                each.done.set_result(stored)


def _busy() -> Stop:
    return Stop("server-busy", "too many uploads wait. Try again later")


class DatabaseStore:
    """The history of a project."""

    def __init__(self, database: Database, project: Project, copy: Path) -> None:
        """Take the project, and the folder of the copy."""
        self.about: About = project.about  # what is known of it
        self.name = f"{database.url} {project.name}"  # how messages name it
        self._database = database
        self._project = project
        # the folder with the files that were read
        self.copy = open_folder(copy, self.name) if exists(copy) else create(copy, project.about, self.name)

    def uploads(self, wanted: AbstractSet[str] | None = None) -> list[tuple[str, Path]]:
        """Return the hash and the file of each upload, or of those that are wanted, in the order of the hashes."""
        columns = tables.upload.c
        own = columns.project_id == self._project.id
        with self._database.reading() as connection:
            found = sorted(connection.execute(select(columns.hash).where(own)).scalars())
            hashes = [hash_ for hash_ in found if wanted is None or hash_ in wanted]
            held = {name for name, _ in self.copy.uploads()}
            for hash_ in (hash_ for hash_ in hashes if hash_ not in held):
                content = select(columns.content).where(own, columns.hash == hash_)
                with self.copy.receiving() as part:
                    part.write_bytes(connection.execute(content).scalar_one())
                    self.copy.put(part, self.copy.file_of(hash_))
        return [(hash_, self.copy.file_of(hash_)) for hash_ in hashes]

    def events(self) -> list[tuple[str, dict[str, Any]]]:
        """Return the events with their hashes, in the order of these."""
        columns = tables.event.c
        wanted = select(columns.hash, columns.content).where(columns.project_id == self._project.id)
        with self._database.reading() as connection:
            return [(hash_, json.loads(text)) for hash_, text in connection.execute(wanted.order_by(columns.hash))]

    def lost(self) -> list[Path]:
        """Return the files that are gone: the database loses none."""
        return []

    def sweep(self) -> None:
        """Remove unfinished files that killed commands left behind, and copies of uploads that were merged."""
        held = {hash_ for hash_, _ in self.uploads()}
        for hash_, path in self.copy.uploads():
            if hash_ not in held:
                path.unlink(missing_ok=True)
        self.copy.sweep()
