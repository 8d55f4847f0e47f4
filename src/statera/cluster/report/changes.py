"""What changed, the worst first: a table, and a card of each metric with its charts and the mean of each run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from statera.cluster.metrics import name
from statera.cluster.report.cells import mean, tone
from statera.cluster.report.intervals import axis
from statera.cluster.report.material import runs
from statera.cluster.report.pictures import anchor
from statera.cluster.report.tables import pair_table
from statera.cluster.report.wording import count, shown
from statera.cluster.sentences import changed
from statera.cluster.units import suited
from statera.output.report.model import Card, Cell, Column, Table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.metrics import Metric
    from statera.cluster.report.material import Material
    from statera.cluster.rows import Cell as Change


def table(material: Material, pair: tuple[int, int]) -> Table | None:
    """Build the table of what changed in a pair of variants; None if nothing did."""
    base, other = (material.comparison.variants[place] for place in pair)
    cells = [cell for cell in material.changed if (cell.base, cell.other) == (base, other)]
    if not cells:
        return None
    on = axis(material.comparison, cells)
    found = pair_table(material, [(cell, "") for cell in cells], on, "Changed: ")
    return replace(found, notes=("The worst first.", *found.notes), drawn=f"Where intervals are drawn: {on.words}.")


def cards(material: Material) -> Iterator[Card]:
    """Yield a card of each metric that changed."""
    for metric in material.pictures.carded:
        cells = [cell for cell in material.changed if cell.metric is metric]
        yield Card(
            anchor("suspect", metric),
            name(metric),
            _said(material, cells),
            tone(cells[0]),
            metric.meaning,
            material.pictures.of_card(metric),
            _runs(material, metric),
        )


def _said(material: Material, cells: Sequence[Change]) -> str:
    level = f"{material.comparison.settings.policy.level}\u00a0%"
    several = len(material.comparison.pairs) > 1
    said = [
        (f"{shown(cell.other.label)} against {shown(cell.base.label)}: " if several else "") + changed(cell, level)
        for cell in cells
    ]
    return f"{'; '.join(said)}."


def _runs(material: Material, metric: Metric) -> Table | None:
    """Show the mean of each run, which is what several runs a side are judged by; None with one run a side."""
    if all(len(variant.runs) == 1 for variant in material.comparison.variants):
        return None
    found = [(one, one.summary["metrics"][metric.key]) for one in runs(material)]
    unit = suited(metric.unit, (of["mean"] for _, of in found))
    rows = tuple((Cell(shown(one.name)), mean(of["mean"], unit), count(of["n"])) for one, of in found)
    heads = (Column("run"), Column(f"mean, {unit.name}", numeric=True), Column("n", numeric=True))
    return Table(f"{name(metric)}, run by run", heads, rows)
