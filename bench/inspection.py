"""How often inspection reports defects in clean noise, and how often it finds a change that it calls detectable.

Writes the table of docs/inspect.md: python bench/inspection.py
"""

from __future__ import annotations

import random
import tempfile
from math import exp
from pathlib import Path
from typing import TYPE_CHECKING

import statera

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

BENCHMARKS = 2000
SIZES = (5, 8, 10, 20, 50)
SEED = 20_260_101
DEFECTS = ("warm-up", "drift", "unsteady", "autocorrelation", "several-modes")


def normal(dice: random.Random) -> float:
    return exp(0.02 * dice.gauss(0, 1))


def heavy(dice: random.Random) -> float:
    """Student's t with three degrees of freedom."""
    chi = sum(dice.gauss(0, 1) ** 2 for _ in range(3))
    return exp(0.02 * dice.gauss(0, 1) / (chi / 3) ** 0.5)


def skewed(dice: random.Random) -> float:
    return 1 + 0.02 * exp(dice.gauss(0, 1))


NOISES: dict[str, Callable[[random.Random], float]] = {
    "normal": normal,
    "heavy-tailed (t, 3)": heavy,
    "skewed (lognormal)": skewed,
}


def lines(noise: Callable[[random.Random], float], size: int, dice: random.Random, shift: float) -> Iterator[str]:
    yield "benchmark,value,unit\n"
    for number in range(BENCHMARKS):
        for _ in range(size):
            yield f"B{number},{noise(dice) * (1 + shift)!r},s\n"


def written(folder: str, name: str, text: Iterator[str]) -> str:
    path = Path(folder, name)
    path.write_text("".join(text))
    return str(path)


def row(name: str, size: int) -> str:
    noise, dice = NOISES[name], random.Random(f"{SEED} {name} {size}")
    with tempfile.TemporaryDirectory() as folder:
        old = written(folder, "old.csv", lines(noise, size, dice, 0.0))
        rows = list(statera.inspect(old))
        shows = sorted(each.detectable or 0.0 for each in rows)[BENCHMARKS // 2]
        new = written(folder, "new.csv", lines(noise, size, dice, shows))
        found = sum(
            each.p is not None and each.p <= 0.05
            for each in statera.compare(old, new, policy=statera.Policy(correction="none"))
        )
    shares = [f"{100 * sum(code in each.defects for each in rows) / BENCHMARKS:.1f}%" for code in DEFECTS]
    doubtful = f"{100 * sum(each.grade == 'doubtful' for each in rows) / BENCHMARKS:.1f}%"
    return f"| {name} | {size} | {' | '.join(shares)} | {doubtful} | {100 * shows:.1f}% | {found / BENCHMARKS:.2f} |"


def main() -> None:
    heads = ["noise", "n", *(f"`{code}`" for code in DEFECTS), "doubtful", "shows", "found"]
    print(f"| {' | '.join(heads)} |\n| --- |{' ---: |' * (len(heads) - 1)}")
    for name in NOISES:
        for size in SIZES:
            print(row(name, size))


if __name__ == "__main__":
    main()
