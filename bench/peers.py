"""Find the programs that statera is measured against, and measure the time and peak memory of programs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

BENCHSTAT = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
DATA = Path(__file__).parent / "data"
DOCS = Path(__file__).parent.parent / "docs" / "performance.md"


class Measured(NamedTuple):
    """A run of a program: wall time in seconds, peak memory in MiB, processor time in seconds."""

    seconds: float
    mib: float
    processor: float


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    """Return the lines of a table, followed by an empty line."""
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def write(part: str, text: str) -> None:
    """Put a text between the marks of a part of docs/performance.md."""
    begin, end = f"<!-- {part}: begin -->\n", f"<!-- {part}: end -->\n"
    before, rest = DOCS.read_text().split(begin)
    DOCS.write_text(f"{before}{begin}\n{text}\n{end}{rest.split(end)[1]}")


def benchstat() -> str | None:
    """Return the path of benchstat, building it from the Go proxy if needed; None without Go."""
    place = DATA / "bin"
    program = place / "benchstat"
    if not program.exists():
        go = shutil.which("go")
        if go is None:
            return None
        environment = {**os.environ, "GOBIN": str(place.resolve()), "GOFLAGS": "-mod=mod"}
        subprocess.run([go, "install", BENCHSTAT], check=True, env=environment)
    return str(program)


def statera() -> list[str]:
    """Return the words that start statera the way users start it."""
    return [str(Path(sys.executable).with_name("statera"))]


# A process starts with the peak memory of the one that forked it, so this one is as small as possible.
_START = """
import os, sys, time
start = time.perf_counter()
child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ, file_actions=[
    (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0), (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)])
_, status, usage = os.wait4(child, 0)
wall, processor = time.perf_counter() - start, usage.ru_utime + usage.ru_stime
print(wall, usage.ru_maxrss, processor, os.waitstatus_to_exitcode(status))
"""


# Programs whose descendants outlive those that started them: they become children of this process, which waits for all.
_START_TREE = f"""
import ctypes
PR_SET_CHILD_SUBREAPER = 36
ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
{_START.rpartition("print")[0]}
import resource
try:
    while True:
        os.wait()
except ChildProcessError:
    of_all = resource.getrusage(resource.RUSAGE_CHILDREN)
print(wall, usage.ru_maxrss, of_all.ru_utime + of_all.ru_stime, os.waitstatus_to_exitcode(status))
"""


def run(words: list[str], *, tree: bool = False) -> Measured:
    """Run a program, discard its output, and measure it; ``tree``: with all processes that it leads to."""
    start = [sys.executable, "-I", "-S", "-c", _START_TREE if tree else _START]
    done = subprocess.run([*start, *words], capture_output=True, text=True, check=True)
    seconds, kib, processor, code = done.stdout.split()
    if code != "0":
        raise SystemExit(f"{words[0]} ended with {code}")
    return Measured(float(seconds), int(kib) / 1024, float(processor))


def side_by_side(programs: dict[str, list[str]], rounds: int) -> dict[str, Measured]:
    """Run programs in turn, round after round; return each one's median time and largest memory."""
    runs: dict[str, list[Measured]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, words in programs.items():
            runs[name].append(run(words))
    middle = rounds // 2
    return {
        name: Measured(
            sorted(m.seconds for m in measured)[middle],
            max(m.mib for m in measured),
            sorted(m.processor for m in measured)[middle],
        )
        for name, measured in runs.items()
    }
