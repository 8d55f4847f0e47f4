"""Tables of the rows of a comparison, shared by sections. Cells are the same as in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.report.model import Cell, Column, Table, Tone
from statera.wording import NOTHING, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.results.comparison import Comparison, Section

# A table shows this many rows at most, the worst first; the attachment has all.
MOST_ROWS: Final = 1000
TONES: Final[dict[str, Tone]] = {
    "worse": "worse",
    "better": "better",
    "changed": "changed",
    "differs": "differs",
    "tail-worse": "worse",
    "tail-better": "better",
    "shape-changed": "changed",
    "equivalent": "equivalent",
    "inconclusive": "inconclusive",
    "missing": "missing",
    "new": "missing",
    "one-value": "",
}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def row_table(comparison: Comparison, section: Section, title: str, full: str) -> Table:
    """Write the rows of a section; ``full`` names the attachment that holds all rows."""
    weighing = comparison.weighing
    order = section.rows
    if len(order) > MOST_ROWS:
        order = weighing.order(order, "worst", False)[:MOST_ROWS]  # noqa: FBT003
    fields = [weighing.row_dict(index) for index in order]
    benchmarks = len({each["benchmark"] for each in fields}) > 1 or section.contender is not None
    pairs = section.contender is None
    baselines = pairs and len({each["baseline"] for each in fields}) > 1
    baseline = "baseline" if baselines else _native.printable(fields[0]["baseline"])
    contender = "contender" if pairs else _native.printable(fields[0]["contender"])
    mean = ("mean",) if comparison.policy.mean else ()
    heads = [
        *([Column("benchmark")] if benchmarks else []),
        *([Column("variant")] if pairs else []),
        *([Column("against")] if baselines else []),
        *(
            Column(name, numeric=True)
            for name in (baseline, contender, *map(weighing.heading, ("change", "interval", *mean, "p", "n")))
        ),
        Column("verdict"),
    ]
    marks = {note.code: note.number for note in comparison.notes if note.number}
    rows = []
    for index, each in zip(order, fields, strict=True):
        names = [
            *([Cell(shown(weighing.cell(index, "benchmark")))] if benchmarks else []),
            *([Cell(_native.printable(each["contender"]))] if pairs else []),
            *([Cell(_native.printable(each["baseline"]))] if baselines else []),
        ]
        rows.append((*names, *_numbers(weighing, index, each, mean), _verdict(weighing, index, each, marks)))
    # As in the terminal, a column with only dashes (single values have no p) is left out.
    keep = [place for place in range(len(heads)) if any(row[place].text != NOTHING for row in rows)]
    body = tuple(tuple(row[place] for place in keep) for row in rows)
    return Table(title, tuple(heads[place] for place in keep), body, total=len(section.rows), full=full)


def _numbers(weighing: _native.Weighing, index: int, fields: dict[str, Any], mean: tuple[str, ...]) -> list[Cell]:
    keys = {
        "baseline": fields["baseline_centre"],
        "contender": fields["contender_centre"],
        "change": fields["change"],
        "interval": fields["change_low"],
        **dict.fromkeys(mean, fields["mean_change"]),
        "p": fields["p_corrected"],
        "n": fields["baseline_n"],
    }
    return [Cell(shown(weighing.cell(index, name)), key) for name, key in keys.items()]


def _verdict(weighing: _native.Weighing, index: int, fields: dict[str, Any], marks: dict[str, int]) -> Cell:
    numbers = [marks[code] for code in fields["warnings"] if marks.get(code)]
    signs = "".join(f" {str(number).translate(_SUPERSCRIPTS)}" for number in sorted(numbers))
    return Cell(shown(weighing.cell(index, "verdict")) + signs, None, TONES[fields["verdict"]])


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
