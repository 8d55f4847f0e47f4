"""Measure the same commands by statera's launcher and by `hyperfine -N`, in turns.

Usage: python bench/beside_hyperfine.py [--write] [--rounds N]. --write writes the table into docs/performance.md.
Without hyperfine in the PATH it says so, and measures nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import peers

from statera.experiment.launcher import Invocation, Launcher

PART = "launcher"
# What is measured, how often in a turn by each of the two, and how many turns a round has. Turns are short: the load of
# the machine changes within a second.
COMMANDS = {
    "true": (["true"], 10, 5),
    "sleep 0": (["sleep", "0"], 10, 5),
    "50 ms of Python": ([sys.executable, "-I", "-S", "-c", "for _ in range(700_000): pass"], 1, 4),
}


class Measured(NamedTuple):
    """All times of a command in seconds, and what passed between two; nothing where it is not known."""

    times: list[float]
    between: list[float]


def by_hyperfine(words: list[str], runs: int) -> Measured:
    """Let hyperfine run a command without a shell."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        options = ["-N", "--warmup", "0", "--runs", str(runs), "--style", "none", "--export-json", file.name]
        quiet = subprocess.DEVNULL
        subprocess.run(["hyperfine", *options, shlex.join(words)], check=True, stdout=quiet, stderr=quiet)
        return Measured(json.loads(Path(file.name).read_text())["results"][0]["times"], [])


def by_statera(launcher: Launcher, words: list[str], runs: int) -> Measured:
    """Let the launcher run a command."""
    asked = Invocation(tuple(words), tuple(os.environ.items()), str(Path.cwd()))
    measured = Measured([], [])
    for _ in range(runs):
        start = time.perf_counter()
        outcome = launcher.run(asked)
        elapsed = time.perf_counter() - start
        if outcome.failure:
            raise SystemExit(outcome.message)
        measured.times.append(outcome.time)
        measured.between.append(elapsed - outcome.time)
    return measured


def in_turns(words: list[str], runs: int, turns: int) -> tuple[Measured, Measured]:
    """Measure by both, turn after turn; who is first alternates."""
    found: dict[str, list[Measured]] = {"statera": [], "hyperfine": []}
    with Launcher() as launcher:
        for turn in range(turns):
            for name in ("statera", "hyperfine") if turn % 2 else ("hyperfine", "statera"):
                one = by_statera(launcher, words, runs) if name == "statera" else by_hyperfine(words, runs)
                found[name].append(one)
    ours, theirs = (
        Measured([time for part in parts for time in part.times], [time for part in parts for time in part.between])
        for parts in found.values()
    )
    return ours, theirs


def row(name: str, ours: Measured, theirs: Measured) -> list[str]:
    """Compare tenth percentile, median and spread; and what passes between two commands."""

    def points(measured: Measured) -> tuple[float, float, float]:
        tenth = statistics.quantiles(measured.times, n=10)[0]
        low, middle, high = statistics.quantiles(measured.times, n=4)
        return tenth, middle, high - low

    (tenth, middle, spread), (their_tenth, their_middle, their_spread) = points(ours), points(theirs)
    return [
        f"{name} ({len(ours.times):,} runs each)",
        f"{tenth * 1e3:.3f} ms, {tenth / their_tenth:.3f}",
        f"{middle * 1e3:.3f} ms, {middle / their_middle:.3f}",
        f"{spread * 1e3:.3f} ms, {spread / their_spread:.2f}",
        f"{statistics.median(ours.between) * 1e3:.2f} ms",
    ]


def text(rounds: int) -> str:
    """Return the table, and how busy the machine was."""
    head = [
        "time of a command, and times hyperfine's",
        "tenth percentile",
        "median",
        "quartile range",
        "between two, median",
    ]
    rows = [row(name, *in_turns(words, runs, turns * rounds)) for name, (words, runs, turns) in COMMANDS.items()]
    version = subprocess.run(["hyperfine", "--version"], check=True, capture_output=True, text=True).stdout.strip()
    load = os.getloadavg()[1]
    return "\n".join([*peers.table(head, rows), f"{version}; {os.cpu_count()} cores, load {load:.1f}.\n"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()
    if shutil.which("hyperfine") is None:
        print("hyperfine was left out: it is not in the PATH", file=sys.stderr)
        return
    table = text(options.rounds)
    print(table)
    if options.write:
        peers.write(PART, table)


if __name__ == "__main__":
    main()
