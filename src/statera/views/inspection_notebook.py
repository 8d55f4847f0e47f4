"""The inspection as an HTML fragment for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

from statera import _native
from statera.settings.provenance import settings_lines
from statera.verdicts.inspection import grades, normality
from statera.wording import counted
from statera.wording import shown as nothing_or

if TYPE_CHECKING:
    from statera.results.inspection import InspectedSection, Inspection

_MOST_ROWS: Final = 200
_COLOURS: Final = {"unfit": "#b3261e", "doubtful": "#8a5a00"}
_SKIPPED: Final = "short verdict"


def text(inspection: Inspection) -> str:
    """Write findings and, for each group and metric, a table of its rows, the worst first."""
    parts = ["<div>", *(f"<p><strong>{_safe(sentence)}</strong></p>" for sentence in inspection.findings)]
    if inspection.self_test is None:
        for section in inspection.sections():
            parts.append(_table(inspection, section))
            words = (grades(section.summary), normality(section.summary, inspection.policy))
            parts += [f"<p>{_safe(line)}</p>" for line in words if line]
    parts += [f"<p>{_safe(line)}</p>" for line in settings_lines(inspection.settings)]
    return "".join([*parts, "</div>"])


def _table(inspection: Inspection, section: InspectedSection) -> str:
    native = inspection.native
    order = native.order(section.rows, "defects")
    shown = order[:_MOST_ROWS]
    heads, cells = native.headings(), native.cells(shown)
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
    head = "".join(f"<th>{_safe(name)}</th>" for name in names)
    body = "".join(
        _row([row[place] for place in keep], grade) for row, (grade, _) in zip(cells, native.grades(shown), strict=True)
    )
    more = f"<p>and {counted(len(order) - _MOST_ROWS, 'more row')}</p>" if len(order) > _MOST_ROWS else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"


def _row(cells: list[str | None], grade: str) -> str:
    style = f' style="color:{_COLOURS[grade]}"' if grade in _COLOURS else ""
    return f"<tr{style}>{''.join(f'<td>{_safe(nothing_or(cell))}</td>' for cell in cells)}</tr>"


def _safe(text: str) -> str:
    return escape(_native.printable(text))
