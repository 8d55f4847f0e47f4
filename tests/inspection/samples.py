"""Samples without chance, and tables of them, for the tests of inspection."""

import random
from itertools import pairwise

import statera
from support import table, write


def chance(seed):
    return random.Random(seed)  # noqa: S311 - noise, no secret


def normal(count, *, centre=1.0, spread=0.01, seed=1):
    dice = chance(seed)
    return [centre * (1 + spread * dice.gauss(0, 1)) for _ in range(count)]


def timed(values, *, name="B", unit="s", metric="time", **more):
    """A table of the values of one benchmark, in their order."""
    return table([{"benchmark": name, "metric": metric, "value": repr(v), "unit": unit, **more} for v in values])


def look(folder, text, **options):
    """Inspect one text and give its only row."""
    (path,) = write(folder, data=text)
    (row,) = statera.inspect(path, **options)
    return row


def runs(groups, **more):
    """A table of values by process."""
    rows = [
        {"benchmark": "B", "metric": "time", "value": repr(v), "unit": "s", "process": number, **more}
        for number, values in enumerate(groups)
        for v in values
    ]
    return table(rows)


def neighbours(count=100):
    """Each value shares half of its noise with the one before."""
    noise = normal(count + 1, centre=1, spread=0.003, seed=4)
    return [(a + b) / 2 for a, b in pairwise(noise)]


DEFECTIVE = {
    "drift": [1 + 0.004 * i + 0.002 * x for i, x in enumerate(normal(30, spread=1, seed=1))],
    "warm-up": [1.6, 1.4, 1.25, *normal(27, seed=2)],
    "unsteady": [v * (1.2 if i // 10 % 2 else 1) for i, v in enumerate(normal(40, spread=0.003, seed=3))],
    "autocorrelation": neighbours(),
    "several-modes": [v * (1.3 if (i * 7) % 5 < 2 else 1) for i, v in enumerate(normal(40, spread=0.01, seed=5))],
    "coarse-clock": [round(v, 1) for v in normal(30, spread=0.15, seed=6)],
    "constant": [0.25] * 12,
    "few-distinct": [0.251, 0.254, 0.257, 0.254, 0.251] * 4,
    "few-processes": [1.0, 1.1, 1.2],
    "too-few": [1.0],
}
