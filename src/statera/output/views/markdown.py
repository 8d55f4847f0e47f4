"""The comparison as Markdown for a pull request: the answer, one table of what changed, counts of the rest.

It has the lines, the words and the cautions of the terminal, and no more of them for a large comparison than for a
small one.
"""

from __future__ import annotations

from functools import partial

from statera import _native
from statera.comparison.codes import ASKING, LOSSES, OF
from statera.comparison.verdicts.answer import answers, cautions
from statera.output.views import PLAIN, comment, tables, texts, wide
from statera.output.views.lines import Choice, compared, facts, names_of, overflow, sheets, summaries
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from statera.comparison.results.comparison import Comparison
    from statera.output.views import Layout
    from statera.output.views.lines import Sheet

_LONGEST_ANSWER: Final = 400
_LONGEST_NAME: Final = 44
_LONGEST_LINE: Final = 400
_LONGEST_TITLE: Final = 200
_CAUTIONS: Final = 2
_MOST_BUILDS: Final = 12
_HEADING: Final = 2
# What a reader of a pull request needs of a line; the rest stands in the report.
_NEEDED: Final = 5


def comment_on(comparison: Comparison, layout: Layout = PLAIN) -> str:
    """Write the comparison as a comment: a heading, a line on what was compared, the tables, and at most five lines."""
    most = 10**6 if layout.every else comment.ROWS
    found = sheets(comparison, Choice(most, layout.every, layout.sort or "worst", layout.only))
    long = comment.LongNames(name for sheet in found for name in names_of(comparison, sheet.lines, sheet))
    room = comment.Room(comment.MOST - 2 * comment.SAID)
    head, foot = room.take(_head(comparison)), room.take(_foot(comparison, found))
    made = [_table(comparison, sheet, long, room) for sheet in found]
    further = "".join(comment.whole_folds(_asked(comparison), room))
    left = long.fold(room.left, "`-f csv`")
    return "\n".join(part for part in (head, *made, foot) if part) + further + left


def _head(comparison: Comparison) -> str:
    found = comparison.answer
    line = _native.markdown_text(comment.brief(found.line, _LONGEST_ANSWER))
    mark = comment.mark(found.counts, found.lacking)
    what = _native.markdown_text(f"{compared(comparison)} · {facts(comparison)}")
    return f"### {mark} {line}\n\n{what}\n"


def _table(comparison: Comparison, sheet: Sheet, long: comment.LongNames, room: comment.Room) -> str:
    """Write a table, as many lines as fit."""
    if not sheet.lines:
        return ""
    names = names_of(comparison, sheet.lines, sheet)
    title, columns = wide.columns(comparison, sheet)
    kept = _joined([each for each in columns if each.need <= _NEEDED])
    builds = [each for each in kept if each.is_change]
    kept = [each for each in kept if each not in builds[_MOST_BUILDS:]]
    heads = [title or ("metric" if sheet.metric is None else "benchmark"), *(each.head for each in kept)]
    rows = []
    for place, name in enumerate(names):
        cells = [long.span(name)]
        cells += [_cell(each, place, bold=bool(each.verdicts) and each.verdicts[place] in LOSSES) for each in kept]
        rows.append(cells)
    left = [0, *(place for place, each in enumerate(kept, 1) if each.left)]
    made = tables.markdown([[_native.markdown_text(head) for head in heads], *rows], left)
    said = [overflow(comparison, code, lines) for code, lines in sheet.more.items()]
    said += [counted(len(builds) - _MOST_BUILDS, "more build")] if len(builds) > _MOST_BUILDS else []
    below = "".join(f"\n{_native.markdown_text(line)}\n" for line in said)
    lines = made.splitlines(keepends=True)
    fits = comment.within(lines, room.left - comment.size(below) - comment.SAID)
    cut = len(lines) - max(len(fits), _HEADING)
    below += (
        f"\n{counted(cut, 'more line does', 'more lines do')} not fit a comment; `-f csv` has them all.\n"
        if cut
        else ""
    )
    return room.take("".join(fits if len(fits) > _HEADING else []) + below)


def _joined(columns: list[wide.Column]) -> list[wide.Column]:
    """Join the values of both builds into one column, which cannot break."""
    places = [place for place, each in enumerate(columns) if each.is_value]
    if len(places) != 2:  # noqa: PLR2004 - several contenders have a column each
        return columns
    old, new = (columns[place] for place in places)
    cells = [f"{before} → {after}" for before, after in zip(old.cells, new.cells, strict=True)]
    both = old._replace(head=f"{old.head} → {new.head}", cells=cells)
    return [both if place == places[0] else each for place, each in enumerate(columns) if place != places[1]]


def _cell(column: wide.Column, place: int, *, bold: bool) -> str:
    text = column.cells[place].strip()
    if not text:
        return ""
    if column.left and not column.verdicts:
        return comment.name(text, _LONGEST_NAME, in_table=True)
    made = _native.markdown_text(text).replace(" ", comment.NO_BREAK)
    return f"**{made}**" if bold else made


def _foot(comparison: Comparison, found: list[Sheet]) -> str:
    """Write what the tables leave out: counts, means, cautions, settings that were changed; a line each."""
    lines = [line for sheet in found[:1] for line in summaries(comparison, sheet, named=False)]
    lines += tables.interaction_lines(comparison, every=False)
    lines += [f"⚠ {caution}" for caution in cautions(comparison.observations, comparison.notes)[:_CAUTIONS]]
    lines += texts.note_lines(answers(comparison.notes))
    lines += texts.observation_lines(comparison.observations)[:1] if comparison.observations.left_out else []
    lines += settings_lines(comparison.settings)
    return "".join(f"{_native.markdown_text(comment.brief(line.strip(), _LONGEST_LINE))}  \n" for line in lines)


def _asked(comparison: Comparison) -> Iterator[comment.Fold]:
    """Return the tables of quantiles and of blocks, which are written where they were asked for."""
    for about, rows in _asked_tables(comparison):
        cells = [[_native.markdown_text(comment.brief(cell, _LONGEST_NAME)) for cell in row] for row in rows]
        lines = tables.markdown(cells).splitlines(keepends=True)
        yield comment.Fold(comment.brief(about, _LONGEST_TITLE), "", 0, partial(_whole, lines))


def _asked_tables(comparison: Comparison) -> Iterator[tuple[str, list[list[str]]]]:
    if comparison.levels:
        yield from tables.quantile_tables(comparison)
    if comparison.blocks:
        from statera.output.views.blocks import block_tables  # noqa: PLC0415 - few comparisons show blocks

        yield from block_tables(comparison)


def _whole(lines: list[str], _: int) -> list[str]:
    return lines


def open_rows(comparison: Comparison, sort: str) -> dict[int, str]:
    """Return the rows that ask for action, in order, each with its verdict; rows of one benchmark stand together."""
    weighing = comparison.weighing
    verdicts: dict[int, str] = {}
    for verdict in ASKING:
        rows = weighing.with_verdict([verdict])
        # What differs for the better asks for nothing.
        is_open = OF[verdict].harm == "open"
        verdicts |= dict.fromkeys([*weighing.harmed(rows), *weighing.undirected(rows)] if is_open else rows, verdict)
    order = weighing.order([*sorted(verdicts)], sort, changed=False)
    if sort == "worst":
        order = [*dict.fromkeys([*filter(verdicts.__contains__, comparison.answer.leads), *order])]
    return {row: verdicts[row] for row in order}
