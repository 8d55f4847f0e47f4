"""What whoever waits for a run sees on standard error: a few live lines on a terminal, else a line now and then."""

from __future__ import annotations

import os
import re
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.experiment import standing

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.experiment.course import Course
    from statera.experiment.plan import Plan
    from statera.reading.store.records import LookRecord

_REDRAWN: Final = 0.5
_LINE: Final = 10.0
# Effects take time to compute: so many times as long passes between two computations, and at least two seconds.
_RARELY: Final = 20
_AT_LEAST: Final = 2.0
# The name of an output has the number of its invocation.
_OUTPUT: Final = re.compile(r"\braw/\d+")


class Watching:
    """Tells about a run. ``effects`` computes the lines of the running effects."""

    def __init__(self, plan: Plan, effects: Callable[[], list[str]]) -> None:
        self._plan, self._effects = plan, effects
        self._live = sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
        self._lines: list[str] = []
        self._drawn = 0
        self._computed = time.monotonic()
        # The first lines of a terminal appear at once.
        self._shown = self._computed - (_REDRAWN if self._live else 0.0)
        self._cost = 0.0
        self._complaints: set[str] = set()

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._erase()
        print(_native.for_terminal(f"statera: {text}"), file=sys.stderr, flush=True)

    def complain(self, text: str) -> None:
        """Print a line about something wrong, once, whichever outputs it names."""
        kind = _OUTPUT.sub("", text)
        if kind not in self._complaints:
            self._complaints.add(kind)
            self.say(text)

    def made(self, course: Course) -> None:
        """Take note of an invocation."""
        now = time.monotonic()
        if now - self._shown >= (_REDRAWN if self._live else _LINE):
            self._show(course)

    def round_ended(self) -> None:
        """Take note of a round: on a terminal, compute the effects again where it costs little."""
        now = time.monotonic()
        if self._live and now - self._computed >= max(_AT_LEAST, _RARELY * self._cost):
            self._compute()

    def looked(self, course: Course, look: LookRecord) -> None:
        """Take note of a look: name the benchmarks that it decided, and those that the last look will not decide."""
        # The table of the comparison follows the look that decides the last benchmark.
        if look["undecided"]:
            self._compute()
            self._show(course)
        if look["hopeless"]:
            self.complain(standing.hopeless(self._plan, look["hopeless"]))

    def close(self) -> None:
        """Take the live lines away."""
        self._erase()

    def _compute(self) -> None:
        begun = time.monotonic()
        self._lines = self._effects()
        self._computed = time.monotonic()
        self._cost = self._computed - begun

    def _show(self, course: Course) -> None:
        lines = [standing.heading(self._plan, course), *(f"  {line}" for line in self._lines)]
        self._erase()
        if self._live:
            self._draw(lines)
        else:
            print(*(_native.for_terminal(f"statera: {line}") for line in lines), sep="\n", file=sys.stderr, flush=True)
        self._shown = time.monotonic()

    def _draw(self, lines: list[str]) -> None:
        columns, rows = 80, 24
        with suppress(OSError):
            columns, rows = os.get_terminal_size(sys.stderr.fileno())
        shown = [_native.shortened(_native.printable(line), max(columns - 1, 1)) for line in lines[: max(rows - 1, 1)]]
        print("\n".join(shown), end="", file=sys.stderr, flush=True)
        self._drawn = len(shown)

    def _erase(self) -> None:
        if self._drawn:
            up = f"\x1b[{self._drawn - 1}A" if self._drawn > 1 else ""
            print(f"\r{up}\x1b[J", end="", file=sys.stderr, flush=True)
            self._drawn = 0
