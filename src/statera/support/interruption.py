"""Handling of SIGINT, SIGTERM and SIGHUP: partial output is deleted, and critical steps are finished first."""

from __future__ import annotations

# What is below signal, which would load enum and all that this needs before a small command could begin.
import _signal as signal  # type: ignore[import-not-found]

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import NoReturn

# SIGTERM comes from a CI system or from timeout, SIGHUP from a terminal that closes.
_ENDS = (signal.SIGTERM, signal.SIGHUP)


def in_order() -> _Handled:
    """Raise SystemExit on SIGTERM and SIGHUP in a block, so that partial output is deleted.

    A signal that is ignored (by nohup, for instance) or has a handler already keeps its handling.
    """
    return _Handled([number for number in _ENDS if signal.getsignal(number) == signal.SIG_DFL], _end)


class _Handled:
    """Replaces signal handlers for a block. Only the main thread can set them, and only it is interrupted."""

    def __init__(self, numbers: Iterable[int], handler: Callable[[int, object], object]) -> None:
        self._numbers, self._handler = numbers, handler
        self._before: dict[int, object] = {}

    def __enter__(self) -> None:
        try:
            for number in self._numbers:
                self._before[number] = signal.signal(number, self._handler)
        except ValueError:
            pass
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_: object) -> None:
        for number, earlier in self._before.items():
            signal.signal(number, earlier)


class put_off(_Handled):  # noqa: N801 - it reads as what a block does
    """Delay an interruption until the end of a block: within it, it would abort Python or leave a process behind.

    The interruption then has the effect that it would have had (KeyboardInterrupt, for instance).
    """

    def __init__(self) -> None:
        """Take the signals whose handlers are written in Python: only those raise within a step."""
        self._met: list[int] = []
        taken = [number for number in (signal.SIGINT, *_ENDS) if callable(signal.getsignal(number))]
        super().__init__(taken, lambda number, _: self._met.append(number))

    def __exit__(self, *_: object) -> None:
        """Restore the handlers, and let each signal that came have its effect."""
        super().__exit__()
        for each in dict.fromkeys(self._met):
            signal.raise_signal(each)


def _end(number: int, _frame: object) -> NoReturn:
    raise SystemExit(128 + number)
