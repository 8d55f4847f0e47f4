"""Handling of SIGINT, SIGTERM and SIGHUP: partial output is deleted, and critical steps are finished first."""

from __future__ import annotations

import signal
from contextlib import contextmanager

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import NoReturn

# SIGTERM comes from a CI system or from timeout, SIGHUP from a terminal that closes.
_ENDS = (signal.SIGTERM, signal.SIGHUP)


@contextmanager
def in_order() -> Iterator[None]:
    """Raise SystemExit on SIGTERM and SIGHUP, so that partial output is deleted.

    A signal that is ignored (by nohup, for instance) or has a handler already keeps its handling.
    """
    with _handled([number for number in _ENDS if signal.getsignal(number) is signal.SIG_DFL], _end):
        yield


@contextmanager
def put_off() -> Iterator[None]:
    """Delay an interruption until the end of a block: within it, it would abort Python or leave a process behind.

    The interruption then has the effect that it would have had (KeyboardInterrupt, for instance).
    """
    met: list[int] = []
    # Only handlers written in Python raise within a step.
    taken = [number for number in (signal.SIGINT, *_ENDS) if callable(signal.getsignal(number))]
    try:
        with _handled(taken, lambda number, _: met.append(number)):
            yield
    finally:
        for each in dict.fromkeys(met):
            signal.raise_signal(each)


@contextmanager
def _handled(numbers: Iterable[int], handler: Callable[[int, object], object]) -> Iterator[None]:
    """Replace signal handlers for a block. Only the main thread can set them, and only it is interrupted."""
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
