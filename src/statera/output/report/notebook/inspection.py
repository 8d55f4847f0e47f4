"""The inspection as an HTML fragment for notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera.comparison.codes import GRADES
from statera.comparison.verdicts.inspection import grades, normality
from statera.output.report.notebook.fragment import (
    MOST_ROWS,
    Cell,
    answer,
    fragment,
    heads_of,
    judged,
    paragraph,
    table,
)
from statera.output.views.terminal import listed
from statera.support.settings.provenance import settings_lines
from statera.support.wording import counted, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.comparison.results.inspection import InspectedSection, Inspection

_SKIPPED: Final = "short verdict"
# The fields that sort columns; the others sort by their text.
_FIELDS: Final = {"n": "n", "median": "centre", "normal p": "normality_p", "modes": "modes", "shows": "detectable"}


def text(inspection: Inspection) -> str:
    """Write the findings and, for each group and metric, a table of its rows, the worst first."""
    first, *others = inspection.findings
    parts = [answer(first), paragraph(f"inspection of {listed(inspection.labels)}", "aside"), *map(paragraph, others)]
    if inspection.self_test is None:
        parts += [part for section in inspection.sections() for part in _section(inspection, section)]
    return fragment([*parts, *(paragraph(line, "aside") for line in settings_lines(inspection.settings))])


def _section(inspection: Inspection, section: InspectedSection) -> Iterator[str]:
    native = inspection.native
    order = native.order(section.rows, "defects")
    rows = order[:MOST_ROWS]
    heads, cells = native.headings(), native.cells(rows)
    # As in the terminal, an empty column is left out.
    keep = [
        place
        for place, head in enumerate(heads)
        if head != _SKIPPED
        and (head != "variant" or len(inspection.labels) > 1)
        and any(row[place] is not None for row in cells)
    ]
    metric = inspection.observations.metrics[section.metric].name
    first = ", ".join(word for word in (metric, inspection.arrangement.groups[section.group]) if word)
    names = [first, *(heads[place] for place in keep[1:])]
    body = []
    for index, row in zip(rows, cells, strict=True):
        fields = native.row_dict(index)
        written = [Cell(shown(row[place]), _key(fields, heads[place])) for place in keep]
        body.append(judged(written, fields["grade"], -GRADES.index(fields["grade"])))
    yield table(heads_of(names), body)
    if len(order) > MOST_ROWS:
        yield paragraph(f"and {counted(len(order) - MOST_ROWS, 'more row')}")
    words = (grades(section.summary), normality(section.summary, inspection.policy))
    yield from (paragraph(line, "aside") for line in words if line)


def _key(fields: dict[str, Any], column: str) -> float | None:
    value = fields.get(_FIELDS.get(column, ""))
    return None if value is None else float(value)
