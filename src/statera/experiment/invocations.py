"""One invocation of the plan: what is asked of the launcher, the commands around it, and its record.

Commands that are not measured (setup, prepare, conclude, cleanup) run on all cores, with the same limit on time.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast

from statera.experiment import readings, schedule
from statera.experiment.launcher import HOPELESS, STAYS, VARIABLE, Invocation, ServiceEnded
from statera.experiment.services import FORMS, Runs, Services, with_values
from statera.experiment.suites import RESULTS, parted, together
from statera.experiment.words import PORTS
from statera.reading import observations
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.experiment.launcher import Launcher, Outcome
    from statera.experiment.plan import Cell, Command, Machine, Plan
    from statera.experiment.services import Instance, Values
    from statera.reading.store.journal import FailureRecord, InvocationRecord
    from statera.reading.store.run_folder import RunFolder

    Recorded = InvocationRecord | FailureRecord

# What is measured of an invocation, in the order of its record.
_MEASURED: Final = (
    *("started", "time", "user", "system", "memory", "minor_faults", "major_faults"),
    *("voluntary_switches", "involuntary_switches"),
)
# What rows that share a process have in equal parts.
_TIMES: Final = ("time", "user", "system")
PADDING: Final = "STATERA_PADDING"
# The file that takes what a command printed on standard error; the next command replaces it.
_ERRORS: Final = "raw/errors.txt"
# Of those that may leave processes behind, which write on: a file for each kind.
_KEPT: Final = {"setup": "raw/setup.txt", "prepare": "raw/prepare.txt"}
# Seconds for one question whether a service is ready.
_ANSWER: Final = 5.0
# A larger output keeps its ports.
_MOST_NAMED: Final = 1 << 24
# Names in a message.
_FEW: Final = 5
# Characters at the end of such a file that a message quotes.
_QUOTED: Final = 400


class Task(NamedTuple):
    """An invocation that is to be made."""

    number: int  # it counts all invocations of the run
    round: int  # 0 in a warm-up
    order: int  # place within the round among the invocations of the benchmark, from 1
    cell: Cell  # what runs
    cpus: tuple[int, ...] = ()  # the cores for it; empty: those of statera
    # the cells that the process runs, if they are several; ``cell`` is then what runs them. Their records have the
    # numbers from ``number`` on.
    rows: tuple[Cell, ...] = ()

    @classmethod
    def of(cls, cells: tuple[Cell, ...], number: int, at: int, order: int, cpus: tuple[int, ...] = ()) -> Task:
        """Return what runs one cell, or several of a suite in one process, in round ``at``."""
        if len(cells) == 1:
            return cls(number, at, order, cells[0], cpus)
        return cls(number, at, order, together(cells), cpus, cells)

    def alone(self) -> list[Task]:
        """Return a task for each cell."""
        cells = enumerate(self.rows or (self.cell,))
        return [self._replace(number=self.number + at, cell=cell, rows=()) for at, cell in cells]


class Output(NamedTuple):
    """What an invocation left in the run's folder."""

    name: str | None = None  # a file or folder, relative to the run's folder; None: nothing was kept
    benchmarks: frozenset[str] = frozenset()  # the benchmarks that it has results of, if the cell has a format
    why: str = ""  # why no result could be read; empty if there are some, or if the cell has no format


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
    """Makes invocations, one or two at a time, and describes each in a record."""

    def __init__(self, plan: Plan, folder: RunFolder, identity: str, launcher: Launcher) -> None:
        self.identity = identity  # of the run; all that it starts has it in its environment
        self.launcher = launcher
        self._plan, self._folder = plan, folder
        # Reading the environment takes longer than all else that is done between two commands.
        self._variables = dict(os.environ)
        self._sets: dict[tuple[int, int], frozenset[str]] = {}
        # What placeholders of services stand for in the tasks that are being made.
        self._given: dict[int, Values] = {}
        self._has_left_over = False
        # Suites whose rows fail in one process, and do not alone.
        self._apart: set[str | None] = set()
        runs = Runs(
            launcher,
            lambda command: self._environment(command, 0),
            self._is_ready,
            self._ended_once,
            self._told,
        )
        self.services = Services(plan, folder.path, runs)
        self.say: Callable[[str], object] = lambda _: None  # takes lines for the user
        # From which round on the standard error of a benchmark is kept, after a failure: for all variants alike.
        self._failing: dict[int, int] = {}

    def once(self, command: Command, what: str, values: Values | None = None) -> str:
        """Run a command that is not measured; return what went wrong, or nothing.

        What ``setup`` leaves behind ends with the run, and what ``prepare`` does with the invocation that follows.
        """
        filled = with_values(command, values or {})
        if what not in _KEPT:
            with self._watched(f"while {what} ran"):
                return self._ended_once(filled, what)
        invocation = self._unmeasured(filled, _KEPT[what])
        stays = invocation._replace(environment=(*invocation.environment, (STAYS, "1")))
        with self._watched(f"while {what} ran"):
            outcome = _unless_full(self.launcher.kept(stays, what, lambda: self._say_slow(what)))
        self._fetched(outcome, _KEPT[what])
        self._has_left_over |= what == "prepare" and outcome.left_over > 0
        return "" if outcome.failure is None else f"{what}: {outcome.message}{self._quoted(_KEPT[what])}"

    def _ended_once(self, command: Command, what: str) -> str:
        outcome = _unless_full(self.launcher.run(self._unmeasured(command)))
        self._fetched(outcome, _ERRORS)
        return "" if outcome.failure is None else f"{what}: {outcome.message}{self._quoted()}"

    def _is_ready(self, command: Command) -> bool:
        outcome = self.launcher.run(self._unmeasured(command)._replace(timeout=_ANSWER))
        if outcome.failure in HOPELESS:
            raise Stop("cannot-start", f"ready: {outcome.message}. Correct this command, or write {FORMS}")
        return outcome.failure is None

    def _told(self, text: str) -> None:
        self.say(text)

    def _say_slow(self, what: str) -> None:
        self.say(f"{what} runs for 10 s and has not ended. A server that does not end is a service (--service)")

    @contextmanager
    def _watched(self, meanwhile: str) -> Iterator[None]:
        """End the run if a service ends in the block, and the command that runs."""
        try:
            yield
        except ServiceEnded as event:
            self.services.ended(event.service, meanwhile)

    def made(self, tasks: tuple[Task, ...], complain: Callable[[str], object]) -> Sequence[Recorded]:
        """Make one invocation, or two at the same time, with the commands before and after each.

        Of a process that runs several rows there is a record for each row. If it fails, each row runs alone.
        ``complain`` takes what went wrong afterwards, which does not concern the measurement.
        """
        if not any(task.rows for task in tasks):
            return self._made(tasks, complain)
        if self._apart.isdisjoint(task.cell.suite for task in tasks):
            records = self._made(tasks, complain)
            failures = [record for record in records if record["kind"] == "failure"]
            if not failures:
                return [
                    each
                    for task, record in zip(tasks, records, strict=True)
                    for each in (self._parted(task, record, complain) if task.rows else [record])
                ]
            names = "; ".join(map(self._name, tasks))
            complain(f"{names}: {failures[0]['message']}. Each row runs alone in this round")
        found = [
            record
            for each in zip_longest(*(task.alone() for task in tasks))
            for record in self._made(_there(each), complain)
        ]
        if not any(record["kind"] == "failure" for record in found):
            # They fail together only.
            self._apart.update(task.cell.suite for task in tasks if task.rows)
        return found

    def _parted(self, task: Task, whole: Recorded, complain: Callable[[str], object]) -> list[Recorded]:
        """Give each row of a process a record, and the part of the results that is its own."""
        results = self._folder.path / self._folder.output(task.number, folder=True) / RESULTS
        try:
            parts = parted(task.rows, results.read_bytes())
        except (OSError, ValueError) as error:
            parts = [None] * len(task.rows)
            complain(f"{self._name(task)}: {error}")
        found: list[Recorded] = []
        for own, part in zip(task.alone(), parts, strict=True):
            if part is None:
                found.append(failed(self._plan, own, "no-results", "the process of its suite left no results of it"))
                continue
            name = self._folder.output(own.number, folder=True)
            _write_alone(self._folder.path / name, part)
            output = read_output(self._folder.path / name, name, own.cell.format or "")
            self._compare_sets(own, output, complain)
            found.append(_shared(whole, _head(self._plan, own), name, len(task.rows)))
        return found

    def _made(self, tasks: tuple[Task, ...], complain: Callable[[str], object]) -> Sequence[Recorded]:
        if self._plan.machine.cool:
            time.sleep(self._plan.machine.cool)
        served: list[list[Instance]] = []
        codes: list[dict[str, int]] = []
        try:
            for task in tasks:
                instances, self._given[task.number] = self.services.begin(task.cell)
                served.append(instances)
            records = self._served(tasks, served, complain)
        finally:
            codes += [self.services.end(each) for each in served]
            self._given.clear()
            if self._has_left_over:
                self.launcher.release("prepare")
                self._has_left_over = False
        for record, own in zip(records, codes, strict=True):
            if record["kind"] == "invocation":
                for name, code in own.items():
                    record["services"][name]["exit"] = code
        return records

    def _served(
        self, tasks: tuple[Task, ...], served: list[list[Instance]], complain: Callable[[str], object]
    ) -> Sequence[Recorded]:
        unprepared = [self.around(task, "prepare") for task in tasks]
        if any(unprepared):
            # Two at the same time are one measurement.
            why = "; ".join(filter(None, unprepared))
            records: Sequence[Recorded] = [failed(self._plan, each, "prepare", why) for each in tasks]
        else:
            records = self._measured(tasks, served, complain)
        for task in tasks:
            why = self.around(task, "conclude")
            if why:
                complain(f"{self._name(task)}: {why}")
        return records

    def _measured(
        self, tasks: tuple[Task, ...], served: list[list[Instance]], complain: Callable[[str], object]
    ) -> list[Recorded]:
        asked = [self.invocation(task) for task in tasks]
        meanwhile = f"while {'; '.join(map(self._name, tasks))} ran (round {tasks[0].round})"
        before = [_used(each) for each in served]
        with self._watched(meanwhile):
            made = [self.launcher.run(asked[0])] if len(asked) == 1 else list(self.launcher.both(asked[0], asked[1]))
        outcomes = [_unless_full(each) for each in made]
        used = [_since(*each) for each in zip(served, before, strict=True)]
        for task, outcome in zip(tasks, outcomes, strict=True):
            self._fetched(outcome, *filter(None, (self._errors(task), self._left_at(task))))
        for each, outcome in zip(served, outcomes, strict=True):
            self.services.check(each, meanwhile, failed=outcome.failure is not None)
        outputs = [self._left(task) for task in tasks]
        for task, output in zip(tasks, outputs, strict=True):
            self._compare_sets(task, output, complain)
        records = [recorded(self._plan, *of_one) for of_one in zip(tasks, outcomes, outputs, strict=True)]
        for record, of_services in zip(records, used, strict=True):
            if of_services and record["kind"] == "invocation":
                record["services"] = of_services
        for task, record in zip(tasks, records, strict=True):
            self._keep_errors(task, record)
        return records

    def _errors(self, task: Task) -> str | None:
        """Return the file that keeps what an invocation prints on standard error, relative to the run's folder.

        It costs the command a little time: there is one in warm-ups, and once a command of the benchmark failed.
        """
        watched = task.round == 0 or task.round >= self._failing.get(task.cell.benchmark, task.round + 1)
        return self._folder.errors(task.number) if watched and task.cell.output != "inherit" else None

    def _keep_errors(self, task: Task, record: Recorded) -> None:
        """Keep what a failed invocation printed on standard error, and remove what another one did."""
        if record["kind"] == "failure":
            self._failing.setdefault(task.cell.benchmark, task.round + 1)
        name = self._errors(task)
        if name is None:
            return
        if record["kind"] == "failure" and _size(self._folder.path / name):
            record["errors"] = name
        else:
            (self._folder.path / name).unlink(missing_ok=True)

    def printed(self, record: FailureRecord) -> str:
        """Return the end of what a failed invocation printed, as far as it is kept: standard error, else its output."""
        # What a harness printed, if it is no result that could not be read.
        names = [record.get("errors"), record.get("output") if record["reason"] == "exit" else None]
        kept = (self._folder.path / name for name in names if name is not None)
        return next(filter(None, (_end_of(each) for each in kept if each.is_file())), "")

    def _compare_sets(self, task: Task, output: Output, complain: Callable[[str], object]) -> None:
        """Report a harness that has results of other benchmarks than in its first invocation."""
        if not output.benchmarks or task.rows:
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
            self._empty(self._folder.output(task.number, folder=True))
        command = with_values(cell.command, self._values(task))
        return Invocation(
            arguments=command.arguments,
            environment=self._environment(command, task.round),
            directory=command.directory or str(Path.cwd()),
            input=cell.input,
            output=self._output(task),
            # What is shown is both streams, in the order of a terminal.
            errors=self._output(task) if cell.output == "inherit" else self._absolute(self._errors(task)),
            captured=machine.captured,
            timeout=machine.timeout and machine.timeout * max(len(task.rows), 1),
            cpus=task.cpus,
            nice=machine.nice,
            aslr=machine.aslr,
            memory=machine.memory,
            counters=tuple(each for each in machine.counters if each != "callgrind"),
        )

    def _absolute(self, name: str | None) -> str | None:
        """Return where a command finds a file or a folder of the run."""
        return None if name is None else str(self._folder.path.absolute() / name)

    def _empty(self, name: str) -> None:
        """Make an empty folder of the run; a killed one may have left a folder with this number."""
        folder = self._folder.path / name
        if folder.exists():
            shutil.rmtree(folder)
        folder.mkdir(parents=True)

    def _fetched(self, outcome: Outcome, *names: str) -> None:
        """Take note that a command ended which had these files and folders of the run."""

    def own(self, cell: Cell) -> Cell:
        """Return a cell as it runs here."""
        return cell

    def _unmeasured(self, command: Command, errors: str = _ERRORS) -> Invocation:
        return Invocation(
            arguments=command.arguments,
            environment=self._environment(command, 0),
            directory=command.directory or str(Path.cwd()),
            errors=self._absolute(errors),
            captured=self._plan.machine.captured,
            timeout=self._plan.machine.timeout,
        )

    def _environment(self, command: Command, number: int) -> tuple[tuple[str, str], ...]:
        """Return all variables; in each round they grow by the same number of bytes for every variant."""
        own = {VARIABLE: self.identity, PADDING: "x" * schedule.padding(self._plan, number)}
        return tuple({**self._variables, **dict(command.environment), **own}.items())

    def _values(self, task: Task) -> dict[str, str]:
        out = self._absolute(self._folder.output(task.number, folder=True)) or ""
        return {"out": out, "round": str(task.round), **self._given.get(task.number, {})}

    def _output(self, task: Task) -> str | None:
        if task.cell.output == "discard":
            return None
        if task.cell.output in {"capture", "inherit"}:
            return self._absolute(self._folder.output(task.number))
        return task.cell.output

    def _left_at(self, task: Task) -> str | None:
        """Name the file or the folder of the run that an invocation leaves; None: none."""
        if _names_out(task.cell.command):
            return self._folder.output(task.number, folder=True)
        return self._folder.output(task.number) if task.cell.output in {"capture", "inherit"} else None

    def _left(self, task: Task) -> Output:
        """Return what the invocation left in the run's folder: the folder that was ``{out}``, else what it printed."""
        cell, printed = task.cell, self._folder.output(task.number)
        if cell.output == "inherit":
            _show(self._folder.path / printed)
        name = self._folder.output(task.number, folder=True) if _names_out(cell.command) else printed
        if task.number in self._given:
            ports = {name: port for name, port in self._given[task.number].items() if name in PORTS}
            _name_ports(self._folder.path / name, ports)
        if name == printed and cell.output not in {"capture", "inherit"}:
            return Output(None, why="" if cell.format is None else "it left no output")
        return Output(name) if cell.format is None else read_output(self._folder.path / name, name, cell.format)

    def _quoted(self, errors: str = _ERRORS) -> str:
        """Return the end of what the last unmeasured command printed on standard error."""
        text = _end_of(self._folder.path / errors)
        return f": {text}" if text else ""

    def _name(self, task: Task) -> str:
        return name_of(self._plan, task.rows or (task.cell,))


