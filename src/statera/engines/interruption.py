"""Signals that end the program (SIGINT, SIGTERM, SIGHUP): what was begun is taken away, and some steps come first."""

from __future__ import annotations

import signal
from contextlib import contextmanager
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

# Of a CI or of timeout; and of a terminal that closes.
_ENDS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def in_order() -> Iterator[None]:
    """Let an end that is asked for take away what was written on the way: SIGTERM and SIGHUP raise SystemExit.

    Who ignores such a signal (nohup, for instance) or takes it goes on doing so.
    """
    with _handled([number for number in _ENDS if signal.getsignal(number) is signal.SIG_DFL], _end):
        yield


@contextmanager
def put_off() -> Iterator[None]:
    """Put off an interruption to the end of a block: amid some steps it would abort Python or leave a process behind.

    What the interruption then does (KeyboardInterrupt, for instance) is what it would have done before.
    """
    met: list[int] = []
    # Only handlers written in Python raise amid a step.
    taken = [number for number in (signal.SIGINT, *_ENDS) if callable(signal.getsignal(number))]
    try:
        with _handled(taken, lambda number, _: met.append(number)):
            yield
    finally:
        for each in dict.fromkeys(met):
            signal.raise_signal(each)


@contextmanager
def _handled(numbers: Iterable[int], handler: Callable[[int, object], object]) -> Iterator[None]:
    """Handle signals in another way for a block; only the main thread can, and only it is interrupted."""
    before = {}
    try:
        try:
            for number in numbers:
                before[number] = signal.signal(number, handler)
        except ValueError:
            pass
        yield
    finally:
        for number, earlier in before.items():
            signal.signal(number, earlier)


def _end(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)
