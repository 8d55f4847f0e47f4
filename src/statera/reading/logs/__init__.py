"""Logs of any system as results: a mapping says which lines there are, and what of them is measured.

    found = logs.named("nginx")                        # a built-in mapping, or a file that ends in .toml
    native, accounts = logs.read(["run-1", "run-2"], found, limits)

A mapping is a format that is written down: ``--format nginx`` and ``--format own.toml`` read logs wherever results are
read. Each argument is one run: a file, a folder, or a pattern, of which ``hosts`` finds the logs. The compiled part
(``crates/logs``) reads the lines.

- ``mapping.py``: the language of mappings; a file → a checked mapping
- ``proposal.py``: a mapping from a look at some lines and at what their fields look like
- ``mappings/``: the built-in ones
"""

from __future__ import annotations

import fnmatch
import glob
import os
import re
from pathlib import Path

from statera import _native
from statera.reading.logs import mapping
from statera.support.errors import Stop, unreadable
from statera.support.files import addresses
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Final

    from statera.reading.logs.mapping import Mapping
    from statera.support.settings import Limits

named = mapping.named
built_in = mapping.built_in


class Account(NamedTuple):
    """What became of the lines of a run."""

    lines: int  # lines that are not blank
    other: int  # lines of no kind that the mapping names
    long: int  # lines longer than the limit
    timeless: int  # records without a usable time
    unused: int  # records that belong to no sample
    bytes: int  # the bytes of text
    kinds: list[int]  # records of each kind of lines
    taken: list[int]  # of each sample, its values
    unusable: list[int]  # of each sample, the lines without one
    # the largest values: number of the sample, value, base unit, keys, file, line
    large: list[tuple[int, float, str, str, str, int]]


def read(
    arguments: Sequence[str | PathLike[str]], found: mapping.Mapping, limits: Limits, variants: Sequence[int] = ()
) -> tuple[_native.Observations, list[Account]]:
    """Read the logs of runs by a mapping: the values, and what became of the lines of each run.

    An argument is a file, a folder or a pattern for each run; ``variants`` has the number of the variant of each,
    within which a run counts once.

    Raises ``Stop`` if an argument names no log, a run is named twice, the mapping is invalid, or a limit is exceeded.
    """
    refuse_repeated(arguments, variants or [0] * len(arguments))
    runs = [(str(each), number, hosts(each, found, limits)) for number, each in enumerate(arguments)]
    try:
        native, accounts = _native.gather_logs(found.plan, runs, limits)
    except ValueError as error:
        raise Stop("event-mapping", f"{found.path}: {error}") from None
    except _native.Failure as failure:
        code, _, why = failure.args
        raise Stop(code, why) from None
    return native, [Account(**each) for each in accounts]


class Traced(NamedTuple):
    """What a record of a log became."""

    line: int  # counted from 1
    text: str  # its beginning
    kind: str  # the name of its kind of lines, empty for none
    at: int | None  # nanoseconds since 1970; None without a usable time, which ``is_timed`` says that it should have
    is_timed: bool
    fields: list[tuple[str, str]]  # those that the mapping asks for
    # the name of each, and what became of the record there: its value in its base unit, if it has one, and words
    samples: list[tuple[str, tuple[float, str] | None, str]]


def trace(path: str | PathLike[str], found: mapping.Mapping, most: int) -> list[Traced]:
    """Tell what each of the first ``most`` lines of a file becomes.

    Raises ``Stop`` if the file cannot be read, or the mapping is invalid.
    """
    try:
        return [Traced(**each) for each in _native.trace_logs(found.plan, str(path), host_of(path), most)]
    except ValueError as error:
        raise Stop("event-mapping", f"{found.path}: {error}") from None
    except OSError as error:
        raise Stop("missing-file", unreadable(path, error)) from None


Host = tuple[str, list[tuple[str, str]]]

