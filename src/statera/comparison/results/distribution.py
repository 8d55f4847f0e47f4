"""Quantiles of each variant, and the shift function of each pair of variants."""

from __future__ import annotations

from statera import _native
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

DECILES: Final = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
# The deciles and the tails; a level without enough values has no band.
SHIFT_LEVELS: Final = (0.05, *DECILES, 0.95, 0.99)


class Quantiles(NamedTuple):
    """Quantiles (type 7) of one variant's values, in the metric's base unit.

    Attributes:
        group, metric, variant: the numbers of group, metric and variant.
        benchmark: the name of the benchmark.
        n: the number of values.
        at: the quantile at each level of the table.
    """

    group: int
    metric: int
    benchmark: str
    variant: int
    n: int
    median: float
    iqr: float
    at: Sequence[float]


class ShiftPoint(NamedTuple):
    """The difference of two variants at one level: Harrell-Davis quantiles with a simultaneous confidence band.

    ``change``, ``low`` and ``high`` are relative if the scale of the row is ``ratio``. If a level has
    too few values, ``low`` and ``high`` are None and ``supported`` is False.
    """

    level: float
    baseline: float
    contender: float
    change: float
    low: float | None
    high: float | None
    supported: bool


class SpeedUp(NamedTuple):
    """The share by which a variant is faster at each level of the table: (baseline - contender) / baseline.

    For a metric of which more is better, it is (contender - baseline) / baseline. It is None if the baseline is 0.
    """

    baseline: Quantiles
    contender: Quantiles
    at: tuple[float | None, ...]

    @property
    def changes(self) -> tuple[float | None, ...]:
        """The change at each level, as a share of the baseline: more is above 0."""
        pairs = zip(self.baseline.at, self.contender.at, strict=True)
        return tuple((new - old) / old if old else None for old, new in pairs)

    def read_as(self, better: str | None) -> tuple[str, tuple[float | None, ...]]:
        """Return the word for the shares and the shares themselves, as people read them.

        A metric without a better direction has neither gains nor speed-ups: more is a change above 0.
        """
        if better is None:
            return "change", self.changes
        return "gain" if better == "higher" else "speed-up", self.at


class Distribution(NamedTuple):
    """Quantile tables, speed-ups and shift functions of a comparison.

    Attributes:
        levels: the levels of the tables.
        quantiles: one for each group, metric, benchmark and variant.
        speed_ups: one for each group, metric, benchmark and pair of variants.
        shifts: the points of each row, by its number.
    """

    levels: tuple[float, ...]
    quantiles: list[Quantiles]
    speed_ups: list[SpeedUp]
    shifts: dict[int, list[ShiftPoint]]


def distribution(
    weighing: _native.Weighing,
    pairs: Sequence[tuple[int, int]],
    higher: Sequence[bool],
    levels: Sequence[float] = (),
    shifts: dict[int, list[ShiftPoint]] | None = None,
) -> Distribution:
    """Compute quantiles, speed-ups and shift functions.

    Args:
        weighing: the comparison.
        pairs: pairs of variants, as (baseline, contender).
        higher: for each metric, whether more is better.
        levels: levels of the quantile table, between 0 and 1; the deciles if empty.
        shifts: the shift functions, if they are known.
    """
    asked = tuple(levels) or DECILES
    if not all(0 <= level <= 1 for level in asked):
        raise ValueError("levels of quantiles lie between 0 and 1")
    tables = [Quantiles(**each)._replace(at=tuple(each["at"])) for each in _native.quantiles(weighing, list(asked))]
    if shifts is None:
        shifts = {
            row: [ShiftPoint(**point) for point in points]
            for row, points in _native.shift_functions(weighing, list(SHIFT_LEVELS))
        }
    return Distribution(asked, tables, _speed_ups(tables, pairs, higher), shifts)


def _speed_ups(tables: list[Quantiles], pairs: Sequence[tuple[int, int]], higher: Sequence[bool]) -> list[SpeedUp]:
    of = {(each.group, each.metric, each.benchmark, each.variant): each for each in tables}
    found = []
    for group, metric, benchmark in dict.fromkeys((each.group, each.metric, each.benchmark) for each in tables):
        for base, contender in pairs:
            old, new = of.get((group, metric, benchmark, base)), of.get((group, metric, benchmark, contender))
            if old is not None and new is not None:
                sign = -1 if higher[metric] else 1
                at = tuple(sign * (a - b) / a if a else None for a, b in zip(old.at, new.at, strict=True))
                found.append(SpeedUp(old, new, at))
    return found
