"""What is asked of the executable that starts commands, and what it answers."""

from __future__ import annotations

from typing import Literal, NamedTuple

Failure = Literal[
    "not-found", "not-permitted", "cannot-start", "timeout", "output-limit", "disk-full", "signal", "exit", "starter"
]


class Invocation(NamedTuple):
    """A command to start.

    Attributes:
        arguments: the program first, looked up in the PATH of ``environment``.
        environment: all variables, in this order.
        directory: where it runs.
        input: the file that is its standard input; None: ``/dev/null``.
        output: the file that takes its standard output; None: ``/dev/null``.
        errors: the file that takes its standard error; None: ``/dev/null``.
        captured: bytes of output and of errors that are kept. More output ends the command.
        timeout: seconds after which it is ended; None: never.
        cpus: numbers of the cores that it may use; empty: those of statera.
        nice: its priority; None: that of statera.
        aslr: whether its addresses are random, as the system has it.
        memory: limit in bytes for it and all that it starts; None: no limit.
        counters: names of perf events, of ``launcher.COUNTERS``.

    """

    arguments: tuple[str, ...]
    environment: tuple[tuple[str, str], ...]
    directory: str
    input: str | None = None
    output: str | None = None
    errors: str | None = None
    captured: int = 1 << 28
    timeout: float | None = None
    cpus: tuple[int, ...] = ()
    nice: int | None = None
    aslr: bool = True
    memory: int | None = None
    counters: tuple[str, ...] = ()


class Outcome(NamedTuple):
    """What became of an invocation. Times are in seconds, memory is in bytes.

    Attributes:
        started: monotonic clock at the start.
        time: from the start to the end of the command. user, system: time on the processor, its awaited children
            included.
        memory: largest resident size of one process.
        minor_faults, major_faults, voluntary_switches, involuntary_switches: counts.
        exit: its exit code; None if a signal ended it or it never began. signal: the signal's number.
        failure: None if it began and ended by itself with exit code 0.
        message: one sentence about the failure.
        left_over: number of processes that it left behind, which were ended.
        output_bytes: number of bytes that it printed on standard output, kept or not, where it was captured.
        output_cut: whether bytes were dropped.
        counters: the count of each event, or the reason why there is none. ``task-clock`` is in nanoseconds.
        remarks: on counts that need one, by the event's name: counted during a part of the time and scaled to all of
            it, or in user space alone.

    """

    started: float
    time: float
    user: float
    system: float
    memory: int
    minor_faults: int
    major_faults: int
    voluntary_switches: int
    involuntary_switches: int
    exit: int | None
    signal: int | None
    failure: Failure | None
    message: str
    left_over: int
    output_bytes: int
    output_cut: bool
    counters: dict[str, int | str]
    remarks: dict[str, str]

    @property
    def cpu(self) -> float:
        """Time on the processor."""
        return self.user + self.system
