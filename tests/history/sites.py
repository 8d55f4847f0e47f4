"""Histories with known contents, and their sites."""

import hashlib
import random
from types import SimpleNamespace

from histories import measured

from statera.history import catalog, folder, job, upload
from statera.history import site as sites
from statera.history.analysis import analyse
from statera.history.material import gather
from statera.support.settings.limits import Limits


def commit(number):
    """Give the name of a commit."""
    return hashlib.sha1(str(number).encode(), usedforsecurity=False).hexdigest()


def steady(level, *changes, noise=0.01, seed=1):
    """Give a function from the number of a commit to its value: (commit, factor) multiplies from there on."""
    noisy = random.Random(seed)
    values = [level * noisy.gauss(1, noise) for _ in range(3000)]

    def value(number):
        found = values[number]
        for at, factor in changes:
            found *= factor if number >= at else 1
        return found

    return value


def make(place, count, series, **facts):
    """Make a history with a job for each commit, in a folder.

    The series are functions from the number of a commit to a value, a list of values, or None, by their names; facts
    are functions to cpu, branch, subject or url.
    """
    made = folder.create(place, folder.About("acme/parser"))
    for number in range(count):
        add(made, number, series, **facts)
    return made


def add(made, number, series, **facts):
    """Add the job of a commit to a history; one without values is none."""
    found = {name: listed(value(number)) for name, value in series.items()}
    if any(found.values()):
        upload.store(made, measured(found), ["{}"], job_of(number, **facts))


def job_of(number, **facts):
    """Give the job of a commit; facts as of `make`."""
    fact = {name: facts.get(name, lambda _, word=word: word)(number) for name, word in PLAIN.items()}
    day = f"2026-{1 + number // 28 % 12:02}-{1 + number % 28:02}T08:00:00+00:00"
    environment = {"cpu": fact.pop("cpu"), "runner": "rack"}
    line = tuple(commit(each) for each in range(number, max(number - 5, -1), -1))
    fact |= {"commit": commit(number), "committed": day, "started": day, "line": line, "environment": environment}
    return job.Job("acme/parser", **fact)


def listed(value):
    """Give the values of a job: several, one or none."""
    return value if isinstance(value, list) else [] if value is None else [value]


PLAIN = {"branch": "main", "subject": "Tidy the parser", "url": "https://ci.example.com/1", "cpu": "Xeon"}


def written(made, target, commit_url=""):
    """Write the site of a history; give its material, its folder and what became of it."""
    found = analyse(catalog.read(made, Limits()), made.about.lane)
    material = gather(made.about.project, found, {}, commit_url)
    return SimpleNamespace(material=material, folder=target, written=sites.write(material, target))
