"""Moments as the tables write them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


def now(seconds: float = 0.0) -> str:
    """Return the present, or a moment so many seconds later: ISO 8601 in UTC, to the second."""
    return (datetime.now(tz=UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")
