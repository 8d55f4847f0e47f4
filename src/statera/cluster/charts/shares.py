"""Distributions of sorted samples: exact quantiles of type 7, exact shares, and their spread across hosts."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_TAILS: Final = (0.001, 0.002, 0.998, 0.999, 0.9995, 0.9999)
LEVELS: Final[Floats] = np.unique(np.concatenate([np.arange(201) / 200, _TAILS]))
"""Levels of a curve's quantiles: every half per cent, and denser in the tails."""
MOST_STEPS: Final = 250
"""The most different values of which a curve shows each one."""
FEW_HOSTS: Final = 10
"""A band holds all of fewer hosts than this, and 10 to 90 per cent of this many or more."""


class Spread(NamedTuple):
    """The lower and the upper end of a band."""

    low: Floats
    high: Floats


def quantiles(ordered: Floats, levels: Floats = LEVELS) -> Floats:
    """Return quantiles of type 7 (Hyndman & Fan) of values in ascending order."""
    heights = (len(ordered) - 1) * levels
    below = np.floor(heights).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    found: Floats = ordered[below] + (heights - below) * (ordered[above] - ordered[below])
    return found


def different(ordered: Floats) -> Floats:
    """Return the distinct values of an ascending array."""
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def up_to(ordered: Floats, values: Floats) -> Floats:
    """Return for each of ``values`` the share of samples that do not exceed it."""
    found: Floats = np.searchsorted(ordered, values, side="right") / len(ordered)
    return found


def told(ordered: Floats, floor: float) -> Floats:
    """Return the distinct values if they are few, else those at equal steps of the share from ``floor`` to 1."""
    values = different(ordered)
    if len(values) <= MOST_STEPS:
        return values
    ranks = np.ceil((floor + (1 - floor) * LEVELS) * len(ordered)).astype(np.int64) - 1
    return different(ordered[np.maximum(ranks, 0)])


class Line(NamedTuple):
    """A curve: values, and the shares of samples up to them."""

    at: Floats
    up: Floats


def curve(ordered: Floats) -> Line:
    """Return the curve through the quantiles of ``LEVELS``.

    A value that is the quantile of several levels is a step: the curve rises there from the share below the value to
    the share up to it.
    """
    found = quantiles(ordered)
    steps = different(found[1:][found[1:] == found[:-1]])
    below = np.searchsorted(ordered, steps, side="left") / len(ordered)
    kept = ~np.isin(found, steps)
    at = np.concatenate([found[kept], steps, steps])
    up = np.concatenate([LEVELS[kept], below, up_to(ordered, steps)])
    order = np.lexsort((up, at))
    # Ranks of quantiles run from 0 to n - 1 and those of shares from 1 to n: next to a step they may cross by 1/n.
    return Line(at[order], np.maximum.accumulate(up[order]))


def spread(table: Floats) -> Spread:
    """Return for each row the range over its columns, one per host: 10 to 90 per cent, or all if hosts are few.

    NaN means no value; a row without values has the range NaN to NaN.
    """
    ordered = np.sort(table, axis=1)  # sorts NaN last
    rows = np.arange(len(table))
    last = np.maximum((~np.isnan(table)).sum(axis=1) - 1, 0)
    low, high = (0.0, 1.0) if table.shape[1] < FEW_HOSTS else (0.1, 0.9)
    return Spread(*(_of_rows(ordered, rows, last * level, last) for level in (low, high)))


def _of_rows(ordered: Floats, rows: Indices, heights: Floats, last: Indices) -> Floats:
    below = np.floor(heights).astype(np.int64)
    above = np.minimum(below + 1, last)
    least = ordered[rows, below]
    found: Floats = least + (heights - below) * (ordered[rows, above] - least)
    return found
