"""The folded parts of a comment: further rows that ask for action, the other rows of each section, further tables."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import VERDICTS, tallied, words
from statera.output.views import comment, open_rows
from statera.output.views.columns import markdown as plain_table
from statera.output.views.factors import interaction_lines, omnibus_rows
from statera.output.views.fold import Fold, whole, with_rows
from statera.output.views.quantiles import tables
from statera.output.views.terminal import footnotes, mean_words, quantile_words, tail_lines
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, form
from statera.support.wording import shown as shown_cell

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from statera.comparison.results.comparison import Comparison, Section
    from statera.output.views.long_names import LongNames

_MOST_CELL: Final = 40
_MOST_TITLE: Final = 200


class Shown(NamedTuple):
    """What is shown.

    Attributes:
        sort: the order of rows.
        changed: whether only rows that changed are shown.
        urgent: the rows that ask for action, with their verdicts.
        above: those of them that stand above the folds.

    """

    sort: str
    changed: bool
    urgent: dict[int, str]
    above: frozenset[int]


def text(comparison: Comparison, shown: Shown, names: LongNames, room: comment.Room) -> str:
    """Write all folds that fit, and the number of rows that do not; the folds use the room."""
    sections = (_section(comparison, each, shown, names) for each in comparison.sections(shown.sort))
    rows = [_urgent(comparison, shown, names), *sections]
    return "".join([*with_rows(rows, room), *whole(_beyond_rows(comparison, shown.sort), room)])


def _urgent(comparison: Comparison, shown: Shown, names: LongNames) -> Fold:
    """Return the rows that ask for action and do not stand above."""
    rest = {row: verdict for row, verdict in shown.urgent.items() if row not in shown.above}
    rows = [*rest]
    verdicts = [*rest.values()]
    counts = {code: verdicts.count(code) for code in VERDICTS}
    title = "More that is worse or changed" if set(verdicts) - {"missing"} else "More that vanished"
    return Fold(title, _counted(counts), len(rows), lambda most: open_rows.lines(comparison, rows[:most], names))


def _section(comparison: Comparison, section: Section, shown: Shown, names: LongNames) -> Fold:
    """Return the rows of a section that do not ask for action."""
    weighing, summary = comparison.weighing, section.summary
    others = [row for row in section.rows if row not in shown.urgent]
    rows = weighing.order(others, shown.sort, shown.changed)
    urgent = [shown.urgent.get(row) for row in section.rows]
    verdicts = tallied(summary["verdicts"])
    counts = _counted({code: count - urgent.count(code) for code, count in verdicts.items()})
    before = ""
    if summary["quantiles"] is not None:
        levels = ", ".join(f"{level} {value}" for level, value in quantile_words(summary))
        before = f"Quantiles of change: {levels}\n\n"
    hidden = len(others) - len(rows)
    if hidden:
        before += f"{counted(hidden, 'row')} without a change {form(hidden, 'is', 'are')} not shown.\n\n"
    marks = footnotes(comparison.notes)

    def lines(most: int) -> list[str]:
        head, rule, *body = weighing.markdown(rows[:most], marks).splitlines(keepends=True)
        of = [shown_cell(weighing.cell(row, "benchmark")) for row in rows[:most]]
        # The only benchmark of a table stands in its heading.
        table = [names.within(head, of[0]), rule, *map(names.within, body, of)]
        tails = comment.items(tail_lines(comparison, rows[:most]))
        return [*table, *(["\n"] if tails else []), *tails]

    return Fold(title(comparison, section), "; ".join([counts, *mean_of(section)]), len(rows), lines, before)


def mean_of(section: Section) -> list[str]:
    """Write the geometric mean of a section of several rows, if it has one."""
    mean = mean_words(section.summary)
    return [f"geometric mean {mean}"] if mean and section.summary["rows"] > 1 else []


def _counted(counts: dict[str, int]) -> str:
    return " · ".join(f"{count:,} {words(code)}" for code, count in counts.items() if count)


def title(comparison: Comparison, section: Section) -> str:
    """Name a section: its metric, and its variants and group where there are several."""
    said = comment.brief(comparison.observations.metrics[section.metric].name)
    group = comparison.arrangement.groups[section.group]
    if len(comparison.labels) > 2 and section.contender is not None:  # noqa: PLR2004
        said += f" of {comment.brief(comparison.labels[section.contender])}"
    if section.base:
        said += f" against {comment.brief(comparison.labels[section.base])}"
    return said + (f", {comment.brief(group)}" if group else "")


def _beyond_rows(comparison: Comparison, sort: str) -> Iterator[Fold]:
    """Return interactions, tests over all variants, and quantile tables."""
    question, *answers = interaction_lines(comparison) or [""]
    if question:
        items = comment.items(answers, 1_000)
        yield Fold(comment.brief(question, _MOST_TITLE), "", 0, lambda _: items)
    for group, metric in dict.fromkeys((section.group, section.metric) for section in comparison.sections()):
        tests = omnibus_rows(comparison, group, metric, sort)
        if tests:
            # The first heading says how many variants of which metric: here the title does.
            where = comparison.arrangement.groups[group]
            about = f"A{tests[0][0][1:]}" + (f", {where}" if where else "")
            yield _table(about, [["benchmark", *tests[0][1:]], *tests[1:]])
    if comparison.levels:
        for about, rows in tables(comparison):
            yield _table(about, rows)


def _table(about: str, rows: list[list[str]]) -> Fold:
    """Return a small table as a fold."""

    def lines(_: int) -> list[str]:
        cells = [[_native.markdown_text(comment.brief(cell, _MOST_CELL)) for cell in row] for row in rows]
        return plain_table(cells).splitlines(keepends=True)

    return Fold(comment.brief(about, _MOST_TITLE), "", 0, lines)
