"""What follows from the numbers: notes, findings in words, and the catalogue of every code."""

from statera.verdicts.notes import Note, elsewhere_words, notes
from statera.verdicts.words import VERDICTS, findings, method

__all__ = ["VERDICTS", "Note", "elsewhere_words", "findings", "method", "notes"]
