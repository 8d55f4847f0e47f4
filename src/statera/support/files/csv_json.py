"""Writers of CSV and JSON whose texts are safe: spreadsheets run no cell, and no text controls a terminal."""

from __future__ import annotations

import csv
import io
import json
import math

from statera import _native
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any


def comma_separated(rows: Iterable[Iterable[object]], *, raw: bool = False) -> str:
    """Write rows as CSV, the heading first; None is an empty cell.

    ``raw`` does not escape texts that a spreadsheet would run as formulas.
    """
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([_cell(cell, raw=raw) for cell in row] for row in rows)
    return text.getvalue()


def _cell(cell: object, *, raw: bool) -> object:
    if cell is None:
        return ""
    return _native.guarded(cell) if isinstance(cell, str) and not raw else cell


def document(value: Any) -> str:
    """Write JSON, one key per line, without escaping letters. Infinite numbers and NaN become null."""
    try:
        text = json.dumps(value, indent=1, ensure_ascii=False, allow_nan=False)
    except ValueError:
        text = json.dumps(_finite(value), indent=1, ensure_ascii=False, allow_nan=False)
    return _native.json_safe(text) + "\n"


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
