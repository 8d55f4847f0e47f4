"""Make the history of this folder again: 60 commits of a program, each measured three times by ``statera run``.

Commit 17 makes `sort` slower, commit 29 makes `words` faster, commit 41 makes `matrix` slower; the others change
nothing that is measured. While the second job of commit 24 is measured, other programs keep the processor busy. From commit 50
on the jobs run on another "machine": this one under another name, with a faster build of the program. All this needs
gcc and valgrind, and takes a quarter of an hour.

Usage: python examples/history/make.py FOLDER    FOLDER gets the repository `program` and the history `history`.
"""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

from statera.history import catalog
from statera.history.analysis import analyse
from statera.history.compact import compact
from statera.history.folder import open_folder
from statera.support.settings.limits import Limits

HERE = Path(__file__).parent
COMMITS, JOBS = 60, 3
# What commits change: a constant of the program, its new value, and the subject.
CHANGES = {
    17: ("SORT_PASSES 40", "SORT_PASSES 48", "Sort the numbers of the new region, too"),
    29: ("WORD_PASSES 250", "WORD_PASSES 200", "Count words without the headings"),
    41: ("MATRIX_PASSES 24", "MATRIX_PASSES 29", "Multiply until the values settle"),
}
BUSY = (24, 1)
SECOND_MACHINE = 50
START = 1_767_225_600


def main(folder: Path) -> None:
    """Make the repository commit by commit, and measure each."""
    program, history = folder / "program", folder / "history"
    program.mkdir(parents=True)
    run(program, "git", "init", "--quiet", "--initial-branch=main")
    source = (HERE / "program.c").read_text()
    for number in range(COMMITS):
        old, new, subject = CHANGES.get(number, ("", "", f"Describe step {number}"))
        source = source.replace(old, new) if old else source
        (program / "program.c").write_text(source)
        (program / "NOTES").write_text(f"Step {number}: {subject}.\n")
        late = number >= SECOND_MACHINE
        experiment = (HERE / "experiment.toml").read_text()
        (program / "experiment.toml").write_text(experiment.replace("-O1", "-O3") if late else experiment)
        run(program, "git", "add", "--all")
        time = f"{START + 3600 * number} +0000"
        author = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a", "GIT_AUTHOR_DATE": time}
        committer = {name.replace("AUTHOR", "COMMITTER"): value for name, value in author.items()}
        run(program, "git", "commit", "--quiet", "-m", subject, environment=author | committer)
        for job in range(JOBS):
            with busy() if (number, job) == BUSY else idle():
                measure(folder, history, f"{number}-{job}", "rack-2" if late else "rack-1")
        print(f"{number + 1} of {COMMITS}: {subject}", flush=True)
    merge(history)


def measure(folder: Path, history: Path, name: str, machine: str) -> None:
    """Run the experiment once, and add its results."""
    results = folder / "runs" / name
    program = folder / "program"
    run(program, "statera", "run", "experiment.toml", "-o", str(results))
    words = ("--history", str(history), "--project", "program", "--environment", f"runner={machine}")
    run(program, "statera", "history", "add", str(results), *words)


def merge(history: Path) -> None:
    """Merge all uploads into one file, as ``statera history compact`` will do when their month is over."""
    folder, limits = open_folder(history), Limits()
    later = datetime.now(tz=UTC) + timedelta(days=99)
    compact(folder, analyse(catalog.read(folder, limits), folder.about.lane), limits, 0, later)
    for path in sorted(history.rglob("*"), reverse=True):
        if path.is_dir() and not any(path.iterdir()):
            path.rmdir()


@contextmanager
def busy() -> Iterator[None]:
    """Keep every processor busy with two other programs."""
    words = [sys.executable, "-c", "while True: pass"]
    programs = [subprocess.Popen(words) for _ in range(2 * (os.cpu_count() or 1))]
    try:
        yield
    finally:
        for each in programs:
            each.kill()
            each.wait()


@contextmanager
def idle() -> Iterator[None]:
    """Leave the machine as it is."""
    yield


def run(folder: Path, *words: str, environment: dict[str, str] | None = None) -> None:
    """Run a command in a folder; end if it fails."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        words, cwd=folder, env={**os.environ, "PATH": path, **(environment or {})}, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(words)} ended with {done.returncode}\n{done.stdout}{done.stderr}")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
