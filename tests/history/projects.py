"""Repositories of projects, their clones and remotes, and files of their results, for tests of the verbs."""

import json
import os
import random
import subprocess
import sys
from datetime import UTC, datetime, timedelta

from support import go, table

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
SLOWER_AT = 30
NOBODY = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{role}_{what}": "t" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


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
    git(folder, "fast-import", "--quiet", stdin="".join(stream).encode())
    git(folder, "reset", "-q", "--hard", "main")
    return git(folder, "rev-list", "--reverse", "main").split()


def git(where, *words, stdin=None):
    done = subprocess.run(
        ["git", *words], cwd=where, env={**os.environ, **NOBODY}, input=stdin, capture_output=True, check=True
    )
    return done.stdout.decode().removesuffix("\n")


def remote(path):
    """A bare repository without a commit."""
    git(path.parent, "init", "-q", "--bare", "-b", "main", path.name)
    return path


def clone(source, path):
    git(path.parent, "clone", "-q", source, path.name)
    return path


def commit(where, message="work"):
    git(where, "commit", "-q", "--allow-empty", "-m", message)
    return git(where, "rev-parse", "HEAD")


def results(path, value, *, count=3, name="X"):
    """A file of results in which one benchmark takes so long."""
    path.write_text(go({name: [value + number / 100 for number in range(count)]}, config={"cpu": "Test"}))
    return path


def start(where, *words):
    """Start ``statera history`` in a process of its own."""
    command = [sys.executable, "-m", "statera", "history", *map(str, words)]
    return subprocess.Popen(command, cwd=where, env={**os.environ, **NOBODY}, stdout=-1, stderr=-1)


def names(count):
    """Names of commits that no repository has, the oldest first; their order is none of theirs."""
    chance = random.Random(5)
    return [f"{chance.getrandbits(160):040x}" for _ in range(count)]


def rows(commits, benchmarks=("Parse", "Emit"), *, at=SLOWER_AT, by=1.2, repeats=3, **more):
    """Rows of a table of times: Parse becomes slower at a commit; every commit was measured on a day of its own."""
    chance = random.Random(7)
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


def asked(run, history, verb, *words, code=0):
    """The JSON that a verb writes of a history."""
    done = run("history", verb, *words, "-f", "json", "--history", history)
    assert done.code == code, done.err
    return json.loads(done.out)
