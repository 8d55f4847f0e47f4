"""Names and numbers in the form of a cluster's report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.views.numbers import amount
from statera.output.report.model import Cell
from statera.support.wording import conjoined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.output.report.model import Tone

_NAME: Final = 100
_LISTED: Final = 6


def shown(name: str) -> str:
    """Make untrusted text printable, and shorten a long one in the middle."""
    return _native.shortened(_native.printable(name), _NAME)


def several(words: Sequence[str], most: int = _LISTED) -> str:
    """List words in a sentence."""
    words = [*words[:most], f"{len(words) - most:,} more"] if len(words) > most else words
    return conjoined(words) or "nothing"


def number(value: float | None, text: str | None = None, tone: Tone = "") -> Cell:
    """Return a cell that sorts by its value."""
    return Cell(amount(value) if text is None else text, value, tone)


def count(value: int) -> Cell:
    """Return a cell with a whole number."""
    return Cell(f"{value:,}", value)
