"""The section on results, metric by metric: pictures and tables of every row, with shared notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.report import figures
from statera.report.model import Attachment, Heading, Section, Table
from statera.report.sections.rows import row_table, text_table, where
from statera.views import csv
from statera.views.factors import omnibus_rows
from statera.views.terminal import mean_words, quantile_words, verdict_words

if TYPE_CHECKING:
    from statera.report.material import Material
    from statera.report.model import Block
    from statera.results.comparison import Comparison
    from statera.results.comparison import Section as Rows


def section(material: Material) -> Section | None:
    """Show every row."""
    blocks: list[Block] = []
    for number, question in enumerate(material.questions):
        name = "rows.csv" if number == 0 else f"rows-{number + 1}.csv"
        blocks += _of(question.comparison, _native.printable(question.words), name, first=number == 0)
    return Section("results", "Results", tuple(blocks)) if blocks else None


def _of(comparison: Comparison, title: str, file: str, *, first: bool) -> list[Block]:
    blocks: list[Block] = [Heading(title)] if title else []
    metrics = figures.metrics(comparison)
    for metric in metrics:
        if len(metrics) > 1 and not title:
            blocks.append(Heading(_native.printable(comparison.observations.metrics[metric].name)))
        blocks += figures.of_metric(comparison, metric, first=first)
        blocks += _tables(comparison, metric, file)
    what = "every row with all its numbers" + (f" ({title})" if title else "")
    blocks.append(Attachment(file, csv.text(comparison).encode(), "text/csv", what))
    return blocks


def _tables(comparison: Comparison, metric: int, file: str) -> list[Block]:
    """Write every row of a metric, and the test over all variants below the rows of a group."""
    blocks: list[Block] = []
    by_group: dict[int, list[Rows]] = {}
    for each in comparison.sections():
        if each.metric == metric:
            by_group.setdefault(each.group, []).append(each)
    for group, sections in by_group.items():
        blocks += [_table(comparison, each, file) for each in sections]
        tests = omnibus_rows(comparison, group, metric, alone=False)
        if tests:
            words = _native.printable(comparison.arrangement.groups[group])
            called = f"All {len(comparison.labels)} variants together{', ' + words if words else ''}"
            blocks.append(text_table(called, tests, left=2))
    return blocks


def _table(comparison: Comparison, rows: Rows, file: str) -> Table:
    table = row_table(comparison, rows, where(comparison, rows), file)
    notes = [f"Verdicts: {verdict_words(rows.summary)}."]
    mean = mean_words(rows.summary)
    if mean and rows.summary["rows"] > 1:
        notes.append(f"Geometric mean: {mean}.")
    if rows.summary["quantiles"] is not None:
        listed = ", ".join(f"{level} {value}" for level, value in quantile_words(rows.summary))
        notes.append(f"Quantiles of change over the suite: {listed}.")
    return Table(table.title, table.columns, table.rows, tuple(notes), table.total, table.full)
