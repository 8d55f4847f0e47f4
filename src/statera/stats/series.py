"""Procedures for values in their order: dependence, drift, levels, warm-up and changes of level."""

from __future__ import annotations

from math import expm1, isnan
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.stats.calls import ORDER, one, result, sample
from statera.stats.results import Alarm, ChangePoint, ChangePoints, Estimate, Interval, Outcome, Segments, Spike, WarmUp
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


def autocorrelation(x: Iterable[float]) -> Outcome:
    """Correlate each value with the one before it (Moran 1948).

    The estimate is the correlation, and the statistic z. Fewer than 8 values have no p-value.

    Args:
        x: the values in the order of measurement.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Outcome, one("autocorrelation", {"x": x}), (ORDER,), "normal")


def drift(x: Iterable[float]) -> Outcome:
    """Correlate the ranks of the values with their order (Spearman 1904).

    The estimate is rho, from -1 (the values only fall) to 1 (they only rise). Fewer than 8 values have no p-value.

    Args:
        x: the values in the order of measurement.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    found = one("drift", {"x": x})
    return result(Outcome, found, (ORDER,), "normal", statistic=found["estimate"])


def outliers(x: Iterable[float]) -> Estimate:
    """Count the values so far from the median that one sample in a hundred has one by chance.

    The chance is that of exponential tails, and the scale that of Rousseeuw & Croux (1993). The limit is
    log2(100 n) * (1 + 3 / n) median absolute deviations: of all values or, if larger, of the values on the same side
    of the median.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Estimate, one("outliers", {"x": x}), (), "double median absolute deviation")


def timer_resolution(x: Iterable[float]) -> Estimate:
    """Find the largest step of which every value is a whole multiple; None if there is no such step.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(Estimate, one("timer_resolution", {"x": x}), (), "common divisor")


def segments(x: Iterable[float], *, penalty: float | None = None, least: int = 2) -> Segments:
    """Divide a series into levels (PELT: Killick, Fearnhead & Eckley 2012).

    Args:
        x: the values in the order of measurement.
        penalty: the penalty of a change, in squared units of the noise; None for 3 ln n + 4 and at least 13, and for
            levels that explain the series better than an autoregression.
        least: the least number of values of a level.

    Raises:
        ValueError: there are no values, a value is not finite, the penalty is below 0, or ``least`` is below 1.
    """
    values = sample(x, "x")
    if not len(values):
        raise ValueError("x has no values; a sample needs one or more")
    if least < 1:
        raise ValueError(f"least must be 1 or more, not {least}")
    if penalty is not None and not penalty >= 0:
        raise ValueError(f"penalty must be 0 or more, not {penalty}")
    starts, means = _native.segments(("x", values), penalty, least)
    return Segments(
        estimate=len(starts),
        n=len(values),
        method="pelt",
        assumptions=(ORDER, "the values of a level are independent of each other"),
        starts=tuple(starts),
        means=tuple(means),
    )


def warm_up(x: Iterable[float]) -> WarmUp:
    """Find the values of a run before its steady state (after Barrett et al. 2017).

    The estimate is 0 if the run begins in its steady state, and if it has none.

    Raises:
        ValueError: there are no values, or a value is not finite.
    """
    return result(WarmUp, one("warm_up", {"x": x}), (ORDER,), "pelt")


def change_points(
    x: Iterable[float], *, places: Sequence[bool] | None = None, detector: Detector | None = None
) -> ChangePoints:
    """Find the changes of level in a history, as they were told commit after commit, and with hindsight.

    At most 5 % of histories without a change show any in their whole life, however often they were looked at, also if
    neighbours depend on each other, or if the noise has two levels, spikes or a cycle (docs/detector.md).

    Args:
        x: the values, oldest first. If all are positive, changes are relative, otherwise differences.
        places: for each value whether a change may begin there: false for a further measurement of the same commit.
        detector: the constants; None for the calibrated ones.

    Raises:
        ValueError: there are no values, a value is not finite, or there are not as many places as values.
    """
    values = sample(x, "x")
    if not len(values):
        raise ValueError("x has no values; a sample needs one or more")
    may = None if places is None else [bool(place) for place in places]
    if may is not None and len(may) != len(values):
        raise ValueError(f"places must be as many as the values, {len(values)}, not {len(may)}")
    used = detector or Detector()
    (found,) = _native.change_points(("x", values), [len(values)], may, used)
    few = len(values) < used.first_look
    return ChangePoints(
        estimate=len(found["points"]),
        n=len(values),
        method="forward pass",
        assumptions=("the values are in the order of the commits", "the measurements are of one kind of machine"),
        warnings=(f"too few values: {used.first_look} are needed",) if few else (),
        points=tuple(_point(point, used, ratio=found["ratio"]) for point in found["points"]),
        alarms=tuple(Alarm(place=place, raised=raised, withdrawn=gone) for place, raised, gone in found["alarms"]),
        spikes=tuple(Spike(place=place, values=count) for place, count in found["spikes"]),
        suspect=None if found["suspect"] is None else Spike(place=found["suspect"][0], values=found["suspect"][1]),
        scale="ratio" if found["ratio"] else "difference",
        noise=None if isnan(found["noise"]) else found["noise"],
    )


def _point(point: dict[str, Any], used: Detector, *, ratio: bool) -> ChangePoint:
    size, low, high = (expm1(point[name]) if ratio else point[name] for name in ("size", "low", "high"))
    return ChangePoint(
        place=point["place"],
        first=point["first"],
        last=point["last"],
        change=size,
        size=Interval(low=low, high=high, level=used.size_level),
        p=point["p"],
        raised=point["raised"],
        returns=point["returns"],
    )
