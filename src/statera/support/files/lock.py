"""A lock on a directory of results, so that one command at a time writes there; it ends with its process."""

from __future__ import annotations

import fcntl
import json
import os
import shlex
import sys
from contextlib import contextmanager
from datetime import UTC, datetime
from time import monotonic, sleep

from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from typing import Any, Final

NAME: Final = ".lock"
_WITHOUT: Final = "add --unlocked if nobody else writes there"
_MOST: Final = 4096
# Between two tries of a process that waits, in seconds.
_PAUSE: Final = 0.05
# The most letters of the command that are stored: the file stays far smaller than the bytes that are read back.
_LONGEST: Final = 200


@contextmanager
def locked(
    folder: Path, *, name: str = NAME, required: bool = True, without: str = _WITHOUT, patience: float = 0
) -> Iterator[None]:
    """Create a directory, and hold a lock on it, in a file of a name, until the end of a block.

    ``required`` says whether to stop if the file system has no locks, and ``without`` how the user can do without them,
    for the message of that stop; empty if there is no way. ``patience`` is how long to wait for another process, in
    seconds.

    Raises ``Stop`` if another process holds the lock; the directory cannot be written; or the file system has no locks.
    """
    path = folder / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
        held = _held(path, required=required, without=without, end=monotonic() + patience)
    except OSError as error:
        raise outputs.failure(path if folder.is_dir() else folder, error) from None
    try:
        _sign(held, path)
        yield
    finally:
        # Remove the file while it is locked: a process that opened it before sees that it is gone, and makes another.
        path.unlink(missing_ok=True)
        os.close(held)


def _held(path: Path, *, required: bool, without: str, end: float) -> int:
    """Open and lock a file, and make sure that the locked file is still the one at this path."""
    while True:
        # A link or a pipe at this path is not a lock of statera.
        held = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, 0o666)
        try:
            if _lock(held, path, required=required, without=without, last=monotonic() >= end) and _is_at(held, path):
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)


def _lock(held: int, path: Path, *, required: bool, without: str, last: bool) -> bool:
    """Lock a file; return whether it is locked, which it may not be before the last try."""
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        if not last:
            sleep(_PAUSE)
            return False
        raise Stop(
            "in-use", f"{path.parent}: {_who(held)} writes there. Wait until it ends, or name another directory"
        ) from None
    except OSError as error:
        if required:
            raise Stop(
                "no-locks",
                f"{path.parent}: its file system has no locks ({error.strerror}), which keep two commands from mixing "
                f"their results there. Name a directory on another one{without and f', or {without}'}",
            ) from None
    return True


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
    """Describe the process that holds a lock; for a moment after locking, the file does not name it yet."""
    try:
        owner = json.loads(os.pread(held, _MOST, 0))
        return f"process {owner['process']} on {owner['machine']} (since {owner['since']}: {owner['command']})"
    except (OSError, ValueError, KeyError, TypeError):
        return "another process"
