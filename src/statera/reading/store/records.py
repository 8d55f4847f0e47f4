"""The records of a journal, one JSON object a line. ``kind`` tells them apart; a reader skips kinds it does not know.

A run's folder holds ``manifest.json`` (written once, before the first record), ``journal.ndjson`` (append-only) and
``raw/`` (what commands printed or left behind). Paths in records are relative to the folder.
"""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class InvocationRecord(TypedDict):
    """An invocation that ended by itself: a sample, unless ``warmup``. Times in seconds, memory in bytes."""

    kind: Literal["invocation"]
    number: int  # counts all invocations from 1, failed ones included
    round: int  # from 1; 0 in a warm-up
    order: int  # place within the round among the invocations of its benchmark, from 1
    benchmark: str
    variant: str
    started: float  # monotonic clock
    time: float
    user: float
    system: float
    memory: int
    minor_faults: int
    major_faults: int
    voluntary_switches: int
    involuntary_switches: int
    exit: int
    counters: NotRequired[dict[str, int | str]]  # the count, or the reason why there is none
    remarks: NotRequired[dict[str, str]]  # on counts: scaled, or in user space alone
    output: NotRequired[str]  # file with what it printed, or folder that was {out}
    left_over: NotRequired[int]
    warmup: NotRequired[bool]


class FailureRecord(TypedDict):
    """An invocation that gives no sample."""

    kind: Literal["failure"]
    number: int
    round: int
    order: int
    benchmark: str
    variant: str
    reason: str  # a Failure, or "no-results" if its output has none in the format
    message: str
    output: NotRequired[str]


class RoundRecord(TypedDict):
    """The end of a round: what the machine reported while it lasted, and the marks that follow from it."""

    kind: Literal["round"]
    round: int
    seconds: float
    machine: dict[str, float]  # e.g. "cpu_pressure": share of the time in which tasks waited; "steal": share
    marks: list[str]


class CountRecord(TypedDict):
    """Exact counts of a benchmark of a variant, from an invocation after the rounds that is not a sample."""

    kind: Literal["count"]
    number: int  # counts all invocations
    benchmark: str
    variant: str
    counters: dict[str, int | str]  # the count, or the reason why there is none


class LookRecord(TypedDict):
    """A look at the data. ``undecided`` are the benchmarks that go on; the others leave the rounds."""

    kind: Literal["look"]
    look: int  # from 1
    round: int
    share: float  # of alpha
    benchmarks: list[str]  # which took part
    undecided: list[str]
    hopeless: list[str]  # which the last look probably cannot decide


class BuildRecord(TypedDict):
    """A build, once for each key."""

    kind: Literal["build"]
    key: str
    ok: bool
    cached: bool
    seconds: float
    message: str
    artefacts: dict[str, str]  # path relative to the build's folder: SHA-256


class SessionRecord(TypedDict):
    """The start of statera on this folder: the first one, and each resumption."""

    kind: Literal["session"]
    started: str  # date and time, ISO 8601
    boot: str  # identity of the machine's boot
    process: int


class EndRecord(TypedDict):
    """The end: nothing follows it. An interrupted run has none, and can be resumed."""

    kind: Literal["end"]
    reason: Literal["complete", "decided", "limit", "time"]
    rounds: int
    missing: int  # planned samples that do not exist


Record = (
    InvocationRecord | FailureRecord | RoundRecord | CountRecord | LookRecord | BuildRecord | SessionRecord | EndRecord
)
