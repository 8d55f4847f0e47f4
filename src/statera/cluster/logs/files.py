"""Which logs a run has: its hosts, and which directories and files belong to each. Logs are not read here."""

from __future__ import annotations

import json
import os
import re
import stat
import time
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from math import isinf
from typing import TYPE_CHECKING, Any, Final, NamedTuple, NoReturn

from statera.support.errors import Problem, Stop, unreadable
from statera.support.files.hadoop import Remote
from statera.support.files.names import as_text
from statera.support.wording import form, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    Entry = os.DirEntry[str] | Remote


ARCHIVE: Final = (
    "not read: an archive. Unpack it (tar -xf, unzip) so that the logs of each host lie in a directory of its name"
)
NO_LOG: Final = (
    "not read: a log is a file that ends in .json, .jsonl or .log, also with .gz or .zst, or begins with stdout"
)
NO_FILE: Final = "not read: a pipe, a socket, a device or a broken link, not a regular file"

# Files and directories of a run that hold no logs.
_NO_HOSTS: Final = frozenset({"genesis", "analysis", "profile", "meta"})
_NO_LOGS: Final = frozenset(
    {"run.json", "meta.json", "config.json", "topology.json", "profile.json", "expected.json", "truth.json"}
)
_NO_LOG_BEGINNINGS: Final = (".", "genesis", "service-", "node-service", "expected", "truth")
_LOG_ENDINGS: Final = (".json", ".jsonl", ".log")
_COMPRESSED: Final = (".gz", ".zst")
_ARCHIVE: Final = re.compile(r"\.(tar|tgz|tbz2?|txz|tzst|zip|7z|rar|cpio)(\.|$)", re.IGNORECASE)
# Names that search like logs but are not accepted as such: rotated, compressed in another way, or with another ending.
_LIKE_A_LOG: Final = re.compile(
    r"\.(json|jsonl|ndjson|log|txt)(\.|$)|\.(gz|zst|xz|bz2|lz4|zstd|gzip|z|lzma)$", re.IGNORECASE
)


def may_be_host(directory: str) -> bool:
    """Return whether a directory of a run may be that of a host."""
    return directory not in _NO_HOSTS and not directory.startswith((".", "_"))


def is_log(name: str) -> bool:
    """Return whether a file is a log."""
    bare = _uncompressed(name)
    return _is_free(bare) and (bare.endswith(_LOG_ENDINGS) or bare.startswith("stdout"))


def is_read(name: str) -> bool:
    """Return whether a file of this name, in the directory of a run or of its analysis, is read with the run."""
    return is_log(name) or not _is_free(_uncompressed(name)) or name == "blocks.csv" or name.endswith(".parquet")


def meant(name: str) -> str:
    """Explain why a file that looks like a log is not read; empty for any other file."""
    bare = _uncompressed(name)
    if not _is_free(bare) or bare.startswith("stdout"):
        return ""
    if _ARCHIVE.search(name):
        return ARCHIVE
    return NO_LOG if _LIKE_A_LOG.search(name) else ""


def host_of(file: str) -> str:
    """Return the host of a log file that lies in the directory of the run itself."""
    return _uncompressed(file).rpartition(".")[0]


def _is_free(bare: str) -> bool:
    return bare not in _NO_LOGS and not bare.startswith(_NO_LOG_BEGINNINGS)


def _uncompressed(name: str) -> str:
    for ending in _COMPRESSED:
        name_without = name.removesuffix(ending)
        if name_without != name:
            return name_without
    return name


MOST_FILES: Final = 50_000
"""The most files that a run may have: each takes about 1.5 kB of memory, whatever it holds."""
# Results of an analysis, which may lie below the run.
_OF_ANALYSIS: Final = ("events", "tables")
_RESULTS: Final = frozenset({*_OF_ANALYSIS, "summary.json", "blocks.csv"})
# The coarsest resolution of file times, in ns: within it a file can change twice and show one change.
_TICK: Final = 2 * 10**9


class LogFile(NamedTuple):
    """A log file."""

    path: Path  # the file
    name: str  # its path below the run directory
    size: int  # bytes on disk
    modified: int  # time of the last change of the content (mtime), ns, which any program can set
    changed: int  # time of the last change of content or status (ctime), ns, which only the system sets
    inode: int  # its number on the device
    device: int  # the device that it is on
    linked: bool  # whether a symbolic link leads to it
    settled: bool  # whether it was found long enough after its last change that another change would show in its times

    def has_changed(self) -> bool:
        """Whether the file has changed since it was found."""
        try:
            about = self.path.stat()
        except OSError:
            return True
        now = (about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino)
        return now != (self.size, self.modified, self.changed, self.inode)


