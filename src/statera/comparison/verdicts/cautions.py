"""What a reader must know before relying on the answer: at most two sentences are shown, by what they change."""

from __future__ import annotations

from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Final

    from statera.comparison.verdicts.notes import Note
    from statera.reading.observations import Observations

# The notes that may change the conclusion, the gravest first. The short sentence replaces the text of the note, where
# that is long; braces stand for what the note itself measures.
_GRAVEST: Final = (
    "beyond-range",
    "machine-differs",
    "moves-as-one",
    "level-changed",
    "one-process",
    "values-unused",
    "measured-elsewhere",
    "copies",
    "pattern-unused",
    "configuration-differs",
    "pooled",
    "files-pooled",
    "baseline-first",
    "too-few-runs",
    "one-after-the-other",
    "dependent-runs",
    "drift",
    "family-too-large",
    "parametric",
    "warm-up",
    "several-modes",
    "few-distinct",
    "medians-disagree",
    "exact-varies",
    "order-of-all",
    "autocorrelation",
    "one-session",
    "low-level",
    "spread-of-all",
    "summaries",
    "pairing-unused",
    "empty-cell",
)
_ASKED: Final = frozenset(
    {"verify-stands", "verify-does-not-stand", "verify-undecided", "self-test-agrees", "self-test-differs"}
    | {"decided-by", "where-it-went", "hosts-disagree", "hosts-pooled"}
)
"""What ``statera run`` finds with ``--verify``, ``--self-test``, ``--profile``, ``--on``, or what decided: every output
has it."""
_RANK: Final = {code: place for place, code in enumerate(_GRAVEST)}


def cautions(observations: Observations, notes: list[Note]) -> list[str]:
    """Return the cautions, the gravest first, a sentence each."""
    remarks = observations.remarks_by_code
    found = [note for note in notes if note.code in _RANK or note.code in remarks]
    found.sort(key=lambda note: -1 if note.code in remarks else _RANK[note.code])
    return [note.brief or note.text for note in found]


def answers(notes: list[Note]) -> list[Note]:
    """Return the notes that answer an option, which no output leaves out."""
    return [note for note in notes if note.code in _ASKED]
