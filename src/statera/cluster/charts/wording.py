"""Texts of charts: entries of legends, captions, and alternative texts for readers who cannot see the chart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from statera.cluster.charts import shares
from statera.cluster.views.numbers import amount
from statera.output.plots import frame
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from statera.cluster.charts.courses import Course
    from statera.cluster.charts.gathering import Sampled
    from statera.cluster.charts.scale import Scale
    from statera.cluster.metrics import Metric

_SHORT = 20  # the most characters of a name beside numbers


def quantity(scale: Scale, value: float) -> str:
    """Write a value in the unit of the axis."""
    unit = scale.unit.removesuffix(" of one core")
    return f"{amount(value / scale.factor, 4)} {unit}".rstrip()


def between(scale: Scale, low: float, high: float) -> str:
    """Write a range with enough digits that different ends look different."""
    digits = next((d for d in range(4, 10) if amount(low, d) != amount(high, d)), 4)
    unit = scale.unit.removesuffix(" of one core")
    first, last = (amount(value / scale.factor, digits) for value in (low, high))
    return f"{first} {unit}".rstrip() if first == last else f"{first} to {last} {unit}".rstrip()


def entry(scale: Scale, label: str, sampled: Sampled) -> str:
    """Write a run's entry of a legend, with its median and the number of its samples."""
    return f"{frame.name(label, _SHORT)}: median {_median(scale, sampled)}, n {len(sampled.values):,}"


def remarks(labels: Sequence[str], samples: Sequence[Sampled], scale: Scale) -> list[str]:
    """Describe what the picture shows beside the curves, and what it leaves out."""
    said = []
    counts = {labels[each.place]: len(each.hosts) for each in samples if each.banded}
    if counts:
        said.append(f"bands hold {_hosts(counts)}")
    if any(each.repeats for each in samples):
        said.append("thin curves are single repeats")
    said += [f"{end} lie outside: {text}" for end, text in _outside(labels, samples, scale)]
    absent = [frame.name(label) for place, label in enumerate(labels) if place not in {each.place for each in samples}]
    if absent:
        said.append(f"no samples of {', '.join(absent)}")
    return said


def _hosts(counts: Mapping[str, int]) -> str:
    """Describe which hosts a band holds; run by run if they have different numbers of hosts."""
    words = {
        label: f"10 to 90 % of {n} hosts" if n >= shares.FEW_HOSTS else f"all {n} hosts" for label, n in counts.items()
    }
    if len(set(words.values())) == 1:
        return next(iter(words.values()))
    return ", ".join(f"{each} of {frame.name(label)}" for label, each in words.items())


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
    """Write the alternative text of a chart of distributions: medians, numbers of samples, spread of hosts."""
    said = [_told(scale, labels[each.place], each) for each in samples]
    return f"Cumulative distribution of {metric.title}. {'; '.join(said)}."


def _told(scale: Scale, label: str, sampled: Sampled) -> str:
    largest = quantity(scale, float(sampled.values[-1]))
    parts = [f"{frame.name(label)}: median {_median(scale, sampled)}", f"largest {largest}"]
    parts.append(counted(len(sampled.values), "sample"))
    if len(sampled.hosts) > 1:
        medians = [float(shares.quantiles(host, _HALF)[0]) for host in sampled.hosts]
        parts.append(f"medians of {len(medians)} hosts {between(scale, min(medians), max(medians))}")
    return ", ".join(parts)


_HALF = shares.LEVELS[shares.LEVELS == 0.5]  # noqa: PLR2004 - the median


def _median(scale: Scale, sampled: Sampled) -> str:
    return quantity(scale, float(shares.quantiles(sampled.values, _HALF)[0]))


def course_entry(scale: Scale, label: str, mean: float) -> str:
    """Write a run's entry of a legend, with the mean of its samples."""
    return f"{frame.name(label, _SHORT)}: mean {quantity(scale, mean)}"


def remarks_of_course(labels: Sequence[str], over_slots: Sequence[Course], scale: Scale, *, epochs: int) -> list[str]:
    """Describe what a course shows, and what it leaves out."""
    width, hosts = over_slots[0].width, max(course.hosts for course in over_slots)
    each = f"stretches of {width:,} slots" if width > 1 else "single slots"
    if hosts:
        said = [f"means {'over hosts and ' if hosts > 1 else 'of '}{each}"]
    else:
        thinned = any(course.thinned for course in over_slots)
        said = [f"means of the blocks in {each}", f"points are {'the largest block of each' if thinned else 'blocks'}"]
    counts = {labels[course.place]: course.hosts for course in over_slots if len(course.low)}
    if counts:
        said.append(f"bands hold {_hosts(counts)}")
    if epochs:
        said.append("epochs begin at dashed lines")
    reach = max((float(np.nanmax(course.high)) for course in over_slots if len(course.high)), default=-np.inf)
    if reach / scale.factor > scale.high:
        said.append(f"bands reach up to {quantity(scale, reach)}")
    beyond = _beyond(labels, over_slots, scale)
    return ["; ".join(said), *([beyond] if beyond else [])]


def _beyond(labels: Sequence[str], over_slots: Sequence[Course], scale: Scale) -> str:
    """Describe how many means lie beyond the axis, and how far they reach; empty if none does."""
    counts = {labels[course.place]: int(course.beyond(scale).sum()) for course in over_slots}
    if not any(counts.values()):
        return ""
    every = np.concatenate([course.mean[course.beyond(scale)] for course in over_slots])
    least, largest = float(every.min()), float(every.max())
    ends = [f"down to {quantity(scale, least)}"] if least / scale.factor < scale.low else []
    ends += [f"up to {quantity(scale, largest)}"] if largest / scale.factor > scale.high else []
    each = ", ".join(f"{count} of {frame.name(label)}" for label, count in counts.items() if count)
    return f"triangles are means beyond the axis: {each}, {' and '.join(ends)}"


def alt_of_course(
    metric: Metric, scale: Scale, labels: Sequence[str], over_slots: Sequence[Course], means: Mapping[int, float]
) -> str:
    """Write the alternative text of a chart of courses: means, and the highest and lowest stretches."""
    first = min(int(course.at[0]) for course in over_slots)
    last = max(int(course.at[-1]) + course.width - 1 for course in over_slots)
    said = []
    for course in over_slots:
        low, high = int(np.nanargmin(course.mean)), int(np.nanargmax(course.mean))
        of = f"stretches of {course.width:,} slots" if course.width > 1 else "slots"
        said.append(
            f"{frame.name(labels[course.place])}: mean {quantity(scale, means[course.place])}, "
            f"{of} from {quantity(scale, float(course.mean[low]))} (slot {int(course.at[low]):,}) to "
            f"{quantity(scale, float(course.mean[high]))} (slot {int(course.at[high]):,})"
        )
    return f"{metric.title} over slots {first:,} to {last:,}. {'; '.join(said)}."
