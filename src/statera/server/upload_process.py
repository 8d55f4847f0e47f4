"""The process that reads uploads, within limits on memory and time, and stores those of very many values.

It takes a line of JSON for each upload, and answers with lines of JSON; ``examination.py`` asks.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from statera.history.job import to_json
from statera.server.examination import Storing, examine
from statera.support.errors import Stop
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlalchemy import Connection

    from statera.history.job import Job
    from statera.server.examination import Examined, Stored

# Whoever is asked for pages comes first.
_NICE: Final = 5
# Characters of the JSON of a job, which stands in the server's memory at once.
_LARGEST: Final = 1 << 22
# So many series or values are handed over together.
_PIECE: Final = 2_000
# More memory is not given back for certain.
_KEPT: Final = 4
# Seconds that storing may take, which waits for the database.
_SECONDS: Final = 600.0


def run(memory: int, seconds: float, large: int) -> None:
    """Examine the uploads that standard input names, until it closes; this process is killed at its limits.

    Those of more than ``large`` values are stored here, if that is asked for.
    """
    os.nice(_NICE)
    begin = _address_space()
    _limit(begin + memory)
    for line in sys.stdin:
        # Without a handler, the signal kills whatever runs.
        signal.setitimer(signal.ITIMER_REAL, seconds)
        try:
            _answer(line, large, lambda: _address_space() - begin > memory // _KEPT)
        except Stop as stop:
            _say("stop", [stop.code, str(stop)])
        signal.setitimer(signal.ITIMER_REAL, 0)


def _answer(line: str, large: int, is_last: Callable[[], bool]) -> None:
    path, project, limits, is_stored = json.loads(line)
    found = examine(Path(path), project, Limits(*limits))
    if not is_stored or len(found.values) <= large:
        for piece in _pieces(found):
            _say(*piece)
        _say("end", is_last())
        return
    _checked(found)
    _say("large", None)
    signal.setitimer(signal.ITIMER_REAL, _SECONDS)
    # It was read within the limits, and what stands in the database takes as much once more.
    _limit(-1)
    stated = sys.stdin.readline()
    if stated:
        _say("stored", _stored(Path(path), project, found, Storing(*json.loads(stated))))


def _stored(path: Path, project: str, found: Examined, storing: Storing) -> Stored:
    """Store an upload, with its line in the record.

    Raises ``Stop`` if the project has its series in another unit, or the database does not answer.
    """
    # Most uploads are stored by the server itself.
    from statera.server import audit, histories  # noqa: PLC0415
    from statera.server.access import Identity, Role  # noqa: PLC0415
    from statera.server.database import Database, is_away  # noqa: PLC0415

    prepared = histories.prepare(path, project, Limits(), lambda *_: found)._replace(new_unit=storing.new_unit)
    identity = Identity(storing.token_id, storing.who, Role.WRITE, storing.project_id)

    def note(connection: Connection, stored: Stored) -> None:
        project_id, address, hash_ = storing.project_id, storing.address, stored.hash
        audit.note(connection, "upload", identity=identity, project_id=project_id, address=address, detail=hash_)

    database = Database(storing.url)
    try:
        (stored,) = histories.commit(database, [histories.Task(storing.project_id, prepared, storing.token_id, note)])
    except Exception as error:
        if not is_away(error):
            raise
        raise Stop("database-away", "the database does not answer. Try again later") from None
    finally:
        database.close()
    return stored


def _checked(found: Examined) -> None:
    """Refuse a job of which the server could not show what is said of it."""
    for each in found.jobs:
        _job(each)


def _job(each: tuple[str, Job]) -> str:
    text = to_json([each])
    if len(text) > _LARGEST:
        raise Stop("bad-upload", f"the upload: what it says of a job has more than {_LARGEST:,} characters")
    return text


def _pieces(found: Examined) -> Iterator[tuple[str, Any]]:
    for each in found.jobs:
        yield "job", _job(each)
    for what, rows in (("series", found.series), ("values", found.values)):
        for at in range(0, len(rows), _PIECE):
            yield what, rows[at : at + _PIECE]


def _say(what: str, content: object) -> None:
    sys.stdout.write(json.dumps([what, content]) + "\n")
    sys.stdout.flush()


def _limit(address_space: int) -> None:
    """Limit the memory of this process; -1 lifts the limit."""
    # Other systems than Linux have no such limit, or do not keep it.
    with suppress(ImportError, ValueError, OSError):
        import resource  # noqa: PLC0415 - not everywhere

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (hard if address_space < 0 else address_space, hard))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _address_space() -> int:
    """Return the bytes of this process's address space; 0 where nothing tells it."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0


if __name__ == "__main__":
    run(int(sys.argv[1]), float(sys.argv[2]), int(sys.argv[3]))
