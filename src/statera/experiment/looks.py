"""Looks at the results while a run goes on: what is settled, what the last look cannot settle, and the effects now.

Which metric decides when a benchmark ends is fixed before the first look.
"""

from __future__ import annotations

import shlex
from collections import Counter
from math import log1p, sqrt
from pathlib import PurePath
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.comparison import pipeline
from statera.comparison.codes import SETTLED
from statera.comparison.pairing import Request
from statera.comparison.verdicts import Note
from statera.experiment import progress, self_test
from statera.support.errors import Stop
from statera.support.wording import conjoined, shown, suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence
    from pathlib import Path

    from statera import _native
    from statera.comparison.results.comparison import Comparison
    from statera.experiment.course import Course
    from statera.experiment.plan import Plan, Rounds
    from statera.support.settings.file import Settings

ANY: Final = "any"
PRIMARY: Final = "primary"
"""Each primary metric must be decided; so it is with the results that a harness prints."""
BUSY: Final = frozenset({"other-work", "steal"})
"""The marks of a machine whose elapsed times contain waits for a core that others had."""
# What every invocation of a timed command records.
RECORDED: Final = (
    *("time", "cpu", "user", "system", "memory", "minor-faults", "major-faults"),
    *("voluntary-switches", "involuntary-switches"),
)
# What every invocation records of each service, after its name.
OF_SERVICES: Final = ("cpu", "memory")
_INSTRUCTIONS: Final = "instructions"
# Programs whose work happens in another process, which their processor time does not contain.
CLIENTS: Final = frozenset(
    {
        *("ssh", "scp", "sftp", "rsync", "mosh", "telnet", "nc", "ncat", "socat"),
        *("docker", "podman", "nerdctl", "kubectl", "helm", "oc", "crictl", "ctr", "lxc", "incus", "virsh"),
        *("systemctl", "systemd-run", "aws", "gcloud", "az"),
        *("curl", "wget", "http", "https", "grpcurl", "aria2c", "ab", "wrk", "wrk2", "hey", "k6", "vegeta"),
        *("bombardier", "oha", "h2load", "siege", "locust", "ghz"),
        *("psql", "pgbench", "mysql", "mariadb", "sysbench", "mongosh", "cqlsh", "clickhouse-client"),
        *("redis-cli", "redis-benchmark", "valkey-cli", "valkey-benchmark", "memtier_benchmark"),
    }
)
# Programs that start the one that their arguments name.
_WRAPPERS: Final = frozenset(
    {"env", "nice", "ionice", "nohup", "time", "timeout", "taskset", "chrt", "numactl", "stdbuf", "setarch", "sudo"}
)
SHELLS: Final = frozenset({"sh", "bash", "dash", "zsh", "ksh", "fish"})
# A command that uses a smaller part of its elapsed time waits for something else than a core of a busy machine.
_WORKS: Final = 0.05


def request_of(plan: Plan) -> Request:
    """Return what is compared of a run: its primary metrics, and the metric that decides."""
    return Request() if plan.decide in {None, ANY} else Request(besides=(plan.decide,))


def refuse_unknown(plan: Plan, where: str) -> None:
    """Refuse a metric that timed commands do not have; what a harness prints is known when it has run.

    ``where`` is the option or the key that names the metric.
    """
    name = plan.decide
    counted = tuple(_INSTRUCTIONS if each == "callgrind" else each for each in plan.machine.counters)
    served = dict.fromkeys(service.name for cell in plan.cells for service in cell.services)
    known = (*RECORDED, ANY, *counted, *(f"{each} {what}" for each in served for what in OF_SERVICES))
    if name is None or name in known or any(cell.format for cell in plan.cells):
        return
    raise Stop(
        "bad-option",
        f"{where} {name}: no metric has this name{suggestion(name, known) or f'; there are {conjoined(known)}'}",
    )


def counted(name: str | None, counters: Sequence[str]) -> tuple[str, ...]:
    """Return the events to count: also the instructions where they decide."""
    asked = name == _INSTRUCTIONS and not {_INSTRUCTIONS, "callgrind"} & {*counters}
    return (*counters, *[_INSTRUCTIONS] * asked)


def by_counts(plan: Plan) -> bool:
    """Return whether counts of callgrind decide, so that they must be there before the first look."""
    return plan.decide == _INSTRUCTIONS and "callgrind" in plan.machine.counters


