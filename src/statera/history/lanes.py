"""Lanes: jobs on machines that are alike, of which alone values are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

# What results and machines call the same fact.
_SAME: Final = {
    "cpu": ("cpu", "cpu_model_name", "machine"),
    "runner": ("runner", "host", "hostname"),
    "os": ("os", "operatingSystem", "platform"),
}

Lane = tuple[tuple[str, str], ...]


def lane_of(environment: Mapping[str, str], keys: Iterable[str]) -> Lane:
    """Return the facts that keep a job apart from those of other machines; one that nobody knows is empty."""
    return tuple((key, fact_of(environment, key)) for key in keys)


def fact_of(environment: Mapping[str, str], key: str) -> str:
    """Return a fact about a machine, whatever name results have for it; an empty text if nobody knows it."""
    return next((environment[name] for name in _SAME.get(key, (key,)) if environment.get(name)), "")


def lane_name(lane: Lane) -> str:
    """Return how outputs name a lane."""
    return " · ".join(value for _, value in lane if value) or "any machine"
