"""The state of a history in a picture: how many alerts are open."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def drawn(open_ones: Sequence[bool]) -> str:
    """Draw how many alerts are open, as SVG; of each it says whether a change is for the worse."""
    from statera.output.report import card  # noqa: PLC0415 - pages and other verbs need none of the reports

    if worse := sum(open_ones):
        return card.badge_of(f"{worse:,} worse", "worse")
    if open_ones:
        return card.badge_of(f"{len(open_ones):,} changed", "changed")
    return card.badge_of("no open change", "better")
