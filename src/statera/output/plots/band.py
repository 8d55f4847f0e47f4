"""The simultaneous band of Q-Q pictures, in which all of a normal sample lies with a probability of 95 %.

Aldor-Noiman, Brown, Buja, Rolke & Stine (2013), The power to see: a new graphical test of normality, The American
Statistician 67, 249-260: at each order statistic the interval of one local level, chosen by simulation so that 95 % of
samples lie entirely inside. Each sample is standardised by its own mean and standard deviation, as in the picture.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from statera.output.plots import curves

if TYPE_CHECKING:
    from statera.output.plots.raw_values import Floats

MOST_VALUES = 2_000  # the simulation of more values would take seconds
_LEVEL = 0.05
_SAMPLES = 4_000
_CELLS = 2_000_000  # the most values to simulate
_LEAST = 3


@cache
def normal_band(n: int, seed: int) -> tuple[Floats, Floats] | None:
    """Return the ends of the band at every order statistic, in standard deviations; None above ``MOST_VALUES``."""
    import numpy as np  # noqa: PLC0415 - optional

    if not _LEAST <= n <= MOST_VALUES:
        return None
    samples = max(min(_SAMPLES, _CELLS // n), 1_000)
    drawn = np.random.Generator(np.random.PCG64([seed, n])).standard_normal((samples, n))
    drawn.sort(axis=1)
    drawn = (drawn - drawn.mean(axis=1, keepdims=True)) / drawn.std(axis=1, ddof=1, keepdims=True)
    # The rank of each sample at each order statistic, counted from the nearer end: its depth there.
    ranks = drawn.argsort(axis=0).argsort(axis=0)
    outness = np.minimum(ranks, samples - 1 - ranks).min(axis=1)
    # Samples that are nowhere further out than `depth` lie entirely inside.
    depth = int(curves.quantiles(outness.astype(float), _LEVEL)[0])
    ordered = np.sort(drawn, axis=0)
    return ordered[depth], ordered[samples - 1 - depth]
