"""Appendix of charts: the distribution of every metric and, for metrics of slots, its course over the slots."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from statera.cluster.charts import ChartRun, draw
from statera.plots import ahead
from statera.report.model import Beside, Figure, Heading, Prose, Section

if TYPE_CHECKING:
    from statera.cluster.charts import Chart
    from statera.cluster.report.material import Material
    from statera.report.model import Block

# A page shows two charts side by side.
_WIDTH: Final = 440
_CLUSTER: Final = ("Resources", "Forge loop", "Chain", "CPU spans")
_OF_CLUSTER, _OF_BLOCKS = "Cluster performance", "Block propagation"


def section(material: Material) -> Section:
    """Draw every metric that has values, the two charts of a metric side by side."""
    variants = material.comparison.variants
    charts = draw([ChartRun(each.label, tuple(run.path for run in each.runs)) for each in variants], width=_WIDTH)
    if not charts:
        return Section("charts", "Appendix A: charts", (Prose(("No metric has values, so there are no charts.",)),))
    blocks: list[Block] = [Prose((_lead(charts),))]
    for group, members in groupby(charts, key=lambda chart: chart.group):
        blocks.append(Heading(_heading(group)))
        blocks += [Beside(tuple(map(_figure, pair))) for pair in _pairs(list(members))]
    return Section("charts", "Appendix A: charts", tuple(blocks))


def _lead(charts: list[Chart]) -> str:
    kinds = {chart.kind for chart in charts}
    courses = " The chart beside it shows the metric over the slots of the run." if "timeline" in kinds else ""
    return (
        "A distribution is drawn as the share of values up to each value; the band around it spans the "
        f"distributions of single hosts.{courses} A metric without values has no chart."
    )


def _pairs(charts: list[Chart]) -> list[list[Chart]]:
    """Pair the two charts of each metric, and pair the remaining single charts."""
    found, alone = [], []
    for _, members in groupby(charts, key=lambda chart: chart.key):
        several = list(members)
        if len(several) == 1:
            alone += several
        else:
            found.append(several)
    return [*found, *(alone[place : place + 2] for place in range(0, len(alone), 2))]


def _heading(group: str) -> str:
    words = group if group.startswith("CPU") else group.lower()
    return f"{_OF_CLUSTER if group in _CLUSTER else _OF_BLOCKS}: {words}"


def _figure(chart: Chart) -> Figure:
    # The picture itself shows the meaning of the metric.
    return Figure(
        ahead.begin(chart.picture), f"{chart.title} ({chart.key}){' over slots' if chart.kind == 'timeline' else ''}."
    )
