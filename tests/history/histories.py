"""Histories for tests: values job after job, stored without a repository and without the command line."""

from __future__ import annotations

import hashlib
import json
from math import exp
from random import Random
from typing import TYPE_CHECKING

from statera.history import analysis, catalog, upload
from statera.history.alerts import STATE, alerts, event_on, expectations, state_of
from statera.history.folder import About, create
from statera.history.job import Job
from statera.reading import observations
from statera.reading.observations import Columns
from statera.support.settings import Limits
from support import noisy

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.history.alerts import Alert, State
    from statera.history.analysis import Analysis
    from statera.history.catalog import Catalog
    from statera.history.folder import Folder

TIME = ("time", "s", "time", "lower", False)
THROUGHPUT = ("rate", "1/s", "throughput", "higher", False)


def commit(number: int, of: str = "main") -> str:
    """The name of a commit."""
    return hashlib.sha1(f"{of} {number}".encode(), usedforsecurity=False).hexdigest()


def measured(values: dict[str, Sequence[float]], metric: tuple = TIME):
    """Observations of one job: the values of each benchmark."""
    names = list(values)
    rows = [(number, value) for number, name in enumerate(names) for value in values[name]]
    count = len(rows)
    columns = Columns(
        sources=[("results", 0)],
        contexts=[(0, [])],
        benchmarks=names,
        metrics=[metric],
        blocks=[],
        benchmark=[row[0] for row in rows],
        metric=[0] * count,
        context=[0] * count,
        value=[row[1] for row in rows],
        weight=[],
        block=[],
        process=[],
    )
    return observations.of_columns(columns)


def job(number: int, **facts) -> Job:
    """A job of the commit of this number on the branch main."""
    line = tuple(commit(at) for at in range(number, max(number - 2, -1), -1))
    stated = {
        "project": "p",
        "branch": "main",
        "commit": commit(number),
        "subject": f"commit {number}",
        "started": f"2026-01-01T00:{number // 60 % 60:02}:{number % 60:02}+00:00",
        "line": line,
        "environment": {"cpu": "Fast", "runner": "rack"},
    }
    return Job(**{**stated, **facts})


def folder(path: Path, **about) -> Folder:
    """An empty history."""
    return create(path, About("p", **about))


def add(history: Folder, number: int, values: dict[str, Sequence[float]], metric: tuple = TIME, **facts):
    """Add a job."""
    return upload.store(history, measured(values, metric), ["{}"], job(number, **facts))


def history(path: Path, series: dict[str, Sequence[float]], metric: tuple = TIME) -> Folder:
    """A history with one value a job."""
    made = folder(path)
    for number in range(max(map(len, series.values()))):
        add(made, number, {name: [values[number]] for name, values in series.items() if number < len(values)}, metric)
    return made


def analysed(made: Folder, lane: tuple[str, ...] | None = None, **options) -> Analysis:
    """The analysis of a history."""
    return analysis.analyse(read(made), made.about.lane if lane is None else lane, **options)


def read(made: Folder) -> Catalog:
    """All that a history holds."""
    return catalog.read(made, Limits())


def store(into: Folder, stated: Job, values: dict[str, Sequence[float]]) -> str:
    """Store the values of benchmarks as the results of a job; return the hash of the upload."""
    return upload.store(into, measured(values), ["{}"], stated).hash


def commits(of: Folder) -> list[str]:
    """The commits of the jobs that count, in order."""
    return sorted(each.job.commit for each in read(of).held)


def shown(of: Folder) -> list[tuple]:
    """All that the analysis of a history says, to the last digit, whatever files it stands in."""
    held = read(of)
    return sorted(
        (
            (track.series.id, track.line.branch, track.line.lane, [each.id for each in track.jobs(held)]),
            (track.found.values, track.noise, track.changes, track.withdrawn, track.spikes, track.suspect),
        )
        for track in analysis.analyse(held, of.about.lane).tracks
    )


def steps(*levels: float, of: int = 40, seed: int = 1) -> list[float]:
    """Levels one after another, with the same noise in each."""
    return [value for number, level in enumerate(levels) for value in noisy(level, of, seed=seed + number, spread=0.01)]


def state(analysis: Analysis, number: int = 0) -> State:
    """What was decided about an alert of the branch main."""
    alert = alerts(analysis)[number]
    return state_of(alert, analysis.orders["main"], analysis.catalog, expectations(analysis.catalog))


def decide(made: Folder, word: str, number: int = 0, **words: str) -> Alert:
    """Decide about an alert of the branch main."""
    found = analysed(made)
    alert = alerts(found)[number]
    made.record(event_on(alert, found.orders["main"], kind=STATE, state=word, when="2026-01-02", **words))
    return alert


OLD, NEW = ({"cpu": name, "runner": "rack"} for name in ("old", "new"))


def suite(path, changes=None, *, count=10, until=20, after=6, noise=0.02, spread=0.0, seed=1, factor=0.8):
    """A history of benchmarks on a machine, and from a commit on on another one that takes ``factor`` of the time.

    ``changes`` has for benchmarks the commit from which on they take 15 % more; ``spread`` is what the new machine does
    to each benchmark differently.
    """
    chance = Random(seed)
    made = folder(path)
    own = [factor * exp(chance.gauss(0, spread)) for _ in range(count)]
    for number in range(until + after):
        is_new = number >= until
        values = {}
        for name in range(count):
            value = (1 + name) * 1e-3 * chance.gauss(1, noise) * (own[name] if is_new else 1)
            values[f"b{name}"] = [value * (1.15 if number >= (changes or {}).get(f"b{name}", 10**9) else 1)]
        add(made, number, values, environment=NEW if is_new else OLD)
    return made


def failing(path, exits, times):
    """A history of a command: its exit code and its time, job after job."""
    made = folder(path / "h")
    for number, (exit_code, time) in enumerate(zip(exits, times, strict=True)):
        result = {"command": "prog", "times": [time, time * 1.01], "exit_codes": [exit_code] * 2}
        (path / "r.json").write_text(json.dumps({"results": [result]}))
        read = observations.read([path / "r.json"])
        upload.store(made, read, ["{}"] * len(read.contexts), job(number))
    return made


FAILS = [0] * 20 + [1] * 4
HALVED = [*noisy(1.0, 20), *noisy(0.5, 4, seed=2)]
