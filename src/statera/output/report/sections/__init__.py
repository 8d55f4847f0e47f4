"""The sections of the report; each function returns a section, or None if it has no content.

- ``summary.py``, ``cards.py`` (what became worse), ``profile.py``, ``results.py`` (also the blocks), ``suite.py``,
  ``quantiles.py``, ``quality.py`` (also the normality atlas), ``method.py`` (also the reproduction),
  ``manifest.py`` (also the dictionary).
- ``rows.py`` looks up rows, gives each its address, and writes tables of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.output.report.sections import cards, manifest, method, profile, quality, quantiles, results, suite, summary

if TYPE_CHECKING:
    from collections.abc import Callable

    from statera.output.report.material import Material
    from statera.output.report.model import Section

# In the order of the report: the keys that notes can name, the title of a section that consists only of notes, and what
# writes the section from the results.
SECTIONS: Final[dict[str, tuple[str, Callable[[Material], Section | None]]]] = {
    "summary": ("Summary", summary.section),
    "suspects": ("What became worse", cards.section),
    "profile": ("Where the cost lies", profile.section),
    "results": ("Results", results.section),
    "suite": ("The suite as a whole", suite.section),
    "distribution": ("Distribution effects", quantiles.section),
    "blocks": ("What changed most", results.blocks_section),
    "quality": ("Data quality", quality.section),
    "atlas": ("Normality atlas", quality.atlas),
    "method": ("Method", method.section),
    "manifest": ("What was measured", manifest.section),
    "dictionary": ("Data dictionary", manifest.dictionary),
    "reproduction": ("Reproduction", method.reproduction),
}
TITLES: Final = {key: title for key, (title, _) in SECTIONS.items()}


def sections(material: Material) -> tuple[Section, ...]:
    """Return the sections that have content."""
    found = (write(material) for _, write in SECTIONS.values())
    return tuple(section for section in found if section is not None)
