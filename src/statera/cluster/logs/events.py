"""The events of hosts: reads the logs of a run into events on disk, one directory per host, and finds them again."""

from __future__ import annotations

import datetime as dt
import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from statera import _native
from statera.cluster.logs import mapping as mappings
from statera.cluster.logs.directories import clear, directory_name, partial, replace
from statera.support.errors import Problem, Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.cluster.logs.files import LogFile, Logs


EVENTS = "events"
_RECORD = "host.json"
_SECOND = 10**9


def instant(at: int) -> str:
    """Write a time, given in ns since the Unix epoch, in UTC with all nine digits, as the logs do."""
    seconds, rest = divmod(at, _SECOND)
    day = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)
    return f"{day:%Y-%m-%d %H:%M:%S}.{rest:09d}"


class Count(NamedTuple):
    """The number of lines with the same reason."""

    reason: str
    lines: int


class Skip(NamedTuple):
    """The number of lines of an event that were skipped for the same reason."""

    event: str
    reason: str
    lines: int


class Example(NamedTuple):
    """An example of the lines of a class that were not used: one of the first."""

    reason: str  # cut, broken, noise, other or skipped
    file: str  # the file below the run directory
    line: int  # counted from 1
    text: str  # the beginning of the line; invalid bytes are replaced


@dataclass(frozen=True, slots=True)
class Counts:
    """The lines of a host by class: lines = noise + broken + cut + other + emitted; mapped = analysed + skipped."""

    lines: int = 0  # all lines that are not blank
    noise: int = 0  # text, or JSON other than an object
    broken: int = 0  # lines that begin like an object but are not JSON
    cut: int = 0  # unfinished last lines of files
    other: int = 0  # JSON objects that are not log objects
    emitted: int = 0  # log objects
    mapped: int = 0  # emitted lines that the mapping names
    analysed: int = 0  # mapped lines that became events
    skipped: int = 0  # mapped lines that did not
    first: int | None = None  # smallest time of the emitted lines, ns since the Unix epoch; null if there are none
    last: int | None = None  # the largest
    resolution: int | None = None  # the resolution of the times, ns, a power of ten; null for fewer than 20 times
    others: tuple[Count, ...] = ()  # the reasons why lines are ``other``
    skips: tuple[Skip, ...] = ()  # the reasons why lines were skipped, by event
    events: tuple[Count, ...] = ()  # the number of lines of each event
    # emitted lines that the mapping does not name, by name; the rarest may be counted together under "".
    unmapped: tuple[Count, ...] = ()
    examples: tuple[Example, ...] = ()  # a few of the lines that were not used
    bytes: int = 0  # bytes of text read, after decompression

    @classmethod
    def of(cls, stated: dict[str, Any]) -> Self:
        """Build the counts from the reader's answer or from host.json."""
        lists: dict[str, Any] = {key: tuple(kind(*row) for row in stated[key]) for key, kind in _LISTS.items()}
        return cls(**stated | lists)


_LISTS: dict[str, type[Count | Skip | Example]] = {
    "others": Count, "skips": Skip, "events": Count, "unmapped": Count, "examples": Example,
}  # fmt: skip

# Increase it whenever the same bytes would give different events.
VERSION = 4

Wanted = Mapping[str, "tuple[LogFile, ...]"]
"""The log files of the hosts to read."""
Reader = Callable[[mappings.Mapping, Wanted, Path], None]
"""A function that reads hosts into their directories, in this process or on other machines."""


