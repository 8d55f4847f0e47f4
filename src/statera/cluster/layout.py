"""Where the logs of a run lie: which directories and files belong to which host."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

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


def log_files(run: Path) -> dict[str, tuple[LogFile, ...]]:
    """Find the log files of every host; hosts and files in byte order."""
    found: dict[str, list[LogFile]] = {}
    for entry in run.iterdir():
        if entry.is_dir():
            logs = [inner for inner in entry.iterdir() if _is_log(inner)] if _may_be_host(entry.name) else []
            host = entry.name
        else:
            logs = [entry] if _is_log(entry) and not entry.name.startswith("stdout") else []
            host = _host_of(entry.name)
        if logs:
            found.setdefault(_text(host), []).extend(_log_file(run, path) for path in logs)
    return {host: _in_order(found[host]) for host in sorted(found, key=str.encode)}


def _may_be_host(name: str) -> bool:
    return name not in _NO_HOSTS and not name.startswith((".", "_"))


def _text(name: str) -> str:
    """Give a file's name as text that can be written anywhere; bytes that are no UTF-8 are replaced."""
    return os.fsencode(name).decode("utf-8", "replace")


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
    return LogFile(path, _text(str(path.relative_to(run))), about.st_size, about.st_mtime_ns)


def _in_order(files: list[LogFile]) -> tuple[LogFile, ...]:
    return tuple(sorted(files, key=lambda file: os.fsencode(file.path)))