def name_of(plan: Plan, cells: Sequence[Cell]) -> str:
    """Name what a process runs: a benchmark or rows of a suite, and the variant."""
    benchmark, variant = plan.names(cells[0])
    return f"{benchmark if len(cells) == 1 else f'{len(cells)} rows of {cells[0].suite}'}, {variant}"


def _there(tasks: Iterable[Task | None]) -> tuple[Task, ...]:
    return tuple(each for each in tasks if each is not None)


def _write_alone(folder: Path, content: bytes) -> None:
    """Make a folder of the run that holds these results and nothing else."""
    if folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    (folder / RESULTS).write_bytes(content)


def _shared(whole: Recorded, head: dict[str, object], output: str, rows: int) -> Recorded:
    """Return the record of a row: its times are its share of those of the process, so that sums are right."""
    fields = cast("dict[str, Any]", whole)
    times = {name: fields[name] / rows for name in _TIMES}
    return cast("InvocationRecord", {**fields, **head, **times, "output": output, "shared": rows})


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


def _name_ports(path: Path, ports: Values) -> None:
    """Write ``:{port}`` in place of each port in an output: a load generator names its benchmark by the address.

    Ports differ between starts, and with them all names of benchmarks would.
    """
    files = [each for each in path.rglob("*") if each.is_file()] if path.is_dir() else [path]
    for file in files if ports else []:
        if not file.is_file() or file.is_symlink() or file.stat().st_size > _MOST_NAMED:
            continue
        content = named = file.read_bytes()
        for name, port in ports.items():
            named = re.sub(rb":%s(?![0-9])" % port.encode(), b":{%s}" % name.encode(), named)
        if named != content:
            file.write_bytes(named)


def _used(instances: list[Instance]) -> list[readings.Used]:
    """Return the processor time of services up to now; from now on their peaks of memory are new ones."""
    for each in instances:
        readings.forget_peaks(each.started.root)
    return [readings.used(each.started.root) for each in instances]


def _since(instances: list[Instance], before: list[readings.Used]) -> dict[str, dict[str, int | float]]:
    """Return what services used since ``_used``, by their names: processor time in seconds, memory in bytes."""
    roots = [each.started.root for each in instances]
    cpu = [readings.used(root).since(used) for root, used in zip(roots, before, strict=True)]
    return {
        each.service.name: {"cpu": used, "memory": readings.peak(root)}
        for each, root, used in zip(instances, roots, cpu, strict=True)
    }


def _names_out(command: Command) -> bool:
    texts = [*command.arguments, *(value for _, value in command.environment)]
    return any("{out}" in text.replace("{{", "") for text in texts)
