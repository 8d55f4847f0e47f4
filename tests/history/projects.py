"""Projects with many commits, and their results as tables, for tests of the verbs of histories."""

from __future__ import annotations

import random
import subprocess
from datetime import UTC, datetime, timedelta

from support import table

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
SLOWER_AT = 30


def repository(folder, count):
    """Make a git repository with commits one after another, a day apart; give their names, the oldest first."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main")
    stream = []
    for number in range(count):
        seconds = int((START + timedelta(days=number)).timestamp())
        message = f"Commit {number}"
        stream.append(
            f"commit refs/heads/main\ncommitter A <a@example.org> {seconds} +0000\ndata {len(message)}\n{message}\n"
            f"M 644 inline f\ndata {len(str(number))}\n{number}\n"
        )
    git(folder, "fast-import", "--quiet", stdin="".join(stream))
    git(folder, "reset", "-q", "--hard", "main")
    return git(folder, "rev-list", "--reverse", "main").split()


def git(folder, *words, stdin=""):
    """Run git; give what it printed."""
    done = subprocess.run(["git", *words], cwd=folder, input=stdin, capture_output=True, text=True, check=True)
    return done.stdout


def names(count):
    """Names of commits that no repository has, the oldest first; their order is none of theirs."""
    chance = random.Random(5)  # noqa: S311 - noise, no secret
    return [f"{chance.getrandbits(160):040x}" for _ in range(count)]


def rows(commits, benchmarks=("Parse", "Emit"), *, at=SLOWER_AT, by=1.2, repeats=3, **more):
    """Rows of a table of times: Parse becomes slower at a commit; every commit was measured on a day of its own."""
    chance = random.Random(7)  # noqa: S311 - noise, no secret
    return [
        {
            "commit": commit,
            "date": (START + timedelta(days=number)).isoformat(),
            "benchmark": benchmark,
            "time_ms": round(10 * (by if number >= at and benchmark == "Parse" else 1) * chance.gauss(1, 0.01), 5),
            **more,
        }
        for number, commit in enumerate(commits)
        for benchmark in benchmarks
        for _ in range(repeats)
    ]


def imported(run, folder, commits, *, name="h", options=("--branch", "main"), **how):
    """Import a table of these commits into a history; give the history's path."""
    results = folder / "results.csv"
    results.write_text(table(rows(commits, **how)))
    done = run("history", "import", results, "--history", folder / name, *options)
    assert done.code == 0, done.err
    return folder / name