class Layout(NamedTuple):
    """The contents of the directory of a run."""

    logs: dict[str, tuple[LogFile, ...]]  # the log files of every host, in reading order; hosts in byte order
    unread: dict[str, list[str]]  # files that search like logs but are not read, below the run directory, by the reason
    empty: tuple[str, ...]  # directories that could be hosts but hold no log file
    closed: dict[str, str]  # directories that could be hosts but cannot be opened, with the reason


def layout(run: Path, most: int = MOST_FILES) -> Layout:
    """Find the log files of every host, and the files and directories that search like logs or hosts but are not.

    Raises ``Stop`` if the run has more than ``most`` files, or the directory cannot be read.
    """
    search = _Search(run, most)
    try:
        entries = search.entries(run)
    except OSError as error:
        raise Stop("missing-file", unreadable(run, error)) from None
    for entry in entries:
        if not _is_directory(entry):
            search.take([entry], host_of(entry.name))
        elif may_be_host(entry.name):
            search.directory(entry)
    logs = {
        host: tuple(sorted(search.logs[host], key=lambda file: os.fsencode(str(file.path))))
        for host in sorted(search.logs, key=str.encode)
    }
    return Layout(logs, search.unread, tuple(search.empty), search.closed)


class _Search:
    """The state of the search."""

    def __init__(self, run: Path, most: int) -> None:
        self.run, self.most, self.left = run, most, most
        self.logs: dict[str, list[LogFile]] = {}
        self.unread: dict[str, list[str]] = {}
        self.empty: list[str] = []
        self.closed: dict[str, str] = {}

    def entries(self, folder: Path) -> list[Entry]:
        with nullcontext(folder.scan()) if isinstance(folder, Remote) else os.scandir(folder) as found:
            entries: list[Entry] = list(islice(found, self.left + 1))
        if len(entries) > self.left:
            raise Stop(
                "too-many-files",
                f"{folder}: with this directory the run has more than {self.most:,} files. Put the logs of a host into "
                "fewer files (cat), or allow more with --most-files",
            )
        self.left -= len(entries)
        return sorted(entries, key=lambda entry: entry.name)

    def directory(self, folder: Entry) -> None:
        try:
            inside = self.entries(type(self.run)(folder.path))
        except OSError as error:
            self.closed[as_text(folder.name)] = error.strerror or str(error)
            return
        if _has_results(inside):
            inside = [entry for entry in inside if entry.name not in _RESULTS]
            if not any(is_log(entry.name) for entry in inside):
                return
        if not self.take(inside, folder.name, folder):
            self.empty.append(as_text(folder.name))

    def take(self, entries: Iterable[Entry], host: str, folder: Entry | None = None) -> bool:
        """Record the entries that are logs; return whether there is any."""
        logs = []
        for entry in entries:
            name = as_text(entry.name if folder is None else f"{folder.name}/{entry.name}")
            why = meant(entry.name)
            # A stdout file beside the hosts was written by the program that started them.
            if is_log(entry.name) and (folder is not None or not entry.name.startswith("stdout")):
                about = _about(entry)
                if about is not None and stat.S_ISREG(about.st_mode):
                    linked = entry.is_symlink() or (folder is not None and folder.is_symlink())
                    now = (about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino, about.st_dev)
                    settled = time.time_ns() - about.st_ctime_ns > _TICK
                    logs.append(LogFile(type(self.run)(entry.path), name, *now, linked, settled))
                    continue
                why = NO_FILE
            if why and not _is_directory(entry):
                self.unread.setdefault(why, []).append(name)
        if logs:
            self.logs.setdefault(as_text(host), []).extend(logs)
        return bool(logs)


def _has_results(entries: Iterable[Entry]) -> bool:
    """Return whether an analysis, finished or not, wrote to a directory."""
    return {entry.name for entry in entries if entry.name in _OF_ANALYSIS and _is_directory(entry)} == set(_OF_ANALYSIS)


def _is_directory(entry: Entry) -> bool:
    """Return whether the entry is a directory; a circular link is not."""
    about = _about(entry)
    return about is not None and stat.S_ISDIR(about.st_mode)


def _about(entry: Entry) -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:
        return None


