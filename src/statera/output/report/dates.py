"""The date of a report: that of its newest input, so that the same results make the same bytes at any time."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable


def date_of(changes: Iterable[int]) -> datetime | None:
    """Return the date of a document, so that the same results always make the same bytes.

    It is ``SOURCE_DATE_EPOCH`` where that is set, else the last of the ``changes`` of what was read, in seconds since
    1970; None where there are none.
    """
    last = max(changes, default=None)
    return stated_date() or (None if last is None else _at(last))


def changes_of(paths: Iterable[str]) -> list[int]:
    """Return when files were last changed, in seconds since 1970; streams such as standard input have no such time."""
    return [int(file.stat().st_mtime) for file in map(Path, paths) if file.is_file()]


def stated_date() -> datetime | None:
    """Return the date that ``SOURCE_DATE_EPOCH`` states.

    Raises:
        Stop: when it states none.

    """
    text = os.environ.get("SOURCE_DATE_EPOCH")
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,11}", text):
        raise Stop(
            "bad-option",
            f"SOURCE_DATE_EPOCH: {text} is not a time. It takes whole seconds since 1970, such as the output "
            "of date +%s",
        )
    return _at(int(text))


def _at(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, tz=UTC)
