"""Profiles after the rounds: the worst rows' programs run again, once under a profiler or a few times if they are short.

``perf record`` takes samples of processor time, where the system lets it; else Callgrind counts instructions. Every
variant of a benchmark runs equally often. The stacks are kept, folded, in the folder of the run.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from functools import partial
from math import ceil
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.experiment import callgrind
from statera.experiment.invocations import Invoker, Task
from statera.experiment.launcher import Launcher
from statera.reading import profiles
from statera.reading.profiles import Kept
from statera.reading.store import run_folder
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.experiment.launcher import Invocation
    from statera.experiment.plan import Cell, Plan
    from statera.experiment.run import Ran
    from statera.reading.profiles import Profile
    from statera.reading.store.journal import Record

# Samples a second: no multiple of what programs and the system do periodically.
_RATE: Final = 3989
# So many seconds of all runs together give samples enough; a run is repeated at most so often.
_ENOUGH: Final = 2.0
_MOST: Final = 25
_SLOWER: Final = 3
_EVENT: Final = "cpu-clock"
_SECONDS: Final = 60
_NAME: Final = 60


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
        words = [path, "record", "-q", "-e", _EVENT, "-g", "-o", f"{folder}/data", "--", "true"]
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
            found = list(_all(ran.plan, benchmarks, opened.records, tool, invoker, ran.path, say))
        finally:
            invoker.services.close()
        if found:
            new = {(each.benchmark, each.variant) for each in found}
            kept = [each for each in profiles.kept(ran.path) if (each.benchmark, each.variant) not in new]
            outputs.write(profiles.folder(ran.path) / profiles.INDEX, profiles.index([*kept, *found]))
    return found


def _all(
    plan: Plan,
    benchmarks: Sequence[str],
    records: Sequence[Record],
    tool: Profiler,
    invoker: Invoker,
    path: Path,
    say: Callable[[str], object],
) -> Iterator[Kept]:
    number = max((each["number"] for each in records if each["kind"] in {"invocation", "failure", "count"}), default=0)
    cells = [cell for cell in plan.cells if plan.benchmarks[cell.benchmark] in benchmarks]
    cells.sort(key=lambda cell: benchmarks.index(plan.benchmarks[cell.benchmark]))
    if served := dict.fromkeys(plan.benchmarks[cell.benchmark] for cell in cells if cell.services):
        say(f"{listed(served)}: a service runs beside the command, which a profile of the command would not see")
    cells = [cell for cell in cells if not cell.services]
    around = partial(_around, plan=plan, cells=cells, invoker=invoker, say=say)
    if not around("setup"):
        return
    folder = profiles.folder(path)
    if cells:
        folder.mkdir(exist_ok=True)
    for place, cell in enumerate(cells):
        benchmark, variant = plan.names(cell)
        times = _times(records, benchmark) if tool.name == "perf" else 1
        say(f"profiling {benchmark}, {variant} with {tool.name}" + (f", {times} runs" if times > 1 else ""))
        made = _profiled(cell, number + 1 + place * _MOST, times, tool, invoker)
        if isinstance(made, str):
            say(f"{benchmark}, {variant}: no profile: {made}")
            continue
        file = f"{place:02}-{variant_name(benchmark)}-{variant_name(variant)}.{made.unit}.folded"
        outputs.write(folder / file, made.native.folded())
        how = f"{made.how}, {times} runs" if times > 1 else made.how
        yield Kept(benchmark, variant, file, made.unit, made.exact, made.stacks, how)
    around("cleanup")


def _around(what: str, *, plan: Plan, cells: Iterable[Cell], invoker: Invoker, say: Callable[[str], object]) -> bool:
    """Run the setup or the cleanup of the cells once each; return whether all succeeded."""
    commands = dict.fromkeys(cell.setup if what == "setup" else cell.cleanup for cell in cells)
    failed = [why for command in commands if command is not None and (why := invoker.once(command, what))]
    for why in failed:
        say(f"no profiles: {why}" if what == "setup" else why)
    return not failed


def variant_name(name: str) -> str:
    """Return a part of the name of a file that still shows what it is about."""
    return "".join(letter if letter.isalnum() and letter.isascii() else "-" for letter in name)[:_NAME].strip("-") or "x"


def _times(records: Iterable[Record], benchmark: str) -> int:
    """Return how often a command runs, so that there are samples enough; the same for all variants."""
    times = [each["time"] for each in records if each["kind"] == "invocation" and each["benchmark"] == benchmark]
    typical = median(times) if times else _ENOUGH
    return min(max(ceil(_ENOUGH / max(typical, 1e-6)), 1), _MOST)


def _profiled(cell: Cell, number: int, times: int, tool: Profiler, invoker: Invoker) -> Profile | str:
    """Run a command under the profiler; return its profile, or why there is none."""
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        for turn in range(times):
            task = Task(number + turn, 0, 1, cell)
            why = invoker.around(task, "prepare")
            if not why:
                why = _run(invoker.invocation(task), tool, f"{folder}/{turn}", invoker)
            invoker.around(task, "conclude")
            if why:
                return why
        return _read(Path(folder), tool)


def _run(invocation: Invocation, tool: Profiler, data: str, invoker: Invoker) -> str:
    """Run an invocation under the profiler; return what went wrong."""
    if tool.name == "perf":
        wrap = (tool.path, "record", "-q", "-e", _EVENT, "-F", str(_RATE), "-g", "-o", data, "--")
        slower = _SLOWER
    else:
        wrap = (tool.path, "--quiet", "--tool=callgrind", "--trace-children=yes", f"--callgrind-out-file={data}.%p")
        slower = callgrind.SLOWER
    timeout = None if invocation.timeout is None else slower * invocation.timeout
    words = (*wrap, *invocation.arguments)
    outcome = invoker.launcher.run(
        invocation._replace(arguments=words, timeout=timeout, counters=(), memory=None, output=None, errors=None)
    )
    return outcome.message if outcome.failure not in {None, "exit"} else ""


def _read(folder: Path, tool: Profiler) -> Profile | str:
    """Read what the profiler left."""
    if tool.name == "perf":
        text = folder / "script"
        with text.open("wb") as file:
            for data in sorted(folder.glob("[0-9]*")):
                words = [tool.path, "script", "--no-inline", "-i", str(data)]
                words += ["-F", "comm,tid,time,period,event,ip,sym,dso"]
                made = subprocess.run(words, stdout=file, stderr=subprocess.PIPE, check=False)  # noqa: S603
                if made.returncode:
                    return f"perf script failed: {os.fsdecode(made.stderr[-200:]).strip()}"
        return _whole(text, "perf-script", f"perf record -e {_EVENT} -g")
    files = sorted(folder.glob("0.*"), key=lambda each: each.stat().st_size)
    if not files:
        return "callgrind left no profile"
    # Callgrind writes a file for each program; parts of one file are added up.
    text = folder / "all"
    text.write_bytes(b"\n".join(each.read_bytes() for each in files))
    return _whole(text, "callgrind", callgrind.NAME)


def _whole(path: Path, format: str, how: str) -> Profile | str:
    try:
        return profiles.read(path, "", format=format)._replace(how=how)
    except Stop as stop:
        return str(stop).partition(": ")[2]
