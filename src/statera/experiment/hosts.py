"""Where the commands of a run are executed: on this machine, or on the hosts of ``--on``.

A host has the builds and the files that commands name, below a private folder, each at the path that it has here. All
hosts make the same step of a round at the same time. Rounds of different hosts are never a pair, so that what differs
between the machines is in no difference between variants.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import tempfile
from concurrent.futures import Future, ThreadPoolExecutor, wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.experiment.host import System, as_list, facts, pinned
from statera.experiment.invocations import Invoker, Task
from statera.experiment.plan import key_of
from statera.experiment.readings import Readings
from statera.experiment.ssh import Host, HostLost, RemoteLauncher, is_name
from statera.experiment.words import literal
from statera.support.errors import Stop
from statera.support.files.names import as_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from statera.experiment.invocations import Recorded
    from statera.experiment.launcher import Outcome
    from statera.experiment.plan import Cell, Command, Plan
    from statera.reading.store.run_folder import RunFolder

# What facts and checks read, and what is read around each round.
_FACTS: Final = (
    *("/proc/sys/kernel/hostname", "/proc/sys/kernel/osrelease", "/proc/sys/kernel/random/boot_id", "/proc/cpuinfo"),
    *("/proc/meminfo", "/proc/self/status", "/etc/os-release", "/usr/lib/os-release", "/run/systemd/container"),
    *("/sys/devices/system/cpu/online", "/sys/devices/system/cpu/isolated", "/sys/hypervisor/type"),
    *("/sys/devices/system/cpu/cpu0/microcode/version", "/sys/class/dmi/id/product_name"),
)
_READ: Final = (
    *("/proc/stat", "/proc/pressure/cpu", "/proc/pressure/memory", "/proc/pressure/io"),
    "/sys/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq",
    "/sys/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count",
)
_LINES: Final = "-e '^cpu ' -e total= -e '^[0-9][0-9]*$'"
_HERE: Final = ("/.dockerenv", "/run/.containerenv")
# Variables of a connection: they differ from one to the next, and with them the place of the stack.
_OF_CONNECTION: Final = re.compile("SSH_|XDG_SESSION|XDG_RUNTIME|SHLVL$|PWD$|OLDPWD$|_$")


class RemoteInvoker(Invoker):
    """Makes invocations on a host."""

    def __init__(self, plan: Plan, folder: RunFolder, identity: str, machine: RemoteMachine) -> None:
        super().__init__(plan, folder, identity, RemoteLauncher(machine.host, machine.executable))
        self.used = 0.0  # seconds of the processor that its commands used
        self._machine = machine
        self._variables = machine.variables
        self._cells = {(cell.benchmark, cell.variant): moved(cell, plan, machine.work) for cell in plan.cells}

    def own(self, cell: Cell) -> Cell:
        """Return a cell with the paths of the host."""
        return self._cells[cell.benchmark, cell.variant]

    def made(self, tasks: tuple[Task, ...], complain: Callable[[str], object]) -> Sequence[Recorded]:
        """Make invocations as ``Invoker.made``; each record names the host."""
        records = super().made(tuple(self._own_task(each) for each in tasks), complain)
        for record in records:
            record["host"] = self._machine.host.name
        return records

    def _own_task(self, task: Task) -> Task:
        cells = tuple(self.own(each) for each in task.rows or (task.cell,))
        return Task.of(cells, task.number, task.round, task.order, task.cpus)

    def _absolute(self, name: str | None) -> str | None:
        return None if name is None else f"{self._machine.work}/{name}"

    def _empty(self, name: str) -> None:
        folder = shlex.quote(f"{self._machine.work}/{name}")
        self._machine.host.ask(f"rm -rf {folder} && mkdir -p {folder}")

    def _fetched(self, outcome: Outcome, *names: str) -> None:
        """Copy what a command left to the folder of the run here."""
        self.used += outcome.cpu
        for name in names:
            there, here = f"{self._machine.work}/{name}", self._folder.path / name
            if here.suffix:
                answer = self._machine.host.ask(f"cat {shlex.quote(there)} 2>/dev/null")
                if answer.code == 0:
                    here.write_bytes(answer.output)
            else:
                self._machine.host.fetch_folder(there, here)
            self._machine.host.ask(f"rm -rf {shlex.quote(there)}")

    def _name(self, task: Task) -> str:
        return f"{super()._name(task)}, on {self._machine.host.name}"


class RemoteMachine:
    """A host with a private folder for a run."""

    def __init__(self, name: str, identity: str, cpus: tuple[int, ...] = ()) -> None:
        """Connect to a host, and make a folder there; what an earlier session of the run left there is removed.

        Raises ``HostLost`` if it cannot be used, and ``Stop`` if it has not the cores that commands are to use.
        """
        self.host = Host(name)  # the connection
        self.work = ""  # its folder there
        self._mirror = Path(tempfile.mkdtemp(prefix="statera-"))
        try:
            self._check_system()
            # Hosts may share a home: each has a name of its own there.
            base = self._folders(f"run-{identity[:8]}-{key_of(name)[:8]}")
            self.executable = self.host.copy_starter(base)  # starts commands
            self.variables = self._environment()
            self.facts = self._facts()  # what identifies the machine
            if cpus:
                self._check_cores(cpus)
        except BaseException:
            self.close()
            raise

    def _check_system(self) -> None:
        system, _, architecture = self.host.ask("uname -s; uname -m").text.partition("\n")
        here = os.uname()
        if (system, architecture) != (here.sysname, here.machine):
            raise HostLost(
                self.host.name,
                f"it is {system or 'unknown'} on {architecture or 'an unknown processor'}, and programs of this "
                f"machine are for {here.sysname} on {here.machine}. Start the run on a machine like it",
            )
        if self.host.ask("command -v tar && command -v grep && command -v mktemp").code != 0:
            raise HostLost(self.host.name, "it lacks tar, grep or mktemp. Install them there")

    def _folders(self, own: str) -> str:
        """Make the folder of the run; return the folder for what stays."""
        base = self.host.ask('printf %s "${XDG_CACHE_HOME:-$HOME/.cache}/statera"').text
        quoted = shlex.quote(base)
        made = self.host.ask(
            f"umask 077; rm -rf {quoted}/{own}.* 2>/dev/null; mkdir -p {quoted} && mktemp -d {quoted}/{own}.XXXXXXXX"
        )
        if made.code != 0:
            made = self.host.ask(f'umask 077; mktemp -d "${{TMPDIR:-/tmp}}/statera-{own}.XXXXXXXX"')
            base = made.text
        if made.code != 0 or not made.text.startswith("/"):
            raise HostLost(self.host.name, "no folder can be made there, in ~/.cache or in TMPDIR")
        self.work = made.text
        self.host.ask(f"mkdir -p {shlex.quote(self.work)}/raw")
        return base

    def _environment(self) -> dict[str, str]:
        """Return the variables there, without those of the connection."""
        pairs = (os.fsdecode(each).partition("=") for each in self.host.ask("env -0").output.split(b"\0") if each)
        return {name: value for name, _, value in pairs if not _OF_CONNECTION.match(name)}

    def _facts(self) -> dict[str, str]:
        there = " ".join(_HERE)
        self._reflect(f"grep -s '' /dev/null {' '.join(_FACTS)}")
        self._reflect(f"for f in {there}; do test -e $f && echo $f:; done")
        self.refresh()
        arch = self._mirror / "proc/sys/kernel/arch"
        arch.write_text(self.host.ask("uname -m").text)
        libc = self.host.ask("getconf GNU_LIBC_VERSION 2>/dev/null").text
        return {**facts(self.system), **({"libc": as_text(libc)} if libc else {})}

    @property
    def system(self) -> System:
        """The files of the host's system, as far as they were read."""
        return System(str(self._mirror))

    def _check_cores(self, cpus: tuple[int, ...]) -> None:
        try:
            pinned(as_list(cpus), self.system)
        except Stop as stop:
            raise Stop(stop.code, f"{self.host.name}: {str(stop).replace('this machine', 'it')}") from None

    def refresh(self) -> None:
        """Read what the machine reports, anew."""
        self._reflect(f"grep -s {_LINES} /dev/null {' '.join(_READ)}")

    def _reflect(self, script: str) -> None:
        """Write lines ``path:line`` of a script into files of the mirror."""
        files: dict[str, list[bytes]] = {}
        for line in self.host.ask(script).output.splitlines():
            path, colon, text = line.partition(b":")
            parts = os.fsdecode(path).split("/")
            if colon and not {".", ".."} & {*parts}:
                files.setdefault("/".join(filter(None, parts)), []).append(text)
        for name, lines in files.items():
            file = self._mirror / name
            file.parent.mkdir(parents=True, exist_ok=True)
            # In place: whoever reads the round has it open.
            file.write_bytes(b"\n".join(lines) + b"\n")

    def readings(self, plan: Plan, invoker: RemoteInvoker) -> Readings:
        """Return the readings of this machine."""
        return Readings(plan.machine.cpus, str(self._mirror), own=lambda: invoker.used, refresh=self.refresh)

    def receive(self, plan: Plan) -> None:
        """Take what the commands of a plan need.

        Raises ``HostLost`` if it cannot be copied, and ``Stop`` if a file cannot be read.
        """
        folders = " ".join(sorted({shlex.quote(self.work + each) for each in directories(plan)}))
        self.host.ask(f"mkdir -p {folders}")
        self.host.send(needed(plan), self.work)

    def close(self) -> None:
        """Remove the folder there, if that is possible, and end the connection."""
        if self.work and self.host.alive():
            self.host.ask(f"cd / && rm -rf {shlex.quote(self.work)}")
        self.host.close()
        shutil.rmtree(self._mirror, ignore_errors=True)


