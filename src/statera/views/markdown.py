"""The comparison as Markdown for a pull request: findings, changed rows, and the rest in collapsed sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.settings.provenance import settings_lines
from statera.views.columns import markdown as plain_table
from statera.views.factors import interaction_lines, omnibus_rows
from statera.views.quantiles import tables
from statera.views.terminal import (
    footnotes,
    mean_words,
    note_lines,
    quantile_words,
    reading_lines,
    tail_lines,
    verdict_words,
)
from statera.wording import counted

if TYPE_CHECKING:
    from statera.results.comparison import Comparison, Section

# Pairs of our own words and an untrusted name that follows them.
Title = list[tuple[str, str]]

# GitHub refuses comments above 65,536 characters.
_MOST_CHARACTERS = 60_000
_CHANGED = [
    "worse",
    "tail-worse",
    "missing",
    "changed",
    "shape-changed",
    "better",
    "tail-better",
    "new",
    "differs",
    "one-value",
]


def text(comparison: Comparison) -> str:
    """Write the comparison within the length limit of a comment; rows that are worse are never collapsed."""
    labels = " against ".join(
        [
            _native.code_span(comparison.labels[0]),
            ", ".join(_native.code_span(label) for label in comparison.labels[1:]),
        ]
    )
    parts = [
        f"### {labels}\n\n",
        *(f"- {_native.markdown_text(line)}\n" for line in comparison.findings),
    ]
    marks = footnotes(comparison.notes)
    left = _MOST_CHARACTERS
    folded = []
    for section in comparison.sections():
        title, table, rest = _section(comparison, section, marks, left)
        parts += [f"\n#### {_in_line(title)}", table]
        left -= len(table)
        folded.append((title, rest))
    for title, rest in folded:
        if rest and len(rest) < left:
            parts.append(f"\n<details><summary>All other rows: {_in_html(title)}</summary>\n\n{rest}\n</details>\n")
            left -= len(rest)
        elif rest:
            parts.append(f"\nThe other rows of {_in_line(title)} do not fit a comment; `-f csv` has them all.\n")
    parts += _beyond_rows(comparison, left)
    notes = [f"Method: {comparison.method}.", *settings_lines(comparison.settings)]
    notes += note_lines(comparison.notes) + reading_lines(comparison)
    listed = "".join(f"- {_native.markdown_text(line.strip())}\n" for line in notes)
    parts.append(f"\n<details><summary>Method and notes</summary>\n\n{listed}\n</details>\n")
    return "".join(parts)


def _beyond_rows(comparison: Comparison, room: int) -> list[str]:
    """Write interactions, tests over all variants and quantile tables, as far as they fit."""
    blocks = [f"\n- {_native.markdown_text(line.strip())}" for line in interaction_lines(comparison)]
    blocks = ["".join(["\n", *blocks, "\n"])] if blocks else []
    keys = dict.fromkeys((section.group, section.metric) for section in comparison.sections())
    for group, metric in keys:
        tests = omnibus_rows(comparison, group, metric)
        if tests:
            words = comparison.arrangement.groups[group]
            title = "All variants" + (f", {_native.code_span(words)}" if words else "")
            blocks.append(
                f"\n#### {title}\n\n{plain_table([[_native.markdown_text(cell) for cell in row] for row in tests])}"
            )
    if comparison.levels:
        for title, rows in tables(comparison):
            body = plain_table([[_native.markdown_text(cell) for cell in row] for row in rows])
            blocks.append(f"\n<details><summary>{_native.markdown_html(title)}</summary>\n\n{body}\n</details>\n")
    shown: list[str] = []
    for block in blocks:
        if len(block) > room:
            return [*shown, "\nMore tables do not fit a comment; `-f json` has them all.\n"]
        room -= len(block)
        shown.append(block)
    return shown


def _section(comparison: Comparison, section: Section, marks: list[int], room: int) -> tuple[Title, str, str]:
    weighing, summary = comparison.weighing, section.summary
    order = weighing.order(section.rows, "worst", False)  # noqa: FBT003
    verdicts = {index: weighing.row_dict(index)["verdict"] for index in order}
    changed = [index for index in order if verdicts[index] in _CHANGED]
    others = [index for index in section.rows if verdicts[index] not in _CHANGED]
    metric = weighing.row_dict(section.rows[0])["metric"]
    group = comparison.arrangement.groups[section.group]
    title = [("", metric)]
    if len(comparison.labels) > 2 and section.contender is not None:  # noqa: PLR2004
        title.append((" of ", comparison.labels[section.contender]))
    if section.base:
        title.append((" against ", comparison.labels[section.base]))
    if group:
        title.append((", ", group))
    lines = [f"\n\n{verdict_words(summary)}"]
    if mean_words(summary) and summary["rows"] > 1:
        lines.append(f"; geometric mean {mean_words(summary)}")
    if summary["quantiles"] is not None:
        lines.append(
            "\n\nQuantiles of change: " + ", ".join(f"{level} {value}" for level, value in quantile_words(summary))
        )
    table = "".join(lines) + "\n\n"
    if changed:
        table += _fitting(comparison, changed, marks, room)
        lines = [f"- {_native.markdown_text(line)}\n" for line in tail_lines(comparison, changed)]
        table += "".join(["\n", *lines]) if lines else ""
    return title, table, weighing.markdown(others, marks) if others else ""


def _in_line(title: Title) -> str:
    return "".join(f"{words}{_native.code_span(name)}" for words, name in title)


def _in_html(title: Title) -> str:
    """Write a title in HTML, for a summary element, where Markdown does not work."""
    return _native.markdown_html("".join(f"{words}{name}" for words, name in title))


def _fitting(comparison: Comparison, rows: list[int], marks: list[int], room: int) -> str:
    """Write as many rows as fit, the worst first, and the number of the others."""
    table = comparison.weighing.markdown(rows, marks)
    if len(table) <= room:
        return table
    keep = max(1, len(rows) * room // len(table) - 1)
    table = comparison.weighing.markdown(rows[:keep], marks)
    left = counted(len(rows) - keep, "more changed row does", "more changed rows do")
    return f"{table}\n{left} not fit a comment; `-f csv` has them all.\n"
