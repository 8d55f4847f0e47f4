"""Names and numbers as a report of a cluster writes them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.cluster.views.numbers import amount
from statera.report.model import Cell
from statera.wording import conjoined

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.metrics import Metric
    from statera.report.model import Tone

_NAME: Final = 100
_LISTED: Final = 6


def shown(name: str) -> str:
    """Give a stranger's text as one that can be shown anywhere, the middle of a long one cut out."""
    return _native.shortened(_native.printable(name), _NAME)


def several(words: Sequence[str], most: int = _LISTED) -> str:
    """List words in a sentence."""
    words = [*words[:most], f"{len(words) - most:,} more"] if len(words) > most else words
    return conjoined(words) or "nothing"


def number(value: float | None, text: str | None = None, tone: Tone = "") -> Cell:
    """Give a cell that is sorted by its value."""
    return Cell(amount(value) if text is None else text, value, tone)


def count(value: int) -> Cell:
    """Give a cell with a whole number."""
    return Cell(f"{value:,}", value)


def unit(metric: Metric) -> str:
    """Give a metric's unit behind a number in a sentence, with the blank before it; counts and ratios have none."""
    return {"#": "", "/": "", "#/s": " per second"}.get(metric.unit, f" {metric.unit}")


def title(metric: Metric, mark: str = "") -> Cell:
    """Name a metric as its row does."""
    return Cell(f"{mark}{metric.title}, {metric.unit}")
