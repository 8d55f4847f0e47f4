"""The sections of the report, one module per section; each returns a section, or None if it has no content."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.output.report.sections import (
    cards,
    manifest,
    method,
    quality,
    quantiles,
    reproduction,
    results,
    suite,
    summary,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.output.report.material import Material
    from statera.output.report.model import Section

# In the order of the report.
SECTIONS: Final[tuple[Callable[[Material], Section | None], ...]] = (
    summary.section,
    cards.section,
    results.section,
    suite.section,
    quantiles.section,
    quality.section,
    quality.atlas,
    method.section,
    manifest.section,
    manifest.dictionary,
    reproduction.section,
)
# The keys that notes can name, with the title of a section that consists only of notes.
TITLES: Final = {
    "summary": "Summary",
    "suspects": "What became worse",
    "results": "Results",
    "suite": "The suite as a whole",
    "distribution": "Distribution effects",
    "quality": "Data quality",
    "atlas": "Normality atlas",
    "method": "Method",
    "manifest": "What was measured",
    "dictionary": "Data dictionary",
    "reproduction": "Reproduction",
}


def sections(material: Material) -> tuple[Section, ...]:
    """Return the sections that have content."""
    found = (section(material) for section in SECTIONS)
    return tuple(section for section in found if section is not None)
