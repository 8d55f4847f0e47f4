"""Names of events that a processor or the kernel counts; Callgrind, which counts where the processor does not."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera.experiment.invocations import PADDING, Task
from statera.experiment.launcher import COUNTERS
from statera.support.errors import Stop
from statera.support.wording import listed, suggestion

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.experiment.course import Course
    from statera.experiment.invocations import Invoker
    from statera.experiment.launcher import Invocation, Launcher
    from statera.experiment.plan import Cell, Plan
    from statera.experiment.progress import Display
    from statera.reading.store.journal import CountRecord

NAME: Final = "callgrind"
METRIC: Final = "instructions (callgrind)"
# So often each command is counted: a single count could not show whether it is exact.
TIMES: Final = 2
# A command takes about fifty times as long under callgrind.
SLOWER: Final = 100
_POINTER: Final = 8
_SUMMARY: Final = re.compile(rb"^summary: (\d+)", re.MULTILINE)
_MESSAGE: Final = re.compile(r"valgrind: |unhandled instruction|unrecognised instruction", re.IGNORECASE)


def missing() -> str | None:
    """Say why callgrind cannot count here; None if it can."""
    if shutil.which("valgrind") is None:
        return "valgrind is not installed or not in the PATH. Install it, for instance with: sudo apt install valgrind"
    return None


def count(invocation: Invocation, launcher: Launcher) -> int | str:
    """Run a command under callgrind.

    Returns:
        the instructions of the command and of all programs that it started, or the reason why there is no count. What
        a process began before it forked counts for its child too, unless that starts another program.
    """
    reason = missing()
    if reason is not None:
        return reason
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        errors = Path(folder) / "errors"
        outcome = launcher.run(_under_callgrind(invocation, folder)._replace(errors=str(errors)))
        if outcome.failure is not None and outcome.failure != "exit":
            return f"{outcome.message}{_said(errors)}"
        return _total(Path(folder)) or f"callgrind left no count{_said(errors)}"


def _under_callgrind(invocation: Invocation, folder: str) -> Invocation:
    words = (
        shutil.which("valgrind") or "valgrind",
        "--quiet",
        f"--tool={NAME}",
        "--trace-children=yes",
        f"--callgrind-out-file={folder.replace('%', '%%')}/count.%p",
        *invocation.arguments,
    )
    timeout = None if invocation.timeout is None else SLOWER * invocation.timeout
    # Valgrind needs memory of its own, many times that of the command.
    return invocation._replace(arguments=words, timeout=timeout, aslr=False, counters=(), memory=None)


def _total(folder: Path) -> int:
    counts = (_SUMMARY.findall(path.read_bytes()) for path in folder.glob("count.*"))
    return sum(int(number) for numbers in counts for number in numbers)


def _said(errors: Path) -> str:
    """Return what valgrind said about itself, in parentheses."""
    try:
        lines = errors.read_text(errors="replace").splitlines()
    except OSError:
        return ""
    found = [line.strip() for line in lines if _MESSAGE.search(line)]
    return f" ({listed(found, 2, between='; ')})" if found else ""


def of_one_length(invocations: Sequence[Invocation]) -> list[Invocation]:
    """Pad the environments, so that arguments and environment take the same number of bytes in all invocations."""
    padded = [_with_padding(each, "") for each in invocations]
    lengths = [_length(each) for each in padded]
    return [_with_padding(each, "x" * (max(lengths) - length)) for each, length in zip(padded, lengths, strict=True)]


def _with_padding(invocation: Invocation, padding: str) -> Invocation:
    others = tuple(pair for pair in invocation.environment if pair[0] != PADDING)
    return invocation._replace(environment=(*others, (PADDING, padding)))


def _length(invocation: Invocation) -> int:
    """Return the bytes of arguments and environment on the stack of a new process, with a pointer to each."""
    texts = [*invocation.arguments, *(f"{name}={value}" for name, value in invocation.environment)]
    return sum(len(os.fsencode(text)) + 1 + _POINTER for text in texts)


def counts_nothing(cells: Iterable[Cell]) -> bool:
    """Return whether a service runs beside every command, so that callgrind would not see what is measured."""
    return all(cell.services for cell in cells)


def refuse_beside_services(plan: Plan) -> None:
    """Refuse callgrind where it would count nothing, because a service runs beside every command."""
    if NAME in plan.machine.counters and counts_nothing(plan.cells):
        raise Stop(
            "bad-option",
            f"{NAME} counts no commands beside a service, whose instructions it would not see. Leave it out; "
            "the processor time of a service is a metric",
        )


def count_all(
    plan: Plan,
    cells: Iterable[Cell],
    course: Course,
    *,
    invoker: Invoker,
    display: Display,
    record: Callable[[CountRecord], None],
) -> None:
    """Count the instructions of the cells, as often as callgrind wants, but for those that the journal holds."""
    if NAME not in plan.machine.counters:
        return
    reason = missing()
    if reason is not None:
        display.complain(f"no instructions are counted: {reason}")
        return
    of_benchmark: dict[int, list[Cell]] = {}
    for cell in cells:
        if cell.services:
            display.complain("callgrind counts no commands beside a service, whose instructions it would not see")
        else:
            of_benchmark.setdefault(cell.benchmark, []).append(cell)
    for benchmark, own in of_benchmark.items():
        for place in range(1, TIMES + 1):
            waiting = [cell for cell in own if course.counted[plan.names(cell)] < place]
            if not waiting:
                continue
            if place == 1:
                display.say(f"counting the instructions of {plan.benchmarks[benchmark]}")
            # The others are there for their lengths alone.
            others = [cell for cell in own if cell not in waiting]
            begins = partial(_begins, plan, course, display)
            for task, count in _counts(waiting, others, course.number + 1, place, invoker=invoker, begins=begins):
                name, variant = plan.names(task.cell)
                counters = {METRIC: count}
                number = task.number
                record({"kind": "count", "number": number, "benchmark": name, "variant": variant, "counters": counters})


def _begins(plan: Plan, course: Course, display: Display, task: Task) -> None:
    display.begins(f"{', '.join(plan.names(task.cell))} under callgrind", course)


def _counts(
    cells: list[Cell],
    others: list[Cell],
    number: int,
    place: int,
    *,
    invoker: Invoker,
    begins: Callable[[Task], None],
) -> Iterator[tuple[Task, int | str]]:
    """Count each cell once; the lengths of arguments and environments are those of the longest, others included."""
    tasks = [Task(number + at, 0, place, cell) for at, cell in enumerate([*cells, *others])]
    padded = of_one_length([*map(invoker.invocation, tasks)])
    for task, invocation in zip(tasks[: len(cells)], padded, strict=False):
        begins(task)
        why = invoker.around(task, "prepare")
        yield task, why or count(invocation, invoker.launcher)
        invoker.around(task, "conclude")


# The executable that starts commands knows the same ones (`crates/runner/src/counters.rs`).
_GENERIC: Final = (
    *("cpu-cycles", "branch-instructions", "bus-cycles", "ref-cycles", "cpu-clock"),
    *("stalled-cycles-frontend", "stalled-cycles-backend", "alignment-faults", "emulation-faults"),
)
_GROUP: Final = "memory.peak"
"""The peak of a control group that holds the command and all that it starts, cached files included, in bytes."""
_CACHE: Final = r"(L1-dcache|L1-icache|LLC|dTLB|iTLB|branch|node)-(load|store|prefetch)(s|es|-misses)"
_RAW: Final = r"r[0-9a-fA-F]{1,16}"
_PATTERN: Final = re.compile(
    rf"(?:{'|'.join((*COUNTERS, *_GENERIC, _CACHE, _RAW))})(?::[uk]{{1,2}})?|{re.escape(_GROUP)}"
)
PATTERN: Final = rf"^({'|'.join((*COUNTERS, *_GENERIC, NAME, _CACHE, _RAW))})(:[uk]{{1,2}})?$|^memory[.]peak$"
"""What a schema says of a name."""
WORDS: Final = f"{', '.join((*COUNTERS, NAME, _GROUP))}, or another name of perf such as L1-dcache-load-misses or r01c4"
# Every invocation records these anyway.
_RECORDED: Final = frozenset({"minor-faults", "major-faults", "faults", "cs", "migrations"})


def is_event(name: object) -> bool:
    """Return whether an event has this name; whether the machine counts it is another question."""
    return isinstance(name, str) and (name == NAME or bool(_PATTERN.fullmatch(name)))


def unknown(name: str) -> str:
    """Say that no event has this name, and which are near."""
    if name in _RECORDED:
        return "every run records faults and switches anyway: --all-metrics shows them"
    known = (*COUNTERS, *_GENERIC, _GROUP, "L1-dcache-loads", "L1-dcache-load-misses", "LLC-loads", "LLC-load-misses")
    return f"no event has this name{suggestion(name, known) or f'; there are {WORDS}'}"
