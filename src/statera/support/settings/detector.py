"""The constants of the detector of changes in a history, each with its default and its reason."""

from __future__ import annotations

from math import erf, sqrt

from statera.support.typed import NamedTuple

SETTLED = 15
"""From so many values on, three after a change tell it: twelve before it, and these. Fewer before need more after."""


class Detector(NamedTuple):
    """The constants of the detector.

    The defaults are calibrated together: at most 5 % of series without a change show any in their whole life
    (docs/detector.md). Another value of one makes that untrue until it is simulated again.

    Attributes:
        memory: the number of values from which the noise is estimated.
        longest: the longest stretch of values that is compared, a power of two.
        first_look: the number of values from which on anything is told.
        look_growth: by this factor the number of values grows until the noise is estimated again.
        per_log, base: the threshold is ``per_log`` ln(max(n, ``least_length``)) + ``base``. It grows with the number of
            values, because every value is another chance of a false alarm.
        least_length: shorter series have the threshold of this length.
        reach: the longest stretch that is compared, as a share of the values known.
        values_a_degree: the number of values for each degree of freedom of the noise, which is estimated robustly.
        size_errors: half the width of the interval of a size, in standard errors; ``size_level`` follows from it.
        level: the chance that a series without change shows a point as strong as the threshold in its whole life.
    """

    memory: int = 1024
    longest: int = 256
    first_look: int = 11
    look_growth: float = 1.1
    per_log: float = 2.0
    least_length: int = 200
    base: float = 6.6
    reach: float = 0.22
    values_a_degree: float = 2.5
    size_errors: float = 1.959963984540054
    level: float = 0.05

    @property
    def size_level(self) -> float:
        """The confidence level of the interval of a size, whose errors are taken as normal."""
        # Rounded to the digits in which the normal distribution is exact, so that 1.96 standard errors are 0.95.
        return round(erf(self.size_errors / sqrt(2)), 12)
