"""The rows that a comment never folds: what is worse, vanished or changed without a known direction, in one table."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import ASKING, LOSSES, OF, WARNINGS
from statera.comparison.verdicts.findings import centres, distinguishing
from statera.output.views import comment
from statera.output.views.columns import markdown as table
from statera.output.views.terminal import footnotes, superscript
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import NOTHING, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from statera.comparison.results.comparison import Comparison
    from statera.output.views.long_names import LongNames

# Rows of one benchmark stand together as far as so many rows; a comment has room for fewer.
_GATHERED: Final = 1000
_WORDS: Final = ("benchmark", "metric", "variant", "level", "verdict")
_MOST_VERDICT: Final = 300


def open_rows(comparison: Comparison, sort: str) -> dict[int, str]:
    """Return the rows that ask for action, in order, each with its verdict; rows of one benchmark stand together."""
    weighing = comparison.weighing
    verdicts: dict[int, str] = {}
    for verdict in ASKING:
        rows = weighing.with_verdict([verdict])
        # What differs for the better asks for nothing.
        is_open = OF[verdict].harm == "open"
        verdicts |= dict.fromkeys([*weighing.harmed(rows), *weighing.undirected(rows)] if is_open else rows, verdict)
    order = weighing.order([*sorted(verdicts)], sort, False)  # noqa: FBT003 - compiled
    if sort == "worst":
        order = [*dict.fromkeys([*filter(verdicts.__contains__, comparison.answer.leads), *order])]
    return {row: verdicts[row] for row in [*_gathered(comparison, order[:_GATHERED]), *order[_GATHERED:]]}


def first(rows: Mapping[int, str], most: int, most_missing: int) -> list[int]:
    """Return the first rows, of those that are missing only some: a name says all there is to say of them."""
    kept: list[int] = []
    for row, verdict in rows.items():
        missing = sum(rows[each] == "missing" for each in kept)
        if len(kept) < most and (verdict != "missing" or missing < most_missing):
            kept.append(row)
    return kept


def _gathered(comparison: Comparison, rows: list[int]) -> list[int]:
    of: dict[str, list[int]] = {}
    for row in rows:
        of.setdefault(comparison.weighing.row_dict(row)["benchmark"], []).append(row)
    return [row for each in of.values() for row in each]


class _Shape(NamedTuple):
    """What the rows of a comparison must name, and the numbers of its footnotes."""

    metrics: bool
    variants: bool
    baselines: bool
    levels: bool
    footnotes: dict[str, int]


def lines(comparison: Comparison, rows: list[int], names: LongNames) -> list[str]:
    """Write rows as the lines of a Markdown table, two lines of heading first; a benchmark is named once."""
    baselines, contenders, levels = distinguishing(comparison.weighing)
    marks = dict(zip(WARNINGS, footnotes(comparison.notes), strict=True))
    metrics = len({section[1] for section in comparison.weighing.sections()}) > 1
    shape = _Shape(metrics, contenders or baselines, baselines, levels, marks)
    found = [_cells(comparison, row, shape, names) for row in rows]
    above = ""
    for cells in found:
        cells["benchmark"], above = "" if cells["benchmark"] == above else cells["benchmark"], cells["benchmark"]
    keys = [key for key in found[0] if any(cells[key] != NOTHING for cells in found)]
    heads = _heads(comparison, shape)
    left = [place for place, key in enumerate(keys) if key in _WORDS]
    made = table([[heads[key] for key in keys], *([cells[key] for key in keys] for cells in found)], left)
    return made.splitlines(keepends=True)


def _heads(comparison: Comparison, shape: _Shape) -> dict[str, str]:
    old, new = "old", "new"
    if not shape.variants:
        old, new = (comment.name(label, 40, in_table=True) for label in comparison.labels[:2])
    heads = {key: key for key in (*_WORDS, "change")}
    interval = _native.markdown_text(comparison.weighing.heading("interval"))
    return {**heads, "values": f"{old} → {new}", "interval": interval}


def _cells(comparison: Comparison, row: int, shape: _Shape, names: LongNames) -> dict[str, str]:
    weighing = comparison.weighing
    fields = weighing.row_dict(row)
    cells = {"benchmark": names.span(shown(weighing.cell(row, "benchmark")))}
    if shape.metrics:
        cells["metric"] = comment.name(fields["metric"], in_table=True)
    if shape.variants:
        cells["variant"] = comment.name(fields["contender"], in_table=True)
        if shape.baselines:
            cells["variant"] += f" against {comment.name(fields['baseline'], in_table=True)}"
    if shape.levels:
        cells["level"] = comment.name(fields["group"], in_table=True) if fields["group"] else NOTHING
    cells["values"] = comment.amount(centres(weighing, row) or _sides(comparison, row))
    cells["change"] = comment.amount(shown(weighing.cell(row, "change")))
    cells["interval"] = _interval(shown(weighing.cell(row, "interval")))
    return {**cells, "verdict": _verdict(shown(weighing.cell(row, "verdict")), fields, shape)}


def _sides(comparison: Comparison, row: int) -> str:
    """Write the centres of the sides that have one, without an arrow: they do not move as the change says."""
    cells = (comparison.weighing.cell(row, side) for side in ("baseline_centre", "contender_centre"))
    return " / ".join(cell for cell in cells if cell is not None) or NOTHING


def _interval(text: str) -> str:
    # The brackets of an interval are not part of a name and need no escape.
    if text.startswith("[") and text.endswith("]"):
        return f"[{comment.amount(text[1:-1])}]"
    return comment.amount(text)


def _verdict(text: str, fields: dict[str, Any], shape: _Shape) -> str:
    words = _native.markdown_text(comment.brief(text, _MOST_VERDICT))
    marks = "".join(
        f"{comment.NO_BREAK}{superscript(shape.footnotes[code])}"
        for code in fields["warnings"]
        if shape.footnotes[code]
    )
    return f"**{words}**{marks}" if fields["verdict"] in LOSSES else f"{words}{marks}"
