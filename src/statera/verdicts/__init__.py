"""What follows from the numbers: notes, findings in words, and the catalogue of every code."""

from statera.verdicts.notes import Note, notes
from statera.verdicts.words import findings, method

__all__ = ["Note", "findings", "method", "notes"]
