"""Simulate bisections with known truth, and write their table of docs/detector.md.

Usage: python bench/bisection.py [--write] [--runs N]

A step of 5 % begins at one of 32 commits, of which none is measured; 40 values stand before them and 12 behind. Plain
bisection compares the mean of each commit with the middle of the two levels. Seeds are fixed.
"""

from __future__ import annotations

import argparse
from bisect import bisect_left
from math import ceil, log1p
from pathlib import Path
from statistics import fmean, median
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from calibration import put
from calibration_tables import markdown

from statera.history.backfill import LEVEL, halving, posterior

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).parent.parent / "docs" / "detector.md"
STEP = log1p(0.05)
COMMITS, BEFORE, AFTER = 32, 40, 12
MOST = 200
# As `statera history bisect` states: the mean of a commit lies on the wrong side in one of 40 cases.
APART = 3.92


class Ended(NamedTuple):
    """How a bisection ended: the probability that it states, whether its commit is right, and its measurements."""

    stated: float
    right: bool
    measurements: int


def noise(rng: np.random.Generator, spread: float, kind: str) -> Callable[[], float]:
    """Return a source of deviations, one after another."""
    state = spread * rng.standard_normal()

    def drawn() -> float:
        nonlocal state
        state = 0.5 * state + 0.75**0.5 * spread * rng.standard_normal()
        return state

    if kind == "AR(1) 0.5":
        return drawn
    if kind == "spikes":
        return lambda: spread * rng.standard_normal() + (rng.random() < 0.02) * log1p(rng.uniform(0.2, 2.0))
    return lambda: spread * rng.standard_normal()


def around(drawn: Callable[[], float]) -> list[tuple[int, float]]:
    """Return the values that were there before; the range has the positions 0 to 31."""
    before = [(at, drawn()) for at in range(-BEFORE, 0)]
    return before + [(COMMITS - 1 + at, STEP + drawn()) for at in range(AFTER)]


def plain(rng: np.random.Generator, spread: float, kind: str, jobs: int) -> Ended:
    """Bisect by the middle of the levels, with so many measurements of each commit."""
    drawn, truth = noise(rng, spread, kind), int(rng.integers(COMMITS))
    held = around(drawn)
    middle = (median(value for at, value in held if at < 0) + median(value for at, value in held if at >= 0)) / 2
    steps = 0

    def is_after(at: int) -> bool:
        nonlocal steps
        steps += jobs
        return fmean(STEP * (at >= truth) + drawn() for _ in range(jobs)) > middle

    found = bisect_left(range(COMMITS - 1), x=True, key=is_after)
    return Ended(1.0, found == truth, steps)


def by_posterior(rng: np.random.Generator, spread: float, kind: str) -> Ended:
    """Bisect as ``statera history backfill`` does."""
    drawn, truth = noise(rng, spread, kind), int(rng.integers(COMMITS))
    held = around(drawn)
    steps = 0
    while True:
        chances = posterior(held, 0, COMMITS - 1)
        at = halving(chances, [True] * COMMITS)
        best = max(range(COMMITS), key=chances.__getitem__)
        if chances[best] >= LEVEL or at is None or steps == MOST:
            break
        steps += 1
        held.append((at, STEP * (at >= truth) + drawn()))
    return Ended(chances[best], best == truth, steps)


def rows(runs: int) -> list[list[str]]:
    """Return the table: a row for each noise."""
    found = []
    for number, (spread, kind) in enumerate(
        [(0.01, ""), (0.02, ""), (0.05, ""), (0.02, "spikes"), (0.02, "AR(1) 0.5")]
    ):
        rng = np.random.default_rng(1000 + number)
        jobs = ceil((APART * spread / STEP) ** 2)
        single = [plain(rng, spread, kind, 1) for _ in range(runs)]
        several = [plain(rng, spread, kind, jobs) for _ in range(runs)]
        own = [by_posterior(rng, spread, kind) for _ in range(runs)]
        named = [each for each in own if each.stated >= LEVEL]
        found.append(
            [
                f"{spread:.0%}".replace("%", " %") + {"": "", "spikes": ", 2 % spikes"}.get(kind, f", {kind}"),
                *(text(ends) for ends in (single, several)),
                text(named),
                f"{100 * fmean(each.stated for each in named):.1f}",
                f"{100 * (1 - len(named) / len(own)):.1f}",
            ]
        )
    return found


def text(ends: list[Ended]) -> str:
    """Write the share of wrong commits, and the mean number of measurements."""
    return f"{100 * fmean(not each.right for each in ends):.1f}, {fmean(each.measurements for each in ends):.1f}"


HEADER = [
    "noise", "plain, each once", "plain, as often as `bisect` states", "posterior", "it states, %", "undecided, %"
]  # fmt: skip


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--runs", type=int, default=1000)
    options = parser.parse_args()
    table = markdown(HEADER, rows(options.runs))
    print("\n".join(table))
    if options.write:
        PAGE.write_text(put(PAGE.read_text(), "bisection", table))


if __name__ == "__main__":
    main()
