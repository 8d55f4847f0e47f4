"""The section on results, metric by metric: tables of every row, the worst first, and pictures of them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from statera import _native
from statera.report import figures
from statera.report.model import Attachment, Heading, Section, Table
from statera.report.sections.grouping import answer_words
from statera.report.sections.index import index_of
from statera.report.sections.rows import row_table, text_table
from statera.views import csv
from statera.views.factors import omnibus_rows
from statera.views.terminal import mean_words, quantile_words

if TYPE_CHECKING:
    from statera.report.material import Material
    from statera.report.model import Block
    from statera.report.sections.index import Index
    from statera.results.comparison import Section as Rows


def section(material: Material) -> Section | None:
    """Show every row."""
    blocks: list[Block] = []
    for number, question in enumerate(material.questions):
        name = "rows.csv" if number == 0 else f"rows-{number + 1}.csv"
        blocks += _of(index_of(question.comparison, number), _native.printable(question.words), name, first=number == 0)
    return Section("results", "Results", tuple(blocks)) if blocks else None


def _of(index: Index, title: str, file: str, *, first: bool) -> list[Block]:
    comparison = index.comparison
    blocks: list[Block] = [Heading(title)] if title else []
    metrics = figures.metrics(comparison)
    for metric in metrics:
        if len(metrics) > 1 and not title:
            blocks.append(Heading(_native.printable(comparison.observations.metrics[metric].name)))
        blocks += _tables(index, metric, file)
        blocks += figures.of_metric(comparison, metric, first=first)
    what = "every row with all its numbers" + (f" ({title})" if title else "")
    blocks.append(Attachment(file, csv.text(comparison).encode(), "text/csv", what))
    return blocks


def _tables(index: Index, metric: int, file: str) -> list[Block]:
    """Write every row of a metric in one table, and below it the tests over all variants."""
    comparison = index.comparison
    sections = [each for each in comparison.sections() if each.metric == metric]
    rows = [row for each in sections for row in each.rows]
    groups = {each.group for each in sections}
    level = comparison.arrangement.groups[sections[0].group] if len(groups) == 1 else ""
    name = comparison.observations.metrics[metric].name
    table = row_table(index, rows, _native.printable(f"{name}, {level}" if level else name), file)
    said = [f"Verdicts: {answer_words(index, rows)}.", *_means(index, sections)]
    return [replace(table, notes=(*said, *table.notes)), *_omnibus(index, metric, groups)]


def _means(index: Index, sections: list[Rows]) -> list[str]:
    """Write the geometric mean of each group and pair, and how the changes of single values spread."""
    said = []
    for each in sections:
        of = index.place_words(each.rows[0])
        if each.summary.get("rows", 0) > 1 and mean_words(each.summary):
            said.append(f"Geometric mean{of}: {mean_words(each.summary)}.")
        if each.summary["quantiles"] is not None:
            spread = ", ".join(f"{at} {change}" for at, change in quantile_words(each.summary))
            said.append(f"Quantiles of the changes{of}: {spread}.")
    return said


def _omnibus(index: Index, metric: int, groups: set[int]) -> list[Table]:
    """Write the tests over all variants, with a column of levels if there are several."""
    comparison = index.comparison
    head: list[str] = []
    body = []
    for group in sorted(groups):
        tests = omnibus_rows(comparison, group, metric, alone=False)
        if tests:
            level = _native.printable(comparison.arrangement.groups[group])
            head = tests[0]
            body += [[row[0], *([level] if len(groups) > 1 else []), *row[1:]] for row in tests[1:]]
    if not body:
        return []
    wide = len(groups) > 1
    rows = [[head[0], *(["level"] if wide else []), *head[1:]], *body]
    return [text_table(f"All {len(comparison.labels)} variants together", rows, left=3 if wide else 2)]
