"""The answer, notes and findings of a comparison in sentences, and the catalogue of every code."""

from statera.comparison.verdicts.answer import Answer, answer, answer_of_own_parts
from statera.comparison.verdicts.findings import correction, findings, method
from statera.comparison.verdicts.notes import Note, elsewhere_words, notes

__all__ = [
    "Answer",
    "Note",
    "answer",
    "answer_of_own_parts",
    "correction",
    "elsewhere_words",
    "findings",
    "method",
    "notes",
]
