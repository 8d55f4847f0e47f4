"""Histories for tests: repositories, clones, and jobs that are stored without the command line."""

import hashlib
import os
import subprocess
import sys

from statera.history import catalog, folder, upload
from statera.history.analysis import analyse
from statera.history.job import Job
from statera.reading import observations
from statera.reading.observations import Columns
from statera.support.settings.limits import Limits
from support import go

NOBODY = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    **{f"GIT_{role}_{what}": "t" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
}


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


def sha(number):
    """The name of a commit that no repository has."""
    return hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()


def new(path, **settings):
    return folder.create(path, folder.About("p", **settings))


def job(number, **changes):
    """The job of a commit on a line of its own; its predecessor has the number before."""
    line = tuple(sha(each) for each in range(number, max(number - 3, -1), -1))
    stated = {"started": f"2026-01-01T00:{number % 60:02}:00+00:00", "line": line, "environment": {"cpu": "c"}}
    return Job("p", "main", sha(number), **{**stated, **changes})


def store(into, stated, benchmarks):
    """Store the values of benchmarks, by name, as the results of a job; return the hash of the upload."""
    names = list(benchmarks)
    rows = [(at, value) for at, name in enumerate(names) for value in benchmarks[name]]
    columns = Columns(
        [("a", 0)],
        [(0, [])],
        names,
        [("time", "s", "time", "lower", False)],
        [],
        [at for at, _ in rows],
        [0] * len(rows),
        [0] * len(rows),
        [value for _, value in rows],
        [],
        [],
        [],
    )
    return upload.store(into, observations.of_columns(columns), ["{}"], stated).hash


def read(of):
    return catalog.read(of, Limits())


def commits(of):
    """The commits of the jobs that count, in order."""
    return sorted(each.job.commit for each in read(of).held)


def shown(of):
    """All that the analysis of a history says, to the last digit, whatever files it stands in."""
    held = read(of)
    analysis = analyse(held, of.about.lane)
    return sorted(
        (
            (track.series.id, track.line.branch, track.line.lane, [each.id for each in track.jobs(held)]),
            (track.found.values, track.noise, track.changes, track.withdrawn, track.spikes, track.suspect),
        )
        for track in analysis.tracks
    )
