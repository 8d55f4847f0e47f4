"""How long to wait before a request is sent again."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

# Too many requests, and the status with which GitHub also says that.
_LIMITED: Final = 429
_FORBIDDEN: Final = 403
_UNAVAILABLE: Final = 503
_FIRST: Final = 0.5
# A limit whose end nobody states.
_UNSTATED: Final = 60.0
# The clocks of two machines differ.
_MARGIN: Final = 1.0


def asked_for(status: int, headers: Mapping[str, str], said: str = "") -> float | None:
    """Return the seconds that an answer asks to wait because of a limit; None if it is about something else.

    Such a request has had no effect.

    Args:
        status: of the answer.
        headers: of the answer, in lower case.
        said: its message; GitHub names some limits there alone.

    """
    if status not in {_LIMITED, _FORBIDDEN, _UNAVAILABLE}:
        return None
    if (after := headers.get("retry-after")) is not None:
        return _seconds(after)
    if headers.get("x-ratelimit-remaining", headers.get("ratelimit-remaining")) == "0":
        return _until(headers.get("x-ratelimit-reset", headers.get("ratelimit-reset", "")))
    named = status == _FORBIDDEN and "rate limit" in said.lower()
    return _UNSTATED if status == _LIMITED or named else None


def after_failure(attempt: int) -> float:
    """Return the seconds to wait after a failure, twice as many each time."""
    return float(_FIRST * 2**attempt)


def _seconds(stated: str) -> float:
    """Read Retry-After: seconds, or a date."""
    if stated.strip().isdecimal():
        return float(stated)
    try:
        return max((parsedate_to_datetime(stated) - datetime.now(tz=UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError, OverflowError):
        return _UNSTATED


def _until(stated: str) -> float:
    """Read the second at which a limit ends."""
    return max(float(stated) - time.time(), 0.0) + _MARGIN if stated.isdecimal() else _UNSTATED
