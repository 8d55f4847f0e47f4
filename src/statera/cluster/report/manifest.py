"""Section with the manifest: what was run, and which chosen properties differ between the runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.manifest import FILTERS, facts
from statera.cluster.report.wording import several, shown
from statera.output.report.model import Cell, Column, Prose, Section, Table

if TYPE_CHECKING:
    from statera.cluster.manifest import Fact
    from statera.cluster.report.material import Material


TITLE: Final = "7 Manifest"
# Section 2.7 shows the filters in full.
_FILTERS: Final = 40


def rows(material: Material) -> list[Fact]:
    """Return the rows of the manifest."""
    variants = material.comparison.variants
    return facts([[run.summary for run in variant.runs] for variant in variants], material.today)


def differing(material: Material) -> list[str]:
    """List the chosen properties that differ between variants, by title."""
    return [fact.title for fact in rows(material) if any(fact.differs)]


def section(material: Material) -> Section:
    """Build the table of all rows; differences from the baseline are highlighted."""
    heads = [Column("of the run"), *(Column(shown(variant.label)) for variant in material.comparison.variants)]
    if material.compares:
        heads.append(Column("note"))
    notes = ["A dash means that the run does not state the value. Dates and times are in UTC."]
    if any(len(variant.runs) > 1 for variant in material.comparison.variants):
        notes.append("For several runs of one configuration the table shows every value, or the range of many counts.")
    table = Table("Manifest", tuple(heads), tuple(_row(fact, material.compares) for fact in rows(material)), (*notes,))
    table = table.without_empty()
    said = [_said(material)] if material.compares else []
    return Section("manifest", TITLE, (Prose((*said,)), table))


def _row(fact: Fact, compares: bool) -> tuple[Cell, ...]:  # noqa: FBT001 - a fact of the whole report
    cells = [
        Cell(
            shown(text) if fact.title != FILTERS else _native.shortened(shown(text), _FILTERS),
            tone="changed" if differs else "",
        )
        for text, differs in zip(fact.cells, fact.differs, strict=True)
    ]
    said = "differs" if any(fact.differs) else "not stated by all" if fact.partly else ""
    remark = [Cell(said)] if compares else []
    return (Cell(fact.title), *cells, *remark)


def _said(material: Material) -> str:
    found = differing(material)
    if not found:
        return "All versions, workloads, filters and machines that the runs state are the same."
    return f"The runs differ in: {several(found, most=len(found))}. Any of these may cause a change."
