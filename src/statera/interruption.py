"""Interruption by the user (SIGINT), where it must wait."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def put_off() -> Iterator[None]:
    """Put off an interruption to the end of a block: amid some steps it would abort Python or leave a process behind.

    What the interruption then does (KeyboardInterrupt, or nothing) is what it would have done before.
    """
    # Only the main thread is interrupted.
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    met: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: met.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if met:
        signal.raise_signal(signal.SIGINT)
