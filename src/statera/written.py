"""CSV and JSON for programs and for people: a spreadsheet runs no cell, and no text controls a terminal."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING, Any

from statera import _native

if TYPE_CHECKING:
    from collections.abc import Iterable


def comma_separated(rows: Iterable[Iterable[object]], *, raw: bool = False) -> str:
    """Write rows, the heading first; None is an empty cell.

    Args:
        rows: of cells.
        raw: leave texts as they are that a spreadsheet would take for formulas.

    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(cell, raw=raw) for cell in row] for row in rows)
    return text.getvalue()


def _cell(cell: object, *, raw: bool) -> object:
    if cell is None:
        return ""
    return _native.guarded(cell) if isinstance(cell, str) and not raw else cell


def document(value: Any) -> str:  # noqa: ANN401 - whatever JSON holds
    """Write JSON, one key a line; letters stand as they are."""
    return _native.json_safe(json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)) + "\n"
