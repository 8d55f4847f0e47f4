"""A change of machine in the middle of a history, with and without a regression near it, as a history tells it.

`bench/detector.py` makes a table of docs/detector.md of it. Jobs are stored, read and analysed as by `statera history`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import history
from statera.history import analysis, catalog, upload
from statera.history.alerts import alerts
from statera.history.folder import About, create
from statera.reading import observations
from statera.reading.observations import Columns
from statera.support.settings import Limits

if TYPE_CHECKING:
    from statera.history.alerts import Alert

SERIES = 30
# The commit that the new machine measures first, and how many commits there are.
CHANGE, COMMITS = 40, 80
NOISE = 0.02
# How the new machine suits benchmarks differently: the standard deviation of logarithms.
SUITS = (0.0, 0.03)
SIZE = 0.15
# How many commits after the change of machine the regression begins; None is no regression.
OFFSETS = (None, -10, -3, -1, 0, 1, 3, 10)
SOON, LATER = 5, 30


def told(seed: int, suits: float, offset: int | None) -> list[Alert]:
    """Return the alerts of a history whose first benchmark takes 15 % longer from this commit on."""
    chance = np.random.default_rng([13, seed, int(1000 * suits), 99 if offset is None else offset + 50])
    drawn = NOISE * chance.standard_normal((SERIES, COMMITS))
    drawn[:, CHANGE:] += chance.uniform(np.log(0.7), np.log(1.4)) + suits * chance.standard_normal((SERIES, 1))
    if offset is not None:
        drawn[0, CHANGE + offset :] += np.log1p(SIZE)
    names = [f"Benchmark{row}" for row in range(SERIES)]
    with tempfile.TemporaryDirectory() as place:
        folder = create(Path(place) / "history", About("bench"))
        for number in range(COMMITS):
            columns = Columns(
                sources=[("results", 0)], contexts=[(0, [])], benchmarks=names,
                metrics=[("time", "s", "time", "lower", False)], blocks=[], benchmark=list(range(SERIES)),
                metric=[0] * SERIES, context=[0] * SERIES, value=np.exp(drawn[:, number]).tolist(), weight=[], block=[],
                process=[],
            )  # fmt: skip
            machine = {"cpu": "new" if number >= CHANGE else "old", "runner": "one"}
            job = history.job(number)._replace(environment=machine)
            upload.store(folder, observations.of_columns(columns), ["{}"], job)
        return alerts(analysis.analyse(catalog.read(folder, Limits()), ("cpu", "runner")))


def row(suits: float, offset: int | None, histories: int) -> list[str]:
    """Return the row of a table: where the regression begins, the share told soon and later, and the false alerts."""
    soon = later = false = 0
    for seed in range(histories):
        found = told(seed, suits, offset)
        begin = CHANGE + (offset or 0)
        right = [] if offset is None else [each for each in found if each.first <= begin <= each.last and each.worse]
        waits = [each.raised - begin for each in right]
        soon += any(wait < SOON for wait in waits)
        later += any(wait < LATER for wait in waits)
        false += len(found) > len(right)
    shares = [f"{100 * count / histories:.0f}" for count in (soon, later)] if offset is not None else ["-", "-"]
    return [_where(offset), f"{100 * suits:g} %", *shares, f"{100 * false / histories:.0f}"]


def _where(offset: int | None) -> str:
    if not offset:
        return "no regression" if offset is None else "with the new machine"
    commits = f"{abs(offset)} commit{'s' if abs(offset) > 1 else ''}"
    return f"{commits} {'before' if offset < 0 else 'after'} it"
