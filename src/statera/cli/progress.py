"""The line on standard error that shows how long a stage has run; for terminals only, and removed at the end.

Every verb runs within it. What writes to the terminal meanwhile removes the line first (``hide``).
"""

from __future__ import annotations

# What is below threading, whose import costs more than most commands have to wait.
import _thread
import sys

from statera.support import stages
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final, Self

# What ends sooner needs no line; so often a line changes.
_PATIENCE: Final = 1.0
_STEP: Final = 1.0
_CLEARED: Final = "\r\x1b[K"


class _Line:
    """The one line of a process."""

    def __init__(self) -> None:
        self._lock = _thread.allocate_lock()
        self._is_shown = False
        self.is_paused = False

    def show(self, text: str) -> None:
        with self._lock:
            if not self.is_paused:
                _write(f"{_CLEARED}{text}")
                self._is_shown = True

    def hide(self, *, pauses: bool = False) -> None:
        with self._lock:
            self.is_paused = pauses
            if self._is_shown:
                self._is_shown = False
                _write(_CLEARED)


_LINE: Final = _Line()


def hide() -> None:
    """Remove the line, if it is shown: somebody writes to the terminal."""
    if not _LINE.is_paused:
        _quietly_hidden(pauses=False)


class paused:  # noqa: N801 - it reads as what a block is
    """Shows no line within a block, because somebody is asked."""

    def __enter__(self) -> None:
        """Remove the line."""
        _quietly_hidden(pauses=True)

    def __exit__(self, *_: object) -> None:
        """Let it be shown again."""
        _LINE.is_paused = False


class Progress:
    """Shows the stage of the work in its context and the seconds since its begin, once the work is long."""

    def __init__(self, stage: str) -> None:
        """Begin with a stage; others are announced (``statera.support.stages``)."""
        self._stage = stage
        self._watched: stages.watched | None = None
        # Held while the work goes on, and while the line may still be written.
        self._work, self._writing = _thread.allocate_lock(), _thread.allocate_lock()

    def __enter__(self) -> Self:
        """Start the clock, if standard error is a terminal."""
        if not sys.stderr.isatty():
            return self
        self._work.acquire()
        self._writing.acquire()
        self._watched = stages.watched(self._enter)
        self._watched.__enter__()
        # It keeps no command alive that ends in an unforeseen way.
        _thread.start_new_thread(self._show, ())
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread and remove the line."""
        if self._watched is None:
            return
        self._work.release()
        self._watched.__exit__(None, None, None)
        self._writing.acquire()

    def _enter(self, stage: str) -> None:
        self._stage = stage

    def _show(self) -> None:
        """Write the line again and again until the work has ended; a terminal that is gone gets no more of them."""
        try:
            seconds, wait = _PATIENCE, _PATIENCE
            while not self._work.acquire(timeout=wait):
                _LINE.show(f"statera: {self._stage} … {seconds:.0f} s")
                seconds, wait = seconds + _STEP, _STEP
            _LINE.hide()
        except (OSError, ValueError):
            return
        finally:
            self._writing.release()


def _quietly_hidden(*, pauses: bool) -> None:
    try:
        _LINE.hide(pauses=pauses)
    except (OSError, ValueError):
        return


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
