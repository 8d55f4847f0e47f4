"""An entry of the catalogue; for a column or field, what it means where the compiled code defines it."""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple

from statera import _native

_WIDTH = 100


class Entry(NamedTuple):
    """The explanation of a code."""

    meaning: str  # what the code means
    why: str  # why it exists
    what_to_do: str  # the next step

    def text(self, code: str) -> str:
        """Write the entry as text: the code as title, then three short paragraphs with headings."""
        parts = (("Meaning", self.meaning), ("Why it is there", self.why), ("What to do", self.what_to_do))
        # A command in backticks may break at a space but never at a hyphen.
        paragraphs = [f"{heading}\n{fill(words, _WIDTH, break_on_hyphens=False)}" for heading, words in parts]
        return "\n\n".join([code, *paragraphs])


def meanings() -> dict[str, list[tuple[str, str]]]:
    """Return, for each column and each field, where it stands and what it means there."""
    found: dict[str, list[tuple[str, str]]] = {}
    for heading, meaning in _native.Inspection.meanings():
        found.setdefault(word(heading), []).append(("In the table of statera inspect", meaning))
    for verb, described in (("inspect", _native.inspected_fields()), ("compare", _native.row_fields())):
        for name, _, _, unit, meaning, _ in described:
            where = f"In CSV and JSON of statera {verb}" + (f" (unit: {unit})" if unit else "")
            found.setdefault(word(name), []).append((where, meaning))
    return found


def word(heading: str) -> str:
    """Return the word that explains a heading: ``normal-p``."""
    return "-".join(heading.lower().split())


def meanings_text(found: list[tuple[str, str]]) -> str:
    """Write what a column or field means, below where it stands."""
    paragraphs = [f"{where}\n{fill(meaning, _WIDTH, break_on_hyphens=False)}" for where, meaning in found]
    return "\n\n".join(paragraphs)
