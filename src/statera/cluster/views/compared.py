"""A comparison of runs as tables of cells, for people: the manifest, the five tables of the report, and the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.cluster.manifest import facts
from statera.cluster.metrics import METRICS, SECTIONS
from statera.cluster.run_warnings import told_of
from statera.cluster.views.numbers import amount, difference, interval, percent
from statera.wording import listed

if TYPE_CHECKING:
    from statera.cluster.compare import Cell, ClusterComparison, Row, Variant
    from statera.cluster.metrics import Metric


class Table(NamedTuple):
    """A table of texts.

    Attributes:
        title: above it.
        rows: the heading first.

    """

    title: str
    rows: list[list[str]]


def manifest(comparison: ClusterComparison) -> Table:
    """Give the table of what was run, one column a variant; what no run states has no row."""
    rows = facts([[run.summary for run in variant.runs] for variant in comparison.variants])
    heading = ["", *(variant.label for variant in comparison.variants)]
    return Table("Manifest", [heading, *([fact.title, *fact.cells] for fact in rows if fact.known)])


def tables(comparison: ClusterComparison, number: int) -> list[Table]:
    """Give the five tables of the report for one contender, and a last one of everything beyond them."""
    of = {row.metric.key: row for row in comparison.rows}
    base, other = comparison.variants[0], comparison.variants[number + 1]
    found = []
    shown = set()
    for section in SECTIONS:
        metrics = [*section.metrics, *section.extra]
        shown |= {metric.key for metric in metrics}
        lines = [line(of[metric.key], number, mark="+" if metric in section.extra else "") for metric in metrics]
        found.append(Table(f"{section.number} {section.title}", [heading(base, other), *lines]))
    rest = [line(of[metric.key], number) for metric in METRICS if metric.key not in shown]
    found.append(Table("Beyond the report's tables", [heading(base, other), *rest]))
    return found


def heading(base: Variant, other: Variant) -> list[str]:
    """Head a table of a contender against the baseline."""
    return ["", base.label, "n", other.label, "n", "Δ", "Δ%", "interval of Δ", "verdict"]


def line(row: Row, number: int, mark: str = "") -> list[str]:
    """Give the cells of a metric of the ``number``-th contender."""
    cell = row.cells[number]
    return [
        f"{mark}{title(row.metric)}",
        amount(row.base.mean),
        str(row.base.n),
        amount(cell.side.mean),
        str(cell.side.n),
        *_change(cell),
    ]


def _change(cell: Cell) -> list[str]:
    return [
        difference(cell.delta),
        percent(cell.delta_percent),
        interval(cell.weighed.low, cell.weighed.high),
        cell.words,
    ]


def title(metric: Metric) -> str:
    """Name a metric as its row does."""
    return f"{metric.title}, {metric.unit}"


def notes(comparison: ClusterComparison) -> list[str]:
    """Say what the numbers are and how rows were weighed."""
    level = f"{comparison.policy.level} %"
    lines = [
        "Cells are means over all samples; n is their number in each row. + marks rows that are new.",
        f"Intervals of Δ at {level}; p-values of all rows are corrected together by Benjamini-Hochberg.",
        (
            "Several runs a side are weighed run by run. Else metrics of blocks are weighed by batches of blocks, and "
            "all others by hosts, the same host in both runs."
        ),
    ]
    if any("one run" in cell.rider for row in comparison.rows for cell in row.cells):
        lines.append(
            "(one run each): verdicts speak of these runs; how far two runs of one build differ, they cannot tell."
        )
    return lines + warnings(comparison)


def warnings(comparison: ClusterComparison) -> list[str]:
    """Say of each variant what was left out or is unusual, in a line."""
    return [line for line in map(_warning, comparison.variants) if line]


def _warning(variant: Variant) -> str:
    found = told_of([run.summary for run in variant.runs])
    return f"{variant.label}: {listed(found, 3, between='; ', last='; and ')}" if found else ""
