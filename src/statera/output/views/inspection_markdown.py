"""An inspection as Markdown, for a pull request or an issue: what is wrong with which rows, and the rest folded."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import GRADES
from statera.comparison.verdicts.inspection import grades, how, normality
from statera.output.views import PLAIN, comment, tables
from statera.output.views.comment import SAID, Fold, folds_with_rows
from statera.output.views.inspection import FEW, defects, facts, mean_moved, method, self_test_rows, title_of
from statera.output.views.texts import note_lines, observation_lines
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, listed
from statera.support.wording import shown as nothing_or

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from statera.comparison.results.inspection import InspectedSection, Inspection
    from statera.comparison.weighing.self_test import MetricRate
    from statera.output.views import Layout

_COLUMNS: Final = (
    "benchmark", "variant", "n", "median", "normal p", "modes", "detects", "runs for 1 / 2 / 5%", "verdict",
)  # fmt: skip
_NAMES: Final = ("benchmark", "metric", "variant", "level")
_WRONG: Final = ("unfit", "doubtful")
_OPEN: Final = 25
_LABELS: Final = 6
_MOST_HEAD: Final = 5_000
_MOST_CLOSING: Final = 12_000
_MOST_LINE: Final = 800
_MOST_CELL: Final = 300


def comment_on(inspection: Inspection, layout: Layout = PLAIN) -> str:
    """Write the inspection within the length limit of a comment; rows that are unfit or doubtful are never folded."""
    sort = layout.sort or "defects"
    room = comment.Room(comment.MOST - SAID)
    head, closing = room.take(_head(inspection)), room.take(_closing(inspection))
    if inspection.self_test is not None:
        parts = [*_self_test(inspection, sort, room)]
    elif len(inspection) <= FEW:
        rows = [row for section in inspection.sections() for row in section.rows]
        parts = [room.take(_block(inspection, row, room.left // FEW)) for row in rows]
    else:
        parts = [*_tables(inspection, sort, room)]
    return "".join([head, *parts, closing])


def _head(inspection: Inspection) -> str:
    first, *others = inspection.findings
    mark = "" if inspection.self_test is not None else f"{_mark(inspection)} "
    line = _native.markdown_text(comment.brief(first.removesuffix("."), _MOST_LINE))
    labels = map(comment.name, inspection.labels[:_LABELS])
    named = listed(labels, _LABELS, total=len(inspection.labels))
    head = f"### {mark}{line}\n\nInspection of {named}\n\n"
    return head + "".join(comment.within(comment.items(others), _MOST_HEAD))


def _mark(inspection: Inspection) -> str:
    native = inspection.native
    count = dict(zip(GRADES, native.summary([*range(len(native))])["grades"], strict=True))
    grade = next((grade for grade in _WRONG if count[grade]), "")
    return comment.MARKS[grade or ("inconclusive" if count["noisy"] else "better")]


def _closing(inspection: Inspection) -> str:
    said = [f"Method: {method(inspection)}.", *settings_lines(inspection.settings)]
    said += note_lines(inspection.notes) + observation_lines(inspection.observations)
    return comment.fold("Method and notes", "", "".join(comment.within(comment.items(said), _MOST_CLOSING)))


def _block(inspection: Inspection, row: int, room: int) -> str:
    title, grade = title_of(inspection, row)
    head = f"\n#### {comment.name(title, _MOST_CELL)}: {grade}\n\n| | |\n| --- | --- |\n"
    lines = [
        f"| {label} | {_native.markdown_text(comment.brief(words, _MOST_LINE))} |\n"
        for label, words in facts(inspection, row)
    ]
    wrong = comment.items(defects(inspection, row))
    return head + "".join(comment.within([*lines, "\n", *wrong], room - comment.size(head)))


def _tables(inspection: Inspection, sort: str, room: comment.Room) -> Iterator[str]:
    """Write the rows with defects in one table, and the others of each group and metric as far as they fit."""
    native = inspection.native
    grade_of = [grade for grade, _ in native.grades([*range(len(native))])]
    wrong = native.order([row for row, grade in enumerate(grade_of) if grade in _WRONG], sort)
    above, below = wrong[:_OPEN], wrong[_OPEN:]
    if above:
        yield room.take("".join(comment.within(["\n", *_lines(inspection, above, named=True)], room.left)))
    folds = [_fold(inspection, "More with defects", "", below, named=True)]
    for section in inspection.sections():
        rows = native.order([row for row in section.rows if grade_of[row] not in _WRONG], sort)
        folds.append(_fold(inspection, _title(inspection, section), _said(inspection, section, rows), rows))
    yield from folds_with_rows(folds, room)


def _fold(inspection: Inspection, title: str, said: str, rows: list[int], *, named: bool = False) -> Fold:
    return Fold(title, said, len(rows), lambda most: _lines(inspection, rows[:most], named=named))


def _title(inspection: Inspection, section: InspectedSection) -> str:
    group = inspection.arrangement.groups[section.group]
    metric = inspection.observations.metrics[section.metric].name
    return ", ".join(comment.brief(word) for word in (metric, group) if word)


def _said(inspection: Inspection, section: InspectedSection, rows: list[int]) -> str:
    said = [grades(inspection.native.summary(rows)), normality(section.summary, inspection.policy)]
    return "; ".join(words for words in said if words)


def _lines(inspection: Inspection, rows: list[int], *, named: bool) -> list[str]:
    """Write rows as the lines of a Markdown table; ``named`` adds their metric and group."""
    headings = inspection.native.headings()
    places = [headings.index(name) for name in _COLUMNS if name != "variant" or len(inspection.labels) > 1]
    heads = [headings[place] for place in places]
    table = [[nothing_or(cells[place]) for place in places] for cells in inspection.native.cells(rows)]
    if named:
        of = {row: section for section in inspection.sections() for row in section.rows}
        metrics, groups = inspection.observations.metrics, inspection.arrangement.groups
        several = len(groups) > 1
        heads[1:1] = ["metric", *(["level"] if several else [])]
        for cells, row in zip(table, rows, strict=True):
            level = [groups[of[row].group]] if several else []
            cells[1:1] = [metrics[of[row].metric].name, *level]
    made = [heads, *([_cell(head, cell) for head, cell in zip(heads, cells, strict=True)] for cells in table)]
    left = [place for place, head in enumerate(heads) if head in {*_NAMES, "verdict"}]
    return tables.markdown(made, left).splitlines(keepends=True)


def _cell(head: str, cell: str) -> str:
    if head in _NAMES and cell != NOTHING:
        return comment.name(cell, _MOST_CELL if head == "benchmark" else 60, in_table=True)
    text = comment.brief(cell, _MOST_CELL)
    return comment.amount(text) if head == "median" else _native.markdown_text(text)


def _self_test(inspection: Inspection, sort: str, room: comment.Room) -> Iterator[str]:
    tested = inspection.self_test
    if tested is None or not tested.splits:
        return
    yield room.take(f"\n{_native.markdown_text(how(tested))}\n")
    yield from folds_with_rows([_tested(inspection, metric, sort) for metric in tested.metrics], room)


def _tested(inspection: Inspection, metric: MetricRate, sort: str) -> Fold:
    """Return the rows of a metric, each with its rate of false alarms and its noise floor."""

    def lines(most: int) -> list[str]:
        head, *rows = self_test_rows(inspection, metric, sort)
        cells = [
            [_native.markdown_text(comment.brief(cell, _MOST_CELL)) for cell in row] for row in [head, *rows[:most]]
        ]
        return tables.markdown(cells).splitlines(keepends=True)

    title = ", ".join(comment.brief(word) for word in (metric.metric, metric.group) if word)
    return Fold(title, mean_moved(metric).strip(), metric.rows, lines)
