"""Which metric decides when a benchmark ends, and what a gate judges.

The metric is fixed before the first look, by what the machine reports and by the commands, never by a difference
between variants. The error rates do not rest on that alone: every look spends its share of alpha on each metric,
whichever of them ends the rounds.
"""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from statera.comparison.pairing import Request
from statera.support.errors import Stop
from statera.support.wording import conjoined, suggestion

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from statera.experiment.course import Course
    from statera.experiment.plan import Plan

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

    Args:
        plan: what is run.
        where: the option or the key that names the metric.

    Raises:
        Stop: no benchmark can have the metric.

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
    """Return the metric that decides each benchmark.

    Args:
        plan: what is run.
        course: the rounds so far; of them only the shares of processor time count.
        busy: whether other work had a good part of the machine meanwhile.

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
