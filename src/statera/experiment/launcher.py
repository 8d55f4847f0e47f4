"""Starts commands through ``statera-runner``, a small executable beside this file (``crates/runner``)."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Literal, NamedTuple, cast

from statera.support.closing import Closing
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

# Every command of a run has this variable, with the identity of the run as its value.
VARIABLE = "STATERA_RUN"
# The command of a build has the folder of the build in this one.
BUILDS = "STATERA_BUILDS"
# What outlives the command that started it has this one too.
STAYS = "STATERA_STAYS"
_SECONDS = 10.0
Failure = Literal[
    "not-found", "not-permitted", "cannot-start", "timeout", "output-limit", "disk-full", "signal", "exit", "starter"
]
# With these a command did not start, and will not start later.
HOPELESS = frozenset({"not-found", "not-permitted", "cannot-start"})
# Events that can be counted. Times are in nanoseconds.
COUNTERS = (
    "instructions", "cycles", "branches", "branch-misses", "cache-references", "cache-misses", "page-faults",
    "context-switches", "cpu-migrations", "task-clock",
)  # fmt: skip
# Two commands that start together start so many seconds after they were asked for, when both starters are ready.
_TOGETHER = 0.003


def left_behind(run: str | None, *, variable: str = VARIABLE, all_of_it: bool = True) -> int:
    """End the processes of a run, and return how many there were. Without an identity there are none.

    ``variable`` holds the identity: ``VARIABLE``, or ``BUILDS`` for the processes of a build. With ``all_of_it``
    services, and what setup left behind, end too.
    """
    ended: set[int] = set()
    until = time.monotonic() + _SECONDS
    spared = b"" if all_of_it else f"{STAYS}=1".encode()
    while run and (found := _processes(os.fsencode(f"{variable}={run}"), spared)) and time.monotonic() < until:
        # They are stopped first, so that none can start others.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for process in found:
                _send(process, number)
        ended |= found
    return len(ended)


def _processes(entry: bytes, spared: bytes) -> set[int]:
    """Return the processes whose environment has one entry and not the other, but for this one and ended ones."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                variables = (folder / "environ").read_bytes().split(b"\0")
            except OSError:
                continue
            if entry in variables and not (spared and spared in variables):
                found.add(int(folder.name))
    return found


