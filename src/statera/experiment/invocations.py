"""One invocation of the plan: what is asked of the launcher, the commands around it, and its record.

Commands that are not measured (setup, prepare, conclude, cleanup) run on all cores, with the same limit on time.
"""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from statera.experiment import schedule
from statera.experiment.launcher import VARIABLE, Invocation
from statera.experiment.placeholders import filled
from statera.reading import observations
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.experiment.launcher import Launcher, Outcome
    from statera.experiment.plan import Cell, Command, Machine, Plan
    from statera.reading.store.journal import FailureRecord, InvocationRecord
    from statera.reading.store.run_folder import RunFolder

    Recorded = InvocationRecord | FailureRecord

# What is measured of an invocation, in the order of its record.
_MEASURED: Final = (
    *("started", "time", "user", "system", "memory", "minor_faults", "major_faults"),
    *("voluntary_switches", "involuntary_switches"),
)
PADDING: Final = "STATERA_PADDING"
# The file that takes what a command printed on standard error; the next command replaces it.
_ERRORS: Final = "raw/errors.txt"
# Names in a message.
_FEW: Final = 5
# Characters at the end of such a file that a message quotes.
_QUOTED: Final = 400


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


def recorded(plan: Plan, task: Task, outcome: Outcome, output: Output) -> Recorded:
    """Return the record of an invocation that was asked for, ended and left this output."""
    reason = _failure(outcome, plan.machine)
    if reason is not None:
        return failed(plan, task, reason, outcome.message, output.name)
    if output.why:
        return failed(plan, task, "no-results", output.why, output.name)
    return _sample(plan, task, outcome, output.name)


def failed(plan: Plan, task: Task, reason: str, message: str, output: str | None = None) -> FailureRecord:
    """Return the record of an invocation that gives no sample."""
    record = {"kind": "failure", **_head(plan, task), "reason": reason, "message": message}
    return cast("FailureRecord", record if output is None else {**record, "output": output})


def _sample(plan: Plan, task: Task, outcome: Outcome, output: str | None) -> InvocationRecord:
    measured = {name: getattr(outcome, name) for name in _MEASURED}
    record = {"kind": "invocation", **_head(plan, task), **measured, "exit": outcome.exit or 0}
    optional = {
        "together": outcome.together,
        "counters": outcome.counters,
        "remarks": outcome.remarks,
        "output": output,
        "left_over": outcome.left_over,
        "warmup": task.round == 0,
    }
    return cast("InvocationRecord", record | {name: value for name, value in optional.items() if value})


def _head(plan: Plan, task: Task) -> dict[str, object]:
    benchmark, variant = plan.names(task.cell)
    numbers = {"number": task.number, "round": task.round, "order": task.order}
    return {**numbers, "benchmark": benchmark, "variant": variant}


def _failure(outcome: Outcome, machine: Machine) -> str | None:
    if outcome.failure != "exit" or not machine.accept_failures:
        return outcome.failure
    accepted = not machine.accepted_codes or outcome.exit in machine.accepted_codes
    return None if accepted else "exit"


def read_output(path: Path, name: str, harness_format: str) -> Output:
    """Read which benchmarks a file or folder has results of."""
    try:
        read = observations.read([path], format=harness_format)
    except Stop as stop:
        return Output(name, why=str(stop))
    if not len(read):
        return Output(name, why=str(observations.nothing_read(read)))
    return Output(name, frozenset(read.benchmarks))


