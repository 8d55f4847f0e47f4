"""What became of an invocation, as a record of the journal: a sample, or a failure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.errors import Stop

if TYPE_CHECKING:
    from pathlib import Path

    from statera.experiment.invocation import Outcome
    from statera.experiment.plan import Cell, Machine, Plan
    from statera.store.records import FailureRecord, InvocationRecord


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


def recorded(
    plan: Plan, task: Task, outcome: Outcome, folder: Path, output: str | None
) -> InvocationRecord | FailureRecord:
    """Return the record of an invocation.

    Args:
        plan: the plan.
        task: what was asked for.
        outcome: how it ended.
        folder: the run's folder.
        output: what it left there, relative to the folder; None: nothing.

    """
    reason = _failure(outcome, plan.machine)
    if reason is not None:
        return failed(plan, task, reason, outcome.message, output)
    if task.cell.format is not None:
        why = "it left no output" if output is None else _unreadable(folder / output, task.cell.format)
        if why:
            return failed(plan, task, "no-results", why, output)
    return _sample(plan, task, outcome, output)


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


def _unreadable(path: Path, format: str) -> str:  # noqa: A002 - the word that users know
    """Return why an output holds no results in a format; nothing if it holds some."""
    from statera import observations  # noqa: PLC0415 - only where a harness prints results

    try:
        read = observations.read([path], format=format)
    except Stop as stop:
        return str(stop)
    return "" if len(read) else str(observations.nothing_read(read))
