"""Directories that are either whole or not there."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

# What file systems take; the rest of a longer name is told by a digest.
_LONGEST = 200
_PARTIAL = ".partial-"


def directory_name(host: str) -> str:
    """Name a directory after a host: no character that a pattern or a file system takes for its own."""
    name = quote(host, safe=" ")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(host.encode()).hexdigest()[:16]}"


def partial(place: Path, host: str) -> Path:
    """Make an empty directory in which something for a host can grow."""
    suffix = f"-{directory_name(host)}"[:_LONGEST]
    return Path(tempfile.mkdtemp(prefix=f"{_PARTIAL}{os.getpid()}-", suffix=suffix, dir=place))


def refuse_repeated(paths: Iterable[Path]) -> None:
    """Refuse runs of which two are one directory: its values would count twice.

    Raises:
        Stop: with both names.

    """
    known: dict[tuple[int, int], Path] = {}
    for path in paths:
        # What is not there is told where it is opened.
        if not path.is_dir():
            continue
        about = path.stat()
        first = known.setdefault((about.st_dev, about.st_ino), path)
        if first is not path:
            raise Stop(
                "same-run",
                f"{path}: is the same run as {first}, and a run counts once; name it once, or to compare it with "
                f"itself write a={first} b={first}",
            )


def clear(place: Path) -> None:
    """Remove what an earlier time began and did not finish; what another process is at stays."""
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
    """Put a finished directory in its place; what stood there goes.

    Between the two renames there is nothing in the place, never something half-written.
    """
    if place.exists():
        old = partial(place.parent, "old")
        place.rename(old / place.name)
        shutil.rmtree(old, ignore_errors=True)
    made.rename(place)
