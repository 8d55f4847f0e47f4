"""The codes that rows carry, as the compiled part lists them, and their words."""

from __future__ import annotations

from statera import _native
from statera.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Final

_EVERY: Final = _native.codes()
VERDICTS: Final = tuple(_EVERY["verdicts"])
WARNINGS: Final = tuple(_EVERY["warnings"])
DESIGNS: Final = tuple(_EVERY["designs"])
GRADES: Final = tuple(_EVERY["grades"])
# In the order in which counts of verdicts stand wherever they are written or drawn: the worst first, the best last,
# and between them what is undecided or not judged.
WORST_FIRST: Final = (
    "worse",
    "tail-worse",
    "missing",
    "changed",
    "shape-changed",
    "differs",
    "inconclusive",
    "one-value",
    "equivalent",
    "new",
    "tail-better",
    "better",
)


def worst_first(counts: Sequence[int]) -> dict[str, int]:
    """Name counts in the order of ``VERDICTS``: those above zero by their verdict, the worst first."""
    named = dict(zip(VERDICTS, counts, strict=True))
    return {code: named[code] for code in WORST_FIRST if named[code]}


def words(code: str) -> str:
    """Write a code as people read it: ``one value`` for ``one-value``."""
    return code.replace("-", " ")
