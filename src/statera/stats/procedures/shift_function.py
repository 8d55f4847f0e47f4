"""The shift function (Doksum 1974; Rousselet, Pernet & Wilcox 2017)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.stats.procedures.quantiles import DECILES
from statera.stats.results import Interval, Shift
from statera.stats.single import one
from statera.stats.wording import INDEPENDENT_SAMPLES, PAIRS, RESAMPLES, WARNINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def shift_function(
    x: Iterable[float],
    y: Iterable[float],
    *,
    levels: Sequence[float] = DECILES,
    paired: bool = False,
    ratio: bool = False,
    confidence: float = 0.95,
    resamples: int = 2000,
    seed: int = 1,
) -> tuple[Shift, ...]:
    """Estimate the change of each quantile from ``x`` to ``y``, with a simultaneous bootstrap band for all levels.

    Quantiles are those of Harrell & Davis (1982); the shift function is that of Doksum (1974). A level has an
    interval if the smaller sample has 15 values or more and expects at least five beyond the level.

    Args:
        x: the baseline.
        y: the contender.
        levels: levels of quantiles, between 0 and 1.
        paired: whether the i-th values are a pair; pairs are then resampled together.
        ratio: whether the change is y / x - 1; otherwise it is y - x.
        confidence: the confidence level of the whole band.
        resamples: the number of resamples; use 1,000 or more.
        seed: the seed of the draws.

    Raises:
        ValueError: a sample is empty, a value is not finite (with ``ratio``: not positive), a level is not between 0
            and 1, or paired samples differ in size.

    """
    asked = tuple(levels)
    settings = {"paired": paired, "ratio": ratio, "confidence": confidence, "resamples": resamples, "seed": seed}
    found = one("shift_function", {"x": x, "y": y}, levels=asked, **settings)
    # The row has five numbers per level, in order.
    numbers = iter(found.values())

    def point(level: float) -> Shift:
        old, new, change, low, high = (next(numbers) for _ in range(5))
        few = WARNINGS["too-few" if change is None else "unsupported"]
        return Shift(
            quantile=level,
            x=old,
            y=new,
            estimate=change,
            interval=None if low is None else Interval(low=low, high=high, level=confidence),
            n=(found["n_x"], found["n_y"]),
            method="bootstrap band",
            assumptions=(PAIRS if paired else INDEPENDENT_SAMPLES, RESAMPLES),
            warnings=(few,) if low is None else (),
        )

    return tuple(point(level) for level in asked)
