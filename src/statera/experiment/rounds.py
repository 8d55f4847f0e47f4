"""How many rounds: from ``20``, ``until decided`` or ``width 1%``."""

from __future__ import annotations

import re
from typing import Final

from statera.experiment.plan import Rounds

_MOST: Final = 1_000_000
_WIDTH: Final = re.compile(r"width[ :]\s*(\d+(?:\.\d+)?)\s*%")
_LOOKS: Final = (9, 13, 19, 28, 41, 60)
_SHARES: Final = (0.1, 0.1, 0.1, 0.1, 0.1, 0.5)
_PER_CENT: Final = 100


def parse_rounds(stated: object) -> Rounds | None:
    """Return the rounds without looks; None if the value states none."""
    if isinstance(stated, int) and not isinstance(stated, bool):
        return Rounds(number=stated) if 1 <= stated <= _MOST else None
    if not isinstance(stated, str):
        return None
    if stated.strip() == "until decided":
        return Rounds(until="decided")
    found = _WIDTH.fullmatch(stated.strip())
    width = float(found[1]) / _PER_CENT if found else 0
    return Rounds(until="width", width=width) if 0 < width < 1 else None


def with_looks(rounds: Rounds) -> Rounds:
    """Return rounds with the looks that they end by."""
    return rounds if rounds.until is None else rounds._replace(looks=_LOOKS, shares=_SHARES)
