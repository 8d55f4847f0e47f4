"""Profiles after the rounds: the programs of the worst rows run again under a profiler, short ones several times.

``perf record`` takes samples of processor time, where the system lets it; else Callgrind counts instructions. The
variants of a benchmark alternate and run equally often. The stacks are kept, folded, in the folder of the run, with how
much more the counts of runs vary than samples do by chance: a busy machine moves them all.
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

from statera.experiment import counters
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
# Runs that take no longer are repeated so often at least: one run says nothing of how much runs differ.
_LEAST: Final = 3
_LONG: Final = 20.0
# A function with fewer samples a run says little of how much runs differ.
_FEW: Final = 5
_SLOWER: Final = 3
_EVENT: Final = "cpu-clock"
# What the system's own programs of BPF are called takes a second, and a cache of files would stay in the home folder.
_RECORD: Final = ("record", "-q", "-N", "--no-bpf-event", "-e", _EVENT, "-g")
_SECONDS: Final = 60
_NAME: Final = 60
# Characters of what a profiler says.
_QUOTED: Final = 300


class Profiler(NamedTuple):
    """What makes profiles here."""

    name: str  # ``perf`` or ``callgrind``
    path: str  # the executable
    why: str = ""  # why it is not perf; empty if it is


def profiler() -> Profiler:
    """Return what can make profiles here. Raises ``Stop`` if nothing can."""
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
    return Profiler(counters.NAME, valgrind, why)


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
    """Profile all variants of some benchmarks of a run that has ended; keep and return the new profiles.

    Raises ``Stop`` if no profiler is here, or a result cannot be written.
    """
    tool = profiler()
    if tool.why:
        say(f"{tool.why}, so that callgrind counts instructions")
    if ran.plan.hosts:
        say(f"the profiles are made on this machine, and not on {listed(ran.plan.hosts)}")
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
        for benchmark in dict.fromkeys(cell.benchmark for cell in cells):
            of = [cell for cell in cells if cell.benchmark == benchmark]
            yield from self._of_benchmark(of, number)
            number += _MOST * len(of)
        self._around("cleanup", cells)

    def _of_benchmark(self, cells: Sequence[Cell], number: int) -> Iterator[Kept]:
        """Profile the variants of a benchmark, which alternate; say of which there is no profile."""
        names = [self.ran.plan.names(cell) for cell in cells]
        benchmark = names[0][0]
        effort = _effort(self.records, benchmark) if self.tool.name == "perf" else Effort()
        runs = f", {effort.times} runs each" if effort.times > 1 else ""
        self.say(f"profiling {benchmark}, {', '.join(name for _, name in names)} with {self.tool.name}{runs}")
        with tempfile.TemporaryDirectory(prefix="statera-") as folder:
            failed: dict[int, str] = {}
            for turn in range(effort.times):
                # Each variant is the first one equally often.
                for place in [*range(turn % len(cells), len(cells)), *range(turn % len(cells))]:
                    number += 1
                    if place not in failed:
                        data = Path(folder, str(place))
                        data.mkdir(exist_ok=True)
                        task = Task(number, 0, 1, cells[place])
                        if why := _recorded(task, str(data / str(turn)), effort, self.tool, self.invoker):
                            failed[place] = why
            for place, (_, variant) in enumerate(names):
                made = failed.get(place) or _read(Path(folder, str(place)), self.tool)
                if isinstance(made, str):
                    self.say(f"{benchmark}, {variant}: no profile: {made}")
                else:
                    yield self._kept(benchmark, variant, made, runs)

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

    def _kept(self, benchmark: str, variant: str, made: Profile, runs: str) -> Kept:
        """Keep a profile."""
        # Names may be alike but for what a file's name leaves out.
        file = f"{_part(benchmark)}.{_part(variant)}.{key_of(f'{benchmark} {variant}')[:6]}.{made.unit}.folded"
        outputs.write(profiles.folder(self.ran.path) / file, made.native.folded())
        how = f"{made.how}{runs.removesuffix(' each')}{', on this machine' if self.ran.plan.hosts else ''}"
        return Kept(benchmark, variant, file, made.unit, made.exact, made.stacks, how, made.noise)


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
    times = min(max(ceil(_ENOUGH / max(typical, 1e-6)), _LEAST if typical <= _LONG else 1), _MOST)
    return Effort(times, _RATE_OF_SHORT if typical < _SHORT else _RATE)


def _recorded(task: Task, data: str, effort: Effort, tool: Profiler, invoker: Invoker) -> str:
    """Run a command under the profiler, between its prepare and conclude; return what went wrong."""
    why = invoker.around(task, "prepare")
    if not why:
        why = _run(invoker.invocation(task), tool, data, effort.rate, invoker)
    invoker.around(task, "conclude")
    return why or ""


def _run(invocation: Invocation, tool: Profiler, data: str, rate: int, invoker: Invoker) -> str:
    """Run an invocation under the profiler; return what went wrong."""
    if tool.name == "perf":
        wrap: tuple[str, ...] = (tool.path, *_RECORD, "-F", str(rate), "-o", data, "--")
        slower = _SLOWER
    else:
        wrap = (tool.path, "--quiet", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={data}.%p")
        slower = counters.SLOWER
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
        return _samples(folder, tool)
    files = sorted(folder.glob("0.*"), key=lambda each: each.stat().st_size)
    if not files:
        return f"callgrind left no profile{_said(folder / '0-errors')}"
    # Callgrind writes a file for each program; parts of one file are added up.
    text = folder / "all"
    text.write_bytes(b"\n".join(each.read_bytes() for each in files))
    return _whole(text, "callgrind", counters.NAME)


def _samples(folder: Path, tool: Profiler) -> Profile | str:
    """Read the samples of all runs together, and how much the runs differ."""
    scripts = []
    for data in sorted(each for each in folder.iterdir() if each.name.isdigit()):
        scripts.append(data.with_suffix(".script"))
        words = [tool.path, "script", "--no-inline", "-i", str(data), "-F", "comm,tid,time,period,event,ip,sym,dso"]
        with scripts[-1].open("wb") as file:
            made = subprocess.run(words, stdout=file, stderr=subprocess.PIPE, check=False)  # noqa: S603 - perf itself
        if made.returncode:
            return f"perf script failed: {os.fsdecode(made.stderr[-200:]).strip()}"
    how = f"perf record -e {_EVENT} -g"
    runs = [_whole(each, "perf-script", how) for each in scripts]
    text = folder / "script"
    text.write_bytes(b"".join(each.read_bytes() for each in scripts))
    whole = _whole(text, "perf-script", how)
    if isinstance(whole, str):
        return whole
    return whole._replace(noise=_noise([each for each in runs if not isinstance(each, str)]))


def _noise(runs: Sequence[Profile]) -> float:
    """Return how much more the counts of runs vary than those of Poisson processes do; 1 if no more.

    Pearson's statistic over its degrees of freedom (McCullagh & Nelder 1989): of the whole, or of all functions with
    samples enough together, whichever is larger.
    """
    if len(runs) < _LEAST:
        return 1.0
    costs = [dict(zip(each.native.names, (own for own, _ in each.native.costs), strict=True)) for each in runs]
    names = dict.fromkeys(name for each in costs for name in each)
    counts = [[each.get(name, 0) for each in costs] for name in names]
    of_functions = [_pearson(each) for each in counts if sum(each) >= _FEW * len(runs)]
    of_whole = _pearson([each.native.whole for each in runs])
    return max(1.0, of_whole, sum(of_functions) / max(len(of_functions), 1))


def _pearson(counts: Sequence[int]) -> float:
    mean = sum(counts) / len(counts)
    return sum((count - mean) ** 2 for count in counts) / mean / (len(counts) - 1) if mean else 0.0


def _whole(path: Path, format: str, how: str) -> Profile | str:
    try:
        return profiles.read(path, "", format=format)._replace(how=how)
    except Stop as stop:
        return str(stop).partition(": ")[2]
