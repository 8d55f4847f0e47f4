"""What follows from the numbers: notes, findings in words, and the catalogue of every code."""

from statera.verdicts.notes import Note, notes
from statera.verdicts.words import VERDICTS, findings, method

__all__ = ["VERDICTS", "Note", "findings", "method", "notes"]
