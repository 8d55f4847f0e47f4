"""The report of a run of a cluster, or of a comparison of runs, as a document for ``output.report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.report import appendix, chain, charts, findings, method, tables
from statera.cluster.report.cells import shown
from statera.cluster.report.values import Values
from statera.output.report import Options, byline, notes
from statera.output.report.model import Document
from statera.support.wording import several

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.cluster.report.material import Material
    from statera.output.report.model import Section

# In the order of the report.
SECTIONS: Final[tuple[Callable[[Material], Section | None], ...]] = (
    findings.section, tables.section, charts.section, chain.section, method.section, appendix.dictionary,
    appendix.manifest, appendix.reproduction,
)  # fmt: skip
# The sections to which analysts can add prose.
TITLES: Final = {
    "summary": findings.TITLE, "results": tables.TITLE, "charts": charts.TITLE, "chain": chain.TITLE,
    "method": method.TITLE, "dictionary": appendix.DICTIONARY, "manifest": appendix.MANIFEST,
    "reproduction": appendix.REPRODUCTION,
}  # fmt: skip


def document(material: Material, options: Options | None = None) -> Document:
    """Build the document of a report.

    Raises:
        Stop: the analysts' prose refers to an unknown metric, run or function.

    """
    options = options or Options()
    found = tuple(section for section in (make(material) for make in SECTIONS) if section is not None)
    if options.notes.strip():
        values = Values(material.comparison)
        found = notes.placed(found, options.notes, options.notes_name or "notes", values, TITLES)
    labels = [shown(variant.label) for variant in material.comparison.variants]
    usual = "Cluster runs compared" if material.compares else "Cluster run"
    subtitle = f"{several(labels[1:])} against {labels[0]}" if material.compares else labels[0]
    return Document(shown(options.title) or usual, subtitle, byline(options.date), found, options.date)