def _commands(cell: Cell) -> Iterator[Command]:
    yield from filter(None, (cell.command, cell.setup, cell.prepare, cell.conclude, cell.cleanup))


def _texts(plan: Plan) -> Iterator[str]:
    for cell in plan.cells:
        for command in _commands(cell):
            yield from command.arguments
            yield from (value for _, value in command.environment)
            yield command.directory or ""


def directories(plan: Plan) -> set[str]:
    """Return the folders in which commands of a plan run."""
    return {command.directory or str(Path.cwd()) for cell in plan.cells for command in _commands(cell)}


def needed(plan: Plan) -> list[Path]:
    """Return the files and folders that commands of a plan find on a host.

    These are builds, source trees that a command names, standard input, and files that a word of a command names by a
    relative path.
    """
    texts = [*_texts(plan)]
    found = {Path(build.folder) for build in plan.builds}
    found |= {Path(build.tree) for build in plan.builds if build.tree and any(build.tree in text for text in texts)}
    found |= {Path(cell.input) for cell in plan.cells if cell.input}
    for cell in plan.cells:
        for command in _commands(cell):
            folder = command.directory or str(Path.cwd())
            words = (word.replace("{{", "{").replace("}}", "}") for word in command.arguments)
            named = (Path(os.path.normpath(f"{folder}/{word}")) for word in words if word and word[0] != "/")
            found |= {each for each in named if _is_file(each)}
    return sorted(each for each in found if each.is_dir() or _is_file(each))


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        # A long argument, or one with a zero byte, names no file.
        return False