def chosen(plan: Plan, course: Course, *, busy: bool) -> dict[str, str]:
    """Return the metric that decides each benchmark, of the rounds so far only by the shares of processor time.

    ``busy`` says whether other work had a good part of the machine meanwhile.
    """
    if plan.decide is not None:
        return dict.fromkeys(plan.benchmarks, plan.decide)
    found: dict[str, str] = {}
    for cell in plan.cells:
        name = plan.benchmarks[cell.benchmark]
        waits = found.get(name) == "time" or is_client(cell.command.arguments) or not _works(course, name)
        metric = "time" if waits or not busy else "cpu"
        found[name] = PRIMARY if cell.format else metric
    return found


def said(found: Mapping[str, str]) -> str:
    """Say that processor time decides, though nobody asked for it; nothing if it does not."""
    names = [name for name, metric in found.items() if metric == "cpu"]
    if not names:
        return ""
    of = "" if len(names) == len(found) else f" {conjoined(names)}"
    return f"the machine is busy: cpu time decides{of}. --decide-by time insists"


def decides(metric: str, by: str, primary: Collection[str]) -> bool:
    """Return whether a row of ``metric`` is one that decides, if ``by`` does."""
    if by in {ANY, PRIMARY}:
        return metric in primary
    # Counts of callgrind name it.
    return metric == by or metric.startswith(f"{by} (")


def is_client(arguments: Sequence[str]) -> bool:
    """Return whether a command is a program whose work happens elsewhere, also below wrappers and in a shell's text."""
    words = [*arguments]
    while words:
        program = PurePath(words.pop(0)).name
        if program in CLIENTS:
            return True
        if program in SHELLS:
            return any(PurePath(word).name in CLIENTS for text in words for word in _words(text))
        if program not in _WRAPPERS:
            return False
        while words and not _is_program(words[0]):
            words.pop(0)
    return False


def _is_program(word: str) -> bool:
    """Return whether a word behind a wrapper can be a program: no option, no variable and no number."""
    return not word.startswith("-") and "=" not in word and not word[:1].isdigit()


def _words(text: str) -> list[str]:
    lexer = shlex.shlex(text, posix=True, punctuation_chars=True)
    lexer.whitespace_split, lexer.commenters = True, ""
    try:
        return [*lexer]
    except ValueError:
        return text.split()


def _works(course: Course, benchmark: str) -> bool:
    """Return whether a benchmark uses the processor for a good part of its time; what has not run yet may."""
    cpu, seconds = course.spent[benchmark]
    return cpu >= _WORKS * seconds


def judged(
    rows: Mapping[str, str], primary: Collection[str], row: Mapping[str, Any], programs: Collection[str]
) -> bool:
    """Return whether a row belongs to what decides one of the programs."""
    return any(decides(row["metric"], rows.get(program, PRIMARY), primary) for program in programs)


# The first look from which the spread is known well enough for a forecast.
_FORECAST_FROM: Final = 2
_PROGRAM: Final = "program"


class LookOutcome(NamedTuple):
    """What a look settles. Each field has names of the plan's benchmarks, in their order."""

    undecided: tuple[str, ...]  # they go on; the others leave the rounds
    hopeless: tuple[str, ...]  # those of ``undecided`` that the last look probably cannot settle
    without: tuple[str, ...] = ()  # they lack the metric that is to decide


def examined(
    comparison: Comparison,
    benchmarks: Sequence[str],
    rounds: Rounds,
    look: int,
    *,
    without: str | None = None,
    decide: Mapping[str, str] | None = None,
    hosts: int = 1,
) -> LookOutcome:
    """Say which benchmarks a look settles, of those that took part up to it; looks are numbered from 1.

    A benchmark of the plan is settled once each row of the metric that decides it is; if any metric does, once each row
    of one primary metric is. A row is settled with ``until="decided"`` if it has a verdict other than "inconclusive"
    and "differs", so that ``compare`` calls it the same; with ``until="width"`` if its interval is narrower than the
    width. A variant without any value has nothing to wait for.

    In the comparison, which has all results so far, the values of ``benchmarks`` state the share of this look. No
    benchmark waits for the variant ``without``. ``decide`` has the metric that decides each benchmark, each primary one
    where none is named. On so many ``hosts`` each round takes place.
    """
    primary, by = primary_metrics(comparison), decide or {}
    own = _rows(comparison, benchmarks, without)
    rows = {name: _groups(own[name], by.get(name, PRIMARY), primary) for name in benchmarks}
    forecast = _FORECAST_FROM <= look < len(rounds.looks)

    def left(name: str) -> list[list[dict[str, Any]]]:
        """Return, of each alternative, the rows that are not settled."""
        return [[row for row in group if not _is_settled(row, rounds)] for group in rows[name]]

    waiting = {name: left(name) for name in benchmarks}
    undecided = [name for name in benchmarks if all(waiting[name])]
    hopeless = [
        name
        for name in undecided
        if forecast
        and waiting[name]
        and all(any(_is_hopeless(comparison, row, rounds, look, hosts) for row in group) for group in waiting[name])
    ]
    return LookOutcome(tuple(undecided), tuple(hopeless), tuple(name for name in by if _lacks(own.get(name), by[name])))


