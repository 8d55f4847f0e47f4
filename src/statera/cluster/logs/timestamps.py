"""Times as text."""

from __future__ import annotations

import datetime as dt

_SECOND = 10**9


def instant(at: int) -> str:
    """Write a time, given in ns since the Unix epoch, in UTC with all nine digits, as the logs do."""
    seconds, rest = divmod(at, _SECOND)
    day = dt.datetime(1970, 1, 1, tzinfo=dt.UTC) + dt.timedelta(seconds=seconds)
    return f"{day:%Y-%m-%d %H:%M:%S}.{rest:09d}"
