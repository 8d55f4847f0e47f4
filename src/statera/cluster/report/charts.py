"""Charts: every metric over the runs, as a distribution and, where it has one, as a course over slots."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Final

from statera.cluster.charts import ChartRun, draw
from statera.report.model import Beside, Figure, Heading, Prose, Section

if TYPE_CHECKING:
    from statera.cluster.charts import Chart
    from statera.cluster.report.material import Material
    from statera.report.model import Block

# Two stand beside each other on a page.
_WIDTH: Final = 440
_CLUSTER: Final = ("Resources", "Forge loop", "Chain", "CPU spans")
_OF_CLUSTER, _OF_BLOCKS = "Cluster performance", "Block propagation"


def section(material: Material) -> Section:
    """Draw every metric that has values; the two charts of a metric stand beside each other."""
    variants = material.comparison.variants
    charts = draw([ChartRun(each.label, tuple(run.path for run in each.runs)) for each in variants], width=_WIDTH)
    if not charts:
        return Section("charts", "Appendix A: charts", (Prose(("No metric has a value: there is nothing to draw.",)),))
    blocks: list[Block] = [Prose((_lead(charts),))]
    for group, members in groupby(charts, key=lambda chart: chart.group):
        blocks.append(Heading(_heading(group)))
        blocks += [Beside(tuple(map(_figure, pair))) for pair in _pairs(list(members))]
    return Section("charts", "Appendix A: charts", tuple(blocks))


def _lead(charts: list[Chart]) -> str:
    kinds = {chart.kind for chart in charts}
    courses = " The chart beside it is the metric's course over the slots of the run." if "timeline" in kinds else ""
    return (
        "A distribution is drawn as the share of values up to each value; the band around it is where the "
        f"distributions of single hosts lie.{courses} A metric without any value has no chart."
    )


def _pairs(charts: list[Chart]) -> list[list[Chart]]:
    """Put the two charts of a metric together, and those that are alone in pairs."""
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
    # Its meaning stands in the picture.
    return Figure(chart.picture, f"{chart.title} ({chart.key}){' over slots' if chart.kind == 'timeline' else ''}.")
