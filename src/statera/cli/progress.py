"""The line on standard error that shows how long a stage has run; for terminals only, and removed at the end."""

from __future__ import annotations

import sys

from statera.support import stages
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from threading import Event, Thread
    from typing import Final, Self

# What ends sooner needs no line; so often a line changes.
_PATIENCE: Final = 1.0
_STEP: Final = 1.0
_CLEARED: Final = "\r\x1b[K"


class Progress:
    """Shows the stage of the work in its context and the seconds since its begin, once the work is long."""

    def __init__(self, stage: str) -> None:
        """Begin with a stage; others are announced (``statera.support.stages``)."""
        self._stage = stage
        self._watched: stages.watched | None = None
        self._thread: Thread | None = None
        self._ended: Event | None = None

    def __enter__(self) -> Self:
        """Start the clock, if standard error is a terminal."""
        if not sys.stderr.isatty():
            return self
        from threading import Event, Thread  # noqa: PLC0415 - most commands write into a pipe or a file

        self._ended = Event()
        self._watched = stages.watched(self._enter)
        self._watched.__enter__()
        # A daemon, so that it cannot keep a command alive that ends in an unforeseen way.
        self._thread = Thread(target=self._show, name="progress", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the thread and remove the line."""
        if self._ended is None or self._thread is None or self._watched is None:
            return
        self._ended.set()
        self._watched.__exit__(None, None, None)
        self._thread.join()

    def _enter(self, stage: str) -> None:
        self._stage = stage

    def _show(self) -> None:
        """Write the line again and again until the work has ended; a terminal that is gone gets no more of them."""
        if self._ended is None or self._ended.wait(_PATIENCE):
            return
        seconds = _PATIENCE
        try:
            while True:
                _write(f"{_CLEARED}statera: {self._stage} … {seconds:.0f} s")
                if self._ended.wait(_STEP):
                    break
                seconds += _STEP
            _write(_CLEARED)
        except (OSError, ValueError):
            return


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
