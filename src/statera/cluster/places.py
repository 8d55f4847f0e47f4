"""Directories that are either whole or not there."""

from __future__ import annotations

import hashlib
import shutil
from typing import TYPE_CHECKING
from urllib.parse import quote

if TYPE_CHECKING:
    from pathlib import Path

# What file systems take; the rest of a longer name is told by a digest.
_LONGEST = 200


def directory_name(host: str) -> str:
    """Name a directory after a host: no character that a pattern or a file system takes for its own."""
    name = quote(host, safe=" ")
    if name.startswith("."):
        name = "%2E" + name[1:]
    if len(name) <= _LONGEST:
        return name
    return f"{name[:_LONGEST]}-{hashlib.sha256(host.encode()).hexdigest()[:16]}"


def replace(made: Path, place: Path) -> None:
    """Put a finished directory in its place; what stood there goes.

    Between the two renames there is nothing in the place, never something half-written.
    """
    old = made.with_name(made.name + ".old")
    if place.exists():
        place.rename(old)
    made.rename(place)
    shutil.rmtree(old, ignore_errors=True)
