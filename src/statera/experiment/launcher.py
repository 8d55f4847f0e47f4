"""Starts commands through ``statera-runner``, a small executable beside this file (``crates/runner``)."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, cast

from statera.experiment.invocation import Outcome
from statera.experiment.remains import VARIABLE, left_behind
from statera.support.errors import Stop

if TYPE_CHECKING:
    from types import TracebackType

    from statera.experiment.invocation import Invocation

EXECUTABLE = Path(__file__).with_name("statera-runner")
# Events that can be counted. Times are in nanoseconds.
COUNTERS = (
    "instructions",
    "cycles",
    "branches",
    "branch-misses",
    "cache-references",
    "cache-misses",
    "page-faults",
    "context-switches",
    "cpu-migrations",
    "task-clock",
)
# Two commands that start together start so many seconds after they were asked for, when both starters are ready.
_TOGETHER = 0.003


class Launcher:
    """Starts commands, one at a time or two at once; ``close`` ends what still runs.

    An exception while a command runs, an interruption for instance, ends the command with all that it started.
    """

    def __init__(self, executable: Path = EXECUTABLE) -> None:
        if not os.access(executable, os.X_OK):
            raise Stop(
                "no-runner",
                f"{executable}: the executable that starts commands is missing. The wheel of statera contains it; in "
                "a source tree `make setup` builds it",
            )
        self._executable = executable
        self._starters: list[_Starter] = []

    def __enter__(self) -> Self:
        """Return the launcher itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End whatever still runs."""
        self.close()

    def run(self, invocation: Invocation) -> Outcome:
        """Start a command, and wait for its end and that of all that it started."""
        return self._ask(invocation)[0]

    def both(self, first: Invocation, second: Invocation) -> tuple[Outcome, Outcome]:
        """Start two commands at the same moment, and wait for both."""
        one, other = self._ask(first, second)
        return one, other

    def close(self) -> None:
        """End the starters, and whatever they started."""
        while self._starters:
            self._starters.pop().close()

    def _ask(self, *invocations: Invocation) -> list[Outcome]:
        try:
            while len(self._starters) < len(invocations):
                self._starters.append(_Starter(self._executable))
            at = time.monotonic() + _TOGETHER if len(invocations) > 1 else None
            asked = list(zip(self._starters, invocations, strict=False))
            for starter, invocation in asked:
                starter.ask(_line(invocation, at))
            outcomes = [starter.answer() for starter, _ in asked]
        except BaseException:
            self.close()
            raise
        if None in outcomes:
            self.close()
            for invocation in invocations:
                left_behind(dict(invocation.environment).get(VARIABLE))
        return [outcome or _LOST for outcome in outcomes]


class _Starter:
    """A running executable. It is in a session of its own, so that Ctrl-C in a terminal reaches statera alone."""

    def __init__(self, executable: Path) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - the executable of this package
            [executable], stdin=pipe, stdout=pipe, env={}, cwd="/", start_new_session=True
        )
        # Popen leaves their types open: they are pipes, as asked.
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    def ask(self, line: bytes) -> None:
        """Send a request. If the starter is gone, there will be no answer."""
        with contextlib.suppress(BrokenPipeError):
            self._requests.write(line)
            self._requests.flush()

    def answer(self) -> Outcome | None:
        """Wait for an answer; None if the starter is gone."""
        line = self._answers.readline()
        return _outcome(json.loads(line)) if line.endswith(b"\n") else None

    def close(self) -> None:
        """Close its input, which ends it and all that it started, and wait for it."""
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._answers.close()
        # A command may have stopped it.
        self._process.send_signal(signal.SIGCONT)
        self._process.wait()


def _line(invocation: Invocation, at: float | None) -> bytes:
    """Write a request. Each character of its texts is a byte, so that names need not be UTF-8."""
    asked: dict[str, Any] = invocation._asdict()
    asked["arguments"] = [_latin(each) for each in invocation.arguments]
    asked["environment"] = [(_latin(name), _latin(value)) for name, value in invocation.environment]
    for name in ("directory", "input", "output", "errors"):
        if asked[name] is not None:
            asked[name] = _latin(os.path.abspath(asked[name]))  # noqa: PTH100 - pathlib is slow
    return json.dumps({**asked, "at": at}).encode() + b"\n"


def _latin(text: str) -> str:
    return text if text.isascii() else os.fsencode(text).decode("latin-1")


def _outcome(answer: dict[str, Any]) -> Outcome:
    answer["message"] = os.fsdecode(answer["message"].encode("latin-1"))
    return Outcome(**answer)


_LOST = Outcome(
    started=0.0,
    time=0.0,
    user=0.0,
    system=0.0,
    memory=0,
    minor_faults=0,
    major_faults=0,
    voluntary_switches=0,
    involuntary_switches=0,
    exit=None,
    signal=None,
    failure="starter",
    message="the executable that starts commands was ended from outside, and its command with it",
    left_over=0,
    output_bytes=0,
    output_cut=False,
    counters={},
    remarks={},
)
