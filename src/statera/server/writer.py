"""One writer for all uploads: those that wait at the same time take effect in one transaction."""

from __future__ import annotations

import queue
import threading
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.server import uploads
from statera.server.database import is_away
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sqlalchemy import Connection

    from statera.server.database import Database
    from statera.server.uploads import Prepared, Stored

# So many uploads take effect together at most.
_TOGETHER: Final = 64
# So many wait at most, and of so many bytes if it is not a single one; more are refused, for they stand in memory.
_WAITING: Final = 256
_BYTES: Final = 1 << 30
# How often a transaction is tried that the database did not take, and the first pause in seconds.
_TRIES: Final = 4
_PAUSE: Final = 0.1


class _Task(NamedTuple):
    project_id: int
    prepared: Prepared
    token_id: int | None
    note: Callable[[Connection, Stored], None] | None
    done: Future[Stored]


class Writer:
    """A thread that stores uploads. An upload that was answered is on the disk."""

    def __init__(self, database: Database) -> None:
        """Take the database; ``start`` begins."""
        self._database = database
        self._tasks: queue.Queue[_Task | None] = queue.Queue(_WAITING)
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
        """Hand over an upload; the result comes when it is on the disk.

        Args:
            project_id: the number of its project.
            prepared: the upload.
            token_id: the number of the token that brought it.
            note: is called in the transaction that stores it.

        Raises:
            Stop: too many wait.

        """
        done: Future[Stored] = Future()
        with self._lock:
            held = self._bytes + prepared.memory
            if self._bytes and held > _BYTES:
                raise _busy()
            try:
                self._tasks.put_nowait(_Task(project_id, prepared, token_id, note, done))
            except queue.Full:
                raise _busy() from None
            self._bytes = held
        return done

    def _let_go(self, task: _Task) -> None:
        with self._lock:
            self._bytes -= task.prepared.memory

    def _run(self) -> None:
        ended = False
        while not ended:
            together: list[_Task] = []
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

    def _store(self, tasks: Sequence[_Task]) -> None:
        try:
            self._commit(tasks)
        except Exception as error:  # noqa: BLE001 - whoever waits gets it
            if len(tasks) > 1 and not is_away(error):
                # One that the database refuses must not take the others with it.
                for task in tasks:
                    self._store([task])
                return
            for task in tasks:
                task.done.set_exception(error)

    def _commit(self, tasks: Sequence[_Task]) -> None:
        of_projects: dict[int, list[_Task]] = {}
        for task in tasks:
            of_projects.setdefault(task.project_id, []).append(task)
        for tried in range(1, _TRIES + 1):
            try:
                found = []
                with self._database.writing() as connection:
                    for project_id, own in sorted(of_projects.items()):
                        given = [(task.prepared, task.token_id) for task in own]
                        stored = uploads.store(self._database, connection, project_id, given)
                        found += list(zip(own, stored, strict=True))
                    for task, each in found:
                        if task.note:
                            task.note(connection, each)
            except Exception as error:
                if tried == _TRIES or not is_away(error):
                    raise
                time.sleep(_PAUSE * 2 ** (tried - 1))
            else:
                for task, each in found:
                    task.done.set_result(each)
                return


def _busy() -> Stop:
    return Stop("server-busy", "too many uploads wait; try again later")
