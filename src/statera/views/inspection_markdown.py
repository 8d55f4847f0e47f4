"""An inspection as Markdown, for a pull request or an issue: findings, rows, and collapsed notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.settings.provenance import settings_lines
from statera.verdicts.inspection import grades, normality
from statera.verdicts.self_test import how
from statera.views import inspection_detail, self_test
from statera.views.columns import markdown as plain_table
from statera.views.inspection import FEW, method
from statera.views.terminal import note_lines, observation_lines
from statera.wording import counted
from statera.wording import shown as nothing_or

if TYPE_CHECKING:
    from statera.results.inspection import InspectedSection, Inspection

# GitHub refuses comments above 65,536 characters.
_MOST_CHARACTERS = 60_000
_COLUMNS = ("benchmark", "variant", "n", "median", "normal p", "modes", "shows", "runs for 1 / 2 / 5%", "verdict")


def text(inspection: Inspection) -> str:
    """Write the inspection within the length limit of a comment, the worst rows first."""
    labels = ", ".join(_native.code_span(label) for label in inspection.labels)
    parts = [f"### Inspection of {labels}\n\n", *(f"- {_native.markdown_text(line)}\n" for line in inspection.findings)]
    room = _MOST_CHARACTERS - sum(map(len, parts))
    if inspection.self_test is not None:
        parts += _self_test(inspection, room)
    elif len(inspection) <= FEW:
        rows = [row for section in inspection.sections() for row in section.rows]
        parts += [_block(inspection, row) for row in rows]
    else:
        for section in inspection.sections():
            table = _section(inspection, section, room)
            room -= len(table)
            parts.append(table)
    notes = [f"Method: {method(inspection)}.", *settings_lines(inspection.settings)]
    notes += note_lines(inspection.notes) + observation_lines(inspection.observations)
    listed = "".join(f"- {_native.markdown_text(line.strip())}\n" for line in notes)
    parts.append(f"\n<details><summary>Method and notes</summary>\n\n{listed}\n</details>\n")
    return "".join(parts)


def _block(inspection: Inspection, row: int) -> str:
    title, grade = inspection_detail.title_of(inspection, row)
    facts = [
        ["", ""],
        *([label, _native.markdown_text(words)] for label, words in inspection_detail.facts(inspection, row)),
    ]
    table = "| | |\n| --- | --- |\n" + "".join(f"| {label} | {words} |\n" for label, words in facts[1:])
    wrong = "".join(f"- {_native.markdown_text(line)}\n" for line in inspection_detail.defects(inspection, row))
    return f"\n#### {_native.code_span(title)}: {grade}\n\n{table}\n{wrong}"


def _section(inspection: Inspection, section: InspectedSection, room: int) -> str:
    native = inspection.native
    metric = inspection.observations.metrics[section.metric].name
    group = inspection.arrangement.groups[section.group]
    title = f"\n#### {_native.code_span(metric)}" + (f", {_native.code_span(group)}" if group else "")
    lines = [title, "\n\n", _native.markdown_text(grades(section.summary)), "\n\n"]
    said = normality(section.summary, inspection.policy)
    if said:
        lines.insert(3, f"; {_native.markdown_text(said)}")
    rows = native.order(section.rows, "defects")
    table = _table(inspection, rows)
    if len(table) > room:
        keep = max(1, len(rows) * max(room, 0) // len(table) - 1)
        table = _table(inspection, rows[:keep])
        left = counted(len(rows) - keep, "more row does", "more rows do")
        table += f"\n{left} not fit a comment; `-f csv` has them all.\n"
    return "".join([*lines, table])


def _table(inspection: Inspection, rows: list[int]) -> str:
    headings = inspection.native.headings()
    shown = [name for name in _COLUMNS if name != "variant" or len(inspection.labels) > 1]
    places = [headings.index(name) for name in shown]
    named = {"benchmark", "variant"}
    lines = [
        [
            _native.code_span(nothing_or(cells[place]), in_table=True)
            if headings[place] in named
            else _native.markdown_text(nothing_or(cells[place]))
            for place in places
        ]
        for cells in inspection.native.cells(rows)
    ]
    ends = ["---" if name in {*named, "verdict"} else "---:" for name in shown]
    return "".join(f"| {' | '.join(line)} |\n" for line in [shown, ends, *lines])


def _self_test(inspection: Inspection, room: int) -> list[str]:
    tested = inspection.self_test
    if tested is None or not tested.splits:
        return []
    parts = [f"\n{_native.markdown_text(how(tested))}\n"]
    for metric in tested.metrics:
        if not metric.rows:
            continue
        table = self_test.rows(inspection, metric)
        body = plain_table([[_native.markdown_text(cell) for cell in row] for row in table])
        if len(body) > room:
            parts.append("\nMore rows do not fit a comment; `-f csv` has them all.\n")
            break
        room -= len(body)
        group = f", {_native.code_span(metric.group)}" if metric.group else ""
        parts.append(f"\n#### {_native.code_span(metric.metric)}{group}\n\n{body}")
    return parts
