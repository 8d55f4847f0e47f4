"""The comparison as an HTML fragment for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from statera import _native
from statera.settings.provenance import settings_lines
from statera.views.terminal import mean_words, verdict_words
from statera.wording import NOTHING, counted, shown

if TYPE_CHECKING:
    from statera.results.comparison import Comparison

_COLUMNS = ("benchmark", "baseline", "contender", "change", "interval", "mean", "p", "n", "verdict")
_MOST_ROWS = 200
_COLOURS = {
    "worse": "#b3261e",
    "better": "#146c2e",
    "changed": "#6b4ea0",
    "differs": "#5b6675",
    "tail-worse": "#b3261e",
    "tail-better": "#146c2e",
    "shape-changed": "#6b4ea0",
    "missing": "#8a5a00",
    "new": "#8a5a00",
}


def text(comparison: Comparison) -> str:
    """Write findings and, for each section, a table of its rows, the worst first."""
    parts = [
        "<div>",
        *(f"<p><strong>{_safe(sentence)}</strong></p>" for sentence in comparison.findings),
    ]
    for section in comparison.sections():
        rows = comparison.weighing.order(section.rows, "worst", False)  # noqa: FBT003
        first = comparison.weighing.row_dict(rows[0])
        metric = ", ".join(word for word in (first["metric"], first["group"]) if word)
        heads = [
            metric,
            _label(comparison, section.base, "baseline"),
            _label(comparison, section.contender, "contender"),
            *map(comparison.weighing.heading, _columns(comparison)[3:]),
        ]
        head = "".join(f"<th>{_safe(word)}</th>" for word in heads)
        several = section.contender is None
        body = "".join(_row(comparison, index, several=several) for index in rows[:_MOST_ROWS])
        more = f"<p>and {counted(len(rows) - _MOST_ROWS, 'more row')}</p>" if len(rows) > _MOST_ROWS else ""
        words = f"{verdict_words(section.summary)}; geometric mean {mean_words(section.summary) or NOTHING}"
        mean = f"<p>{_safe(words)}</p>"
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}{mean}")
    parts += [f"<p>{_safe(line)}</p>" for line in settings_lines(comparison.settings)]
    return "".join([*parts, "</div>"])


def _columns(comparison: Comparison) -> tuple[str, ...]:
    """Return the columns; the change of the mean has one if it was requested."""
    return tuple(name for name in _COLUMNS if name != "mean" or comparison.policy.mean)


def _label(comparison: Comparison, variant: int | None, several: str) -> str:
    return several if variant is None else comparison.labels[variant]


def _row(comparison: Comparison, index: int, *, several: bool) -> str:
    weighing = comparison.weighing
    row = weighing.row_dict(index)
    colour = _COLOURS.get(row["verdict"])
    style = f' style="color:{colour}"' if colour else ""
    cells = [shown(weighing.cell(index, column)) for column in _columns(comparison)]
    if several:
        cells[0] += f": {row['contender']} against {row['baseline']}"
    return f"<tr{style}>{''.join(f'<td>{_safe(cell)}</td>' for cell in cells)}</tr>"


def _safe(text: str) -> str:
    return escape(_native.printable(text))