def moved(cell: Cell, plan: Plan, work: str) -> Cell:
    """Return a cell with the paths that what it needs has below ``work``."""
    places = {place for build in plan.builds for place in (build.folder, build.tree) if place}
    pattern = re.compile(
        "|".join(re.escape(literal(each)) for each in sorted(places, key=len, reverse=True)) or r"(?!)"
    )

    def text(given: str) -> str:
        return pattern.sub(lambda found: literal(work) + found[0], given)

    def command(given: Command | None) -> Command | None:
        return None if given is None else _command(given)

    def _command(given: Command) -> Command:
        return given._replace(
            arguments=tuple(map(text, given.arguments)),
            environment=tuple((name, text(value)) for name, value in given.environment),
            directory=work + (given.directory or str(Path.cwd())),
        )

    return cell._replace(
        command=_command(cell.command),
        setup=command(cell.setup),
        prepare=command(cell.prepare),
        conclude=command(cell.conclude),
        cleanup=command(cell.cleanup),
        input=work + cell.input if cell.input and _is_file(Path(cell.input)) else cell.input,
    )


# Seconds between two attempts to end what threads wait for.
_AGAIN: Final = 0.1


class Site(NamedTuple):
    """A machine that runs commands."""

    host: str  # its name; empty: this machine
    invoker: Invoker  # makes invocations there
    readings: Readings  # of that machine


