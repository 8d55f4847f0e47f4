"""The charts of runs: the distribution of every metric over runs and hosts, and its course over slots."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.charts.groups import GROUPS, Chart
from statera.output.plots.picture import missing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.charts.groups import ChartRun


def draw(runs: Sequence[ChartRun], *, width: int = 720) -> list[Chart]:
    """Draw all charts of runs, in the order of their groups; the first run is the baseline.

    A metric without values in all runs has no chart.

    Raises ``Stop`` if an analysis is incomplete, or NumPy is not installed.
    """
    try:
        from statera.cluster.charts import courses, distributions  # noqa: PLC0415 - NumPy is optional
        from statera.cluster.charts.sorted_samples import OpenRuns  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise missing(error.name or "numpy") from None
    labels = [run.label for run in runs]
    charts = []
    with OpenRuns(runs) as opened:
        over_slots = courses.of_hosts(opened) | courses.of_blocks(opened)
        epoch_length = opened.epoch_length()
        for group, metric in ((group, metric) for group, metrics in GROUPS.items() for metric in metrics):
            samples, course = opened.samples(metric), over_slots.get(metric.key)
            if samples:
                picture = distributions.draw(metric, labels, samples, width)
                charts.append(Chart(metric.key, "cdf", metric.title, metric.meaning, group, picture))
            if course:
                means = {each.place: float(each.values.mean()) for each in samples}
                picture = courses.draw(metric, labels, course, means, epoch_length=epoch_length, width=width)
                charts.append(Chart(metric.key, "timeline", metric.title, metric.meaning, group, picture))
    return charts
