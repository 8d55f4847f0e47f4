"""The comparison as Markdown for a pull request: the answer, what is worse, and the rest folded.

Every part takes its characters from one room, so that no input makes a comment that GitHub refuses.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import ASKING, LOSSES, OF, VERDICTS, WARNINGS, tallied, words
from statera.comparison.verdicts.findings import centres, distinguishing
from statera.output.views import PLAIN, comment, tables, texts
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import NOTHING, counted, form, listed
from statera.support.wording import shown as shown_as

if TYPE_CHECKING:
    from collections.abc import Container, Iterator, Mapping
    from typing import Any, Final

    from statera.comparison.results.comparison import Comparison, Section
    from statera.output.views import Layout

# More rows than these are folded even if they are worse: the first screen shows the worst.
_OPEN: Final = 25
_MISSING: Final = 5
_LABELS: Final = 6
_LONGEST_ANSWER: Final = 800
_MOST_CLOSING: Final = 14_000
# Rows of one benchmark stand together as far as so many rows; a comment has room for fewer.
_GATHERED: Final = 1000
# The cells of a row that the compiled part writes.
_CELLS: Final = ("benchmark", "change", "interval", "verdict")
_WORDS: Final = ("benchmark", "metric", "variant", "level", "verdict")
_MOST_VERDICT: Final = 300
_MOST_CELL: Final = 40
_MOST_TITLE: Final = 200
_PAIR: Final = 2


def comment_on(comparison: Comparison, layout: Layout = PLAIN) -> str:
    """Write the comparison within the length limit of a comment; the worst rows are never folded."""
    sort = layout.sort or "worst"
    room = comment.Room(comment.MOST - 2 * comment.SAID)
    head = room.take(_head(comparison))
    names = comment.LongNames(comparison.observations.benchmarks)
    rows = open_rows(comparison, sort)
    closing = room.take(_closing(comparison, rows))
    first = _first(rows, _OPEN, _MISSING)
    opened = room.take(_opened(comparison, first, names, room.left)) if rows else ""
    shown = _Shown(sort, layout.changed, rows, frozenset(first))
    kept = names.room(room.left)
    room.left -= kept
    folded = _folds(comparison, shown, names, room)
    return f"{head}{opened}{folded}{names.fold(kept + room.left, '`-f csv`')}{closing}"


def _head(comparison: Comparison) -> str:
    answer = comparison.answer
    line = _native.markdown_text(comment.brief(answer.line, _LONGEST_ANSWER))
    base, *others = map(comment.name, comparison.labels[: _LABELS + 1])
    against = listed(others, _LABELS, total=len(comparison.labels) - 1)
    return f"### {comment.mark(answer.counts, answer.lacking)} {line}\n\n{base} (baseline) against {against}\n"


def _opened(comparison: Comparison, rows: list[int], names: comment.LongNames, room: int) -> str:
    lines = comment.within(["\n", *_row_lines(comparison, rows, names)], room)
    tails = comment.items(texts.tail_lines(comparison, rows))
    return "".join([*lines, *comment.within(["\n", *tails], room - sum(map(comment.size, lines)))] if tails else lines)


def _closing(comparison: Comparison, above: Container[int]) -> str:
    # A section whose rows all stand above has no fold that could say its mean.
    alone = [section for section in comparison.sections() if all(row in above for row in section.rows)]
    means = [f"{_title(comparison, section)}: {mean}" for section in alone for mean in _mean(section)]
    said = [*comparison.findings, *means, f"Method: {comparison.method}.", *settings_lines(comparison.settings)]
    said += [*texts.note_lines(comparison.notes), *texts.common_lines(comparison.arrangement)]
    said += texts.observation_lines(comparison.observations)
    listed = comment.items(said)
    kept = comment.within(listed, _MOST_CLOSING)
    left = len(listed) - len(kept)
    if left:
        kept.append(f"- and {counted(left, 'more note')} in `-f json`\n")
    return comment.fold("Findings, method and notes", "", "".join(kept))


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
    return {row: verdicts[row] for row in [*_gathered(comparison, order[:_GATHERED]), *order[_GATHERED:]]}


def _first(rows: Mapping[int, str], most: int, most_missing: int) -> list[int]:
    """Return the first rows, of those that are missing only some: a name says all there is to say of them."""
    kept: list[int] = []
    for row, verdict in rows.items():
        missing = sum(rows[each] == "missing" for each in kept)
        if len(kept) < most and (verdict != "missing" or missing < most_missing):
            kept.append(row)
    return kept


def _gathered(comparison: Comparison, rows: list[int]) -> list[int]:
    of: dict[str, list[int]] = {}
    for row in rows:
        of.setdefault(comparison.weighing.row_dict(row)["benchmark"], []).append(row)
    return [row for each in of.values() for row in each]


class _Shape(NamedTuple):
    """What the rows of a comparison must name, and the numbers of its footnotes."""

    metrics: bool
    variants: bool
    baselines: bool
    levels: bool
    footnotes: dict[str, int]


def _row_lines(comparison: Comparison, rows: list[int], names: comment.LongNames) -> list[str]:
    """Write rows as the lines of a Markdown table, two lines of heading first; a benchmark is named once."""
    baselines, contenders, levels = distinguishing(comparison.weighing)
    marks = dict(zip(WARNINGS, texts.footnotes(comparison.notes), strict=True))
    metrics = len({section[1] for section in comparison.weighing.sections()}) > 1
    shape = _Shape(metrics, contenders or baselines, baselines, levels, marks)
    found = [_cells(comparison, row, shape, names) for row in rows]
    above = ""
    for cells in found:
        cells["benchmark"], above = "" if cells["benchmark"] == above else cells["benchmark"], cells["benchmark"]
    keys = [key for key in found[0] if any(cells[key] != NOTHING for cells in found)]
    heads = _heads(comparison, shape)
    left = [place for place, key in enumerate(keys) if key in _WORDS]
    made = tables.markdown([[heads[key] for key in keys], *([cells[key] for key in keys] for cells in found)], left)
    return made.splitlines(keepends=True)


def _heads(comparison: Comparison, shape: _Shape) -> dict[str, str]:
    old, new = "old", "new"
    if not shape.variants:
        old, new = (comment.name(label, 40, in_table=True) for label in comparison.labels[:2])
    heads = {key: key for key in (*_WORDS, "change")}
    interval = _native.markdown_text(comparison.weighing.heading("interval"))
    return {**heads, "values": f"{old} → {new}", "interval": interval}


def _cells(comparison: Comparison, row: int, shape: _Shape, names: comment.LongNames) -> dict[str, str]:
    weighing = comparison.weighing
    fields = weighing.row_dict(row)
    benchmark, change, interval, verdict = map(shown_as, weighing.cells(row, _CELLS))
    cells = {"benchmark": names.span(benchmark)}
    if shape.metrics:
        cells["metric"] = comment.name(fields["metric"], in_table=True)
    if shape.variants:
        cells["variant"] = comment.name(fields["contender"], in_table=True)
        if shape.baselines:
            cells["variant"] += f" against {comment.name(fields['baseline'], in_table=True)}"
    if shape.levels:
        cells["level"] = comment.name(fields["group"], in_table=True) if fields["group"] else NOTHING
    cells["values"] = comment.amount(centres(weighing, row) or _sides(comparison, row))
    cells["change"] = comment.amount(change)
    cells["interval"] = _interval(interval)
    return {**cells, "verdict": _verdict(verdict, fields, shape)}


def _sides(comparison: Comparison, row: int) -> str:
    """Write the centres of the sides that have one, without an arrow: they do not move as the change says."""
    cells = comparison.weighing.cells(row, ("baseline_centre", "contender_centre"))
    return " / ".join(cell for cell in cells if cell is not None) or NOTHING


def _interval(text: str) -> str:
    # The brackets of an interval are not part of a name and need no escape.
    if text.startswith("[") and text.endswith("]"):
        return f"[{comment.amount(text[1:-1])}]"
    return comment.amount(text)


def _verdict(text: str, fields: dict[str, Any], shape: _Shape) -> str:
    words = _native.markdown_text(comment.brief(text, _MOST_VERDICT))
    marks = "".join(
        f"{comment.NO_BREAK}{texts.superscript(shape.footnotes[code])}"
        for code in fields["warnings"]
        if shape.footnotes[code]
    )
    return f"**{words}**{marks}" if fields["verdict"] in LOSSES else f"{words}{marks}"


class _Shown(NamedTuple):
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


def _folds(comparison: Comparison, shown: _Shown, names: comment.LongNames, room: comment.Room) -> str:
    """Write all folds that fit, and the number of rows that do not; the folds use the room."""
    sections = (_section(comparison, each, shown, names) for each in comparison.sections(shown.sort))
    rows = [_more_urgent(comparison, shown, names), *sections]
    beyond = comment.whole_folds(_beyond_rows(comparison, shown.sort), room)
    return "".join([*comment.folds_with_rows(rows, room), *beyond])


def _more_urgent(comparison: Comparison, shown: _Shown, names: comment.LongNames) -> comment.Fold:
    """Return the rows that ask for action and do not stand above."""
    rest = {row: verdict for row, verdict in shown.urgent.items() if row not in shown.above}
    rows = [*rest]
    verdicts = [*rest.values()]
    counts = {code: verdicts.count(code) for code in VERDICTS}
    title = "More that is worse or changed" if set(verdicts) - {"missing"} else "More that vanished"
    return comment.Fold(title, _counted(counts), len(rows), lambda most: _row_lines(comparison, rows[:most], names))


def _section(comparison: Comparison, section: Section, shown: _Shown, names: comment.LongNames) -> comment.Fold:
    """Return the rows of a section that do not ask for action."""
    weighing, summary = comparison.weighing, section.summary
    others = [row for row in section.rows if row not in shown.urgent]
    rows = weighing.order(others, shown.sort, shown.changed)
    urgent = [shown.urgent.get(row) for row in section.rows]
    verdicts = tallied(summary["verdicts"])
    counts = _counted({code: count - urgent.count(code) for code, count in verdicts.items()})
    before = ""
    if summary["quantiles"] is not None:
        levels = ", ".join(f"{level} {value}" for level, value in texts.quantile_words(summary))
        before = f"Quantiles of change: {levels}\n\n"
    hidden = len(others) - len(rows)
    if hidden:
        before += f"{counted(hidden, 'row')} without a change {form(hidden, 'is', 'are')} not shown.\n\n"
    marks = texts.footnotes(comparison.notes)

    def lines(most: int) -> list[str]:
        head, rule, *body = weighing.markdown(rows[:most], marks).splitlines(keepends=True)
        of = [shown_as(weighing.cell(row, "benchmark")) for row in rows[:most]]
        # The only benchmark of a table stands in its heading.
        table = [names.within(head, of[0]), rule, *map(names.within, body, of)]
        tails = comment.items(texts.tail_lines(comparison, rows[:most]))
        return [*table, *(["\n"] if tails else []), *tails]

    return comment.Fold(_title(comparison, section), "; ".join([counts, *_mean(section)]), len(rows), lines, before)


def _mean(section: Section) -> list[str]:
    """Write the geometric mean of a section of several rows, if it has one."""
    mean = texts.mean_words(section.summary)
    return [f"geometric mean {mean}"] if mean and section.summary["rows"] > 1 else []


def _counted(counts: dict[str, int]) -> str:
    return " · ".join(f"{count:,} {words(code)}" for code, count in counts.items() if count)


def _title(comparison: Comparison, section: Section) -> str:
    """Name a section: its metric, and its variants and group where there are several."""
    said = comment.brief(comparison.observations.metrics[section.metric].name)
    group = comparison.arrangement.groups[section.group]
    if len(comparison.labels) > _PAIR and section.contender is not None:
        said += f" of {comment.brief(comparison.labels[section.contender])}"
    if section.base:
        said += f" against {comment.brief(comparison.labels[section.base])}"
    return said + (f", {comment.brief(group)}" if group else "")


def _beyond_rows(comparison: Comparison, sort: str) -> Iterator[comment.Fold]:
    """Return interactions, tests over all variants, and quantile tables."""
    question, *answers = tables.interaction_lines(comparison) or [""]
    if question:
        items = comment.items(answers, 1_000)
        yield comment.Fold(comment.brief(question, _MOST_TITLE), "", 0, lambda _: items)
    for group, metric in dict.fromkeys((section.group, section.metric) for section in comparison.sections()):
        tests = tables.omnibus_rows(comparison, group, metric, sort)
        if tests:
            # The first heading says how many variants of which metric: here the title does.
            where = comparison.arrangement.groups[group]
            about = f"A{tests[0][0][1:]}" + (f", {where}" if where else "")
            yield _table(about, [["benchmark", *tests[0][1:]], *tests[1:]])
    if comparison.levels:
        for about, rows in tables.quantile_tables(comparison):
            yield _table(about, rows)


def _table(about: str, rows: list[list[str]]) -> comment.Fold:
    """Return a small table as a fold."""

    def lines(_: int) -> list[str]:
        cells = [[_native.markdown_text(comment.brief(cell, _MOST_CELL)) for cell in row] for row in rows]
        return tables.markdown(cells).splitlines(keepends=True)

    return comment.Fold(comment.brief(about, _MOST_TITLE), "", 0, lines)