@dataclass(frozen=True, slots=True)
class HostEvents:
    """The events of a host.

    Every table has the columns ``host`` (text), ``event`` (text), ``at`` (ns since the Unix epoch), ``file`` (index
    into ``files``), ``line`` (counted from 1) and ``seq`` (reading order within the host), and those of the mapping.

    A folded table has a row for each value of its key: ``host``, ``key`` (``at`` if that is the key), ``lines``,
    ``far`` (how many of these have a time out of range), and of the first line of each event ``EVENT_at``,
    ``EVENT_place`` (2^40 times the index of the file, plus the line) and ``EVENT_FIELD``; ``EVENT_times`` counts its
    different times where the mapping asks for that. Rows by time have ``back`` (by how many ns a line of it is earlier
    than the line above), and with ``before`` each value a second time, of the row before.
    """

    host: str  # its name
    tables: dict[str, Path]  # for each table of the mapping its Parquet file; empty for a host without log files
    files: tuple[str, ...]  # the names of its log files below the run directory
    counts: Counts  # the counts of its lines

    @property
    def live(self) -> bool:
        """Whether the host has at least one log object."""
        return self.counts.emitted > 0


@dataclass(frozen=True, slots=True)
class Events:
    """The events of a cluster."""

    mapping: mappings.Mapping  # the mapping by which lines became events
    # all hosts of the cluster, including those without logs, in the order of ``logs.hosts``.
    hosts: tuple[HostEvents, ...]
    warnings: tuple[Problem, ...]  # warnings about the run and its hosts

    def tables(self, name: str) -> list[Path]:
        """Return the Parquet files of a table, one per host that has logs."""
        return [host.tables[name] for host in self.hosts if name in host.tables]


def read_hosts(plan: mappings.Mapping, wanted: Wanted, place: Path) -> None:
    """Read hosts with the threads of this process; each is moved to its place as soon as it is complete.

    Raises ``Stop`` if the mapping is invalid, and ``OSError`` if events cannot be written.
    """
    made = {host: partial(place, host) for host in wanted}
    jobs = [(host, [file.path for file in files], made[host]) for host, files in wanted.items()]
    hosts = list(wanted)

    def finished(number: int, counts: dict[str, Any]) -> None:
        host = hosts[number]
        directory, files = made[host], wanted[host]
        counts["changed"] = [file.name for file in files if file.has_changed()]
        record = {"key": _key(plan, files, counts.pop("digests")), "tables": _sizes(plan, directory), "counts": counts}
        (directory / _RECORD).write_text(json.dumps(_named(record, files)), encoding="utf-8")
        replace(directory, place / directory_name(host))

    try:
        _native.read_logs(plan.plan, jobs, finished)
    except ValueError as error:
        raise Stop("event-mapping", f"{plan.name}: {error}") from error
    finally:
        for directory in made.values():
            shutil.rmtree(directory, ignore_errors=True)


def read_logs(logs: Logs, out: Path, plan: mappings.Mapping, reader: Reader = read_hosts) -> Events:
    """Read every host, or use its events of an earlier analysis in ``out``/events/.

    Raises ``Stop`` if ``out`` cannot be written (a full disk), or the mapping is invalid.
    """
    place = out / EVENTS
    warnings = list(logs.warnings)
    with_logs = [host for host in logs.hosts if logs.files[host]]
    try:
        place.mkdir(parents=True, exist_ok=True)
        clear(place)
        names = {directory_name(host) for host in with_logs}
        for directory in place.iterdir():
            # An earlier analysis read it from a host that the run no longer has.
            if directory.name not in names and (directory / _RECORD).is_file():
                shutil.rmtree(directory)
        missing = [host for host in with_logs if not _is_of(_stored(plan, place, host), plan, logs.files[host])]
        reader(plan, {host: logs.files[host] for host in missing}, place)
    except OSError as error:
        raise outputs.failure(error.filename or out, error) from error
    hosts = tuple(_host_events(logs, plan, place, host, warnings) for host in logs.hosts)
    return Events(plan, hosts, tuple(warnings))


def _key(plan: mappings.Mapping, files: Sequence[LogFile], digests: Sequence[int | None]) -> list[Any]:
    """Return the key of the events of a host: what was read, and how."""
    about = [
        [file.name, file.size, [file.modified, file.changed, file.inode] if file.settled else None, digest]
        for file, digest in zip(files, digests, strict=True)
    ]
    return [VERSION, plan.digest, about]