Asked = tuple[Site, tuple["Task", ...]]


def made(
    asked: Sequence[Asked], complain: Callable[[str], object]
) -> Iterator[tuple[Site, Sequence[Recorded] | HostLost]]:
    """Make invocations at the same time, one or two at each site; return their records, or why the host is lost.

    ``complain`` takes what went wrong afterwards.
    """
    if len(asked) == 1:
        found = [_made(*asked[0])]
    else:
        with ThreadPoolExecutor(len(asked)) as pool:
            futures = [pool.submit(_made, *each) for each in asked]
            try:
                found = [future.result() for future in futures]
            except BaseException:
                _end(asked, futures)
                raise
    for (site, _), (records, complaints) in zip(asked, found, strict=True):
        for line in complaints:
            complain(line)
        yield site, records


def _made(site: Site, tasks: tuple[Task, ...]) -> tuple[Sequence[Recorded] | HostLost, list[str]]:
    complaints: list[str] = []
    try:
        return site.invoker.made(tasks, complaints.append), complaints
    except HostLost as lost:
        return lost, complaints


def _end(asked: Sequence[Asked], futures: Sequence[Future[Any]]) -> None:
    """End what the threads wait for, which may just be starting it."""
    while True:
        for site, _ in asked:
            site.invoker.launcher.abort()
        if not wait(futures, _AGAIN).not_done:
            return


class RemoteSite:
    """A host of a run, to which the loop connects."""

    def __init__(self, name: str, plan: Plan, folder: RunFolder, identity: str, say: Callable[[str], object]) -> None:
        self.name = name  # as the user calls it
        self._plan, self._folder, self._identity, self._say = plan, folder, identity, say
        self._machine: RemoteMachine | None = None
        self._site: Site | None = None

    def opened(self) -> tuple[Site, dict[str, str]]:
        """Connect to it; return it, and the facts about the machine.

        Raises ``HostLost`` if it cannot be used, and ``Stop`` if it has not the cores that commands are to use.
        """
        machine = self._machine = RemoteMachine(self.name, self._identity, self._plan.machine.cpus)
        invoker = RemoteInvoker(self._plan, self._folder, self._identity, machine)
        invoker.say = lambda text: self._say(f"{self.name}: {text}")
        self._site = Site(self.name, invoker, machine.readings(self._plan, invoker))
        return self._site, machine.facts

    def receive(self) -> None:
        """Copy there what commands need; as ``RemoteMachine.receive``."""
        if self._machine is not None:
            self._machine.receive(self._plan)

    def close(self) -> None:
        """End what runs there, and the connection."""
        if self._site is not None:
            self._site.invoker.launcher.close()
            self._site.readings.close()
        if self._machine is not None:
            self._machine.close()


_REMOTE: Final = "--on"


def refuse_impossible(plan: Plan) -> None:
    """Refuse what cannot run on hosts."""
    if not plan.hosts:
        return
    outputs = {cell.output for cell in plan.cells} - {"discard", "capture", "inherit"}
    found: Mapping[str, object] = {
        "a service runs on this machine alone. Start it in setup, which runs on each host": any(
            cell.services for cell in plan.cells
        ),
        "--order duet starts two commands at one moment of this machine's clock. Use random": plan.order == "duet",
        "callgrind counts on this machine alone. Count instructions with the processors of the hosts, or leave "
        "callgrind out": "callgrind" in plan.machine.counters,
        "--output to a file would leave it on the host. Use pipe, which keeps it with the results": outputs,
    }
    for why, is_there in found.items():
        if is_there:
            raise Stop("bad-option", f"{_REMOTE}: {why}")


def names(words: Iterable[str]) -> tuple[str, ...]:
    """Return the names of hosts. Raises ``Stop`` if a name cannot be one, or is there twice."""
    found = tuple(word.strip() for word in words)
    for name in found:
        if not is_name(name):
            raise Stop(
                "bad-option",
                f"{_REMOTE} {name!r}: this is no name of a host. Write names as ssh takes them, with commas between: "
                "alpha,user@beta. An option or a port of a host belongs into ~/.ssh/config",
            )
        if found.count(name) > 1:
            raise Stop("bad-option", f"{_REMOTE} names {name} twice. Name each host once")
    return found
