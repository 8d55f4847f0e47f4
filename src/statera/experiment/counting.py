"""Exact counts after the rounds: each benchmark of each variant, under callgrind."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.experiment import callgrind
from statera.experiment.recording import Task

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from statera.experiment.course import Course
    from statera.experiment.invoking import Invoker
    from statera.experiment.plan import Cell, Plan
    from statera.experiment.watching import Watching
    from statera.reading.store.records import CountRecord


def counted(
    plan: Plan,
    cells: Iterable[Cell],
    course: Course,
    *,
    invoker: Invoker,
    watching: Watching,
    record: Callable[[CountRecord], None],
) -> None:
    """Count the instructions of the cells, as often as callgrind wants, but for those that the journal holds."""
    if callgrind.NAME not in plan.machine.counters:
        return
    reason = callgrind.missing()
    if reason is not None:
        watching.complain(f"no instructions are counted: {reason}")
        return
    of_benchmark: dict[int, list[Cell]] = {}
    for cell in cells:
        of_benchmark.setdefault(cell.benchmark, []).append(cell)
    for benchmark, own in of_benchmark.items():
        for place in range(1, callgrind.TIMES + 1):
            waiting = [cell for cell in own if course.counted[_pair(plan, cell)] < place]
            if not waiting:
                continue
            if place == 1:
                watching.say(f"counting the instructions of {plan.benchmarks[benchmark]}")
            # The others are there for their lengths alone.
            others = [cell for cell in own if cell not in waiting]
            for task, count in _count(waiting, others, course.number + 1, place, invoker):
                record(_record(plan, task, count))


def _pair(plan: Plan, cell: Cell) -> tuple[str, str]:
    return plan.benchmarks[cell.benchmark], plan.variants[cell.variant].name


def _record(plan: Plan, task: Task, count: int | str) -> CountRecord:
    return {
        "kind": "count",
        "number": task.number,
        "benchmark": plan.benchmarks[task.cell.benchmark],
        "variant": plan.variants[task.cell.variant].name,
        "counters": {callgrind.METRIC: count},
    }


def _count(
    cells: list[Cell], others: list[Cell], number: int, place: int, invoker: Invoker
) -> Iterator[tuple[Task, int | str]]:
    """Count each cell once; the lengths of arguments and environments are those of the longest, others included."""
    tasks = [Task(number + at, 0, place, cell) for at, cell in enumerate([*cells, *others])]
    padded = callgrind.of_one_length([*map(invoker.invocation, tasks)])
    for task, invocation in zip(tasks[: len(cells)], padded, strict=False):
        why = invoker.around(task, "prepare")
        yield task, why or callgrind.count(invocation, invoker.launcher)
        invoker.around(task, "conclude")