def once(
    logs: Mapping[str, tuple[LogFile, ...]],
) -> tuple[dict[str, tuple[LogFile, ...]], list[tuple[LogFile, LogFile]]]:
    """Keep one entry of each file, preferably one that is not reached through a link.

    Returns:
        the files of every host, and each entry that was left out with the entry that was kept.
    """
    first: dict[tuple[int, int], LogFile] = {}
    # On a file system without inodes all files have the number 0.
    every = [file for files in logs.values() for file in files if file.inode]
    for file in sorted(every, key=lambda file: file.linked):
        first.setdefault((file.device, file.inode), file)
    again = [(file, one) for file in every if (one := first[file.device, file.inode]) is not file]
    left_out = {id(file) for file, _ in again}
    return {host: tuple(file for file in files if id(file) not in left_out) for host, files in logs.items()}, again


def problem(path: Path, what: str) -> Problem:
    """Return a warning about the description of a run."""
    return Problem("run-description", str(path), 0, what, "")


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")


def _finite(text: str) -> float:
    value = float(text)
    if isinf(value):
        raise ValueError(f"{text} is too large")
    return value


def json_object(path: Path) -> dict[str, Any]:
    """Read a JSON file that must hold an object.

    Raises ``Stop`` if it cannot be read, is not a JSON object, or holds text that cannot be encoded.
    """
    try:
        value = json.loads(path.read_bytes(), parse_constant=_constant, parse_float=_finite)
        # JSON may hold lone surrogates, which cannot be encoded.
        json.dumps(value, ensure_ascii=False).encode()
    except (OSError, ValueError, RecursionError) as error:
        raise Stop("run-description", f"{path}: cannot be read: {error}") from error
    if not isinstance(value, dict):
        raise Stop("run-description", f"{path}: is not a JSON object")
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class Logs:
    """The logs of a cluster."""

    path: Path  # the directory
    hosts: tuple[str, ...]  # the hosts, in the order of the description, else in byte order
    # the log files of each host, in reading order; an empty tuple for a host without log files.
    files: dict[str, tuple[LogFile, ...]]
    ignored: tuple[str, ...] = ()  # hosts that have logs but are not in the description
    warnings: tuple[Problem, ...] = field(default=())  # unusual findings


def find_logs(path: Path, described: dict[str, Any], warnings: list[Problem], most_files: int) -> Logs:
    """Find the logs of the hosts that a description names, or of all hosts with logs; append to ``warnings``."""
    found = layout(path, most_files)
    named = _named_hosts(path, described, warnings)
    files, repeated = once({host: found.logs.get(host, ()) for host in (found.logs if named is None else named)})
    hosts = named if named is not None else tuple(host for host in files if files[host])
    if not hosts:
        raise _no_hosts(path, found)
    ignored = tuple(host for host in found.logs if host not in files)

    def warn(code: str, what: str) -> None:
        warnings.append(Problem(code, str(path), 0, what, ""))

    for host in ignored:
        warn("ignored-host", f"{host} has logs but is not among the hosts of run.json")
    for host in hosts:
        if not files[host]:
            warn("host-without-logs", f"{host!r} has no log file")
    for host, why in found.closed.items():
        warn(
            "ignored-host",
            f"{host} cannot be opened ({why}): none of its logs is read. Change the permissions and analyse again",
        )
    if found.empty and named is None:
        have = form(len(found.empty), "has", "have")
        warn("ignored-host", f"{_listed(found.empty)} {have} no log file: not counted as a host")
    for why, names in found.unread.items():
        warn("ignored-file", f"{_listed(names)} {why}")
    if repeated:
        warn("ignored-file", f"{_listed([f'{file.name} ({one.name})' for file, one in repeated])} {_AGAIN}")
    files = {host: files[host] for host in hosts}
    return Logs(path=path, hosts=hosts, files=files, ignored=ignored, warnings=tuple(warnings))


def _no_hosts(path: Path, found: Layout) -> Stop:
    also = "".join(f"; {_listed(names)} {why}" for why, names in found.unread.items())
    also += "".join(f"; {host} cannot be opened: {why}" for host, why in found.closed.items())
    return Stop("no-hosts", f"{path}: no logs of any host; expected {path}/HOST/*.json or {path}/HOST.json{also}")


_AGAIN = "not read: the same file as the one in brackets, reached by a link"
_SHOWN = 5


def _listed(names: Sequence[str]) -> str:
    return listed(names, _SHOWN)


def _named_hosts(path: Path, described: dict[str, Any], warnings: list[Problem]) -> tuple[str, ...] | None:
    named = described.get("hosts")
    if named is None:
        return None
    if not isinstance(named, list) or not all(isinstance(host, str) for host in named):
        raise Stop("run-description", f"{path / 'run.json'}: hosts must be a list of names")
    if not named:
        warnings.append(problem(path, "the list of hosts is empty: all hosts that have logs are used"))
        return None
    return tuple(dict.fromkeys(named))