def _send(process: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(process, number)


class Invocation(NamedTuple):
    """A command to start."""

    arguments: tuple[str, ...]  # the program first, looked up in the PATH of ``environment``
    environment: tuple[tuple[str, str], ...]  # all variables, in this order
    directory: str  # where it runs
    input: str | None = None  # the file that is its standard input; None: ``/dev/null``
    output: str | None = None  # the file that takes its standard output; None: ``/dev/null``
    errors: str | None = None  # the file that takes its standard error; None: ``/dev/null``
    captured: int = 1 << 28  # bytes of output and of errors that are kept. More output ends the command.
    timeout: float | None = None  # seconds after which it is ended; None: never
    cpus: tuple[int, ...] = ()  # numbers of the cores that it may use; empty: those of statera
    nice: int | None = None  # its priority; None: that of statera
    aslr: bool = True  # whether its addresses are random, as the system has it
    memory: int | None = None  # limit in bytes for it and all that it starts; None: no limit
    counters: tuple[str, ...] = ()  # names of perf events, of ``launcher.COUNTERS``
    # whether what it leaves behind runs on. It writes ``output`` and ``errors`` itself then, without a limit.
    keep: bool = False
    # for a service: the number of the signal that stops it, and seconds until it is killed. As with ``keep``.
    stop: tuple[int, float] | None = None


class Outcome(NamedTuple):
    """What became of an invocation. Times are in seconds, memory is in bytes."""

    started: float  # monotonic clock at the start
    time: float  # from the start to the end of the command
    # user, system: time on the processor, its awaited children included
    user: float
    system: float
    memory: int  # largest resident size of one process, or of several at once as far as that was seen
    together: int  # largest resident size of several processes at once that was seen; 0 if there never were several
    # minor_faults, major_faults, voluntary_switches, involuntary_switches: counts
    minor_faults: int
    major_faults: int
    voluntary_switches: int
    involuntary_switches: int
    exit: int | None  # its exit code; None if a signal ended it or it never began
    signal: int | None  # the signal's number
    failure: Failure | None  # None if it began and ended by itself with exit code 0
    message: str  # one sentence about the failure
    left_over: int  # number of processes that it left behind, which were ended
    output_bytes: int  # number of bytes that it printed on standard output, kept or not, where it was captured
    output_cut: bool  # whether bytes were dropped
    # the count of each event, or the reason why there is none. ``task-clock`` is in nanoseconds.
    counters: dict[str, int | str]
    # on counts that need one, by the event's name: counted during a part of the time and scaled to all of it, or in
    # user space alone
    remarks: dict[str, str]

    @property
    def cpu(self) -> float:
        """Time on the processor."""
        return self.user + self.system


EXECUTABLE = Path(__file__).with_name("statera-runner")


class Started:
    """A service that was started."""

    def __init__(self, starter: Starter, process: int, patience: float, outcome: Outcome | None) -> None:
        self.process = process  # its first process; 0 if it could not be started
        self._starter, self._patience, self._outcome = starter, patience, outcome

    def fileno(self) -> int:
        """Return what can be read when it has ended."""
        return self._starter.fileno()

    @property
    def root(self) -> int:
        """The process of which all processes of the service are descendants."""
        return self._starter.process

    def ended(self, within: float = 0.0) -> Outcome | None:
        """Return what became of it if it ends within these seconds; None: it lives."""
        if self._outcome is None and self._starter.answers(within):
            self._outcome = self._starter.answer() or _LOST
        return self._outcome

    def ask_to_end(self) -> None:
        """Let the signal be sent that stops it."""
        if self._outcome is None:
            self._starter.ask(b"stop\n")

    def stopped(self) -> Outcome:
        """Wait for its end after ``ask_to_end``, at most as long as the starter waits and kills."""
        outcome = self.ended(self._patience + _SECONDS) or _LOST
        self.kill()
        return outcome

    def kill(self) -> None:
        """End it at once, with all that it started."""
        self._starter.close()


class ServiceEnded(Exception):
    """A service ended while a command ran, which was ended then."""

    def __init__(self, service: Started) -> None:
        super().__init__("a service ended")
        self.service = service  # the one that ended


class Launcher(Closing):
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
        self._begin()

    def _begin(self) -> None:
        self._starters: list[Starter] = []
        self._keepers: dict[str, Starter] = {}
        self.services: list[Started] = []  # they are watched while a command runs

    def run(self, invocation: Invocation) -> Outcome:
        """Start a command, and wait for its end and that of all that it started."""
        return self._ask(invocation)[0]

    def both(self, first: Invocation, second: Invocation) -> tuple[Outcome, Outcome]:
        """Start two commands at the same moment, and wait for both."""
        one, other = self._ask(first, second)
        return one, other

    def kept(self, invocation: Invocation, what: str, slow: Callable[[], object]) -> Outcome:
        """Start a command, and wait for its end; what it leaves behind runs on.

        ``what`` says whose it is, for ``release``, and ``slow`` is called once if it takes longer than ten seconds.

        Raises ``ServiceEnded`` if a service ended before.
        """
        if what not in self._keepers:
            self._keepers[what] = self._starter()
        starter = self._keepers[what]
        try:
            starter.ask(_line(invocation._replace(keep=True), None))
            if not self._awaited(starter, _SECONDS):
                slow()
            return self._answer(starter) or self._gone()
        except BaseException:
            self.release(what)
            raise

    def release(self, what: str) -> None:
        """End what the commands of ``kept`` left behind."""
        if what in self._keepers:
            self._keepers.pop(what).close()

    def service(self, invocation: Invocation) -> Started:
        """Start a service, whose ``stop`` states how it ends."""
        starter = self._starter()
        try:
            starter.ask(_line(invocation, None))
            process, outcome = starter.started()
        except BaseException:
            starter.close()
            raise
        patience = invocation.stop[1] if invocation.stop else 0.0
        return Started(starter, process, patience, outcome)

    def close(self) -> None:
        """End the starters, and whatever they started."""
        self._end_commands()
        for what in list(self._keepers):
            self.release(what)
        while self.services:
            self.services.pop().kill()

    def _starter(self) -> Starter:
        """Start the executable."""
        return Starter([self._executable], {})

    def _clear(self, invocations: Sequence[Invocation]) -> None:
        """End what commands started whose starter is gone."""
        for invocation in invocations:
            left_behind(dict(invocation.environment).get(VARIABLE), all_of_it=False)

    def _gone(self) -> Outcome:
        """Return what becomes of a command whose starter is gone."""
        return _LOST

    def _end_commands(self) -> None:
        while self._starters:
            self._starters.pop().close()

    def abort(self) -> None:
        """Let what runs end without an answer, also from another thread."""
        for starter in [*self._starters, *self._keepers.values()]:
            starter.abort()

    def _awaited(self, starter: Starter, within: float | None = None) -> bool:
        """Wait for the answer of a starter; return whether it is there.

        Raises ``ServiceEnded`` if a service ended before.
        """
        if not self.services and within is None:
            return True
        watched: list[Starter | Started] = [starter, *self.services]
        ready, _, _ = select.select(watched, [], [], within)
        ended = next((each for each in ready if isinstance(each, Started)), None)
        if ended is not None and starter not in ready:
            raise ServiceEnded(ended)
        return bool(ready)

    def _answer(self, starter: Starter) -> Outcome | None:
        self._awaited(starter)
        return starter.answer()

    def _ask(self, *invocations: Invocation) -> list[Outcome]:
        try:
            while len(self._starters) < len(invocations):
                self._starters.append(self._starter())
            at = time.monotonic() + _TOGETHER if len(invocations) > 1 else None
            asked = list(zip(self._starters, invocations, strict=False))
            for starter, invocation in asked:
                starter.ask(_line(invocation, at))
            outcomes = [self._answer(starter) for starter, _ in asked]
        except BaseException:
            self._end_commands()
            raise
        if None in outcomes:
            self._end_commands()
            self._clear(invocations)
        return [outcome or self._gone() for outcome in outcomes]


class Starter:
    """A running executable. It is in a session of its own, so that Ctrl-C in a terminal reaches statera alone."""

    def __init__(self, words: Sequence[str | Path], environment: Mapping[str, str] | None) -> None:
        """Start the executable, or a program that passes its requests and answers on, by default with our variables."""
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603 - the executable of this package, here or on a host
            words, stdin=pipe, stdout=pipe, env=environment, cwd="/", start_new_session=True
        )
        # Popen leaves their types open: they are pipes, as asked.
        self._requests = cast("IO[bytes]", self._process.stdin)
        self._answers = cast("IO[bytes]", self._process.stdout)

    @property
    def process(self) -> int:
        """Its number."""
        return self._process.pid

    def fileno(self) -> int:
        """Return what can be read when there is an answer."""
        return self._answers.fileno()

    def answers(self, within: float) -> bool:
        """Return whether there is an answer within so many seconds."""
        return bool(select.select([self], [], [], within)[0])

    def started(self) -> tuple[int, Outcome | None]:
        """Wait until a service was started: its first process, or 0 and why it was not."""
        line = self._answers.readline()
        if not line.endswith(b"\n"):
            return 0, _LOST
        told = json.loads(line)
        return (told["process"], None) if "process" in told else (0, _outcome(told))

    def skip_to(self, line: bytes) -> None:
        """Drop what is printed up to a line; if the starter is gone, everything."""
        while (found := self._answers.readline()).rstrip() != line:
            if not found:
                return

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
        if self._answers.closed:
            return
        with contextlib.suppress(BrokenPipeError):
            self._requests.close()
        self._answers.close()
        # A command may have stopped it.
        self._process.send_signal(signal.SIGCONT)
        self._process.wait()

    def abort(self) -> None:
        """End what passes requests on, while another thread may wait for an answer: there will be none."""
        self._process.terminate()


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
    together=0,
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
