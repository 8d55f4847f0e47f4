"""The journal of a run: one record a line, written before the next command begins."""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager

from statera.reading.store.record_checks import fault_of
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.names import as_texts
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any, Final

    from statera.reading.store.records import Record

NAME: Final = "journal.ndjson"
# fdatasync takes milliseconds, in which the machine is not quiet.
_SECONDS_BETWEEN_SYNCS: Final = 1.0


class Replay(NamedTuple):
    """What a journal holds.

    Attributes:
        records: the complete records of known kinds, in order.
        length: bytes of the complete lines.
        torn: whether something follows them that is not a complete line.

    """

    records: list[Record]
    length: int
    torn: bool


class Journal:
    """A journal that takes records. One process at a time may hold it: the folder's lock sees to it."""

    def __init__(self, path: Path, handle: int, length: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._handle, self._length, self._clock = path, handle, length, clock
        self._synced = clock()
        self._unsynced = False

    def append(self, *records: Record) -> None:
        """Write records, each as one line, in one write. They survive the death of this process from then on.

        Raises:
            Stop: it cannot be written. The journal then ends with the records before them.

        """
        lines = b"".join(
            json.dumps(as_texts(record), separators=(",", ":"), allow_nan=False).encode() + b"\n" for record in records
        )
        try:
            self._write(lines)
        except OSError as error:
            self._cut_off()
            raise _failure(self._path, error) from None
        self._length += len(lines)
        self._unsynced = True

    def sync(self, *, force: bool = False) -> None:
        """Wait until the records survive a power cut too: at most once a second, unless forced.

        Raises:
            Stop: the disk reports that it lost them, or the journal was removed.

        """
        if not os.fstat(self._handle).st_nlink:
            raise Stop("run-removed", f"{self._path}: somebody removed it while the run went on; its results are lost")
        now = self._clock()
        if not self._unsynced or not (force or now - self._synced >= _SECONDS_BETWEEN_SYNCS):
            return
        try:
            outputs.sync(self._handle, data_only=True)
        except OSError as error:
            raise _failure(self._path, error) from None
        self._synced, self._unsynced = now, False

    def _write(self, lines: bytes) -> None:
        rest = memoryview(lines)
        while rest:
            # A full disk may take a part; the next write then fails.
            rest = rest[os.write(self._handle, rest) :]

    def _cut_off(self) -> None:
        """Remove a part of a record. If this fails too, the next process does it."""
        try:
            os.truncate(self._handle, self._length)
        except OSError:
            return


@contextmanager
def opened(path: Path, length: int = 0) -> Iterator[Journal]:
    """Open a journal for appending, and write it to the disk at the end of the block.

    Args:
        path: the file; created if it does not exist.
        length: bytes of complete records; what follows them is cut off.

    Raises:
        Stop: it cannot be written.

    """
    try:
        # A link or a pipe at this path is not a journal.
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        handle = os.open(path, flags, 0o666)
    except OSError as error:
        raise outputs.failure(path, error) from None
    try:
        _truncate(path, handle, length)
        journal = Journal(path, handle, length)
        try:
            yield journal
        finally:
            journal.sync(force=True)
    finally:
        os.close(handle)


def read(path: Path) -> Replay:
    """Read a journal; a journal that does not exist has no records.

    An incomplete line at the end is not an error: the process may have been killed, or may be writing it right now.

    Raises:
        Stop: it cannot be read, or another line is damaged.

    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Replay([], 0, torn=False)
    except OSError as error:
        raise Stop("unreadable-run", f"{path}: {error.strerror}") from None
    length = content.rfind(b"\n") + 1
    lines = content[:length].split(b"\n")[:-1]
    parsed = [_record(path, number, line) for number, line in enumerate(lines, 1)]
    return Replay([record for record in parsed if record is not None], length, length < len(content))


def _record(path: Path, number: int, line: bytes) -> Record | None:
    """Parse a line; None if it is of a kind that this version does not know."""
    try:
        record: Any = json.loads(line)
    except (ValueError, RecursionError):
        raise _damaged(path, number, "it is not JSON") from None
    fault = fault_of(record)
    if fault == "":
        return None
    if fault is not None:
        raise _damaged(path, number, fault)
    known: Record = record
    return known


def _damaged(path: Path, number: int, what: str) -> Stop:
    return Stop(
        "damaged-run",
        f"{path}:{number}: the record is damaged: {what}; restore the file from a copy, or remove this line and all "
        "lines after it: their invocations then run again",
    )


def _truncate(path: Path, handle: int, length: int) -> None:
    try:
        os.truncate(handle, length)
    except OSError as error:
        raise outputs.failure(path, error) from None


def _failure(path: Path, error: OSError) -> Stop:
    if error.errno in outputs.FULL:
        return Stop(
            "disk-full",
            f"{path}: {error.strerror}; free some space, and continue with --resume {path.parent}: all complete "
            "records are kept",
        )
    return outputs.failure(path, error)
