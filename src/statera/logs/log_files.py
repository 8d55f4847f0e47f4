"""Where the logs of a run lie: which directories and files belong to which host."""

from __future__ import annotations

import os
import stat
import time
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.errors import Stop
from statera.files.names import as_text
from statera.logs.log_names import NO_FILE, host_of, is_log, may_be_host, meant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MOST_FILES: Final = 50_000
"""Files that a run may have: each takes about 1.5 kB of memory, whatever it holds."""
# What an analysis leaves, which may lie below the run.
_OF_ANALYSIS: Final = ("events", "tables")
_RESULTS: Final = frozenset({*_OF_ANALYSIS, "summary.json", "blocks.csv"})
# Times of files stand still for so long at most: within it a file can change twice and look changed once.
_TICK: Final = 2 * 10**9


class LogFile(NamedTuple):
    """A log file.

    Attributes:
        path: the file.
        name: its path below the run directory.
        size: bytes on disk.
        modified: time of the last change, ns, which anybody can set.
        changed: time of the last change of anything about it, ns, which the system sets.
        inode: which file it is, on its device.
        device: where it is.
        linked: whether a symbolic link leads to it.
        settled: whether it was found some time after it changed, so that another change would show.

    """

    path: Path
    name: str
    size: int
    modified: int
    changed: int
    inode: int
    device: int
    linked: bool
    settled: bool

    def has_changed(self) -> bool:
        """Whether the file is no longer what it was when it was found."""
        try:
            about = self.path.stat()
        except OSError:
            return True
        now = (about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino)
        return now != (self.size, self.modified, self.changed, self.inode)


class Layout(NamedTuple):
    """What lies in the directory of a run.

    Attributes:
        logs: of every host its log files in reading order; hosts in byte order.
        unread: files that could be logs and are none, below the run directory, by the reason.
        empty: directories that could be hosts and hold no log file.
        closed: directories that could be hosts and cannot be opened, and why.

    """

    logs: dict[str, tuple[LogFile, ...]]
    unread: dict[str, list[str]]
    empty: tuple[str, ...]
    closed: dict[str, str]


def layout(run: Path, most: int = MOST_FILES) -> Layout:
    """Find the log files of every host, and what could have been one.

    Raises:
        Stop: there are more than ``most`` files, or the directory cannot be read.

    """
    look = _Look(run, most)
    try:
        entries = look.entries(run)
    except OSError as error:
        raise Stop("missing-file", f"{run}: cannot be read: {error.strerror}") from None
    for entry in entries:
        if not _is_directory(entry):
            look.take([entry], host_of(entry.name))
        elif may_be_host(entry.name):
            look.directory(entry)
    logs = {host: _in_order(look.logs[host]) for host in sorted(look.logs, key=str.encode)}
    return Layout(logs, look.unread, tuple(look.empty), look.closed)


class _Look:
    """What was found so far."""

    def __init__(self, run: Path, most: int) -> None:
        self.run, self.most, self.left = run, most, most
        self.logs: dict[str, list[LogFile]] = {}
        self.unread: dict[str, list[str]] = {}
        self.empty: list[str] = []
        self.closed: dict[str, str] = {}

    def entries(self, folder: Path) -> list[os.DirEntry[str]]:
        with os.scandir(folder) as found:
            entries = list(islice(found, self.left + 1))
        if len(entries) > self.left:
            raise Stop(
                "too-many-files",
                f"{folder}: with this directory the run has more than {self.most:,} files; put the logs of a host into "
                "fewer files (cat), or allow more with --most-files",
            )
        self.left -= len(entries)
        return sorted(entries, key=lambda entry: entry.name)

    def directory(self, folder: os.DirEntry[str]) -> None:
        try:
            inside = self.entries(Path(folder.path))
        except OSError as error:
            self.closed[as_text(folder.name)] = error.strerror or str(error)
            return
        if _has_results(inside):
            inside = [entry for entry in inside if entry.name not in _RESULTS]
            if not any(is_log(entry.name) for entry in inside):
                return
        if not self.take(inside, folder.name, folder):
            self.empty.append(as_text(folder.name))

    def take(self, entries: Iterable[os.DirEntry[str]], host: str, folder: os.DirEntry[str] | None = None) -> bool:
        """Take what is a log; tell whether anything is."""
        logs = []
        for entry in entries:
            name = as_text(entry.name if folder is None else f"{folder.name}/{entry.name}")
            why = meant(entry.name)
            # Beside the hosts it is what started them that wrote to stdout.
            if is_log(entry.name) and (folder is not None or not entry.name.startswith("stdout")):
                about = _about(entry)
                if about is not None and stat.S_ISREG(about.st_mode):
                    linked = entry.is_symlink() or (folder is not None and folder.is_symlink())
                    logs.append(_log_file(Path(entry.path), name, about, linked=linked))
                    continue
                why = NO_FILE
            if why and not _is_directory(entry):
                self.unread.setdefault(why, []).append(name)
        if logs:
            self.logs.setdefault(as_text(host), []).extend(logs)
        return bool(logs)


def _has_results(entries: Iterable[os.DirEntry[str]]) -> bool:
    """Tell whether an analysis wrote to a directory, to its end or not."""
    return {entry.name for entry in entries if entry.name in _OF_ANALYSIS and _is_directory(entry)} == set(_OF_ANALYSIS)


def _is_directory(entry: os.DirEntry[str]) -> bool:
    """Tell whether it is a directory; a link that leads in a circle is none."""
    about = _about(entry)
    return about is not None and stat.S_ISDIR(about.st_mode)


def _about(entry: os.DirEntry[str]) -> os.stat_result | None:
    try:
        return entry.stat()
    except OSError:
        return None


def _log_file(path: Path, name: str, about: os.stat_result, *, linked: bool) -> LogFile:
    settled = time.time_ns() - about.st_ctime_ns > _TICK
    return LogFile(
        path, name, about.st_size, about.st_mtime_ns, about.st_ctime_ns, about.st_ino, about.st_dev, linked, settled
    )


def _in_order(files: list[LogFile]) -> tuple[LogFile, ...]:
    return tuple(sorted(files, key=lambda file: os.fsencode(file.path)))


def once(
    logs: Mapping[str, tuple[LogFile, ...]],
) -> tuple[dict[str, tuple[LogFile, ...]], list[tuple[LogFile, LogFile]]]:
    """Leave of files that are one and the same the one that no link leads to.

    Returns:
        the files of every host, and what was left out with what it is again.

    """
    first: dict[tuple[int, int], LogFile] = {}
    # A file system without inodes gives all files the number 0.
    every = [file for files in logs.values() for file in files if file.inode]
    for file in sorted(every, key=lambda file: file.linked):
        first.setdefault((file.device, file.inode), file)
    again = [(file, one) for file in every if (one := first[file.device, file.inode]) is not file]
    left_out = {id(file) for file, _ in again}
    return {host: tuple(file for file in files if id(file) not in left_out) for host, files in logs.items()}, again
