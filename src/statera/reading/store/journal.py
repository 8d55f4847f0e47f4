"""The journal of a run: one record a line, written before the next command begins.

A record is a JSON object. ``kind`` tells the records apart; a reader skips kinds it does not know. Paths in records are
relative to the folder of the run.
"""

from __future__ import annotations

import json
import os
import time
from contextlib import contextmanager
from functools import cache
from types import UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Final,
    Literal,
    NamedTuple,
    NotRequired,
    TypedDict,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.files.names import as_texts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


# Nothing that a record counts or measures is larger, negative or no number.
_MOST: Final = (1 << 63) - 1
NAME: Final = "journal.ndjson"
# fdatasync takes milliseconds, in which the machine is not quiet.
_SECONDS_BETWEEN_SYNCS: Final = 1.0


class InvocationRecord(TypedDict):
    """An invocation that ended by itself: a sample, unless ``warmup``. Times in seconds, memory in bytes."""

    kind: Literal["invocation"]
    number: int  # counts all invocations from 1, failed ones included
    round: int  # from 1; 0 in a warm-up
    order: int  # place within the round among the invocations of its benchmark, from 1
    benchmark: str
    variant: str
    started: float  # monotonic clock
    time: float
    user: float
    system: float
    memory: int
    minor_faults: int
    major_faults: int
    voluntary_switches: int
    involuntary_switches: int
    exit: int
    together: NotRequired[int]  # the largest memory of several processes at once that was seen
    counters: NotRequired[dict[str, int | str]]  # the count, or the reason why there is none
    remarks: NotRequired[dict[str, str]]  # on counts: scaled, or in user space alone
    output: NotRequired[str]  # file with what it printed, or folder that was {out}
    left_over: NotRequired[int]
    services: NotRequired[dict[str, dict[str, int | float]]]  # by name: "cpu", "memory", and "exit" if it was stopped
    warmup: NotRequired[bool]
    host: NotRequired[str]  # of --on; this machine without
    shared: NotRequired[int]  # so many rows of a suite ran in its process; each has an equal part of its times


class FailureRecord(TypedDict):
    """An invocation that gives no sample."""

    kind: Literal["failure"]
    number: int
    round: int
    order: int
    benchmark: str
    variant: str
    reason: str  # a Failure, or "no-results" if its output has none in the format
    message: str
    output: NotRequired[str]
    errors: NotRequired[str]  # file with what it printed on standard error, where that was kept
    host: NotRequired[str]


class RoundRecord(TypedDict):
    """The end of a round: what the machine reported while it lasted, and the marks that follow from it."""

    kind: Literal["round"]
    round: int
    seconds: float
    machine: dict[str, float]  # e.g. "cpu_pressure": share of the time in which tasks waited; "steal": share
    marks: list[str]
    host: NotRequired[str]


class HostRecord(TypedDict):
    """A host of ``--on`` takes part from now on."""

    kind: Literal["host"]
    host: str  # as the user calls it
    facts: dict[str, str]  # what identifies the machine


class LostRecord(TypedDict):
    """A host of ``--on`` takes part no more, until the run is resumed."""

    kind: Literal["lost"]
    host: str
    round: int  # in which it was lost; 0: before the first one of this session
    message: str


class CountRecord(TypedDict):
    """Exact counts of a benchmark of a variant, from an invocation after the rounds that is not a sample."""

    kind: Literal["count"]
    number: int  # counts all invocations
    benchmark: str
    variant: str
    counters: dict[str, int | str]  # the count, or the reason why there is none


class DecideRecord(TypedDict):
    """Which metric decides each benchmark: before the first look, or after the rounds if there is none."""

    kind: Literal["decide"]
    busy: bool  # whether other work had a good part of the machine
    metrics: dict[str, str]  # of each benchmark: a metric, "any", or "primary" for each primary one


class LookRecord(TypedDict):
    """A look at the data. ``undecided`` are the benchmarks that go on; the others leave the rounds."""

    kind: Literal["look"]
    look: int  # from 1
    round: int
    share: float  # of alpha
    benchmarks: list[str]  # which took part
    undecided: list[str]
    hopeless: list[str]  # which the last look probably cannot decide


class BuildRecord(TypedDict):
    """A build, once for each key."""

    kind: Literal["build"]
    key: str
    ok: bool
    cached: bool
    seconds: float
    message: str
    artefacts: dict[str, str]  # path relative to the build's folder: SHA-256


