"""The comparison as an HTML fragment for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera.comparison.codes import VERDICTS
from statera.output.report.notebook.fragment import (
    MOST_ROWS,
    Cell,
    Row,
    answer,
    fragment,
    heads_of,
    judged,
    paragraph,
    table,
)
from statera.output.views.terminal import listed, mean_words, verdict_words
from statera.support.settings.provenance import settings_lines
from statera.support.wording import NOTHING, counted, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.comparison.results.comparison import Comparison, Section

# The columns, and the field of a row that sorts each.
_COLUMNS: Final = {
    "benchmark": "",
    "baseline": "baseline_centre",
    "contender": "contender_centre",
    "change": "change",
    "interval": "change_low",
    "mean": "mean_change",
    "p": "p_corrected",
    "n": "baseline_n",
    "verdict": "",
}


def text(comparison: Comparison) -> str:
    """Write the answer, a table for each section with the worst rows first, and the findings."""
    labels = comparison.labels
    against = f"{listed(labels[:1])} (baseline) against {listed(labels[1:])}"
    tables = [part for section in comparison.sections() for part in _section(comparison, section)]
    findings = [paragraph(sentence) for sentence in comparison.findings]
    settings = [paragraph(line, "aside") for line in settings_lines(comparison.settings)]
    return fragment([answer(comparison.answer.line), paragraph(against, "aside"), *tables, *findings, *settings])


def _section(comparison: Comparison, section: Section) -> Iterator[str]:
    weighing = comparison.weighing
    rows = weighing.order(section.rows, "worst", False)  # noqa: FBT003 - compiled
    first = weighing.row_dict(rows[0])
    columns = [name for name in _COLUMNS if name != "mean" or comparison.policy.mean]
    heads = [
        ", ".join(word for word in (first["metric"], first["group"]) if word),
        _label(comparison, section.base, "baseline"),
        _label(comparison, section.contender, "contender"),
        *map(weighing.heading, columns[3:]),
    ]
    several = section.contender is None
    yield table(heads_of(heads), (_row(comparison, index, columns, several=several) for index in rows[:MOST_ROWS]))
    if len(rows) > MOST_ROWS:
        yield paragraph(f"and {counted(len(rows) - MOST_ROWS, 'more row')}")
    words = f"{verdict_words(section.summary)}; geometric mean {mean_words(section.summary) or NOTHING}"
    yield paragraph(words, "aside")


def _label(comparison: Comparison, variant: int | None, several: str) -> str:
    return several if variant is None else comparison.labels[variant]


def _row(comparison: Comparison, index: int, columns: list[str], *, several: bool) -> Row:
    fields = comparison.weighing.row_dict(index)
    cells = [Cell(shown(comparison.weighing.cell(index, name)), _key(fields, name)) for name in columns]
    if several:
        cells[0] = Cell(f"{cells[0].text}: {fields['contender']} against {fields['baseline']}")
    return judged(cells, fields["verdict"], VERDICTS.index(fields["verdict"]))


def _key(fields: dict[str, Any], column: str) -> float | None:
    value = fields[_COLUMNS[column]] if _COLUMNS[column] else None
    return None if value is None else float(value)
