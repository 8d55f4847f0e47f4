"""What follows from the numbers: notes, findings in words, and the catalogue of every code."""

from statera.verdicts.gate import Gate, GateResult, parse_gate
from statera.verdicts.notes import Note, notes
from statera.verdicts.words import findings, method

__all__ = ["Gate", "GateResult", "Note", "findings", "method", "notes", "parse_gate"]
