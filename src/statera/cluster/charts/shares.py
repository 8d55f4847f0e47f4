"""Distributions of sorted samples: exact quantiles of type 7, exact shares, and their spread across hosts."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

Indices = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

_TAILS: Final = (0.001, 0.002, 0.998, 0.999, 0.9995, 0.9999)
LEVELS: Final[Floats] = np.unique(np.concatenate([np.arange(201) / 200, _TAILS]))
"""Levels of a curve's quantiles: every half per cent, and closer in the tails."""
MOST_STEPS: Final = 250
"""Different values up to which a curve shows each of them."""
FEW_HOSTS: Final = 10
"""Hosts below which a band holds all of them, and from which it holds 10 to 90 per cent."""


class Spread(NamedTuple):
    """The lower and the upper end of a band."""

    low: Floats
    high: Floats


def quantiles(ordered: Floats, levels: Floats = LEVELS) -> Floats:
    """Give quantiles of type 7 (Hyndman & Fan) of values in ascending order."""
    heights = (len(ordered) - 1) * levels
    below = np.floor(heights).astype(np.int64)
    above = np.minimum(below + 1, len(ordered) - 1)
    found: Floats = ordered[below] + (heights - below) * (ordered[above] - ordered[below])
    return found


def different(ordered: Floats) -> Floats:
    """Give the different values among values in ascending order."""
    first = np.ones(len(ordered), dtype=bool)
    first[1:] = ordered[1:] != ordered[:-1]
    return ordered[first]


def up_to(ordered: Floats, values: Floats) -> Floats:
    """Give for each of ``values`` the share of samples that are not above it."""
    found: Floats = np.searchsorted(ordered, values, side="right") / len(ordered)
    return found


def spread(table: Floats) -> Spread:
    """Give for each row the range of its columns, one a host: 10 to 90 per cent of them, of all where hosts are few.

    NaN is no value; a row without any has the range NaN to NaN.
    """
    ordered = np.sort(table, axis=1)  # NaN comes last
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
