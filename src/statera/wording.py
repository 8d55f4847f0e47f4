"""Counts and lists in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def counted(count: int, one: str, several: str = "") -> str:
    """Write a count with its noun: ``1 value``, ``2 values``."""
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def listed(names: Iterable[str], most: int = 20) -> str:
    """Write the first ``most`` names with commas between them, then how many more there are."""
    every = list(names)
    more = f" and {len(every) - most:,} more" if len(every) > most else ""
    return ", ".join(every[:most]) + more
