"""The cache: source trees and builds, each in a folder that its key names. It may be deleted at any time."""

from __future__ import annotations

import fcntl
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from statera.support.files import outputs
from statera.support.files.cache import cache

if TYPE_CHECKING:
    from collections.abc import Iterator


def tree(key: str) -> Path:
    """Return the folder for the sources of a build; all have paths of one length."""
    return cache() / "trees" / key


def build(key: str) -> Path:
    """Return the folder for what a build makes; all have paths of one length."""
    return cache() / "builds" / key


def remove(folder: Path) -> None:
    """Remove a folder, also one with folders that may not be written, as Go makes them.

    Raises:
        OSError: it cannot be removed.

    """
    for place, names, _ in os.walk(folder):
        for name in names:
            inner = Path(place) / name
            if not inner.is_symlink():
                inner.chmod(0o700)
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)


@contextmanager
def reserved(key: str) -> Iterator[None]:
    """Wait until no other process builds a key, and keep others waiting until the end of the block.

    Raises:
        Stop: the cache cannot be written.

    """
    path = cache() / "locks" / key
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    except OSError as error:
        raise outputs.failure(path, error) from None
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
