"""Tables of the rows of a comparison, shared by sections. Numbers are the same as in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, cast

from statera import _native
from statera.comparison.codes import TABLE, words
from statera.output.report.model import Cell, Column, Table, Tone
from statera.output.report.sections.grouping import grouped
from statera.output.report.sections.intervals import axis_of, interval_words
from statera.support.wording import NOTHING, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.results.comparison import Comparison, Section
    from statera.output.report.model import Interval
    from statera.output.report.sections.grouping import Grouped
    from statera.output.report.sections.index import Index
    from statera.output.report.sections.intervals import Axis

# A table shows this many rows at most, the worst first; the attachment has all.
MOST_ROWS: Final = 1000
TONES: Final = cast("dict[str, Tone]", {each.code: each.tone for each in TABLE})
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNKNOWN: Final = " ± ?"
OPEN: Final = "~"
# The names that a row may have besides its benchmark, and their headings.
_NAMES: Final = {"metric": "metric", "contender": "variant", "baseline": "against", "group": "level"}


def row_table(index: Index, rows: Sequence[int], title: str, full: str) -> Table:
    """Write rows of a comparison, the worst first and in groups if that helps.

    Args:
        index: the rows of the comparison.
        rows: the rows to write.
        title: the title of the table.
        full: the name of the attachment that holds all rows.

    """
    order = [*rows]
    if len(order) > MOST_ROWS:
        order = index.weighing.order(order, "worst", False)[:MOST_ROWS]  # noqa: FBT003
    made = grouped(index, order)
    axis = axis_of(index, made.rows)
    heads, body = _written(index, made, axis)
    drawn = [cell.interval for row in body for cell in row if cell.interval]
    # As in the terminal, a column with only dashes (single values have no p) is left out.
    keep = [place for place in range(len(heads)) if any(row[place].text not in {NOTHING, ""} for row in body)]
    return Table(
        title,
        tuple(heads[place] for place in keep),
        tuple(tuple(row[place] for place in keep) for row in body),
        total=len(rows),
        full=full,
        anchors=tuple(index.row_anchor(row) for row in made.rows),
        groups=made.groups,
        drawn=_drawn(index, drawn, axis) if drawn else "",
    )


def _drawn(index: Index, drawn: Sequence[Interval], axis: Axis) -> str:
    level = f"{index.comparison.policy.level}%"
    spans = any(each.low < each.high for each in drawn)
    what = f"Lines beside the changes are their {level} intervals" if spans else "Marks beside the changes"
    beyond = "; arrows lead beyond" if any(each.cut_low or each.cut_high for each in drawn) else ""
    return f"{what}: {axis.words}{beyond}."


def _written(index: Index, made: Grouped, axis: Axis) -> tuple[list[Column], list[list[Cell]]]:
    weighing, comparison = index.weighing, index.comparison
    fields = [index.fields(row) for row in made.rows]
    names = [name for name in _NAMES if name not in made.told and len({each[name] for each in fields}) > 1]
    # A benchmark that is the only one names no row, unless nothing else does.
    named = not names or len({each["benchmark"] for each in fields}) > 1
    mean = ("mean",) if comparison.policy.mean else ()
    sides = [_side(fields, side) for side in ("baseline", "contender")]
    heads = [
        *([Column("benchmark")] if named else []),
        *(Column(_NAMES[name]) for name in names),
        Column("verdict"),
        Column(weighing.heading("change"), numeric=True),
        *(Column(name, numeric=True, minor=True) for name in sides),
        *(
            Column(weighing.heading(name), numeric=True, minor=True, repeats=name in {"n", "p"})
            for name in ("n", "interval", *mean, "p")
        ),
        Column("remark", minor=True),
    ]
    marks = {note.code: note.number for note in comparison.notes if note.number}
    body = []
    for row, each in zip(made.rows, fields, strict=True):
        link = index.card_of(row)
        told = [Cell(index.name(row), link=link)] if named else []
        told += [
            Cell(_native.printable(each[name]), link="" if told or place else link) for place, name in enumerate(names)
        ]
        chip = Cell(words(each["verdict"]), None, TONES[each["verdict"]], chip=True)
        body.append([*told, chip, *_numbers(index, row, axis, mean), Cell(_remark(index, row, marks))])
    return heads, body


def _side(fields: list[dict[str, Any]], side: str) -> str:
    """Name a column of centres: by its variant, if all rows have the same."""
    of = {each[side] for each in fields}
    return _native.printable(of.pop()) if len(of) == 1 else side


def _numbers(index: Index, row: int, axis: Axis, mean: tuple[str, ...]) -> list[Cell]:
    fields, cell = index.fields(row), index.weighing.cell
    keys = {
        "baseline": fields["baseline_centre"],
        "contender": fields["contender_centre"],
        "n": fields["baseline_n"],
        "interval": fields["change_low"],
        **dict.fromkeys(mean, fields["mean_change"]),
        "p": fields["p_corrected"],
    }
    tone = TONES[fields["verdict"]]
    change = change_cell(index, row, tone, axis.place(index, row))
    # Of a value without others the spread is not known, which needs no sign in every cell.
    return [change, *(Cell(shown(cell(row, name)).removesuffix(_UNKNOWN), key) for name, key in keys.items())]


def change_cell(index: Index, row: int, tone: Tone, drawn: Interval | None = None) -> Cell:
    """Write the change of a row, which sorts by its estimate; ``~`` if not even its direction is known."""
    words, key = shown(index.weighing.cell(row, "change")), index.fields(row)["change"]
    if not index.is_open(row):
        return Cell(words, key, tone, drawn)
    # A phone shows neither the interval nor its drawing.
    known = f"estimate {words}, interval {interval_words(index, row)}"
    return Cell(OPEN, key, tone, drawn, means=f"Undecided, not even the direction is known: {known}")


def _remark(index: Index, row: int, marks: dict[str, int]) -> str:
    """Write what the verdict's cell says besides the verdict: its reason, and the numbers of notes."""
    fields = index.fields(row)
    said = shown(index.weighing.cell(row, "verdict")).removeprefix(words(fields["verdict"])).lstrip(": ")
    if said.startswith("(") and said.endswith(")") and said.count("(") == 1:
        said = said[1:-1]
    numbers = [marks[code] for code in fields["warnings"] if marks.get(code)]
    signs = " ".join(str(number).translate(_SUPERSCRIPTS) for number in sorted(numbers))
    return f"{said} {signs}".strip()


def text_table(title: str, rows: Sequence[Sequence[str]], *, left: int = 1, notes: Sequence[str] = ()) -> Table:
    """Build a table from texts, the heading first; the first ``left`` columns are not numbers."""
    head, *body = rows
    columns = tuple(Column(name, numeric=place >= left) for place, name in enumerate(head))
    return Table(title, columns, tuple(tuple(Cell(text) for text in row) for row in body), tuple(notes))


def where(comparison: Comparison, section: Section) -> str:
    """Write the name of a section: its metric, group and pair, as far as they distinguish it from others."""
    fields = comparison.weighing.row_dict(section.rows[0])
    words = [fields["metric"]]
    if section.contender is not None and len(comparison.labels) > 2:  # noqa: PLR2004 - two are always the same pair
        words[0] += f" of {fields['contender']} against {fields['baseline']}"
    if fields["group"]:
        words.append(fields["group"])
    return ", ".join(_native.printable(word) for word in words)