def _lacks(rows: list[dict[str, Any]] | None, by: str) -> bool:
    """Return whether a benchmark has rows, and none of the one metric that is to decide."""
    return bool(rows) and by not in {ANY, PRIMARY} and not _deciding(rows or [], by, ())


def _deciding(rows: list[dict[str, Any]], by: str, primary: Collection[str]) -> list[dict[str, Any]]:
    return [row for row in rows if decides(row["metric"], by, primary)]


def primary_metrics(comparison: Comparison) -> frozenset[str]:
    """Return the names of the metrics that results are about; all if their format distinguishes none."""
    metrics = comparison.observations.metrics
    return frozenset(each.name for each in metrics if each.primary) or frozenset(each.name for each in metrics)


def _rows(comparison: Comparison, benchmarks: Sequence[str], without: str | None) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each of the plan's benchmarks."""
    found: dict[str, list[dict[str, Any]]] = {name: [] for name in benchmarks}
    numbers = {name: number for number, name in enumerate(comparison.observations.benchmarks)}
    by_row, margin = programs(comparison), comparison.arrangement.assignment.margin
    for group, metric, _, _, rows in comparison.weighing.sections():
        for row in map(comparison.weighing.row_dict, rows):
            wanted = found.keys() if row["contender"] != without else set()
            for program in by_row[row["benchmark"], group] & wanted:
                own = margin(metric, numbers[row["benchmark"]]).relative(row["baseline_centre"] or 0.0)
                found[program].append({**row, "margin": own})
    return found


def _groups(rows: list[dict[str, Any]], by: str, primary: Collection[str]) -> list[list[dict[str, Any]]]:
    """Return the rows of each metric if any metric decides, otherwise those of the one that does, as one group.

    A benchmark is settled once all rows of a group are. Without any row there is no group. Where a benchmark has no
    values of the metric that decides, each primary one does.
    """
    own = _deciding(rows, by, primary)
    if by == ANY:
        return [
            [row for row in own if row["metric"] == metric] for metric in dict.fromkeys(row["metric"] for row in own)
        ]
    own = own or [row for row in rows if row["metric"] in primary]
    return [own] if own else []


def programs(comparison: Comparison) -> dict[tuple[str, int], set[str]]:
    """Return the plan's benchmarks of each benchmark and group; a key names the program of values of a format."""
    observations, assignment = comparison.observations, comparison.arrangement.assignment
    names, contexts = observations.benchmarks, observations.contexts
    found: dict[tuple[str, int], set[str]] = {}
    for benchmark, context in observations.native.contexts_of_benchmarks():
        name = names[benchmark]
        programs = found.setdefault((name, assignment.group_of_context[context]), set())
        programs.add(contexts[context].keys.get(_PROGRAM) or name)
    return found


def deciding_rows(comparison: Comparison, decide: Mapping[str, str]) -> frozenset[int] | None:
    """Return the rows of the metrics that decide; None if there are none."""
    primary, by_row, weighing = primary_metrics(comparison), programs(comparison), comparison.weighing
    groups = {name: number for number, name in enumerate(comparison.arrangement.groups)}

    def decides(row: int) -> bool:
        fields = weighing.row_dict(row)
        return judged(decide, primary, fields, by_row[fields["benchmark"], groups[fields["group"]]])

    return frozenset(filter(decides, range(len(weighing)))) or None


def decided_notes(comparison: Comparison, decide: Mapping[str, str]) -> list[Note]:
    """Say what the metric that decided shows, where it shows something and another one shows no clear change."""
    primary, by_row, weighing = primary_metrics(comparison), programs(comparison), comparison.weighing
    groups = {name: number for number, name in enumerate(comparison.arrangement.groups)}
    own: dict[str, list[int]] = {}
    unclear = False
    for row in range(len(weighing)):
        fields = weighing.row_dict(row)
        metrics = {decide.get(each, PRIMARY) for each in by_row[fields["benchmark"], groups[fields["group"]]]}
        if metrics & {ANY, PRIMARY}:
            continue
        if any(decides(fields["metric"], by, primary) for by in metrics):
            own.setdefault(fields["metric"], []).append(row)
        else:
            unclear |= fields["verdict"] == "inconclusive"
    if not unclear:
        return []
    return [
        Note("decided-by", f"{metric} decided: {_said_of(weighing, rows)}")
        for metric, rows in own.items()
        if any(weighing.row_dict(row)["verdict"] != "inconclusive" for row in rows)
    ]


