"""What the order of the values says: autocorrelation, drift, change points, warm-up; and outliers and resolution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.stats.results import ChangePoints, Estimate, Outcome, WarmUp
from statera.stats.samples import sample
from statera.stats.single import common, one
from statera.stats.wording import ORDER

if TYPE_CHECKING:
    from collections.abc import Iterable


def autocorrelation(x: Iterable[float]) -> Outcome:
    """Correlate each value with the one before it (Moran 1948); the statistic is z, and fewer than 8 values give no p.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    found = one("autocorrelation", {"x": x})
    return Outcome(**common(found, (ORDER,), "normal"), statistic=found["statistic"], p=found["p"])


def drift(x: Iterable[float]) -> Outcome:
    """Correlate the ranks of the values with their order (Spearman's rho); fewer than 8 values give no p.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    found = one("drift", {"x": x})
    return Outcome(**common(found, (ORDER,), "normal"), statistic=found["estimate"], p=found["p"])


def outliers(x: Iterable[float]) -> Estimate:
    """Count the values further than 5 scaled median absolute deviations from the median, each side by its own.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    return Estimate(**common(one("outliers", {"x": x}), (), "double median absolute deviation"))


def timer_resolution(x: Iterable[float]) -> Estimate:
    """Find the largest step of which every value is a whole multiple; None where none shows.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    return Estimate(**common(one("timer_resolution", {"x": x}), (), "common divisor"))


def change_points(x: Iterable[float], *, penalty: float | None = None, least: int = 2) -> ChangePoints:
    """Part a series into levels (PELT: Killick, Fearnhead & Eckley 2012).

    Args:
        x: the values in the order of measurement.
        penalty: of a change, in squared units of the noise; 3 ln n + 4 and at least 13 where None.
        least: values of a level, at least.

    Raises:
        ValueError: for no value, values that are not finite, a penalty below 0, or ``least`` below 1.

    """
    values = sample(x, "x")
    if not len(values):
        raise ValueError("x has no values; a sample needs one or more")
    if least < 1:
        raise ValueError(f"least must be 1 or more, not {least}")
    if penalty is not None and not penalty >= 0:
        raise ValueError(f"penalty must be 0 or more, not {penalty}")
    starts, means = _native.change_points(("x", values), penalty, least)
    return ChangePoints(
        estimate=len(starts),
        interval=None,
        n=len(values),
        method="pelt",
        assumptions=(ORDER, "the values of a level are independent of each other"),
        warnings=(),
        starts=tuple(starts),
        means=tuple(means),
    )


def warm_up(x: Iterable[float]) -> WarmUp:
    """Find the first values of a run that are not of its steady state (after Barrett et al. 2017).

    The estimate is 0 where the run begins in its steady state, and where it has none.

    Raises:
        ValueError: for no value, and values that are not finite.

    """
    found = one("warm_up", {"x": x})
    return WarmUp(
        **common(found, (ORDER,), "pelt"),
        level_before=found["level_before"],
        level_after=found["level_after"],
        relative=found["relative"],
    )
