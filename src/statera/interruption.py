"""Signals that end the program (SIGINT, and SIGTERM where it is taken), where they must wait."""

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

    What the interruption then does (KeyboardInterrupt, for instance) is what it would have done before.
    """
    met: list[int] = []
    before = {}
    # Only the main thread is interrupted, and only handlers written in Python raise amid a step.
    if threading.current_thread() is threading.main_thread():
        taken = [number for number in (signal.SIGINT, signal.SIGTERM) if callable(signal.getsignal(number))]
        before = {number: signal.signal(number, lambda number, _: met.append(number)) for number in taken}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    for each in dict.fromkeys(met):
        signal.raise_signal(each)
