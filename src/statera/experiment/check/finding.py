"""What a check found."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.support.wording import NOTHING, conjoined

if TYPE_CHECKING:
    from collections.abc import Sequence


class Finding(NamedTuple):
    """The state of one thing that may disturb measurements.

    Attributes:
        name: what was looked at.
        state: how it is.
        harms: whether it disturbs measurements; None if the system does not tell how it is.
        why: what it does to measurements; empty if it does no harm.
        remedy: what to do: an exact command, or words.

    """

    name: str
    state: str
    harms: bool | None = False
    why: str = ""
    remedy: str = ""


def unknown(name: str, path: str) -> Finding:
    """Return what is said where the system has no such file."""
    return Finding(name, f"no /{path}", None)


def several(states: Sequence[str]) -> str:
    """Write the states of several cores: ``powersave on 8 of 8``."""
    counts = {state: states.count(state) for state in dict.fromkeys(states)}
    if len(counts) == 1:
        return f"{states[0]} on {len(states)} of {len(states)}"
    return conjoined([f"{state} on {count}" for state, count in counts.items()]) if counts else NOTHING
