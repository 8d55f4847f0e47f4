"""Which files of a run are logs, and to which host each belongs."""

from __future__ import annotations

import fnmatch
import glob
import os
from pathlib import Path

from statera.support.errors import Stop
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from os import PathLike
    from typing import Final

    from statera.reading.logs.mapping import Mapping
    from statera.support.settings import Limits

Host = tuple[str, list[tuple[str, str]]]

# What lies beside logs and is none. What a reader must unpack first is no log either, but would be missed.
_NO_LOGS: Final = frozenset(
    {
        ".md",
        ".toml",
        ".yaml",
        ".yml",
        ".conf",
        ".cfg",
        ".ini",
        ".html",
        ".png",
        ".svg",
        ".pdf",
        ".sh",
        ".py",
        ".parquet",
    }
)
_PACKED: Final = (".tar", ".tgz", ".zip", ".7z", ".rar", ".xz", ".bz2", ".lz4", ".tar.gz", ".tar.zst")
_COMPRESSED: Final = frozenset({".gz", ".zst"})


def host_of(path: str | PathLike[str]) -> str:
    """Name the host of a single file: its name without endings."""
    name = os.path.basename(os.fspath(path))
    return name.split(".", 1)[0] or name


def hosts(argument: str | PathLike[str], found: Mapping, limits: Limits) -> list[Host]:
    """Find the logs of a run: of a folder, each folder in it is a host; other files belong to one host.

    Raises:
        Stop: there are none, there are too many, or one must be unpacked first.

    """
    text = os.fspath(argument)
    if text == "-":
        raise Stop("bad-option", "logs are read from files. Write standard input to a file, and name it")
    root = Path(text)
    if root.is_dir():
        found_hosts = _of_folder(root, found, limits)
    elif root.exists():
        return [(host_of(root), [(text, text)])]
    else:
        files = sorted(glob.glob(text, recursive=True))
        found_hosts = [(host_of(text), _checked([Path(file) for file in files if os.path.isfile(file)], limits))]
    kept = [(host, files) for host, files in found_hosts if files]
    if not kept:
        there = "no file is a log" if root.is_dir() else "there is no such file or folder"
        named = f" The mapping takes files named {', '.join(found.files)}." if found.files and root.is_dir() else ""
        raise Stop(
            "missing-file", f"{text}: {there}.{named}".removesuffix(".") if not named else f"{text}: {there}.{named}"
        )
    return kept


def _of_folder(root: Path, found: Mapping, limits: Limits) -> list[Host]:
    entries = sorted(root.iterdir(), key=lambda entry: os.fsencode(entry.name))
    own = [entry for entry in entries if entry.is_file() and _is_log(entry, found)]
    hosts = [(root.resolve().name, _checked(own, limits))]
    for entry in entries:
        if entry.is_dir() and not entry.name.startswith("."):
            files = sorted(file for file in entry.rglob("*") if file.is_file() and _is_log(file, found))
            hosts.append((entry.name, _checked(files, limits)))
    if sum(len(files) for _, files in hosts) > limits.files:
        raise Stop("too-much", f"{root}: has more than {limits.files:,} files. Raise it with --limit files=N")
    return hosts


def _is_log(path: Path, found: Mapping) -> bool:
    """Whether a file of a folder is read: by the patterns of the mapping, else unless it is something else by its name."""
    name = path.name
    if found.files:
        bare = path.stem if path.suffix in _COMPRESSED else name
        return any(fnmatch.fnmatchcase(each, pattern) for each in (name, bare) for pattern in found.files)
    return not name.startswith(".") and path.suffix.lower() not in _NO_LOGS


def _checked(files: list[Path], limits: Limits) -> list[tuple[str, str]]:
    if len(files) > limits.files:
        raise Stop(
            "too-much", f"{files[0].parent}: has more than {limits.files:,} files. Raise it with --limit files=N"
        )
    for file in files:
        if file.name.lower().endswith(_PACKED):
            raise Stop("unusable-file", f"{file}: is packed in a form that is not read. Unpack it, or remove it")
    # A link to a file that is read already would count its lines twice.
    once = {os.path.realpath(file): str(file) for file in reversed(files)}
    return [(name, name) for name in sorted(once.values(), key=os.fsencode)]
