"""The results of a drill-down as text, Markdown, CSV or JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.numbers import amount, suited
from statera.cluster.views.tables import Table, in_markdown, plain
from statera.support.files import csv_json

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.drill_down import Listing


_CSV = ("table", "row", "column", "value")


def text(found: Sequence[Listing], kind: str, *, raw: bool = False) -> str:
    """Write results as ``kind``; with ``raw`` CSV keeps texts that a spreadsheet would run as formulas."""
    if kind == "json":
        titled = {one.title: [dict(zip(one.columns, row, strict=True)) for row in one.rows] for one in found}
        return csv_json.document(titled)
    if kind == "csv":
        return csv_json.comma_separated([_CSV, *_lines(found)], raw=raw)
    tables = [_table(one) for one in found]
    if kind == "markdown":
        return "".join(map(in_markdown, tables)).removesuffix("\n") or "nothing\n"
    return "\n".join(plain(table) for table in tables) or "nothing\n"


def _table(one: Listing) -> Table:
    columns, rows = one.columns, one.rows
    if one.standing:
        columns, rows = ("", "value"), list(zip(columns, rows[0], strict=True))
    if one.units:
        return Table(one.title, [list(columns), *map(_in_unit, rows, one.units)])
    return Table(one.title, [list(columns), *([_cell(value) for value in row] for row in rows)])


def _in_unit(row: Sequence[object], unit: str) -> list[str]:
    """Write a row whose first cell ends with the unit of its numbers, in the unit in which they are easy to read."""
    found = suited(unit, (value for value in row if isinstance(value, float)))
    title = str(row[0]).removesuffix(unit) + found.name
    return [title, *(found.amount(value) if isinstance(value, float) else _cell(value) for value in row[1:])]


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return amount(value)
    return "-" if value is None or value == "" else str(value)


def _lines(found: Sequence[Listing]) -> Iterator[tuple[object, ...]]:
    """Yield one line for each value, so that tables of different columns fit into one CSV file."""
    for one in found:
        for number, row in enumerate(one.rows, 1):
            for column, value in zip(one.columns, row, strict=True):
                yield one.title, number, column, value
