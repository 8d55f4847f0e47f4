"""Finds the peers that statera is measured beside, and starts programs with their time and peak memory."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

BENCHSTAT = "golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da"
DATA = Path(__file__).parent / "data"


class Measured(NamedTuple):
    """A run of a program: wall time in seconds, peak memory in MiB."""

    seconds: float
    mib: float


def benchstat() -> str | None:
    """Give the path of benchstat, building it from the Go proxy where it is not yet; None without Go."""
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
    """Give the words that start statera as users start it."""
    return [str(Path(sys.executable).with_name("statera"))]


def run(words: list[str]) -> Measured:
    """Run a program, its output thrown away, and measure it."""
    start = time.perf_counter()
    process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"{words[0]} ended with {process.returncode}")
    return Measured(seconds, usage.ru_maxrss / 1024)


def side_by_side(programs: dict[str, list[str]], rounds: int) -> dict[str, Measured]:
    """Run programs in turn, round after round; give each one's median time and largest memory."""
    runs: dict[str, list[Measured]] = {name: [] for name in programs}
    for _ in range(rounds):
        for name, words in programs.items():
            runs[name].append(run(words))
    middle = rounds // 2
    return {
        name: Measured(sorted(m.seconds for m in measured)[middle], max(m.mib for m in measured))
        for name, measured in runs.items()
    }
