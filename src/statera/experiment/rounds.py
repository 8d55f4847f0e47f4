"""How many rounds: from ``20``, ``until decided`` or ``width 1%``."""

from __future__ import annotations

import re
from typing import Final

from statera.experiment.plan import Rounds
from statera.experiment.stopping import LIMIT, looks, width_looks

_MOST: Final = 1_000_000
_WIDTH: Final = re.compile(r"width[ :]\s*(\d+(?:\.\d+)?)\s*%")
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


def with_looks(rounds: Rounds, limit: int = LIMIT, least: int = 1, alpha: float = 0.05) -> Rounds:
    """Return rounds with the looks that they end by.

    Args:
        rounds: as ``parse_rounds`` returns them.
        limit: the number of rounds after which they end in any case.
        least: the first number of rounds after which they may end. Looks before it leave their share to the last one.
        alpha: what all looks together spend.

    """
    if rounds.until is None:
        return rounds
    numbers, shares = (looks if rounds.until == "decided" else width_looks)(limit, alpha)
    left_out = sum(number < least for number in numbers[:-1])
    kept = shares[left_out:]
    if rounds.until == "decided":
        kept = (*kept[:-1], 1.0 - sum(kept[:-1]))
    return rounds._replace(looks=numbers[left_out:], shares=kept)