class SessionRecord(TypedDict):
    """The start of statera on this folder: the first one, and each resumption."""

    kind: Literal["session"]
    started: str  # date and time, ISO 8601
    boot: str  # identity of the machine's boot
    process: int


class ExtendRecord(TypedDict):
    """More rounds for a run, mostly after its end. The looks made so far come first."""

    kind: Literal["extend"]
    after: int  # round
    rounds: int  # altogether
    looks: list[int]  # after these rounds; empty where nothing is compared
    shares: list[float]  # of alpha, one for each look
    spent: float  # how often alpha was spent before
    benchmarks: list[str]  # which go on


class EndRecord(TypedDict):
    """The end: only an extension follows it. An interrupted run has none, and can be resumed."""

    kind: Literal["end"]
    reason: Literal["complete", "decided", "limit", "time"]
    rounds: int
    missing: int  # planned samples that do not exist


Record = (
    InvocationRecord
    | FailureRecord
    | RoundRecord
    | CountRecord
    | DecideRecord
    | LookRecord
    | BuildRecord
    | SessionRecord
    | HostRecord
    | LostRecord
    | ExtendRecord
    | EndRecord
)
_KINDS: Final[tuple[Any, ...]] = get_args(Record)


def fault_of(value: object) -> str | None:
    """Say what is wrong with a value as a record; None for a record, the empty text for one of an unknown kind."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), str):
        return "it is not an object with a `kind`"
    fields = _fields().get(value["kind"])
    if fields is None:
        return ""
    for name, (kind, required) in fields.items():
        if name not in value:
            if required:
                return f"`{name}` is missing"
        elif not _fits(kind, value[name]):
            return f"`{name}` is {value[name]!r:.40}"
    return None


@cache
def _fields() -> dict[str, dict[str, tuple[Any, bool]]]:
    """Return the fields of each kind of record: their type, and whether they are required."""
    found = {}
    for kind in _KINDS:
        hints = get_type_hints(kind, include_extras=True)
        named = get_args(hints["kind"])[0]
        found[named] = {
            name: (get_args(hint)[0], False) if get_origin(hint) is NotRequired else (hint, True)
            for name, hint in hints.items()
        }
    return found


def _fits(kind: object, value: object) -> bool:
    origin, inner = get_origin(kind), get_args(kind)
    if origin is Literal:
        return value in inner
    if origin in {Union, UnionType}:
        return any(_fits(each, value) for each in inner)
    if origin is list:
        return isinstance(value, list) and all(_fits(inner[0], each) for each in value)
    if origin is dict:
        return isinstance(value, dict) and all(_fits(inner[1], each) for each in value.values())
    # JSON writes 1.0 and 1 alike, and `true` is not a number.
    fits = type(value) is kind or (kind is float and type(value) is int)
    return fits and (not isinstance(value, (int, float)) or 0 <= value <= _MOST)


class Replay(NamedTuple):
    """What a journal holds."""

    records: list[Record]  # the complete records of known kinds, in order
    length: int  # bytes of the complete lines; what follows them is a line that is not complete


class Journal:
    """A journal that takes records. One process at a time may hold it: the folder's lock sees to it."""

    def __init__(self, path: Path, handle: int, length: int, clock: Callable[[], float] = time.monotonic) -> None:
        self._path, self._handle, self._length, self._clock = path, handle, length, clock
        self._synced = clock()
        self._unsynced = False

    def append(self, *records: Record) -> None:
        """Write records, each as one line, in one write. They survive the death of this process from then on.

        Raises ``Stop`` if it cannot be written. The journal then ends with the records before them.
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

        Raises ``Stop`` if the disk reports that it lost them, or the journal was removed.
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

    ``length`` is that of complete records, in bytes; what follows them is cut off.

    Raises ``Stop`` if it cannot be written.
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

    Raises ``Stop`` if it cannot be read, or another line is damaged.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return Replay([], 0)
    except OSError as error:
        raise Stop("unreadable-run", f"{path}: {error.strerror}") from None
    length = content.rfind(b"\n") + 1
    lines = content[:length].split(b"\n")[:-1]
    parsed = [_record(path, number, line) for number, line in enumerate(lines, 1)]
    return Replay([record for record in parsed if record is not None], length)


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
        f"{path}:{number}: the record is damaged: {what}. Restore the file from a copy, or remove this line and all "
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
            f"{path}: {error.strerror}. Free some space, and continue with --resume {path.parent}: all complete "
            "records are kept",
        )
    return outputs.failure(path, error)
