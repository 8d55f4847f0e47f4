"""One command at a time writes to a directory of results: it holds a lock there, which goes with its process."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final

from statera.errors import Stop
from statera.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

NAME: Final = ".lock"
_MOST: Final = 4096
# Letters of the command: what the file holds stays far below the bytes that are read back.
_LONGEST: Final = 200


@contextmanager
def locked(folder: Path, *, required: bool = True) -> Iterator[None]:
    """Make a directory, and hold it to the end of a block.

    Args:
        folder: the directory.
        required: whether to stop where the file system has no locks.

    Raises:
        Stop: another process holds it; it cannot be written; or the file system has no locks.

    """
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = _held(path, required=required)
    except OSError as error:
        raise outputs.failure(path if folder.is_dir() else folder, error) from None
    try:
        _sign(held, path)
        yield
    finally:
        # While it is still held: whoever opened it before finds out that it is gone, and makes another.
        path.unlink(missing_ok=True)
        os.close(held)


def _held(path: Path, *, required: bool) -> int:
    """Open and lock the file that stands at a path when it is locked."""
    while True:
        # A link or a pipe in its place is no lock of ours.
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        try:
            _lock(held, path, required=required)
            if _is_at(held, path):
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)


def _lock(held: int, path: Path, *, required: bool) -> None:
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise Stop(
            "in-use", f"{path.parent}: {_who(held)} writes there; wait for its end, or name another directory"
        ) from None
    except OSError as error:
        if required:
            raise Stop(
                "no-locks",
                f"{path.parent}: its file system has no locks ({error.strerror}), which keep two commands from mixing "
                "their results there; name a directory on another, or see to it yourself and add --unlocked",
            ) from None


def _sign(held: int, path: Path) -> None:
    """Write down who holds a lock."""
    try:
        os.truncate(held, 0)
        os.pwrite(held, json.dumps(_owner()).encode(), 0)
    except OSError as error:
        raise outputs.failure(path, error) from None


def _is_at(held: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(held), path.lstat())
    except FileNotFoundError:
        return False


def _owner() -> dict[str, Any]:
    since = f"{datetime.now(tz=UTC):%Y-%m-%d %H:%M:%S} UTC"
    command = shlex.join([os.path.basename(sys.argv[0]), *sys.argv[1:]])  # noqa: PTH119 - of a text
    return {"process": os.getpid(), "machine": os.uname().nodename, "since": since, "command": command[:_LONGEST]}


def _who(held: int) -> str:
    """Name who holds a lock; in its first moment it has not yet written that down."""
    try:
        owner = json.loads(os.pread(held, _MOST, 0))
        return f"process {owner['process']} on {owner['machine']} (since {owner['since']}: {owner['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
