"""A process of its own that analyses projects after they changed, so that requests never wait for it."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final

from sqlalchemy.exc import DBAPIError

from statera import _native
from statera.server import deliveries, projects
from statera.server.analyses import bring_up_to_date
from statera.server.database import Database
from statera.server.store import DatabaseStore
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from sqlalchemy import Connection

    from statera.server.projects import Project

_LOG: Final = logging.getLogger("statera.server")
# Changes are looked for as often, in seconds; a project that could not be analysed waits longer.
_POLL: Final = 0.25
_AFTER_FAILURE: Final = 30.0


class Analyst:
    """The process, which is started again if it ends."""

    def __init__(self, url: str, data: Path) -> None:
        """Take the address of the database, and the folder of copies."""
        self._environment = {**os.environ, "STATERA_DATABASE": url}
        self._data = data
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._watch, name="analyst")

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """End the process; an analysis that it is in is made again at the next start."""
        self._ended.set()
        if self._process:
            self._process.terminate()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ended.is_set():
            # It ends when this process does: the pipe closes.
            command = [sys.executable, "-m", "statera.server.analyst", os.fspath(self._data)]
            try:
                # In a group of its own: the key that ends the server in a terminal does not reach it.
                self._process = subprocess.Popen(  # noqa: S603 - own
                    command, stdin=subprocess.PIPE, env=self._environment, process_group=0
                )
            except OSError as error:
                _LOG.error("the analysis cannot start (%s); it is tried again", error)
                self._ended.wait(1.0)
                continue
            if self._ended.is_set():
                self._process.terminate()
            code = self._process.wait()
            if self._process.stdin:
                self._process.stdin.close()
            if not self._ended.is_set():
                _LOG.error("the analysis ended with code %d; it starts again", code)
                self._ended.wait(1.0)


def run(url: str, data: Path) -> None:
    """Analyse what changes, until standard input closes."""
    database = Database(url)
    limits = Limits()
    later: dict[int, float] = {}
    while True:
        waiting = _waiting(database, later)
        for project in waiting:
            began = time.monotonic()
            try:
                analyse_one(database, project, data, limits)
                # A project to which uploads come all the time takes half of a processor at most.
                later[project.id] = 2 * time.monotonic() - began
            except Exception:  # noqa: BLE001 - whatever is wrong with one project must not stop the others
                _LOG.exception("the project %s cannot be analysed", _native.printable(project.name))
                later[project.id] = time.monotonic() + _AFTER_FAILURE
        if not waiting:
            time.sleep(_POLL)


def analyse_one(database: Database, project: Project, data: Path, limits: Limits) -> None:
    """Analyse a project, and queue what hooks are told."""
    store = DatabaseStore(database, project, data / "copies" / str(project.id), limits)

    def tell(connection: Connection, alert: str, event: str) -> None:
        deliveries.queue(connection, project.id, alert, event)

    bring_up_to_date(database, project, store, limits, tell)
    # A server that was killed may have left unfinished copies.
    store.sweep()


def _waiting(database: Database, later: dict[int, float]) -> list[Project]:
    try:
        with database.reading() as connection:
            found = projects.listed(connection)
    except DBAPIError:
        time.sleep(1.0)
        return []
    now = time.monotonic()
    return [each for each in found if each.changed > each.analysed and later.get(each.id, 0.0) <= now]


def _end_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    logging.basicConfig(format="%(asctime)s %(levelname)s %(message)s")
    threading.Thread(target=_end_with_parent, daemon=True).start()
    run(os.environ["STATERA_DATABASE"], Path(sys.argv[1]))
