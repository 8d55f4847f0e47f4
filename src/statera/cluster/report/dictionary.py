"""Appendix with the data dictionary: the definition, unit and population of every metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.metrics import METRICS
from statera.output.report.model import Cell, Column, Heading, Prose, Section, Table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.metrics import Metric
    from statera.cluster.report.material import Material
    from statera.output.report.model import Block

TITLE: Final = "6 Data dictionary"
GROUPS = ("Block propagation metrics", "Cluster performance metrics")


def group(metric: Metric) -> str:
    """Return the group of a metric: the propagation of blocks, or the performance of the cluster."""
    of_blocks = metric.section in {"2.2", "2.3", "2.4", "2.5"} or metric.key.startswith("x")
    return GROUPS[0] if of_blocks else GROUPS[1]


def section(material: Material) -> Section:
    """Build the section: every metric, by group and key."""
    del material
    lead = (
        "summary.json, the tables of the analysis and the attached files name a metric by its key. The column “one "
        "value per” shows what each value belongs to. Where logs lack data, there is no value."
    )
    blocks: list[Block] = [Prose((lead,))]
    for name in GROUPS:
        metrics = sorted((metric for metric in METRICS if group(metric) == name), key=lambda metric: metric.key)
        blocks += [Heading(name), _table(name, metrics)]
    return Section("dictionary", TITLE, tuple(blocks))


def _table(name: str, metrics: Sequence[Metric]) -> Table:
    heads = tuple(Column(head) for head in ("metric (key)", "meaning", "unit", "one value per", "better"))
    rows = tuple(
        (
            Cell(f"{metric.title} ({metric.key})"),
            Cell(metric.meaning),
            Cell(metric.unit),
            Cell(metric.population),
            Cell({"lower": "lower", "higher": "higher"}.get(metric.better, "neither")),
        )
        for metric in metrics
    )
    return Table(name, heads, rows)
