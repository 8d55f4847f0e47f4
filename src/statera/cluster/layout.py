"""Where the logs of a run lie: which directories and files belong to which host."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, NamedTuple

from statera.names import as_text

if TYPE_CHECKING:
    from pathlib import Path

# Directories of a run that hold no host.
_NO_HOSTS = frozenset({"genesis", "analysis", "profile", "meta"})
_NO_LOGS = frozenset(
    {"run.json", "meta.json", "config.json", "topology.json", "profile.json", "expected.json", "truth.json"}
)
_NO_LOG_BEGINNINGS = (".", "genesis", "service-", "node-service", "expected", "truth")
_LOG_ENDINGS = (".json", ".jsonl", ".log")
_COMPRESSED = (".gz", ".zst")
# What may well be a log and is none by its name: rotated, compressed or called otherwise.
_LIKE_A_LOG = re.compile(r"\.(json|jsonl|ndjson|log|txt)(\.|$)|\.(xz|bz2|lz4|zip|7z|zstd|gzip|tgz)$", re.IGNORECASE)
# What an analysis leaves, which may lie below the run.
_OF_ANALYSIS = ("events", "tables")
_RESULTS = frozenset({*_OF_ANALYSIS, "summary.json", "blocks.csv"})


class LogFile(NamedTuple):
    """A log file.

    Attributes:
        path: the file.
        name: its path below the run directory.
        size: bytes on disk.
        modified: time of the last change, ns.

    """

    path: Path
    name: str
    size: int
    modified: int

    def has_changed(self) -> bool:
        """Whether the file is no longer what it was when it was found."""
        try:
            about = self.path.stat()
        except OSError:
            return True
        return (about.st_size, about.st_mtime_ns) != (self.size, self.modified)


class Layout(NamedTuple):
    """What lies in the directory of a run.

    Attributes:
        logs: of every host its log files in reading order; hosts in byte order.
        unread: files that could be logs and are none by their names, or cannot be opened; below the run directory.
        empty: directories that could be hosts and hold no log file.

    """

    logs: dict[str, tuple[LogFile, ...]]
    unread: tuple[str, ...]
    empty: tuple[str, ...]


def layout(run: Path) -> Layout:
    """Find the log files of every host, and what could have been one."""
    found: dict[str, list[LogFile]] = {}
    unread: list[str] = []
    empty: list[str] = []
    for entry in sorted(run.iterdir()):
        inside = entry.is_dir()
        if inside and not _may_be_host(entry.name):
            continue
        here = sorted(entry.iterdir()) if inside else [entry]
        if inside and _has_results(entry):
            here = [path for path in here if path.name not in _RESULTS]
            if not any(map(_is_log, here)):
                continue
        logs = {path for path in here if _is_log(path) and (inside or not path.name.startswith("stdout"))}
        unread += [as_text(str(path.relative_to(run))) for path in here if path not in logs and _could_be_log(path)]
        if logs:
            host = as_text(entry.name if inside else _host_of(entry.name))
            found.setdefault(host, []).extend(_log_file(run, path) for path in logs)
        elif inside:
            empty.append(as_text(entry.name))
    logs_of = {host: _in_order(found[host]) for host in sorted(found, key=str.encode)}
    return Layout(logs_of, tuple(unread), tuple(empty))


def _has_results(path: Path) -> bool:
    """Tell whether an analysis wrote to a directory, to its end or not."""
    return all((path / name).is_dir() for name in _OF_ANALYSIS)


def _could_be_log(path: Path) -> bool:
    known = _uncompressed(path.name) in _NO_LOGS or _uncompressed(path.name).startswith((*_NO_LOG_BEGINNINGS, "stdout"))
    return not known and not path.is_dir() and _LIKE_A_LOG.search(path.name) is not None


def _may_be_host(name: str) -> bool:
    return name not in _NO_HOSTS and not name.startswith((".", "_"))


def _is_log(path: Path) -> bool:
    bare = _uncompressed(path.name)
    if bare in _NO_LOGS or bare.startswith(_NO_LOG_BEGINNINGS):
        return False
    return (bare.endswith(_LOG_ENDINGS) or bare.startswith("stdout")) and path.is_file()


def _uncompressed(name: str) -> str:
    for ending in _COMPRESSED:
        name_without = name.removesuffix(ending)
        if name_without != name:
            return name_without
    return name


def _host_of(name: str) -> str:
    return _uncompressed(name).rpartition(".")[0]


def _log_file(run: Path, path: Path) -> LogFile:
    about = path.stat()
    return LogFile(path, as_text(str(path.relative_to(run))), about.st_size, about.st_mtime_ns)


def _in_order(files: list[LogFile]) -> tuple[LogFile, ...]:
    return tuple(sorted(files, key=lambda file: os.fsencode(file.path)))
