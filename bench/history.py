"""Measure histories: adding results, checking the newest commit of a long history, and writing its pages.

Both are measured without what earlier commands left in the history, with one new job, and with nothing new.

The history has JOBS jobs of SERIES series; every fiftieth series has a step of 10 % at three fifths of it.

Usage: python bench/history.py [--write] [--jobs 2000] [--series 1000] [--rounds 5]
"""

from __future__ import annotations

import argparse
import hashlib
import random
import shutil
from typing import TYPE_CHECKING

import peers

from statera.history import upload
from statera.history.folder import ADDED, About, Folder, create, exists, open_folder
from statera.history.job import Job
from statera.history.kept import CACHE
from statera.reading import observations
from statera.reading.observations import Columns

if TYPE_CHECKING:
    from pathlib import Path

PART = "history"
VALUES = 10
SPREAD = 0.02


def commit(number: int) -> str:
    """Return the name of a commit."""
    return hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()


def job(number: int) -> Job:
    """Return the job of a commit."""
    started = f"2026-01-01T{number // 3600:02}:{number // 60 % 60:02}:{number % 60:02}+00:00"
    line = tuple(commit(at) for at in range(number, max(number - 2, -1), -1))
    machine = {"cpu": "one", "runner": "one"}
    return Job("bench", "main", commit(number), f"commit {number}", "", started, line=line, environment=machine)


def measured(series: int, noise: random.Random, *, late: bool, values: int = VALUES) -> observations.Observations:
    """Return the results of a job, with so many values of each series."""
    names = [f"Benchmark{number}" for number in range(series)]
    levels = [(1 + number) * (1.1 if late and number % 50 == 0 else 1.0) for number in range(series)]
    count = series * values
    columns = Columns(
        sources=[("results", 0)],
        contexts=[(0, [])],
        benchmarks=names,
        metrics=[("time", "s", "time", "lower", False)],
        blocks=[],
        benchmark=[number for number in range(series) for _ in range(values)],
        metric=[0] * count,
        context=[0] * count,
        value=[level * noise.gauss(1, SPREAD) for level in levels for _ in range(values)],
        weight=[],
        block=[],
        process=[],
    )
    return observations.of_columns(columns)


def made(jobs: int, series: int) -> Folder:
    """Return the history; it is made once."""
    path = peers.DATA / f"history-{jobs}-{series}"
    whole = path.with_suffix(".whole")
    if exists(path) and whole.exists():
        return open_folder(path)
    shutil.rmtree(path, ignore_errors=True)
    folder = create(path, About("bench"))
    noise = random.Random(1)
    for number in range(jobs):
        upload.store(folder, measured(series, noise, late=number >= jobs * 3 // 5), ["{}"], job(number))
    whole.touch()
    return folder


def results(series: int) -> Path:
    """Return a file of Go's format with 10 values of each series."""
    path = peers.DATA / f"history-{series}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    noise = random.Random(2)
    lines = [
        f"Benchmark{number}\t100\t{noise.gauss(1000, 20):.1f} ns/op" for number in range(series) for _ in range(10)
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def best(words: list[str], rounds: int) -> peers.Measured:
    """Return the run with the least elapsed time."""
    return min((peers.run(words) for _ in range(rounds)), key=lambda run: run.seconds)


def again(folder: Folder, options: argparse.Namespace, verb: str = "check", *words: str) -> list[list[str]]:
    """Measure a verb cold, with a new job for each round, and with nothing new; return the rows."""
    command = [*peers.statera(), "history", verb, "--no-config", "--history", folder.name, *words]
    cold, new = [], []
    for number in range(options.rounds):
        shutil.rmtree(folder.path / CACHE, ignore_errors=True)
        cold.append(peers.run(command))
        noise = random.Random(number + 3)
        added = upload.store(folder, measured(options.series, noise, late=True), ["{}"], job(options.jobs))
        new.append(peers.run(command))
        folder.file_of(added.hash).unlink()
        (folder.path / ADDED).unlink()
    peers.run(command)
    size = f"{options.series:,} series × {options.jobs:,} jobs"
    runs = [min(each, key=lambda run: run.seconds) for each in (cold, new)]
    runs.append(best(command, options.rounds))
    kinds = (f"first, {size}", "one new job", "nothing new")
    return [[f"`history {verb}`, {kind}", *_cells(run)] for kind, run in zip(kinds, runs, strict=True)]


def main() -> None:
    """Measure, print the table, and write it if asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--jobs", type=int, default=2000)
    parser.add_argument("--series", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    folder = made(options.jobs, options.series)
    program = [*peers.statera(), "history"]
    rows = [*again(folder, options), *again(folder, options, "site", "-o", str(peers.DATA / "history-site"))]
    new = peers.DATA / "history-new"
    file = results(500)
    facts = ["--commit", commit(0), "--branch", "main", "--project", "bench"]
    added = []
    for _ in range(options.rounds):
        shutil.rmtree(new, ignore_errors=True)
        added.append(peers.run([*program, "add", "--no-config", str(file), *facts, "--history", str(new)]))
    add = min(added, key=lambda run: run.seconds)
    rows.append(["`history add`, 500 series × 10 samples", *_cells(add)])
    text = "\n".join(peers.table(["work", "elapsed", "processor", "peak"], rows))
    print(text)
    if options.write:
        peers.write(PART, text)


def _cells(run: peers.Measured) -> list[str]:
    return [f"{run.seconds:.2f} s", f"{run.processor:.2f} s", f"{run.mib:.0f} MiB"]


if __name__ == "__main__":
    main()
