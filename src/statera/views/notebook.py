"""The comparison as an HTML fragment for notebooks."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from statera import _native
from statera.verdicts import findings
from statera.views.terminal import mean_words, verdict_words

if TYPE_CHECKING:
    from statera.comparison import Comparison

_COLUMNS = ("benchmark", "old", "new", "change", "interval", "p", "n", "verdict")
_MOST_ROWS = 200
_COLOURS = {
    "worse": "#b3261e",
    "better": "#146c2e",
    "changed": "#6b4ea0",
    "missing": "#8a5a00",
    "new": "#8a5a00",
}


def text(comparison: Comparison) -> str:
    """Write findings and, for each section, a table of its rows, what changed first."""
    parts = [
        "<div>",
        *(f"<p><strong>{_safe(sentence)}</strong></p>" for sentence in findings(comparison.weighing, len(comparison))),
    ]
    for section in comparison.sections():
        rows = comparison.weighing.order(section.rows, "worst", False)  # noqa: FBT003
        metric = comparison.weighing.row_dict(rows[0])["metric"]
        labels = comparison.labels
        heads = [
            metric,
            labels[section.base],
            labels[section.contender],
            "typical change",
            "interval",
            "p",
            "n",
            "verdict",
        ]
        head = "".join(f"<th>{_safe(word)}</th>" for word in heads)
        body = "".join(_row(comparison, index) for index in rows[:_MOST_ROWS])
        more = f"<p>and {len(rows) - _MOST_ROWS} more rows</p>" if len(rows) > _MOST_ROWS else ""
        words = f"{verdict_words(section.summary)}; geometric mean {mean_words(section.summary) or '-'}"
        mean = f"<p>{_safe(words)}</p>"
        parts.append(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}{mean}")
    return "".join([*parts, "</div>"])


def _row(comparison: Comparison, index: int) -> str:
    weighing = comparison.weighing
    colour = _COLOURS.get(weighing.row_dict(index)["verdict"])
    style = f' style="color:{colour}"' if colour else ""
    cells = "".join(f"<td>{_safe(weighing.cell(index, column))}</td>" for column in _COLUMNS)
    return f"<tr{style}>{cells}</tr>"


def _safe(text: str) -> str:
    return escape(_native.printable(text))