def _said_of(weighing: _native.Weighing, rows: list[int]) -> str:
    """Write verdict and change of a row, or count the verdicts of several."""
    words = Counter(shown(weighing.cell(row, "word")) for row in rows)
    if len(rows) > 1:
        return ", ".join(f"{count:,} {word}" for word, count in words.most_common())
    change = " ".join(cell for cell in weighing.cells(rows[0], ("change", "interval")) if cell and cell != "-")
    return f"{next(iter(words))} {change}".rstrip()


def _is_settled(row: dict[str, Any], rounds: Rounds) -> bool:
    if rounds.until == "width" and row["change_low"] is not None:
        return _width(row) < (rounds.width or 0.0)
    return row["verdict"] in SETTLED


def _width(row: dict[str, Any]) -> float:
    """Return the width of the interval, relative: how much larger its upper end is than its lower one."""
    low, high = row["change_low"], row["change_high"]
    if low is None or high is None:
        return float("inf")
    if row["scale"] == "ratio":
        return (1 + high) / (1 + low) - 1 if low > -1 else float("inf")
    centre = abs(row["baseline_centre"])
    return (high - low) / centre if centre else float("inf")


def _is_hopeless(comparison: Comparison, row: dict[str, Any], rounds: Rounds, look: int, hosts: int) -> bool:
    """Return whether the last look probably cannot settle a row, by the forecast of the rounds that it needs.

    A change of the margin needs the number of the row, and a larger one, if that is what the row shows, needs fewer.
    """
    limit = rounds.looks[-1] * hosts
    if rounds.until == "width":
        return _width(row) * sqrt(row["baseline_n"] / limit) >= (rounds.width or 0.0)
    needed = row["runs_needed"]
    if not needed or row["change"] is None or not row["margin"]:
        return False
    policy, normal = comparison.policy, NormalDist()
    now, last = (
        normal.inv_cdf(1 - policy.alpha * share / 2) + normal.inv_cdf(policy.power)
        for share in (rounds.shares[look - 1], rounds.shares[-1])
    )
    excess = _size(row) / log1p(row["margin"])
    return bool(needed * (last / now / max(excess, 1.0)) ** 2 > limit)


def _size(row: dict[str, Any]) -> float:
    """Return the size of a row's change, relative and on a scale on which doubling and halving are equally large."""
    if row["scale"] == "ratio":
        return abs(log1p(row["change"])) if row["change"] > -1 else float("inf")
    centre = abs(row["baseline_centre"])
    return abs(row["change"]) / centre if centre else 0.0


class ResultsSoFar:
    """Compares what the folder of a run holds so far."""

    def __init__(self, plan: Plan, folder: Path, settings: Settings) -> None:
        self._plan, self._folder, self._settings = plan, folder, settings

    def look(self, benchmarks: Sequence[str], number: int, share: float, decide: Mapping[str, str]) -> LookOutcome:
        """Say which of these benchmarks look ``number`` settles, if it spends this share of alpha.

        ``decide`` has the metric that decides each benchmark.
        """
        rounds, policy = self._plan.rounds, self._settings.policy
        # The folder states the share that was planned; a look that ends a run early spends what is left.
        policy = policy._replace(alpha=policy.alpha * share / rounds.shares[number - 1])
        comparison = self._compared(self._settings._replace(policy=policy))
        if comparison is None:
            return LookOutcome(tuple(benchmarks), ())
        without = self_test.again(self._plan)
        hosts = max(len(self._plan.hosts), 1)
        return examined(comparison, benchmarks, rounds, number, without=without, decide=decide, hosts=hosts)

    def effects(self) -> list[str]:
        """Return the running effects as lines; none if there is nothing to compare yet."""
        comparison = self._compared(self._settings)
        return [] if comparison is None else progress.effects(comparison)

    def _compared(self, settings: Settings) -> Comparison | None:
        try:
            return pipeline.compare([self._folder], request_of(self._plan), settings)
        except Stop:
            return None
