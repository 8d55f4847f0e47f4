"""Histories for tests: values job after job, without a repository."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from statera.history import analysis, catalog, upload
from statera.history.folder import About, create
from statera.history.job import Job
from statera.reading import observations
from statera.reading.observations import Columns
from statera.support.settings import Limits

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.history.analysis import Analysis
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
    return analysis.analyse(catalog.read(made, Limits()), made.about.lane if lane is None else lane, **options)
