"""The course of a run so far: what its records say. The loop, a resumption and ``--status`` all go by it alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.experiment.plan import Plan
    from statera.reading.store.journal import (
        BuildRecord,
        DecideRecord,
        EndRecord,
        ExtendRecord,
        FailureRecord,
        HostRecord,
        InvocationRecord,
        LookRecord,
        LostRecord,
        Record,
        RoundRecord,
        SessionRecord,
    )

# The names of a benchmark and of a variant.
Pair = tuple[str, str]


class Course:
    """What happened so far."""

    def __init__(self, plan: Plan, records: Iterable[Record] = ()) -> None:
        self._plan = plan
        self._made: defaultdict[tuple[str, str], set[int]] = defaultdict(set)
        self._samples_on: Counter[tuple[str, str, str]] = Counter()
        self._going_on: list[str] = list(plan.benchmarks)
        self.number = 0  # of the last invocation
        self.rounds = 0  # the last round that has ended
        self.rounds_on: defaultdict[str, set[int]] = defaultdict(set)  # the rounds that have ended on each host
        self.passes = 0  # how many passes have ended, on the host that has most
        self.passes_on: Counter[str] = Counter()  # the same for each host; this machine is the empty text
        self.seconds = 0.0  # how long the passes took
        # (host, round, benchmark, variant) of every invocation of the rounds, failed or not
        self.done: set[tuple[str, int, str, str]] = set()
        self.warmed: Counter[tuple[str, str, str]] = Counter()  # warm-ups that each (host, benchmark, variant) has had
        self.samples: Counter[Pair] = Counter()  # how many samples each pair has
        self.counted: Counter[Pair] = Counter()  # how many exact counts
        self.failures: list[FailureRecord] = []  # what failed in the rounds, and what failed in warm-ups
        # seconds of the processor and of elapsed time in the samples of each benchmark
        self.spent: defaultdict[str, tuple[float, float]] = defaultdict(lambda: (0.0, 0.0))
        self.decide: DecideRecord | None = None  # which metric decides each benchmark; None until that is fixed
        self.looks: list[LookRecord] = []
        self.builds: dict[str, BuildRecord] = {}
        self.sessions: list[SessionRecord] = []
        self.hosts: dict[str, HostRecord] = {}  # the last record of each
        self.lost: dict[str, LostRecord] = {}  # that of each host that takes part no more
        self.extensions: list[ExtendRecord] = []  # the records of later wishes for more rounds
        self.ended = 0  # how often the run came to its end
        self.last_round: RoundRecord | None = None
        self.end: EndRecord | None = None
        for record in records:
            self.add(record)

    def add(self, record: Record) -> None:
        """Take the next record."""
        match record["kind"]:
            case "invocation" | "failure":
                self._invoked(record)
            case "count":
                self.number = max(self.number, record["number"])
                self.counted[record["benchmark"], record["variant"]] += 1
            case "round":
                self._round_ended(record)
            case "decide":
                self.decide = record
            case "look":
                self.looks.append(record)
                self._going_on = record["undecided"]
            case "build":
                self.builds[record["key"]] = record
            case "session" | "host" | "lost":
                self._begun(record)
            case "extend":
                self.extensions.append(record)
                self._going_on = record["benchmarks"]
                self.end = None
            case "end":
                self.end = record
                self.ended += 1

    def _begun(self, record: SessionRecord | HostRecord | LostRecord) -> None:
        match record["kind"]:
            case "session":
                self.sessions.append(record)
            case "host":
                self.hosts[record["host"]] = record
                self.lost.pop(record["host"], None)
            case "lost":
                self.lost[record["host"]] = record

    def _round_ended(self, record: RoundRecord) -> None:
        host = record.get("host", "")
        self.rounds_on[host].add(record["round"])
        self.passes_on[host] += 1
        # All hosts have a round at the same time, but for what one of them makes up for.
        if self.passes_on[host] > self.passes:
            self.passes = self.passes_on[host]
            self.rounds = max(self.rounds, record["round"])
            self.seconds += record["seconds"]
            self.last_round = record

    def _invoked(self, record: InvocationRecord | FailureRecord) -> None:
        self.number = max(self.number, record["number"])
        pair = record["benchmark"], record["variant"]
        if record["kind"] == "failure":
            self.failures.append(record)
        host = record.get("host", "")
        if record["round"] == 0:
            self.warmed[host, *pair] += 1
            return
        self.done.add((host, record["round"], *pair))
        self._made[host, pair[0]].add(record["round"])
        if record["kind"] == "invocation":
            self.samples[pair] += 1
            self._samples_on[host, *pair] += 1
            cpu, seconds = self.spent[pair[0]]
            self.spent[pair[0]] = cpu + record["user"] + record["system"], seconds + record["time"]

    @property
    def active(self) -> tuple[int, ...]:
        """The numbers of the benchmarks that no look has decided."""
        going_on = set(self._going_on)
        return tuple(number for number, name in enumerate(self._plan.benchmarks) if name in going_on)

    def missing(self) -> dict[Pair, int]:
        """Return how many planned samples each pair of benchmark and variant lacks.

        A pair that never ran, because its build failed for instance, lacks those of all rounds. What a lost host did
        not do is not missing: ``lost`` tells it.
        """
        found: dict[Pair, int] = {}
        for cell in self._plan.cells:
            pair = self._plan.names(cell)
            lacking = sum(self._lacking(host, pair) for host in self._plan.hosts or ("",))
            if not self.samples[pair]:
                lacking = lacking or self.rounds or 1
            if lacking:
                found[pair] = lacking
        return found

    def _lacking(self, host: str, pair: Pair) -> int:
        made = self._made[host, pair[0]]
        if host in self.lost:
            made = made & self.rounds_on[host]
        return max((len(made) or len(self.rounds_on[host])) - self._samples_on[host, *pair], 0)

    def behind(self) -> list[str]:
        """Return the hosts that lack rounds which others have."""
        return [host for host in self._plan.hosts if self.passes_on[host] < self.passes]
