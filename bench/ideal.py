"""What another row, or a third variant, changes where the noise is known: the least that a correction can do.

Writes the table of docs/calibration.md: python bench/ideal.py

Rows have z-tests of known variance, which Benjamini-Hochberg corrects (Benjamini & Hochberg 1995).
"""

from __future__ import annotations

from math import erfc, log, sqrt
from typing import NamedTuple

import numpy as np

ALPHA = 0.05
SUITES = 4000
RUNS = (5, 8, 10, 20)
SEED = 20_260_101


class Scenario(NamedTuple):
    """So many of the rows changed by a relative change, at noise with a standard deviation."""

    name: str
    rows: int
    changed: int
    change: float
    sd: float


SCENARIOS = (
    Scenario("1 of 100 by 10 %, sd 5 %", 100, 1, 0.10, 0.05),
    Scenario("5 of 50 by 5 %, sd 3 %", 50, 5, 0.05, 0.03),
    Scenario("30 of 100 by 5 %, sd 3 %", 100, 30, 0.05, 0.03),
)


def called(p: np.ndarray) -> np.ndarray:
    """Return which rows Benjamini-Hochberg calls changed."""
    order = np.argsort(p)
    below = np.nonzero(p[order] <= ALPHA * np.arange(1, len(p) + 1) / len(p))[0]
    found = np.zeros(len(p), bool)
    found[order[: below[-1] + 1 if len(below) else 0]] = True
    return found


def tested(z: np.ndarray) -> np.ndarray:
    return np.array([erfc(abs(value) / sqrt(2)) for value in z])


def simulated(scenario: Scenario, runs: int) -> tuple[float, float]:
    """Return the % of suites that another row less changes, and the % of findings that a third variant loses."""
    dice = np.random.default_rng(SEED)
    shift = log(1 + scenario.change) / (scenario.sd * sqrt(2 / runs))
    flipped = found = lost = 0
    for _ in range(SUITES):
        z = dice.normal(size=scenario.rows)
        z[: scenario.changed] += shift
        p = tested(z)
        whole = called(p)
        flipped += bool((called(p[:-1]) != whole[:-1]).any())
        third = called(np.concatenate([p, tested(dice.normal(size=scenario.rows))]))[: scenario.changed]
        found += whole[: scenario.changed].sum()
        lost += (whole[: scenario.changed] & ~third).sum()
    return 100 * flipped / SUITES, 100 * lost / max(found, 1)


def main() -> None:
    print(f"| known noise | | {' | '.join(map(str, RUNS))} |\n| --- | --- |{' --- |' * len(RUNS)}")
    for scenario in SCENARIOS:
        cells = [simulated(scenario, runs) for runs in RUNS]
        for place, what in enumerate(("another row is missing", "a third, unchanged variant")):
            print(f"| {scenario.name} | {what} | {' | '.join(f'{cell[place]:.1f}' for cell in cells)} |")


if __name__ == "__main__":
    main()
