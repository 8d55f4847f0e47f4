"""Moments: when results were measured, and those that jobs and events state."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

from statera.comparison.pairing import dates
from statera.reading.formats import keys_that

if TYPE_CHECKING:
    from collections.abc import Mapping

DATES: Final = keys_that(lambda key: key.role == "date")
# Times as other tools write them; ISO 8601 and numbers are understood before.
_WRITTEN: Final = ("%Y.%m.%d %H:%M:%S %z", "%Y-%m-%d %H:%M:%S %z", "%Y%m%d_%H%M%S")
# From these numbers on a date counts milliseconds, and microseconds.
_MILLI: Final = 1e11
_MICRO: Final = 1e14


def instant(keys: Mapping[str, str]) -> float | None:
    """Return the time that the keys of a configuration state; None if they state none. Local times count as UTC."""
    found = dates.moment(dict(keys))
    if found is not None:
        scale = 1e6 if found.seconds >= _MICRO else 1e3 if found.seconds >= _MILLI else 1.0
        return found.seconds / (scale if found.kind == "seconds" else 1.0)
    texts = [text for key, text in keys.items() if key in DATES]
    return next((when for text in texts for form in _WRITTEN if (when := _read(text, form)) is not None), None)


def iso(seconds: float | None) -> str:
    """Write a time, ISO 8601 in UTC; empty if it is None or beyond all calendars."""
    try:
        return "" if seconds is None else datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def moment(text: str) -> datetime | None:
    """Return the moment that a text of ISO 8601 states, in UTC; None if it states none. Local times count as UTC."""
    try:
        found = datetime.fromisoformat(text)
        return found.replace(tzinfo=found.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _read(text: str, form: str) -> float | None:
    try:
        found = datetime.strptime(text, form)  # noqa: DTZ007 - a form without a zone is taken as UTC
    except ValueError:
        return None
    return found.replace(tzinfo=found.tzinfo or UTC).timestamp()
