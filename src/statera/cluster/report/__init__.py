"""The report of a run of a cluster, or of a comparison of runs, as a document for ``output.report``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.report import appendix, chain, charts, findings, method, tables
from statera.cluster.report.cells import Values, shown
from statera.output.report import Options, byline, notes
from statera.output.report.model import Document
from statera.support.wording import several

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.cluster.report.material import Material
    from statera.output.report.model import Section

# In the order of the report; analysts can add prose to each.
SECTIONS: Final[dict[str, tuple[str, Callable[[Material], Section]]]] = {
    "summary": (findings.TITLE, findings.section),
    "results": (tables.TITLE, tables.section),
    "charts": (charts.TITLE, charts.section),
    "chain": (chain.TITLE, chain.section),
    "method": (method.TITLE, method.section),
    "dictionary": (appendix.DICTIONARY, appendix.dictionary),
    "manifest": (appendix.MANIFEST, appendix.manifest),
    "reproduction": (appendix.REPRODUCTION, appendix.reproduction),
}


def document(material: Material, options: Options | None = None) -> Document:
    """Build the document of a report.

    Raises ``Stop`` if the analysts' prose refers to an unknown metric, run or function.
    """
    options = options or Options()
    found = tuple(make(material) for _, make in SECTIONS.values())
    if options.notes.strip():
        values = Values(material.comparison)
        titles = {name: title for name, (title, _) in SECTIONS.items()}
        found = notes.placed(found, options.notes, options.notes_name or "notes", values, titles)
    labels = [shown(variant.label) for variant in material.comparison.variants]
    usual = "Cluster runs compared" if material.compares else "Cluster run"
    subtitle = f"{several(labels[1:])} against {labels[0]}" if material.compares else labels[0]
    return Document(shown(options.title) or usual, subtitle, byline(options.date), found, options.date)
