"""Samples for comparing the rank tests of several samples and of blocks, and exact arithmetic for them."""

from __future__ import annotations

from fractions import Fraction
from itertools import groupby

import numpy as np

from cases import Lcg, recipe, sample

SCALES = (1.0, 1.0, 1e-300, 1e290, 2.0**-20)
SPANS = (1, 2, 5, 30, 1000, 8_000_000)


def columns(lcg: Lcg, sizes: list[int]) -> list[dict]:
    """Describe a sample of each size; some are shifted against the others, until they no longer overlap."""
    span, scale = lcg.choice(*SPANS), lcg.choice(*SCALES)
    apart = lcg.choice(0, 0, span // 4, span, 3 * span)
    return [recipe(lcg.below(1 << 20), n, -(span // 2) + lcg.below(apart + 1), span, scale) for n in sizes]


def tables(seed: int, least_blocks: int, count: int) -> list[list[dict]]:
    """Return tables as lists of columns: of 2 to 20 treatments, in up to 5,000 blocks."""
    lcg = Lcg(seed)
    found = []
    while len(found) < count:
        k = lcg.choice(2, 3, 3, 4, 5, 6, 8, 17, 20)
        blocks = least_blocks + lcg.below(lcg.choice(3, 8, 30, 60))
        if len(found) >= count - 12:
            k, blocks = lcg.choice(2, 3, 5), lcg.choice(500, 1000, 5000)
        found.append(columns(lcg, [blocks] * k))
    return found


def table(made: list[dict]) -> np.ndarray:
    """Build a table, one row per block."""
    return np.column_stack([sample(column) for column in made])


def midranks(values: np.ndarray) -> list[Fraction]:
    """Rank values exactly; equal ones get their mean rank."""
    order = np.argsort(values, kind="stable")
    ranks = [Fraction(0)] * len(values)
    before = 0
    for _, group in groupby(order, key=lambda place: values[place]):
        places = list(group)
        for place in places:
            ranks[place] = Fraction(2 * before + len(places) + 1, 2)
        before += len(places)
    return ranks


def explained(ranks: list[Fraction], sizes: list[int]) -> Fraction | None:
    """Return the fraction of the sum of squares that lies between samples; None if nothing varies."""
    mean = Fraction(sum(ranks), len(ranks))
    everything = sum((rank - mean) ** 2 for rank in ranks)
    between, start = Fraction(0), 0
    for size in sizes:
        if size:
            between += (sum(ranks[start : start + size]) - size * mean) ** 2 / size
        start += size
    return between / everything if everything else None
