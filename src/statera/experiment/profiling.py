"""Profiles after the rounds: the programs of the worst rows run again under a profiler, short ones several times.

``perf record`` takes samples of processor time, where the system lets it; else Callgrind counts instructions. Every
variant of a benchmark runs equally often. The stacks are kept, folded, in the folder of the run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.experiment import callgrind
from statera.experiment.invocations import Invoker, Task
from statera.experiment.launcher import Launcher
from statera.experiment.plan import key_of
from statera.reading import profiles
from statera.reading.profiles import Kept
from statera.reading.store import run_folder
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.experiment.launcher import Invocation
    from statera.experiment.plan import Cell
    from statera.experiment.run import Ran
    from statera.reading.profiles import Profile
    from statera.reading.store.journal import Record

# Samples a second: no multiple of what programs and the system do periodically.
_RATE: Final = 3989
_RATE_OF_SHORT: Final = 19997
# Seconds of a short run.
_SHORT: Final = 0.2
# So many seconds of all runs together give samples enough; a run is repeated at most so often.
_ENOUGH: Final = 1.0
_MOST: Final = 10
_SLOWER: Final = 3
_EVENT: Final = "cpu-clock"
# What the system's own programs of BPF are called takes a second, and a cache of files would stay in the home folder.
_RECORD: Final = ("record", "-q", "-N", "--no-bpf-event", "-e", _EVENT, "-g")
_SECONDS: Final = 60
_NAME: Final = 60
# Characters of what a profiler says.
_QUOTED: Final = 300


class Profiler(NamedTuple):
    """What makes profiles here.

    Attributes:
        name: ``perf`` or ``callgrind``.
        path: the executable.
        why: why it is not perf; empty if it is.

    """

    name: str
    path: str
    why: str = ""


def profiler() -> Profiler:
    """Return what can make profiles here.

    Raises:
        Stop: nothing can.

    """
    path = shutil.which("perf")
    why = "perf is not installed" if path is None else _refused(path)
    if path is not None and not why:
        return Profiler("perf", path)
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise Stop(
            "no-profiler",
            f"--profile needs perf or valgrind: {why}, and valgrind is not installed. Install one of them, for "
            "instance with: sudo apt install valgrind",
        )
    return Profiler(callgrind.NAME, valgrind, why)


def _refused(path: str) -> str:
    """Return why perf cannot record here; nothing if it can."""
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        words = [path, *_RECORD, "-o", f"{folder}/data", "--", "true"]
        try:
            made = subprocess.run(words, capture_output=True, timeout=_SECONDS, check=False)  # noqa: S603 - perf itself
        except (OSError, subprocess.SubprocessError) as error:
            return f"perf record does not run ({error})"
    if made.returncode == 0:
        return ""
    try:
        level = Path("/proc/sys/kernel/perf_event_paranoid").read_text(encoding="ascii").strip()
    except OSError:
        level = "unknown"
    return f"perf may not record here (kernel.perf_event_paranoid is {level})"


def profile(ran: Ran, benchmarks: Sequence[str], say: Callable[[str], object]) -> list[Kept]:
    """Profile all variants of some benchmarks, and keep the profiles with those that the run has.

    Args:
        ran: the run, which has ended.
        benchmarks: names of the plan.
        say: takes lines for the user.

    Returns:
        The new profiles.

    Raises:
        Stop: no profiler is here, or a result cannot be written.

    """
    tool = profiler()
    if tool.why:
        say(f"{tool.why}, so that callgrind counts instructions")
    with Launcher() as starter, run_folder.resumed(ran.path, ended=True) as opened:
        invoker = Invoker(ran.plan, opened.folder, opened.manifest.id, starter)
        invoker.say = say
        try:
            found = list(_Session(ran, opened.records, tool, invoker, say).all(benchmarks))
        finally:
            invoker.services.close()
        if found:
            new = {(each.benchmark, each.variant) for each in found}
            kept = [each for each in profiles.kept(ran.path) if (each.benchmark, each.variant) not in new]
            outputs.write(profiles.folder(ran.path) / profiles.INDEX, profiles.index([*kept, *found]))
    return found


class _Session(NamedTuple):
    """What profiles are made with."""

    ran: Ran
    records: Sequence[Record]
    tool: Profiler
    invoker: Invoker
    say: Callable[[str], object]

    def all(self, benchmarks: Sequence[str]) -> Iterator[Kept]:
        """Profile all variants of the benchmarks, between their setup and cleanup."""
        cells = self._cells(benchmarks)
        if not cells or not self._around("setup", cells):
            return
        profiles.folder(self.ran.path).mkdir(exist_ok=True)
        numbered = {"invocation", "failure", "count"}
        number = max((each["number"] for each in self.records if each["kind"] in numbered), default=0)  # type: ignore[typeddict-item]
        for place, cell in enumerate(cells):
            made = self._kept(cell, number + 1 + place * _MOST)
            if made is not None:
                yield made
        self._around("cleanup", cells)

    def _cells(self, benchmarks: Sequence[str]) -> list[Cell]:
        plan = self.ran.plan
        places = {name: place for place, name in enumerate(benchmarks)}
        cells = [cell for cell in plan.cells if plan.benchmarks[cell.benchmark] in places]
        cells.sort(key=lambda cell: places[plan.benchmarks[cell.benchmark]])
        if served := dict.fromkeys(plan.benchmarks[cell.benchmark] for cell in cells if cell.services):
            self.say(f"{listed(served)}: a profile of the command would not see the service beside it")
        return [cell for cell in cells if not cell.services]

    def _around(self, what: Literal["setup", "cleanup"], cells: Iterable[Cell]) -> bool:
        """Run the setup or the cleanup of the cells once each; return whether all succeeded."""
        commands = dict.fromkeys(cell.setup if what == "setup" else cell.cleanup for cell in cells)
        failed = [why for each in commands if each is not None and (why := self.invoker.once(each, what))]
        for why in failed:
            self.say(f"nothing is profiled: {why}" if what == "setup" else why)
        return not failed

    def _kept(self, cell: Cell, number: int) -> Kept | None:
        """Make a profile and keep it; say why there is none."""
        benchmark, variant = self.ran.plan.names(cell)
        effort = _effort(self.records, benchmark) if self.tool.name == "perf" else Effort()
        runs = f", {effort.times} runs" if effort.times > 1 else ""
        self.say(f"profiling {benchmark}, {variant} with {self.tool.name}{runs}")
        made = _profiled(cell, number, effort, self.tool, self.invoker)
        if isinstance(made, str):
            self.say(f"{benchmark}, {variant}: no profile: {made}")
            return None
        # Names may be alike but for what a file's name leaves out.
        file = f"{_part(benchmark)}.{_part(variant)}.{key_of(f'{benchmark} {variant}')[:6]}.{made.unit}.folded"
        outputs.write(profiles.folder(self.ran.path) / file, made.native.folded())
        return Kept(benchmark, variant, file, made.unit, made.exact, made.stacks, f"{made.how}{runs}")


def _part(name: str) -> str:
    """Return a part of the name of a file that still shows what it is about."""
    return (
        "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name)[:_NAME].strip("-") or "x"
    )


class Effort(NamedTuple):
    """How much is recorded of a command: runs, and samples a second."""

    times: int = 1
    rate: int = _RATE


def _effort(records: Iterable[Record], benchmark: str) -> Effort:
    """Return what gives samples enough; the same for all variants."""
    seconds = [each["time"] for each in records if each["kind"] == "invocation" and each["benchmark"] == benchmark]
    typical = median(seconds) if seconds else _ENOUGH
    times = min(max(ceil(_ENOUGH / max(typical, 1e-6)), 1), _MOST)
    return Effort(times, _RATE_OF_SHORT if typical < _SHORT else _RATE)


def _profiled(cell: Cell, number: int, effort: Effort, tool: Profiler, invoker: Invoker) -> Profile | str:
    """Run a command under the profiler; return its profile, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        for turn in range(effort.times):
            task = Task(number + turn, 0, 1, cell)
            why = invoker.around(task, "prepare")
            if not why:
                why = _run(invoker.invocation(task), tool, f"{folder}/{turn}", effort.rate, invoker)
            invoker.around(task, "conclude")
            if why:
                return why
        return _read(Path(folder), tool)


