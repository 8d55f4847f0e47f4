"""What became of an invocation, as a record of the journal: a sample, or a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.support.errors import Stop

if TYPE_CHECKING:
    from pathlib import Path

    from statera.experiment.invocation import Outcome
    from statera.experiment.plan import Cell, Machine, Plan
    from statera.reading.store.records import FailureRecord, InvocationRecord


class Task(NamedTuple):
    """An invocation that is to be made.

    Attributes:
        number: it counts all invocations of the run.
        round: 0 in a warm-up.
        order: place within the round among the invocations of the benchmark, from 1.
        cell: what runs.
        cpus: the cores for it; empty: those of statera.

    """

    number: int
    round: int
    order: int
    cell: Cell
    cpus: tuple[int, ...] = ()


class Output(NamedTuple):
    """What an invocation left in the run's folder.

    Attributes:
        name: a file or folder, relative to the run's folder; None: nothing was kept.
        benchmarks: the benchmarks that it has results of, if the cell has a format.
        why: why no result could be read; empty if there are some, or if the cell has no format.

    """

    name: str | None = None
    benchmarks: frozenset[str] = frozenset()
    why: str = ""


def recorded(plan: Plan, task: Task, outcome: Outcome, output: Output) -> InvocationRecord | FailureRecord:
    """Return the record of an invocation that was asked for, ended and left this output."""
    reason = _failure(outcome, plan.machine)
    if reason is not None:
        return failed(plan, task, reason, outcome.message, output.name)
    if output.why:
        return failed(plan, task, "no-results", output.why, output.name)
    return _sample(plan, task, outcome, output.name)


def failed(plan: Plan, task: Task, reason: str, message: str, output: str | None = None) -> FailureRecord:
    """Return the record of an invocation that gives no sample."""
    record: FailureRecord = {
        "kind": "failure",
        "number": task.number,
        "round": task.round,
        "order": task.order,
        "benchmark": plan.benchmarks[task.cell.benchmark],
        "variant": plan.variants[task.cell.variant].name,
        "reason": reason,
        "message": message,
    }
    if output is not None:
        record["output"] = output
    return record


def _sample(plan: Plan, task: Task, outcome: Outcome, output: str | None) -> InvocationRecord:
    record: InvocationRecord = {
        "kind": "invocation",
        "number": task.number,
        "round": task.round,
        "order": task.order,
        "benchmark": plan.benchmarks[task.cell.benchmark],
        "variant": plan.variants[task.cell.variant].name,
        "started": outcome.started,
        "time": outcome.time,
        "user": outcome.user,
        "system": outcome.system,
        "memory": outcome.memory,
        "minor_faults": outcome.minor_faults,
        "major_faults": outcome.major_faults,
        "voluntary_switches": outcome.voluntary_switches,
        "involuntary_switches": outcome.involuntary_switches,
        "exit": outcome.exit or 0,
    }
    if outcome.counters:
        record["counters"] = outcome.counters
    if outcome.remarks:
        record["remarks"] = outcome.remarks
    if output is not None:
        record["output"] = output
    if outcome.left_over:
        record["left_over"] = outcome.left_over
    if task.round == 0:
        record["warmup"] = True
    return record


def _failure(outcome: Outcome, machine: Machine) -> str | None:
    if outcome.failure != "exit" or not machine.accept_failures:
        return outcome.failure
    accepted = not machine.accepted_codes or outcome.exit in machine.accepted_codes
    return None if accepted else "exit"


def read_output(path: Path, name: str, format: str) -> Output:  # noqa: A002 - the word that users know
    """Read which benchmarks a file or folder has results of."""
    from statera.reading import observations  # noqa: PLC0415 - only where a harness prints results

    try:
        read = observations.read([path], format=format)
    except Stop as stop:
        return Output(name, why=str(stop))
    return (
        Output(name, frozenset(read.benchmarks))
        if len(read)
        else Output(name, why=str(observations.nothing_read(read)))
    )
