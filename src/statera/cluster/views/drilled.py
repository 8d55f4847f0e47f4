"""What a drill-down found, as text, Markdown, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

from statera.cluster.views.compared import Table
from statera.cluster.views.numbers import amount
from statera.cluster.views.text import escaped, plain
from statera.views.columns import markdown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.drill import Found


def text(found: Sequence[Found], kind: str) -> str:
    """Write what was found in a format."""
    if kind == "json":
        titled = {one.title: [dict(zip(one.columns, row, strict=True)) for row in one.rows] for one in found}
        return json.dumps(titled, indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    if kind == "csv":
        return _comma(found)
    tables = [
        Table(one.title, [list(one.columns), *([_cell(value) for value in row] for row in one.rows)]) for one in found
    ]
    if kind == "markdown":
        return "\n".join(
            f"### {escaped(table.title)}\n\n{markdown([[escaped(cell) for cell in row] for row in table.rows])}"
            for table in tables
        )
    return "\n".join(plain(table) for table in tables) or "nothing\n"


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return amount(value)
    return "-" if value is None or value == "" else str(value)


def _comma(found: Sequence[Found]) -> str:
    """Write every table under a line with its title, with an empty line between."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for number, one in enumerate(found):
        if number:
            stream.write("\n")
        writer.writerow([one.title])
        writer.writerow(one.columns)
        writer.writerows(["" if value is None else value for value in row] for row in one.rows)
    return stream.getvalue()