def _run(invocation: Invocation, tool: Profiler, data: str, rate: int, invoker: Invoker) -> str:
    """Run an invocation under the profiler; return what went wrong."""
    if tool.name == "perf":
        wrap: tuple[str, ...] = (tool.path, *_RECORD, "-F", str(rate), "-o", data, "--")
        slower = _SLOWER
    else:
        wrap = (tool.path, "--quiet", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={data}.%p")
        slower = callgrind.SLOWER
    timeout = None if invocation.timeout is None else slower * invocation.timeout
    words = (*wrap, *invocation.arguments)
    outcome = invoker.launcher.run(
        invocation._replace(
            arguments=words, timeout=timeout, counters=(), memory=None, output=None, errors=f"{data}-errors"
        )
    )
    if outcome.failure in {None, "exit"} and (tool.name != "perf" or os.path.exists(data)):  # noqa: PTH110 - as elsewhere
        return ""
    return f"{outcome.message or 'perf left no data'}{_said(Path(f'{data}-errors'))}"


def _said(errors: Path) -> str:
    """Return the end of what was printed on standard error, after a colon."""
    try:
        text = errors.read_text(errors="replace")[-_QUOTED:].strip()
    except OSError:
        return ""
    return f": {text}" if text else ""


def _read(folder: Path, tool: Profiler) -> Profile | str:
    """Read what the profiler left."""
    if tool.name == "perf":
        text = folder / "script"
        with text.open("wb") as file:
            for data in sorted(each for each in folder.iterdir() if each.name.isdigit()):
                words = [tool.path, "script", "--no-inline", "-i", str(data)]
                words += ["-F", "comm,tid,time,period,event,ip,sym,dso"]
                made = subprocess.run(words, stdout=file, stderr=subprocess.PIPE, check=False)  # noqa: S603
                if made.returncode:
                    return f"perf script failed: {os.fsdecode(made.stderr[-200:]).strip()}"
        return _whole(text, "perf-script", f"perf record -e {_EVENT} -g")
    files = sorted(folder.glob("0.*"), key=lambda each: each.stat().st_size)
    if not files:
        return f"callgrind left no profile{_said(folder / '0-errors')}"
    # Callgrind writes a file for each program; parts of one file are added up.
    text = folder / "all"
    text.write_bytes(b"\n".join(each.read_bytes() for each in files))
    return _whole(text, "callgrind", callgrind.NAME)


def _whole(path: Path, format: str, how: str) -> Profile | str:
    try:
        return profiles.read(path, "", format=format)._replace(how=how)
    except Stop as stop:
        return str(stop).partition(": ")[2]