class Invoker:
    """Makes invocations, one or two at a time, and describes each in a record.

    Attributes:
        identity: of the run; all that it starts has it in its environment.
        launcher: starts commands.

    """

    def __init__(self, plan: Plan, folder: RunFolder, identity: str, launcher: Launcher) -> None:
        self.identity, self.launcher = identity, launcher
        self._plan, self._folder = plan, folder
        # Reading the environment takes longer than all else that is done between two commands.
        self._variables = dict(os.environ)
        self._sets: dict[tuple[int, int], frozenset[str]] = {}
        # From which round on the standard error of a benchmark is kept, after a failure: for all variants alike.
        self._watched: dict[int, int] = {}

    def once(self, command: Command, what: str, values: dict[str, str] | None = None) -> str:
        """Run a command that is not measured; return what went wrong, or nothing."""
        outcome = _unless_full(self.launcher.run(self._unmeasured(_with(command, values or {}))))
        return "" if outcome.failure is None else f"{what}: {outcome.message}{self._quoted()}"

    def made(self, tasks: tuple[Task, ...], complain: Callable[[str], object]) -> Sequence[Recorded]:
        """Make one invocation, or two at the same time, with the commands before and after each.

        Args:
            tasks: what to run.
            complain: takes what went wrong afterwards, which does not concern the measurement.

        """
        if self._plan.machine.cool:
            time.sleep(self._plan.machine.cool)
        unprepared = [self.around(task, "prepare") for task in tasks]
        if any(unprepared):
            # Two at the same time are one measurement.
            why = "; ".join(filter(None, unprepared))
            records: Sequence[Recorded] = [failed(self._plan, each, "prepare", why) for each in tasks]
        else:
            records = self._measured(tasks, complain)
        for task in tasks:
            why = self.around(task, "conclude")
            if why:
                complain(f"{self._name(task)}: {why}")
        return records

    def _measured(self, tasks: tuple[Task, ...], complain: Callable[[str], object]) -> list[Recorded]:
        asked = [self.invocation(task) for task in tasks]
        made = [self.launcher.run(asked[0])] if len(asked) == 1 else list(self.launcher.both(asked[0], asked[1]))
        outcomes = [_unless_full(each) for each in made]
        outputs = [self._left(task) for task in tasks]
        for task, output in zip(tasks, outputs, strict=True):
            self._compare_sets(task, output, complain)
        records = [recorded(self._plan, *of_one) for of_one in zip(tasks, outcomes, outputs, strict=True)]
        for task, record in zip(tasks, records, strict=True):
            self._keep_errors(task, record)
        return records

    def _errors(self, task: Task) -> str | None:
        """Return the file that keeps what an invocation prints on standard error, relative to the run's folder.

        It costs the command a little time: there is one in warm-ups, and once a command of the benchmark failed.
        """
        watched = task.round == 0 or task.round >= self._watched.get(task.cell.benchmark, task.round + 1)
        return self._folder.errors(task.number) if watched and task.cell.output != "inherit" else None

    def _keep_errors(self, task: Task, record: Recorded) -> None:
        """Keep what a failed invocation printed on standard error, and remove what another one did."""
        if record["kind"] == "failure":
            self._watched.setdefault(task.cell.benchmark, task.round + 1)
        name = self._errors(task)
        if name is None:
            return
        if record["kind"] == "failure" and _size(self._folder.path / name):
            record["errors"] = name
        else:
            (self._folder.path / name).unlink(missing_ok=True)

    def printed(self, record: FailureRecord) -> str:
        """Return the end of what a failed invocation printed on standard error, as far as that is kept."""
        return _end_of(self._folder.path / record["errors"]) if "errors" in record else ""

    def _compare_sets(self, task: Task, output: Output, complain: Callable[[str], object]) -> None:
        """Report a harness that has results of other benchmarks than in its first invocation."""
        if not output.benchmarks:
            return
        first = self._sets.setdefault((task.cell.benchmark, task.cell.variant), output.benchmarks)
        lost, new = sorted(first - output.benchmarks), sorted(output.benchmarks - first)
        if lost or new:
            words = [f"no {listed(lost, _FEW)}"] * bool(lost) + [f"also {listed(new, _FEW)}"] * bool(new)
            complain(f"{self._name(task)}: not always the same benchmarks: {', '.join(words)} [benchmarks-change]")

    def around(self, task: Task, what: str) -> str:
        """Run the command ``prepare`` or ``conclude`` of a task; return what went wrong, or nothing."""
        command = task.cell.prepare if what == "prepare" else task.cell.conclude
        return "" if command is None else self.once(command, what, self._values(task))

    def invocation(self, task: Task) -> Invocation:
        """Return what is asked of the starter; an empty folder for ``{out}`` exists from then on."""
        cell, machine = task.cell, self._plan.machine
        if _names_out(cell.command):
            _emptied(self._folder.path / self._folder.output(task.number, folder=True))
        command = _with(cell.command, self._values(task))
        return Invocation(
            arguments=command.arguments,
            environment=self._environment(command, task.round),
            directory=command.directory or str(Path.cwd()),
            input=cell.input,
            output=self._output(task),
            # What is shown is both streams, in the order of a terminal.
            errors=self._output(task) if cell.output == "inherit" else self._absolute(self._errors(task)),
            captured=machine.captured,
            timeout=machine.timeout,
            cpus=task.cpus,
            nice=machine.nice,
            aslr=machine.aslr,
            memory=machine.memory,
            counters=tuple(each for each in machine.counters if each != "callgrind"),
        )

    def _absolute(self, name: str | None) -> str | None:
        return None if name is None else str(self._folder.path / name)

    def _unmeasured(self, command: Command) -> Invocation:
        return Invocation(
            arguments=command.arguments,
            environment=self._environment(command, 0),
            directory=command.directory or str(Path.cwd()),
            errors=str(self._folder.path / _ERRORS),
            captured=self._plan.machine.captured,
            timeout=self._plan.machine.timeout,
        )

    def _environment(self, command: Command, number: int) -> tuple[tuple[str, str], ...]:
        """Return all variables; in each round they grow by the same number of bytes for every variant."""
        own = {VARIABLE: self.identity, PADDING: "x" * schedule.padding(self._plan, number)}
        return tuple({**self._variables, **dict(command.environment), **own}.items())

    def _values(self, task: Task) -> dict[str, str]:
        out = self._folder.path / self._folder.output(task.number, folder=True)
        return {"out": str(out.absolute()), "round": str(task.round)}

    def _output(self, task: Task) -> str | None:
        if task.cell.output == "discard":
            return None
        if task.cell.output in {"capture", "inherit"}:
            return str(self._folder.path / self._folder.output(task.number))
        return task.cell.output

    def _left(self, task: Task) -> Output:
        """Return what the invocation left in the run's folder: the folder that was ``{out}``, else what it printed."""
        cell, printed = task.cell, self._folder.output(task.number)
        if cell.output == "inherit":
            _show(self._folder.path / printed)
        name = self._folder.output(task.number, folder=True) if _names_out(cell.command) else printed
        if name == printed and cell.output not in {"capture", "inherit"}:
            return Output(None, why="" if cell.format is None else "it left no output")
        return Output(name) if cell.format is None else read_output(self._folder.path / name, name, cell.format)

    def _quoted(self) -> str:
        """Return the end of what the last unmeasured command printed on standard error."""
        text = _end_of(self._folder.path / _ERRORS)
        return f": {text}" if text else ""

    def _name(self, task: Task) -> str:
        return ", ".join(self._plan.names(task.cell))


def _end_of(path: Path) -> str:
    """Return the end of a file, or nothing."""
    try:
        return path.read_text(errors="replace")[-_QUOTED:].strip()
    except OSError:
        return ""


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _unless_full(outcome: Outcome) -> Outcome:
    """Return an outcome. On a full disk the run ends without a record, so that the invocation is made again."""
    if outcome.failure == "disk-full":
        raise Stop("disk-full", f"{outcome.message}. Free some space, and continue the run")
    return outcome


def _show(path: Path) -> None:
    """Copy what a command printed on both streams to standard error, as standard output is for the comparison."""
    try:
        sys.stderr.write(path.read_text(errors="backslashreplace"))
    except FileNotFoundError:
        return
    sys.stderr.flush()


def _with(command: Command, values: dict[str, str]) -> Command:
    return command._replace(
        arguments=tuple(filled(word, values) for word in command.arguments),
        environment=tuple((name, filled(value, values)) for name, value in command.environment),
    )


def _names_out(command: Command) -> bool:
    texts = [*command.arguments, *(value for _, value in command.environment)]
    return any("{out}" in text.replace("{{", "") for text in texts)


def _emptied(folder: Path) -> None:
    """Make an empty folder; a killed run may have left one with this number."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