# What lies beside logs and is none. What a reader must unpack first is no log either, but would be missed.
_NO_LOGS: Final = frozenset((
    ".md", ".toml", ".yaml", ".yml", ".conf", ".cfg", ".ini", ".html", ".png", ".svg", ".pdf", ".sh", ".py", ".parquet",
))  # fmt: skip
_PACKED: Final = (".tar", ".tgz", ".zip", ".7z", ".rar", ".xz", ".bz2", ".lz4", ".tar.gz", ".tar.zst")
# What logrotate appends: a number or a date.
_ROTATED: Final = re.compile(r"[.-][0-9]+$")
_COMPRESSED: Final = frozenset({".gz", ".zst"})


def host_of(path: str | PathLike[str]) -> str:
    """Name the host of a single file: its name without endings."""
    name = Path(path).name
    return name.split(".", 1)[0] or name


def refuse_repeated(arguments: Sequence[str | PathLike[str]], variants: Sequence[int]) -> None:
    """Refuse a run that is named twice in a variant, by whatever path."""
    known: dict[tuple[int, str], str] = {}
    for argument, variant in zip(arguments, variants, strict=True):
        name = os.fspath(argument)
        first = known.setdefault((variant, os.path.realpath(name)), name)
        if first is not name:
            raise Stop("same-run", f"{name}: is the same run as {first}. Name each run once")


def hosts(argument: str | PathLike[str], found: Mapping, limits: Limits) -> list[Host]:
    """Find the logs of a run: of a folder, each folder in it is a host; other files belong to one host.

    Raises ``Stop`` if there are none, there are too many, or one must be unpacked first.
    """
    text = os.fspath(argument)
    if text == "-":
        raise Stop("bad-option", "logs are read from files. Write standard input to a file, and name it")
    addresses.refuse(text)
    root = Path(text)
    if root.is_dir():
        found_hosts = _of_folder(root, found)
    elif root.exists():
        return [(host_of(root), _as_host([root]))]
    else:
        files = [Path(file) for file in sorted(glob.glob(text, recursive=True))]  # noqa: PTH207 - it may be absolute
        found_hosts = [(host_of(text), _as_host([file for file in files if file.is_file()]))]
    kept = [(host, files) for host, files in found_hosts if files]
    if sum(len(files) for _, files in kept) > limits.files:
        raise Stop("too-much", f"{text}: has more than {limits.files:,} files. Raise the limit with --limit files=N")
    if not kept:
        if not root.is_dir():
            raise Stop("missing-file", f"{text}: there is no such file or folder")
        named = f". The mapping takes files named {', '.join(found.files)}" if found.files else ""
        raise Stop("missing-file", f"{text}: no file is a log{named}")
    return kept


def _of_folder(root: Path, found: Mapping) -> list[Host]:
    entries = sorted(root.iterdir(), key=lambda entry: os.fsencode(entry.name))
    own = [entry for entry in entries if entry.is_file() and _is_log(entry, found)]
    hosts = [(root.resolve().name, _as_host(own))]
    for entry in entries:
        if entry.is_dir() and not entry.name.startswith("."):
            files = sorted(file for file in entry.rglob("*") if file.is_file() and _is_log(file, found))
            hosts.append((entry.name, _as_host(files)))
    return hosts


def _is_log(path: Path, found: Mapping) -> bool:
    """Whether a file of a folder is read: by the mapping's patterns, else unless its name says that it is no log."""
    name = path.name
    if found.files:
        bare = path.stem if path.suffix in _COMPRESSED else name
        names = (name, bare, _ROTATED.sub("", bare))
        return any(fnmatch.fnmatchcase(each, pattern) for each in names for pattern in found.files)
    return not name.startswith(".") and path.suffix.lower() not in _NO_LOGS


def _as_host(files: list[Path]) -> list[tuple[str, str]]:
    for file in files:
        if file.name.lower().endswith(_PACKED):
            raise Stop("unusable-file", f"{file}: is packed in a form that is not read. Unpack it, or remove it")
    # A link to a file that is read already would count its lines twice.
    once = {os.path.realpath(file): str(file) for file in reversed(files)}
    return [(name, name) for name in sorted(once.values(), key=os.fsencode)]
