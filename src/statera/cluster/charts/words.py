"""What charts say: entries of legends, captions, and the chart in words for those who cannot see it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from statera.cluster.charts import shares
from statera.cluster.views.numbers import amount
from statera.plots import frame

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statera.cluster.charts.courses import Course
    from statera.cluster.charts.gathering import Sampled
    from statera.cluster.charts.scale import Scale
    from statera.cluster.metrics import Metric

_SHORT = 20  # columns of a name beside numbers


def quantity(scale: Scale, value: float) -> str:
    """Write a value in the unit of the axis."""
    unit = scale.unit.removesuffix(" of one core")
    return f"{amount(value / scale.factor, 4)} {unit}".rstrip()


def entry(metric: Metric, scale: Scale, label: str, sampled: Sampled) -> str:
    """Name a run in a legend, with its median and the number of its samples."""
    del metric
    return f"{frame.name(label, _SHORT)}: median {_median(scale, sampled)}, n {len(sampled.values):,}"


def remarks(
    labels: Sequence[str], samples: Sequence[Sampled], scale: Scale, *, banded: bool, stepped: bool
) -> list[str]:
    """Say what the picture shows beside the curves, and what it leaves out."""
    said = []
    if banded:
        most = max(len(each.hosts) for each in samples)
        which = "10 to 90 % of" if most >= shares.FEW_HOSTS else "all"
        what = "shares" if stepped else "quantiles"
        said.append(f"bands hold the {what} of {which} the {most} hosts")
    if any(each.repeats for each in samples):
        said.append("thick curves are repeats together, thin ones each repeat")
    said += [f"{end} lie outside: {text}" for end, text in _outside(labels, samples, scale)]
    absent = [frame.name(label) for place, label in enumerate(labels) if place not in {each.place for each in samples}]
    if absent:
        said.append(f"no samples of {', '.join(absent)}")
    return said


def _outside(labels: Sequence[str], samples: Sequence[Sampled], scale: Scale) -> list[tuple[str, str]]:
    found = []
    for cut, what, end, place in (
        (scale.cut[0], "the lowest 0.5 %", "least value", 0),
        (scale.cut[1], "the highest 0.5 %", "largest value", -1),
    ):
        if cut:
            each = (f"{quantity(scale, float(s.values[place]))} of {frame.name(labels[s.place])}" for s in samples)
            found.append((what, f"{end} {', '.join(each)}"))
    return found


def alt_of_cdf(metric: Metric, scale: Scale, labels: Sequence[str], samples: Sequence[Sampled]) -> str:
    """Tell a chart of distributions: medians, numbers of samples, spread of hosts."""
    said = [_told(scale, labels[each.place], each) for each in samples]
    return f"Cumulative distribution of {metric.title}. {'; '.join(said)}."


def _told(scale: Scale, label: str, sampled: Sampled) -> str:
    largest = quantity(scale, float(sampled.values[-1]))
    parts = [f"{frame.name(label)}: median {_median(scale, sampled)}", f"largest {largest}"]
    parts.append(f"{len(sampled.values):,} samples")
    if len(sampled.hosts) > 1:
        medians = [float(shares.quantiles(host, _HALF)[0]) for host in sampled.hosts]
        ends = f"{quantity(scale, min(medians))} to {quantity(scale, max(medians))}"
        parts.append(f"medians of {len(medians)} hosts from {ends}")
    return ", ".join(parts)


_HALF = shares.LEVELS[shares.LEVELS == 0.5]  # noqa: PLR2004 - the median


def _median(scale: Scale, sampled: Sampled) -> str:
    return quantity(scale, float(shares.quantiles(sampled.values, _HALF)[0]))


def course_entry(scale: Scale, label: str, mean: float) -> str:
    """Name a run in a legend, with the mean of its samples."""
    return f"{frame.name(label, _SHORT)}: mean {quantity(scale, mean)}"


def remarks_of_course(labels: Sequence[str], over_slots: Sequence[Course], scale: Scale, *, epochs: int) -> list[str]:
    """Say what a course shows, and what it leaves out."""
    width = f"{over_slots[0].width:,} slots" if over_slots[0].width > 1 else "single slots"
    hosts = max(course.hosts for course in over_slots)
    if hosts:
        said = [f"lines are means over hosts of {width}" if hosts > 1 else f"lines are means of {width}"]
    else:
        all_drawn = all(len(course.points[0]) >= _blocks(course) for course in over_slots)
        said = [f"lines are means of the blocks of {width}"]
        said += ["points are blocks" if all_drawn else "points are the largest of each stretch"]
    if any(len(course.low) for course in over_slots):
        which = "10 to 90 % of" if hosts >= shares.FEW_HOSTS else "all"
        said[0] += f", bands hold {which} the {hosts} hosts"
    if epochs:
        said.append("dashed lines across are beginnings of epochs")
    for course in over_slots:
        means = course.mean / scale.factor
        outside = int(((means > scale.high) | (means < scale.low)).sum())
        if outside:
            largest = quantity(scale, float(np.nanmax(course.mean)))
            name = frame.name(labels[course.place])
            said.append(f"{outside} means of {name} lie beyond the axis (triangles), the largest is {largest}")
    return said


def _blocks(course: Course) -> int:
    return len(course.points[0])


def alt_of_course(
    metric: Metric, scale: Scale, labels: Sequence[str], over_slots: Sequence[Course], means: Mapping[int, float]
) -> str:
    """Tell a chart of courses: means, and where stretches are highest and lowest."""
    first = min(int(course.at[0]) for course in over_slots)
    last = max(int(course.at[-1]) + course.width - 1 for course in over_slots)
    said = []
    for course in over_slots:
        low, high = int(np.nanargmin(course.mean)), int(np.nanargmax(course.mean))
        said.append(
            f"{frame.name(labels[course.place])}: mean {quantity(scale, means[course.place])}, stretches of "
            f"{course.width:,} slots from {quantity(scale, float(course.mean[low]))} (slot {int(course.at[low]):,}) to "
            f"{quantity(scale, float(course.mean[high]))} (slot {int(course.at[high]):,})"
        )
    return f"{metric.title} over slots {first:,} to {last:,}. {'; '.join(said)}."
