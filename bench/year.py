"""A year of a suite: 300 series and 1,000 commits with five regressions, as a history tells it.

`bench/detector.py` makes a table of docs/detector.md of it. Series have the noises that a suite has, and each commit is
measured once. Alerts are those of statera's own history: jobs are stored, read and analysed as by `statera history`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import history
from statera.history import analysis, catalog, upload
from statera.history.alerts import alerts
from statera.history.folder import About, create
from statera.reading import observations
from statera.reading.observations import Columns
from statera.support.settings import Limits

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from statera.history.alerts import Alert

COMMITS = 1000
# How many series have which noise.
NOISES = {
    "normal, 2 %": 120,
    "2 % spikes of 20 to 200 %": 60,
    "AR(1) 0.5": 60,
    "lognormal, s 0.3": 30,
    "two levels, 80 : 20, ten spreads apart": 30,
}
# How many series become slower by how much.
REGRESSIONS = ((1, 0.5), (5, 0.15), (10, 0.25), (30, 0.1), (100, 0.05))
# A regression must be told within so many commits.
SOON = 4
# The threshold rule calls a value of more than this times the one before.
THRESHOLD = 1.5


class Year(NamedTuple):
    """Values by series and commit, and the commits at which a regression begins."""

    values: np.ndarray
    places: tuple[int, ...]


class Told(NamedTuple):
    """How many regressions were told in time, and how many alerts were false: for the worse, and in all."""

    found: int
    worse: int
    every: int


def year(seed: int, noises: Mapping[str, Callable[[np.random.Generator, int, int], np.ndarray]]) -> Year:
    """Draw a year."""
    chance = np.random.default_rng([11, seed])
    drawn = np.vstack([noises[name](chance, rows, COMMITS) for name, rows in NOISES.items()])
    drawn = drawn[chance.permutation(len(drawn))]
    places = []
    for number, (count, size) in enumerate(REGRESSIONS):
        place = 150 + 170 * number + int(chance.integers(0, 60))
        drawn[chance.choice(len(drawn), count, replace=False), place:] += np.log1p(size)
        places.append(place)
    return Year(100 * np.exp(drawn), tuple(places))


def statera(drawn: Year) -> Told:
    """Store a year as a history, and count its alerts."""
    rows = len(drawn.values)
    names = [f"Benchmark{row}" for row in range(rows)]
    with tempfile.TemporaryDirectory() as place:
        folder = create(Path(place) / "history", About("bench"))
        for number in range(COMMITS):
            columns = Columns(
                sources=[("results", 0)], contexts=[(0, [])], benchmarks=names,
                metrics=[("time", "s", "time", "lower", False)], blocks=[], benchmark=list(range(rows)),
                metric=[0] * rows, context=[0] * rows, value=drawn.values[:, number].tolist(), weight=[], block=[],
                process=[],
            )  # fmt: skip
            upload.store(folder, observations.of_columns(columns), ["{}"], history.job(number))
        told = alerts(analysis.analyse(catalog.read(folder, Limits()), ()))
    right = [alert for alert in told if any(_is_of(alert, place) for place in drawn.places)]
    false = [alert for alert in told if alert not in right]
    found = sum(any(_is_of(alert, place) and alert.raised <= place + SOON for alert in right) for place in drawn.places)
    return Told(found, sum(alert.worse > 0 for alert in false), len(false))


def _is_of(alert: Alert, place: int) -> bool:
    return alert.first <= place <= alert.last and alert.worse > 0


def of_series(drawn: Year, found: list[list[int]]) -> Told:
    """Count what single series tell, by the commits of their changes: one alert for each, unless at one commit."""
    commits = sorted({place for places in found for place in places})
    hit = sum(any(place <= commit <= place + SOON for commit in commits) for place in drawn.places)
    false = sum(not any(abs(commit - place) <= SOON for place in drawn.places) for commit in commits)
    return Told(hit, false, false)


def threshold(drawn: Year) -> list[list[int]]:
    """Return the commits at which a value is half as large again as the one before."""
    return [list(np.flatnonzero(row[1:] > THRESHOLD * row[:-1]) + 1) for row in drawn.values]
