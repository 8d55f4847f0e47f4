"""What the fragments of notebooks share: style, script, tables and safe text.

A fragment has no id, so that one that is shown twice repeats none. It paints its own ground, so that its contrast holds
in a notebook of any colours. Where a notebook is not trusted, its style and script are missing, and every row shows.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera import _native
from statera.comparison.codes import TABLE
from statera.output.plots import theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from statera.output.plots.theme import Mode

MOST_ROWS: Final = 200
_TEMPLATES: Final = Path(__file__).parent.parent / "templates"
# How notebooks state their own theme; the reader's system may say otherwise.
_THEMES: Final = {
    "dark": ('[data-jp-theme-light="false"]', ".vscode-dark", ".vscode-high-contrast", 'html[theme="dark"]'),
    "light": (
        '[data-jp-theme-light="true"]',
        ".vscode-light",
        ".vscode-high-contrast-light",
        'html[theme="light"]',
    ),
}


class Cell(NamedTuple):
    """A cell: its text, the number that sorts it (None if the text does), and whether it is said aside."""

    text: str
    key: float | None = None
    aside: bool = False


class Row(NamedTuple):
    """A row: its cells, of which the second is the verdict, and the class of the verdict."""

    cells: Sequence[Cell]
    verdict: str


def judged(cells: list[Cell], verdict: str, key: float) -> Row:
    """Return a row with its verdict after its name, and what follows the verdict's colon at its end."""
    name, *others, last = cells
    word, _, reason = last.text.partition(": ")
    return Row([name, Cell(word, key), *others, Cell(reason, aside=True)], verdict)


def heads_of(heads: list[str]) -> list[str]:
    """Return the headings of such rows."""
    name, *others, verdict = heads
    return [name, verdict, *others, "reason"]


def fragment(parts: Iterable[str]) -> str:
    """Return the parts as one fragment, with style and script."""
    script = (_TEMPLATES / "notebook.js").read_text("utf-8")
    # Scripts of a notebook share a scope, so that names stay inside of a block.
    return f'<div class="statera"><style>{_style()}</style>{"".join(parts)}<script>{{{script}}}</script></div>'


@cache
def _style() -> str:
    def variables(selector: str, mode: Mode) -> str:
        return f"{selector}{{{';'.join(f'{name}:{value}' for name, value in theme.css_variables(mode).items())}}}"

    def stated(mode: Mode) -> str:
        return variables(",".join(f"{host} .statera" for host in _THEMES[mode]), mode)

    system = f"@media (prefers-color-scheme:dark){{{variables('.statera', 'dark')}}}"
    coloured = [
        f".statera .{verdict} td:nth-child(2){{color:var(--{colour});}}" for verdict, colour in _COLOURS.items()
    ]
    parts = (variables(".statera", "light"), system, stated("dark"), stated("light"))
    return "".join([*parts, (_TEMPLATES / "notebook.css").read_text("utf-8"), *coloured])


# The colours of the theme that are dark enough for text; other verdicts are calm.
_COLOURS: Final = {
    **{each.code: each.tone for each in TABLE if each.tone in {"worse", "better", "changed", "differs", "missing"}},
    "unfit": "worse",
    "doubtful": "missing",
}


def table(heads: Sequence[str], rows: Iterable[Row]) -> str:
    """Write a table without a last column that is empty."""
    rows = [*rows]
    if not any(row.cells[-1].text for row in rows):
        heads, rows = heads[:-1], [Row(row.cells[:-1], row.verdict) for row in rows]
    head = "".join(f"<th>{safe(name)}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_row, rows))}</tbody></table>"


def _row(row: Row) -> str:
    name = row.verdict if row.verdict in _COLOURS else "calm"
    return f'<tr class="{name}">{"".join(map(_cell, row.cells))}</tr>'


def _cell(cell: Cell) -> str:
    key = "" if cell.key is None else f' data-k="{cell.key:.17g}"'
    part = ' class="aside"' if cell.aside else ""
    return f"<td{key}{part}>{safe(cell.text)}</td>"


def paragraph(text: str, part: str = "") -> str:
    """Write a paragraph, of a class if there is one."""
    return f"<p{f' class={chr(34)}{part}{chr(34)}' if part else ''}>{safe(text)}</p>"


def answer(text: str) -> str:
    """Write the answer, which stands first."""
    return f'<p class="answer"><strong>{safe(text)}</strong></p>'


def safe(text: str) -> str:
    """Escape a text from strangers."""
    return escape(_native.printable(text))
