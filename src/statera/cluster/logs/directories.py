"""Directories that are either complete or absent."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from statera.support.errors import Stop
from statera.support.interruption import put_off

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

# The longest name that file systems accept; a digest replaces the rest of a longer one.
_LONGEST = 200
_PARTIAL = ".partial-"


def directory_name(host: str) -> str:
    """Return the directory name of a host, without characters that are special in patterns or file systems."""
    name = quote(host, safe=" ")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(host.encode()).hexdigest()[:16]}"


def free(name: str, taken: Container[str]) -> str:
    """Return a name that is not taken: with a number from 2 on, if it is."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}-{number}"
    return found


def partial(place: Path, host: str) -> Path:
    """Create an empty directory in which the results of a host are collected."""
    suffix = f"-{directory_name(host)}"[:_LONGEST]
    return Path(tempfile.mkdtemp(prefix=f"{_PARTIAL}{os.getpid()}-", suffix=suffix, dir=place))


@contextmanager
def scratch_directory() -> Iterator[Path]:
    """Create a directory that is removed at the end, also when an interruption comes as it is created or removed."""
    with put_off():
        made = tempfile.TemporaryDirectory(prefix="statera-cluster-")
    try:
        yield Path(made.name)
    finally:
        with put_off():
            made.cleanup()


def refuse_repeated(paths: Iterable[Path]) -> None:
    """Refuse runs of which two are the same directory: its values would count twice."""
    known: dict[tuple[int, int], Path] = {}
    for path in paths:
        # A missing directory is reported where it is opened.
        if not path.is_dir():
            continue
        about = path.stat()
        first = known.setdefault((about.st_dev, about.st_ino), path)
        if first is not path:
            raise Stop(
                "same-run",
                f"{path}: is the same run as {first}, and a run counts only once. Name it once, or to compare it with "
                f"itself write a={first} b={first}",
            )


def clear(place: Path) -> None:
    """Remove directories that an earlier process did not finish; keep those of running processes."""
    for left in place.glob(f"{_PARTIAL}*"):
        if not _is_running(left.name.split("-")[1]):
            shutil.rmtree(left, ignore_errors=True)


def _is_running(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except PermissionError:
        return True
    except (ValueError, OSError, OverflowError):
        return False
    return True


def replace(made: Path, place: Path) -> None:
    """Move a finished directory to its place and delete the old one.

    Between the two renames the place is empty; it never holds a half-written directory.
    """
    if place.exists():
        old = partial(place.parent, "old")
        place.rename(old / place.name)
        shutil.rmtree(old, ignore_errors=True)
    made.rename(place)
