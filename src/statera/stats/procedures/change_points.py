"""The changes of level in a history: a value for each measurement of each commit."""

from __future__ import annotations

from math import expm1, isnan
from typing import TYPE_CHECKING, Any

from statera import _native
from statera.stats.results import Alarm, ChangePoint, ChangePoints, Interval, Spike
from statera.stats.samples import sample
from statera.support.settings.detector import Detector

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


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
        interval=None,
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