def _is_of(record: dict[str, Any] | None, plan: mappings.Mapping, files: Sequence[LogFile]) -> bool:
    """Return whether events on disk were read from the logs as they are now."""
    try:
        version, mapping, stated = record["key"] if record else (0, "", [])
        return [version, mapping] == [VERSION, plan.digest] and all(
            _is_same(file, *about) for file, about in zip(files, stated, strict=True)
        )
    except (OSError, ValueError, TypeError, KeyError):
        return False


def _is_same(file: LogFile, name: str, size: int, times: list[int] | None, digest: int | None) -> bool:
    """Return whether a file is unchanged: by its times where the system records every change, else by its bytes."""
    if (file.name, file.size) != (name, size):
        return False
    if times == [file.modified, file.changed, file.inode]:
        return True
    return digest is not None and _native.log_digest(file.path) == digest


def _sizes(plan: mappings.Mapping, directory: Path) -> dict[str, int]:
    return {table: (directory / f"{table}.parquet").stat().st_size for table in plan.tables}


def _named(record: dict[str, Any], files: tuple[LogFile, ...]) -> dict[str, Any]:
    """Replace the numbers of files by their names."""
    counts = record["counts"]
    counts["examples"] = [(why, files[file].name, line, text) for why, file, line, text in counts["examples"]]
    counts["troubles"] = [(files[file].name, why) for file, why in counts["troubles"]]
    return record


def _stored(plan: mappings.Mapping, place: Path, host: str) -> dict[str, Any] | None:
    """Return the record of a host's events on disk; None if they are incomplete."""
    directory = place / directory_name(host)
    try:
        record: dict[str, Any] = json.loads((directory / _RECORD).read_bytes())
        whole = record["tables"] == _sizes(plan, directory)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return record if whole else None


def _host_events(logs: Logs, plan: mappings.Mapping, place: Path, host: str, warnings: list[Problem]) -> HostEvents:
    files = logs.files[host]
    record = _stored(plan, place, host) if files else None
    if record is None:
        return HostEvents(host, {}, (), Counts())
    stored = record["counts"]
    for name, why in stored.pop("troubles"):
        what = f"could not be read to its end: {why}; the lines before that point are used"
        warnings.append(Problem("truncated-log", str(logs.path / name), 0, what, ""))
    for name in stored.pop("changed"):
        what = "changed while it was read; the content at that time is used"
        warnings.append(Problem("changed-log", str(logs.path / name), 0, what, ""))
    counts = Counts.of(stored)
    if not counts.emitted:
        warnings.append(Problem("host-without-events", str(logs.path), 0, f"{host} has no log object", ""))
    directory = place / directory_name(host)
    tables = {table: directory / f"{table}.parquet" for table in plan.tables}
    return HostEvents(host, tables, tuple(file.name for file in files), counts)


_OF_FILES = frozenset({"troubles", "changed"})


class Logged(NamedTuple):
    """A host's events on disk."""

    files: tuple[str, ...]  # the names of its log files below the run directory
    counts: Counts  # the counts of its lines
    tables: dict[str, Path]  # the Parquet files by table
    mapping: str  # the digest of the mapping by which they were read


def logged_hosts(analysis: Path, hosts: Iterable[str]) -> dict[str, Logged]:
    """Find the stored events of the hosts of an analysed run; a host without logs has none.

    Raises ``Stop`` if the records of a host cannot be read.
    """
    found = {}
    for host in hosts:
        directory = analysis / EVENTS / directory_name(host)
        try:
            record = json.loads((directory / _RECORD).read_bytes())
            mapping = str(record["key"][1])
            files = tuple(name for name, *_ in record["key"][2])
            counts = Counts.of({key: value for key, value in record["counts"].items() if key not in _OF_FILES})
        except FileNotFoundError:
            continue
        except (OSError, ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise Stop("not-analysed", f"{directory}: cannot be read ({error}). Analyse the run again") from None
        found[host] = Logged(files, counts, {table.stem: table for table in directory.glob("*.parquet")}, mapping)
    return found
