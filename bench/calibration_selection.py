"""Simulate suites of which some benchmarks changed, and count the called ones whose interval holds the true change."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from calibration_tables import Cells, Share, markdown

import statera
from statera import Policy

TABLE = "selection"
_ROWS, _SD = 50, 0.04
# Runs per build, changed benchmarks, and their change: large enough to be called now and then, and not always.
_PLANS = ((5, 1, 0.10), (5, 5, 0.08), (10, 1, 0.06), (10, 5, 0.05), (20, 5, 0.035), (20, 25, 0.03))

_Noise = Callable[[np.random.Generator, tuple[int, int]], np.ndarray]
NOISES: Final[dict[str, _Noise]] = {
    "normal": lambda chance, size: chance.standard_normal(size),
    "t3": lambda chance, size: chance.standard_t(3, size) / 3**0.5,
    "lognormal": lambda chance, size: chance.lognormal(size=size) / ((np.e - 1) * np.e) ** 0.5,
}


def simulated(count: int) -> Cells:
    """Count the called rows that hold the true change in their interval, as it is and without regard to selection."""
    chance = np.random.default_rng(20_260_102)
    cells: Cells = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, noise in NOISES.items():
            for runs, changed, change in _PLANS:
                held, alone, called = 0, 0, 0
                for _ in range(max(10, count // 5)):
                    true = np.zeros(_ROWS)
                    true[:changed] = change
                    for row, own in _called(folder, _suite(chance, noise, runs, true)):
                        told = true[int(row.benchmark[1:])]
                        held += row.change_low <= told <= row.change_high
                        alone += own.change_low <= told <= own.change_high
                        called += 1
                plan = f"{runs} + {runs}, {changed} of {_ROWS} by {100 * change:g} %"
                cells[TABLE, plan, name, "alone"] = Share(alone, called)
                cells[TABLE, plan, name, "held"] = Share(held, called)
    return cells


def _suite(chance: np.random.Generator, noise: _Noise, runs: int, true: np.ndarray) -> list[np.ndarray]:
    old, new = (_SD * noise(chance, (_ROWS, runs)) for _ in range(2))
    return [np.exp(old), np.exp(new + np.log1p(true)[:, None])]


def _called(folder: str, sides: list[np.ndarray]) -> list[tuple[statera.Row, statera.Row]]:
    """Give the called rows, each with the row whose p-value and interval are not corrected."""
    path = Path(folder, "runs.csv")
    builds = zip(("old", "new"), sides, strict=True)
    lines = [f"B{at},{build},{v:.9f}" for build, side in builds for at, row in enumerate(side) for v in row]
    path.write_text("\n".join(["benchmark,build,time_s", *lines, ""]))
    rows = statera.compare(path, by="build")
    alone = {row.benchmark: row for row in statera.compare(path, by="build", policy=Policy(correction="none"))}
    return [(row, alone[row.benchmark]) for row in rows if row.verdict in {"better", "worse"}]


def table(cells: Cells) -> list[str]:
    """Write the shares beside each other."""
    plans = list(dict.fromkeys(plan for name, plan, _, _ in cells if name == TABLE))
    head = [
        "%, runs per build and what changed",
        *(f"{name}, {how}" for name in NOISES for how in ("95 % alone", "shown")),
    ]
    body = [
        [plan, *(cells[TABLE, plan, name, how].percent for name in NOISES for how in ("alone", "held"))]
        for plan in plans
    ]
    least = min(share.of for (name, *_), share in cells.items() if name == TABLE)
    error = 100 * Share(0, least).error(0.95)
    return [
        *markdown(head, body),
        f"{least:,} called rows a cell or more; one standard error at 95 % is {error:.2f}.",
        "",
    ]
