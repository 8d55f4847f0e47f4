"""Simulate histories with known truth, and write the tables of docs/detector.md.

Usage: python bench/detector.py [--write] [--series N]

Each cell has N series (400), of 5,000 values half of them, and five times as many for alarms on the way. Seeds are
fixed, so that the same N gives the same numbers.
With OTAVA_PYTHON, a Python that has apache-otava, the same series go through Otava with its defaults, up to 500 values.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import machines as changed
import numpy as np
import year as simulated
from calibration import put
from calibration_tables import markdown

from statera import _native
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

Rng: TypeAlias = np.random.Generator
Matrix: TypeAlias = "np.ndarray"
Made: TypeAlias = "Callable[[Rng, int, int], Matrix]"

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "detector.md"
SPREAD = 0.02
NORMAL = "normal, 2 %"
# The last two change their level by themselves: seen for the first time they are steps.
CYCLIC = ("cycle of 365", "spread swings fourfold over 200")
LENGTHS = (100, 500, 5000)
STEPS = (0.01, 0.02, 0.05, 0.10, 0.20)
# Otava's time grows faster than the series.
MOST_OTAVA = 500
NEAR = 10
# The first is that of all tables. False alarms on the way are so rare that one of 400 series more or less says nothing.
ON_THE_WAY = (2, 22, 23, 24, 25)
# How many values must stand clear of fewer than twelve.
ENOUGH = {6: 7, 8: 5, 10: 4}


class Found(NamedTuple):
    """What a detector says of a series: places with hindsight, and the values that raised alarms (place, raised)."""

    points: list[int]
    alarms: list[tuple[int, int]]
    whole: list[dict[str, Any]]


def noises() -> dict[str, Made]:
    """Return the noises: each makes a matrix of logarithms, a series a row."""

    def normal(rng: Rng, rows: int, n: int) -> Matrix:
        return SPREAD * rng.standard_normal((rows, n))

    def lognormal(rng: Rng, rows: int, n: int) -> Matrix:
        return 0.3 * rng.standard_normal((rows, n))

    def two_levels(rng: Rng, rows: int, n: int) -> Matrix:
        return normal(rng, rows, n) + 10 * SPREAD * (rng.random((rows, n)) < 0.2)

    def spikes(rng: Rng, rows: int, n: int) -> Matrix:
        size = np.log1p(rng.uniform(0.2, 2.0, (rows, n)))
        return normal(rng, rows, n) + size * (rng.random((rows, n)) < 0.02)

    def autoregressive(rng: Rng, rows: int, n: int) -> Matrix:
        phi = 0.5
        values = normal(rng, rows, n)
        values[:, 0] /= np.sqrt(1 - phi * phi)
        for i in range(1, n):
            values[:, i] += phi * values[:, i - 1]
        return values

    def cycle(period: int) -> Made:
        def made(rng: Rng, rows: int, n: int) -> Matrix:
            phase = rng.uniform(0, 2 * np.pi, (rows, 1))
            return normal(rng, rows, n) + SPREAD * np.sin(2 * np.pi * np.arange(n) / period + phase)

        return made

    def swinging(rng: Rng, rows: int, n: int) -> Matrix:
        phase = rng.uniform(0, 2 * np.pi, (rows, 1))
        return normal(rng, rows, n) * 2 ** np.sin(2 * np.pi * np.arange(n) / 200 + phase)

    return {
        NORMAL: normal,
        "lognormal, s 0.3": lognormal,
        "two levels, 80 : 20, ten spreads apart": two_levels,
        "2 % spikes of 20 to 200 %": spikes,
        "AR(1) 0.5": autoregressive,
        "cycle of 24": cycle(24),
        CYCLIC[0]: cycle(365),
        CYCLIC[1]: swinging,
    }


def weak_spots() -> dict[str, Made]:
    """Return the noises that are known to be told as steps."""
    usual = noises()

    def walk(rng: Rng, rows: int, n: int) -> Matrix:
        return np.cumsum(0.1 * SPREAD * rng.standard_normal((rows, n)), axis=1) + usual[NORMAL](rng, rows, n)

    def bursts(rng: Rng, rows: int, n: int) -> Matrix:
        return usual[NORMAL](rng, rows, n) * np.where(states(rng, rows, n, 0.01, 0.05), 3.0, 1.0)

    def spikes(rng: Rng, rows: int, n: int) -> Matrix:
        size = np.log1p(rng.uniform(0.2, 2.0, (rows, n)))
        return usual[NORMAL](rng, rows, n) + size * (rng.random((rows, n)) < 0.05)

    def slow(rng: Rng, rows: int, n: int) -> Matrix:
        return usual[NORMAL](rng, rows, n) + 3 * SPREAD * states(rng, rows, n, 0.01, 0.2)

    return {
        "random walk, a tenth of a spread a step": walk,
        "bursts of threefold spread": bursts,
        "5 % spikes": spikes,
        "a slow state of the machine, five values long": slow,
    }


def states(rng: Rng, rows: int, n: int, begins: float, ends: float) -> Matrix:
    """Return whether a state that begins and ends at random holds."""
    draws = rng.random((rows, n))
    held = np.zeros((rows, n), dtype=bool)
    for i in range(1, n):
        held[:, i] = np.where(held[:, i - 1], draws[:, i] > ends, draws[:, i] < begins)
    return held


def statera(series: np.ndarray) -> list[Found]:
    """Find the changes of each row."""
    rows, n = series.shape
    values = np.ascontiguousarray(100 * np.exp(series)).ravel()
    found = _native.change_points(("x", values), [n * (row + 1) for row in range(rows)], None, Detector())
    return [
        Found([point["place"] for point in each["points"]], [alarm[:2] for alarm in each["alarms"]], each["points"])
        for each in found
    ]


def otava(series: np.ndarray, most: int = MOST_OTAVA) -> tuple[list[list[int]], float] | None:
    """Return the change points of each row by Otava, and its seconds; None without it."""
    python = os.environ.get("OTAVA_PYTHON")
    if not python or series.shape[1] > most:
        return None
    lines = "".join(json.dumps(row) + "\n" for row in (100 * np.exp(series)).tolist())
    done = subprocess.run(
        [python, Path(__file__).parent / "otava_peer.py"], input=lines, stdout=subprocess.PIPE, text=True, check=True
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    return [points for points, _ in answers], sum(seconds for _, seconds in answers)


def percent(count: float, of: int) -> str:
    return f"{100 * count / of:.1f}" if of else "-"


def beside(statera_share: str, peer: str | None) -> str:
    return statera_share if peer is None else f"{statera_share} ({peer})"


def whole(series: int) -> list[str]:
    """Make the table of series without a change: the share that shows any point."""
    rows = []
    for number, (name, made) in enumerate(noises().items()):
        cells = [name]
        for n in LENGTHS:
            count = series if n < max(LENGTHS) else series // 2
            drawn = made(np.random.default_rng([1, number, n]), count, n)
            own = sum(bool(each.points) for each in statera(drawn))
            peer = otava(drawn[: count // 4])
            cells.append(
                beside(percent(own, count), None if peer is None else percent(sum(map(bool, peer[0])), len(peer[0])))
            )
        rows.append(cells)
    return markdown(["noise", *(f"{n:,} values" for n in LENGTHS)], rows)


def on_the_way(series: int) -> list[str]:
    """Make the table of series without a change: the share that tells any alarm while 2,000 values arrive."""
    rows = []
    for number, (name, made) in enumerate(noises().items()):
        drawn = (made(np.random.default_rng([seed, number]), series, 2000) for seed in ON_THE_WAY)
        count = sum(bool(each.alarms) for block in drawn for each in statera(block))
        remark = "a step to anybody who sees it first" if name in CYCLIC else ""
        rows.append([name, percent(count, series * len(ON_THE_WAY)), remark])
    return markdown(["noise", "any alarm", ""], rows)


def delays(series: int) -> list[str]:
    """Make the table of steps after 200 commits: the share found within 100, and how many commits it took."""
    rows = []
    for step in STEPS:
        drawn = noises()[NORMAL](np.random.default_rng([3, int(1000 * step)]), series, 300)
        drawn[:, 200:] += np.log1p(step)
        waits = []
        for each in statera(drawn):
            raised = [raised for place, raised in each.alarms if raised >= 200]
            waits += [raised[0] - 200 + 1] if raised else []
        middle, late = (f"{np.quantile(waits, level):.0f}" if waits else "-" for level in (0.5, 0.9))
        rows.append([f"{100 * step:g} %", percent(len(waits), series), middle, late])
    return markdown(["step", "found within 100 commits, %", "median delay, commits", "90 % of them"], rows)


def young(series: int) -> list[str]:
    """Make the table of young series: any alarm in 60 values without a change, and steps told by three values."""
    worst = ("", 0)
    for number, (name, made) in enumerate({**noises(), **weak_spots()}.items()):
        count = sum(bool(each.alarms) for each in statera(made(np.random.default_rng([7, number]), series, 60)))
        worst = max(worst, (name, count), key=lambda each: each[1])
    rows = [[f"no change, 60 values, the worst of all noises ({worst[0]})", percent(worst[1], series)]]
    for before in (6, 8, 10, 12, 16, 20, 30):
        for step in (0.15, 1.0):
            drawn = noises()[NORMAL](np.random.default_rng([7, before]), series, before + 10)
            drawn[:, before:] += np.log1p(step)
            soon = ENOUGH.get(before, 3)
            told = [any(raised < before + soon for _, raised in each.alarms) for each in statera(drawn)]
            rows.append(
                [f"{100 * step:g} % more after {before} values, told within {soon} commits", percent(sum(told), series)]
            )
    return markdown(["series", "with an alarm, %"], rows)


def suite(series: int) -> list[str]:
    """Make the table of whole years of a suite: a hundredth as many as series."""
    years = [simulated.year(seed, noises()) for seed in range(max(series // 100, 1))]
    rules: dict[str, list[simulated.Told]] = {
        "statera": [simulated.statera(each) for each in years],
        "150 % of the value before": [simulated.of_series(each, simulated.threshold(each)) for each in years],
    }
    peer = [found for each in years if (found := otava(np.log(each.values / 100), simulated.COMMITS)) is not None]
    if peer:
        told = zip(years, (places for places, _ in peer), strict=True)
        rules["Otava with its defaults"] = [simulated.of_series(*each) for each in told]
    rows = [
        [name, *(f"{np.mean([getattr(each, column) for each in told]):.1f}" for column in simulated.Told._fields)]
        for name, told in rules.items()
    ]
    return markdown(
        ["rule", "of five regressions told within 4 commits", "false alerts for the worse", "false alerts"], rows
    )


def machines(series: int) -> list[str]:
    """Make the table of changes of machine: an eighth as many histories as series in each row."""
    rows = [changed.row(suits, offset, max(series // 8, 1)) for suits in changed.SUITS for offset in changed.OFFSETS]
    head = ["a benchmark takes 15 % longer from", "benchmarks differ by", f"told within {changed.SOON} commits, %"]
    return markdown([*head, f"within {changed.LATER}, %", "with a false alert, %"], rows)


def recall(series: int) -> list[str]:
    """Make the table of recall and precision: four steps in 500 values, found within ten values of the truth."""
    rows = []
    for number, (name, made) in enumerate(noises().items()):
        rng = np.random.default_rng([4, number])
        drawn = made(rng, series, 500)
        spread = np.median(np.abs(drawn - np.median(drawn, axis=1, keepdims=True))) * 1.4826
        truth = 100 * np.arange(1, 5) + rng.integers(-30, 31, (series, 4))
        sizes = rng.choice([-1, 1], (series, 4)) * rng.uniform(2, 6, (series, 4)) * spread
        for row in range(series):
            for place, size in zip(truth[row], sizes[row], strict=True):
                drawn[row, place:] += size
        own = matched([each.points for each in statera(drawn)], truth)
        peer = otava(drawn[: series // 4])
        cells = [name, *own]
        if peer is not None:
            cells = [name, *(beside(a, b) for a, b in zip(own, matched(peer[0], truth), strict=True))]
        rows.append(cells)
    return markdown(["noise", "recall, %", "precision, %"], rows)


def matched(found: Sequence[Sequence[int]], truth: np.ndarray) -> tuple[str, str]:
    """Return recall and precision."""
    hits = points = changes = 0
    for places, true in zip(found, truth, strict=False):
        left = list(places)
        points += len(left)
        changes += len(true)
        for place in true:
            _, near = min(((abs(at - place), at) for at in left), default=(NEAR + 1, None))
            if near is not None and abs(near - place) <= NEAR:
                left.remove(near)
                hits += 1
    return percent(hits, changes), percent(hits, points)


def coverage(series: int) -> list[str]:
    """Make the table of intervals: steps of 1.5 to 5 spreads in the middle of 300 values."""
    rows = []
    for step in (1.5, 2, 3, 5):
        drawn = noises()[NORMAL](np.random.default_rng([5, int(10 * step)]), 2 * series, 300)
        drawn[:, 150:] += step * SPREAD
        ones = [each.whole[0] for each in statera(drawn) if len(each.points) == 1]
        place = sum(point["first"] <= 150 <= point["last"] for point in ones)
        size = sum(point["low"] <= step * SPREAD <= point["high"] for point in ones)
        width = np.median([point["last"] - point["first"] + 1 for point in ones])
        rows.append(
            [f"{step:g}", f"{len(ones):,}", percent(place, len(ones)), f"{width:.0f}", percent(size, len(ones))]
        )
    head = ["step, spreads", "series with one point", "interval of the place holds it, %", "its median length"]
    return markdown([*head, "interval of the size holds it, %"], rows)


def limits(series: int) -> list[str]:
    """Make the table of noises that are told as steps."""
    rows = []
    for number, (name, made) in enumerate(weak_spots().items()):
        drawn = made(np.random.default_rng([6, number]), series // 2, 5000)
        rows.append([name, percent(sum(bool(each.points) for each in statera(drawn)), series // 2)])
    return markdown(["noise", "any point in 5,000 values, %"], rows)


def speed(_: int) -> list[str]:
    """Make the table of speed beside Otava: the least processor time of several series, one at a time."""
    rows = []
    for n in (500, 1000, 5000):
        drawn = noises()[NORMAL](np.random.default_rng([7, n]), 5, n)
        drawn += 0.06 * (np.arange(n) // 250 % 2)
        own = min(_processor(partial(statera, row[None, :])) for row in drawn)
        python = os.environ.get("OTAVA_PYTHON")
        peer = None
        if python:
            lines = "".join(json.dumps(row) + "\n" for row in (100 * np.exp(drawn)).tolist())
            words = [python, str(Path(__file__).parent / "otava_peer.py")]
            done = subprocess.run(words, input=lines, stdout=subprocess.PIPE, text=True, check=True)
            peer = min(json.loads(line)[1] for line in done.stdout.splitlines())
        times = ["-", "-"] if peer is None else [f"{1e3 * peer:.0f}", f"{peer / own:,.0f}"]
        rows.append([f"{n:,}", f"{1e3 * own:.1f}", *times])
    return markdown(["values", "every look on the way, ms", "Otava, one pass, ms", "Otava / statera"], rows)


def _processor(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


TABLES = {
    "whole": whole,
    "on the way": on_the_way,
    "delays": delays,
    "young": young,
    "suite": suite,
    "machines": machines,
    "recall": recall,
    "coverage": coverage,
    "limits": limits,
    "speed": speed,
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="write the tables into docs/detector.md")
    parser.add_argument("--series", type=int, default=400, metavar="N", help="series a cell (400)")
    parser.add_argument("--only", choices=TABLES, action="append", help="make this table only (repeatable)")
    options = parser.parse_args()
    page = PAGE.read_text(encoding="utf-8")
    for name, table in TABLES.items():
        if options.only and name not in options.only:
            continue
        lines = table(options.series)
        page = put(page, name, lines)
        print(f"{name}\n" + "\n".join(lines), flush=True)
    if options.write:
        PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
