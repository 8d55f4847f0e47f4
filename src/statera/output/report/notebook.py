"""Comparisons and inspections as HTML fragments for notebooks: the answer, then tables that sort and filter.

A fragment has no id, so that one that is shown twice repeats none. It paints its own ground, so that its contrast holds
in a notebook of any colours. Where a notebook is not trusted, its style and script are missing, and every row shows.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import GRADES, TABLE, VERDICTS
from statera.comparison.verdicts.inspection import grades, normality
from statera.output.plots import theme
from statera.output.views.texts import listed, mean_words, verdict_words
from statera.support.settings.file import settings_lines
from statera.support.wording import NOTHING, counted, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statera.comparison.results.comparison import Comparison, Section
    from statera.comparison.results.inspection import InspectedSection, Inspection
    from statera.output.plots.theme import Mode

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


def comparison_fragment(comparison: Comparison) -> str:
    """Write the answer, a table for each section with the worst rows first, and the findings."""
    labels = comparison.labels
    against = f"{listed(labels[:1])} (baseline) against {listed(labels[1:])}"
    tables = [part for section in comparison.sections() for part in _compared_rows(comparison, section)]
    findings = [paragraph(sentence) for sentence in comparison.findings]
    settings = [paragraph(line, "aside") for line in settings_lines(comparison.settings)]
    return fragment([answer(comparison.answer.line), paragraph(against, "aside"), *tables, *findings, *settings])


def _compared_rows(comparison: Comparison, section: Section) -> Iterator[str]:
    weighing = comparison.weighing
    rows = weighing.order(section.rows, "worst", changed=False)
    first = weighing.row_dict(rows[0])
    columns = [name for name in _COLUMNS if name != "mean" or comparison.policy.mean]
    heads = [
        ", ".join(word for word in (first["metric"], first["group"]) if word),
        _label(comparison, section.base, "baseline"),
        _label(comparison, section.contender, "contender"),
        *map(weighing.heading, columns[3:]),
    ]
    several = section.contender is None
    yield table(
        heads_of(heads), (_compared_row(comparison, index, columns, several=several) for index in rows[:MOST_ROWS])
    )
    if len(rows) > MOST_ROWS:
        yield paragraph(f"and {counted(len(rows) - MOST_ROWS, 'more row')}")
    words = f"{verdict_words(section.summary)}; geometric mean {mean_words(section.summary) or NOTHING}"
    yield paragraph(words, "aside")


def _label(comparison: Comparison, variant: int | None, several: str) -> str:
    return several if variant is None else comparison.labels[variant]


def _compared_row(comparison: Comparison, index: int, columns: list[str], *, several: bool) -> _Row:
    fields = comparison.weighing.row_dict(index)
    texts = comparison.weighing.cells(index, columns)
    cells = [_Cell(shown(text), _compared_key(fields, name)) for name, text in zip(columns, texts, strict=True)]
    if several:
        cells[0] = _Cell(f"{cells[0].text}: {fields['contender']} against {fields['baseline']}")
    return judged(cells, fields["verdict"], VERDICTS.index(fields["verdict"]))


def _compared_key(fields: dict[str, Any], column: str) -> float | None:
    value = fields[_COLUMNS[column]] if _COLUMNS[column] else None
    return None if value is None else float(value)


_SKIPPED: Final = "short verdict"
# The fields that sort columns; the others sort by their text.
_FIELDS: Final = {"n": "n", "median": "centre", "normal p": "normality_p", "modes": "modes", "detects": "detectable"}


def inspection_fragment(inspection: Inspection) -> str:
    """Write the findings and, for each group and metric, a table of its rows, the worst first."""
    first, *others = inspection.findings
    parts = [answer(first), paragraph(f"inspection of {listed(inspection.labels)}", "aside"), *map(paragraph, others)]
    if inspection.self_test is None:
        parts += [part for section in inspection.sections() for part in _inspected_rows(inspection, section)]
    return fragment([*parts, *(paragraph(line, "aside") for line in settings_lines(inspection.settings))])


def _inspected_rows(inspection: Inspection, section: InspectedSection) -> Iterator[str]:
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
        written = [_Cell(shown(row[place]), _inspected_key(fields, heads[place])) for place in keep]
        body.append(judged(written, fields["grade"], -GRADES.index(fields["grade"])))
    yield table(heads_of(names), body)
    if len(order) > MOST_ROWS:
        yield paragraph(f"and {counted(len(order) - MOST_ROWS, 'more row')}")
    words = (grades(section.summary), normality(section.summary, inspection.policy))
    yield from (paragraph(line, "aside") for line in words if line)


def _inspected_key(fields: dict[str, Any], column: str) -> float | None:
    value = fields.get(_FIELDS.get(column, ""))
    return None if value is None else float(value)


MOST_ROWS: Final = 200
_TEMPLATES: Final = Path(__file__).parent / "templates"
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


class _Cell(NamedTuple):
    """A cell: its text, the number that sorts it (None if the text does), and whether it is said aside."""

    text: str
    key: float | None = None
    aside: bool = False


class _Row(NamedTuple):
    """A row: its cells, of which the second is the verdict, and the class of the verdict."""

    cells: Sequence[_Cell]
    verdict: str


def judged(cells: list[_Cell], verdict: str, key: float) -> _Row:
    """Return a row with its verdict after its name, and what follows the verdict's colon at its end."""
    name, *others, last = cells
    word, _, reason = last.text.partition(": ")
    return _Row([name, _Cell(word, key), *others, _Cell(reason, aside=True)], verdict)


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


def table(heads: Sequence[str], rows: Iterable[_Row]) -> str:
    """Write a table without a last column that is empty."""
    rows = [*rows]
    if not any(row.cells[-1].text for row in rows):
        heads, rows = heads[:-1], [_Row(row.cells[:-1], row.verdict) for row in rows]
    head = "".join(f"<th>{safe(name)}</th>" for name in heads)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(map(_row_html, rows))}</tbody></table>"


def _row_html(row: _Row) -> str:
    name = row.verdict if row.verdict in _COLOURS else "calm"
    return f'<tr class="{name}">{"".join(map(_cell_html, row.cells))}</tr>'


def _cell_html(cell: _Cell) -> str:
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
