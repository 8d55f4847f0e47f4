"""The entry of a code in the catalogue."""

from __future__ import annotations

from textwrap import fill
from typing import NamedTuple

_WIDTH = 100


class Entry(NamedTuple):
    """The explanation of a code.

    Attributes:
        meaning: what the code means.
        why: why it exists.
        what_to_do: the next step.

    """

    meaning: str
    why: str
    what_to_do: str

    def text(self, code: str) -> str:
        """Write the entry as text: the code as title, then three short paragraphs with headings."""
        parts = (("Meaning", self.meaning), ("Why it is there", self.why), ("What to do", self.what_to_do))
        # A command in backticks may break at a space but never at a hyphen.
        paragraphs = [f"{heading}\n{fill(words, _WIDTH, break_on_hyphens=False)}" for heading, words in parts]
        return "\n\n".join([code, *paragraphs])
