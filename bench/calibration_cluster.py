"""Simulate runs of clusters, compare one run per side, and count the intervals that cover the change.

Blocks depend on their predecessors; hosts are paired. statera's own code weighs them.
"""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from calibration_tables import Cells, Share, grid, repetitions
from scipy.signal import lfilter

from statera.cluster.comparison import compare
from statera.cluster.metrics import BY_KEY
from statera.cluster.observations import Variant
from statera.cluster.samples import Analysed, Mean

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from statera.comparison.results.rows import Row

    Draw = Callable[[np.random.Generator, int], np.ndarray]

BLOCKS, HOSTS = (40, 100, 300, 1000, 3000), (2, 3, 5, 10, 52)
SHIFT = 0.3
# Nothing is reported on fewer intervals.
_RARE = 0.1
_SETTLED = 200


def _normal(chance: np.random.Generator, count: int) -> np.ndarray:
    return chance.standard_normal(count)


def _tailed(chance: np.random.Generator, count: int) -> np.ndarray:
    return chance.standard_t(3, count)


def _skewed(chance: np.random.Generator, count: int) -> np.ndarray:
    return np.exp(chance.standard_normal(count)) - np.exp(0.5)


def _following(draw: Draw, share: float) -> Draw:
    """Return values that each consist of a fraction of the preceding one and something new."""

    def series(chance: np.random.Generator, count: int) -> np.ndarray:
        values: np.ndarray = lfilter([1.0], [1.0, -share], draw(chance, count + _SETTLED))
        return values[_SETTLED:]

    return series


def _bursts(length: int) -> Draw:
    """Make a tenth of the blocks, in bursts, three standard deviations slower."""

    def series(chance: np.random.Generator, count: int) -> np.ndarray:
        ends, begins = 1 / length, 0.1 / 0.9 / length
        slow, state = np.zeros(count), chance.random() < 0.1
        for place, draw in enumerate(chance.random(count)):
            state = draw >= ends if state else draw < begins
            slow[place] = state
        return chance.standard_normal(count) + 3 * (slow - 0.1)

    return series


SERIES: dict[str, Draw] = {
    "independent, normal": _normal,
    "independent, heavy-tailed": _tailed,
    "independent, lognormal": _skewed,
    "AR(1) 0.3": _following(_normal, 0.3),
    "AR(1) 0.5": _following(_normal, 0.5),
    "AR(1) 0.5, heavy-tailed": _following(_tailed, 0.5),
    "AR(1) 0.7": _following(_normal, 0.7),
    "AR(1) 0.9": _following(_normal, 0.9),
    "bursts of 5": _bursts(5),
    "bursts of 20": _bursts(20),
}


def _apart(draw: Draw) -> Draw:
    """Return the host's deviation in one run minus its deviation in the other."""
    return lambda chance, count: draw(chance, count) - draw(chance, count)


DIFFERENCES: dict[str, Draw] = {
    "normal": _apart(_normal),
    "heavy-tailed": _apart(_tailed),
    "lognormal": _apart(_skewed),
    "a change of each host's own, lognormal": _skewed,
}


def simulated(times: int) -> Cells:
    """Simulate each cell this many times."""
    cells: Cells = {}
    for number, (row, draw) in enumerate(SERIES.items()):
        for count in BLOCKS:
            chance = np.random.default_rng([number, count])
            _put(
                cells,
                "cluster blocks",
                row,
                str(count),
                _weighed("cdfBlockSize", times, partial(_blocks, chance, draw, count)),
            )
    for number, (row, draw) in enumerate(DIFFERENCES.items()):
        for count in HOSTS:
            chance = np.random.default_rng([100 + number, count])
            _put(
                cells,
                "cluster hosts",
                row,
                str(count),
                _weighed("cdfStarted", times, partial(_hosts, chance, draw, count)),
            )
    return cells


# The sides of a repetition as a run holds them, and how far their values spread.
_Drawn = tuple[Any, Any, float]
# So many repetitions are metrics of the same two runs.
_TOGETHER = 100


def _blocks(chance: np.random.Generator, draw: Draw, count: int) -> _Drawn:
    base, run = (draw(chance, count) for _ in range(2))
    sides = [[(float(value), 1) for value in side] for side in (base, run)]
    return sides[0], sides[1], float(np.hypot(base.std(), run.std()))


def _hosts(chance: np.random.Generator, draw: Draw, count: int) -> _Drawn:
    """Hosts differ much from each other, and little between the two runs."""
    level, change = 10 * chance.random(count), draw(chance, count)
    sides = [{f"{host}": Mean(float(value), 1) for host, value in enumerate(side)} for side in (level, level + change)]
    return sides[0], sides[1], float(change.std() * 2**0.5)


def _weighed(key: str, times: int, draw: Callable[[], _Drawn]) -> list[tuple[Row, float]]:
    found: list[tuple[Row, float]] = []
    while len(found) < times:
        drawn = [draw() for _ in range(min(_TOGETHER, times - len(found)))]
        rows = _rows(key, [each[:2] for each in drawn])
        found += zip(rows, (spread for *_, spread in drawn), strict=True)
    return found


def _rows(key: str, sides: Sequence[tuple[Any, Any]]) -> list[Row]:
    """Weigh two runs, of which each pair of sides is a metric."""
    metrics = [BY_KEY[key]._replace(key=str(number)) for number in range(len(sides))]
    runs = []
    for place, label in enumerate(("base", "run")):
        values = {metric.key: side[place] for metric, side in zip(metrics, sides, strict=True)}
        hosts, series = (values, {}) if BY_KEY[key].paired else ({}, values)
        runs.append(Variant(label, (Analysed(Path(label), {"manifest": {}}, hosts, series),)))
    compared = compare(runs, metrics=metrics).comparison
    return [] if compared is None else list(compared)


def _put(cells: Cells, table: str, row: str, column: str, found: list[tuple[Row, float]]) -> None:
    shown = [
        (one.change_low, one.change_high, spread)
        for one, spread in found
        if one.change_low is not None and one.change_high is not None
    ]
    held = sum(low <= 0 <= high for low, high, _ in shown)
    # A change of this many standard deviations is detected if the interval, shifted by it, no longer contains 0.
    seen = sum(low + SHIFT * spread / 2**0.5 > 0 for low, _, spread in shown)
    cells[table, row, column, "held"] = Share(held, len(shown))
    cells[table, row, column, "shown"] = Share(len(shown), len(found))
    cells[table, row, column, "seen"] = Share(seen, len(shown))


def blocks(cells: Cells) -> list[str]:
    told = {key: cells[key] for key in cells if key[0] == "cluster blocks"}
    for table, row, column, _ in list(told):
        if told[table, row, column, "shown"].value < _RARE:
            told |= {(table, row, column, counted): Share(0, 0) for counted in ("held", "seen")}
    return [
        *grid(told, "cluster blocks", "held", "% of intervals that hold the change, blocks a run"),
        *grid(told, "cluster blocks", "shown", "% of intervals that are not withheld"),
        *grid(told, "cluster blocks", "seen", f"% that show a change of {SHIFT} standard deviations"),
        *repetitions({key: share for key, share in told.items() if key[3] == "shown"}, "cluster blocks", 0.95),
    ]


def hosts(cells: Cells) -> list[str]:
    return [
        *grid(cells, "cluster hosts", "held", "% of intervals that hold the change, hosts"),
        *repetitions({key: share for key, share in cells.items() if key[3] == "shown"}, "cluster hosts", 0.95),
    ]
