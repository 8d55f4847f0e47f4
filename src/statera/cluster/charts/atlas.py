"""Draws all charts of runs, in order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.charts import Chart, cdf, courses, timeline
from statera.cluster.charts.gathering import Gathered
from statera.cluster.charts.groups import GROUPS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.charts import ChartRun
    from statera.cluster.charts.courses import Course
    from statera.cluster.metrics import Metric


def draw(runs: Sequence[ChartRun], width: int) -> list[Chart]:
    """Draw the charts; see ``statera.cluster.charts.draw``."""
    with Gathered(runs) as gathered:
        over_slots = courses.of_hosts(gathered) | courses.of_blocks(gathered)
        return [
            chart
            for group, metrics in GROUPS.items()
            for metric in metrics
            for chart in _of_metric(group, metric, gathered, over_slots.get(metric.key, []), width)
        ]


def _of_metric(
    group: str, metric: Metric, gathered: Gathered, over_slots: Sequence[Course], width: int
) -> Iterator[Chart]:
    labels = [run.label for run in gathered.runs]
    samples = gathered.samples(metric)
    if samples:
        picture = cdf.draw(metric, labels, samples, width)
        yield Chart(metric.key, "cdf", metric.title, metric.meaning, group, picture)
    if over_slots:
        means = {each.place: float(each.values.mean()) for each in samples}
        picture = timeline.draw(metric, labels, over_slots, means, epoch_length=gathered.epoch_length(), width=width)
        yield Chart(metric.key, "timeline", metric.title, metric.meaning, group, picture)
