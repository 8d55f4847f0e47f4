"""The comparison as plain text, for terminals."""

from __future__ import annotations

from itertools import chain

from statera import _native
from statera.comparison.codes import LOSSES, VERDICTS, WARNINGS, tallied, words
from statera.comparison.pairing.keys import DETAILS
from statera.comparison.verdicts.notes import brief
from statera.output.views import PLAIN, tables
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import conjoined, counted, form, shown
from statera.support.wording import listed as named

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, Final

    from statera.comparison.pairing import Arrangement
    from statera.comparison.results.comparison import Comparison, Section
    from statera.comparison.verdicts import Note
    from statera.output.views import Layout
    from statera.reading.observations import Observations

_BRIEF = 12
_WIDEST_GROUP = 400
_OFFENDERS = 10
_SHOWN_PROBLEMS = 5
_MOST_TAILS = 20
_PAIR = 2
# A name wider than this part of a line has no room for what all names begin with.
_NAMES = 4
_EXPLAIN = "Explain a column: statera explain typical-change (or interval, p, n, verdicts, runs-needed)"
_INTERVALS = {
    "runs": "interval: run by run",
    "too-few": "too few runs for an interval",
    "exact": "exact",
    "single": "",
    "one-process": "one process each: no interval",
}
# A screen of rows; a longer table shows so many and all that changed.
_SCREEN: Final = 30
# So few more rows are shown as well: the sentence on them would save no room.
_FEW: Final = 5
_LEAST_NAME = 16


def page(comparison: Comparison, layout: Layout = PLAIN) -> str:
    """Write the whole comparison: answer, heading, rows, summaries, findings, notes and what was left out."""
    layout = layout._replace(sort=layout.sort or "worst")
    prefix = _prefix(comparison, layout)
    rows, notes = _tables(comparison, prefix, layout)
    parts = [_answer(comparison, layout), folded(_heading(comparison, prefix), layout.width), rows]
    if comparison.arrangement.factors:
        parts.append(_interactions(comparison, layout))
    if comparison.levels:
        parts.append(_quantile_tables(comparison, layout))
    parts.append(_closing(comparison, notes, layout))
    return "".join(parts)


def _tables(comparison: Comparison, prefix: str, layout: Layout) -> tuple[str, list[Note]]:
    """Write the tables with what stands below each; return them with the notes, numbered as their marks."""
    parts = []
    by_metric = _by_metric(comparison, layout.sort)
    rows = {id(section): _rows(comparison, section, layout) for sections in by_metric.values() for section in sections}
    feet = _footing(comparison.weighing, comparison.notes, chain.from_iterable(rows.values()))
    group = ""
    for (number, metric), sections in by_metric.items():
        words = comparison.arrangement.groups[number]
        if words != group:
            parts.append(group_line(words))
            group = words
        for section in sections:
            shows = rows[id(section)]
            table = comparison.weighing.aligned(shows, feet.marks, layout.width, layout.colour, prefix) if shows else ""
            alone = len(rows) == 1 or len(section.rows) == 1
            parts.append(f"\n{table}{_below(comparison, section, shows, layout, alone=alone)}")
        if len(comparison.labels) > _PAIR:
            parts.append(_omnibus(comparison, (number, metric), prefix, layout))
    return "".join(parts), feet.notes


def _answer(comparison: Comparison, layout: Layout) -> str:
    """Write the answer, bold, and red where something is worse."""
    answer = comparison.answer
    line = folded(f"{answer.line}.", layout.width)
    if not layout.colour:
        return f"{line}\n"
    return f"\x1b[1{';31' if answer.counts.keys() & {*LOSSES} else ''}m{line}\x1b[0m\n"


def _prefix(comparison: Comparison, layout: Layout) -> str:
    """Return what the names of all benchmarks begin with, if the tables have no room for it; otherwise nothing."""
    if layout.width is None:
        return ""
    prefix, widest = comparison.weighing.common_prefix()
    return prefix if _NAMES * widest > layout.width else ""


def _interactions(comparison: Comparison, layout: Layout) -> str:
    lines = tables.interaction_lines(comparison)
    return "\n" + "".join(f"{folded(line, layout.width)}\n" for line in lines) if lines else ""


def _quantile_tables(comparison: Comparison, layout: Layout) -> str:
    found = tables.quantile_tables(comparison)
    return "".join(f"\n{title}\n{tables.aligned(rows, bold=layout.bold)}" for title, rows in found)


def _by_metric(comparison: Comparison, sort: str) -> dict[tuple[int, int], list[Section]]:
    of: dict[tuple[int, int], list[Section]] = {}
    for section in comparison.sections(sort):
        of.setdefault((section.group, section.metric), []).append(section)
    return of


def footnotes(notes: list[Note]) -> list[int]:
    """Return the number of the footnote of each warning, 0 for a warning without one."""
    numbers = {note.code: note.number for note in notes if note.number}
    return [numbers.get(code, 0) for code in WARNINGS]


def _heading(comparison: Comparison, prefix: str) -> str:
    labels = comparison.labels
    first = f"{_native.printable(labels[0])} (baseline) against {listed(labels[1:])}"
    begin = [f"names of benchmarks begin with {prefix}"] if prefix else []
    return "\n".join([first, *common_lines(comparison.arrangement), *begin]) + "\n"


def common_lines(arrangement: Arrangement) -> list[str]:
    """Write the configuration that all values share, in one line without details; return no line if there is none."""
    common = [(key, value) for key, value in arrangement.common.items() if value and key not in DETAILS]
    if not common:
        return []
    texts = [f"{brief(key)}: {brief(value)}" for key, value in common[:_BRIEF]]
    return [named(texts, _BRIEF, between=" · ", last=" · ", total=len(common))]


def group_line(words: str) -> str:
    """Write the name of a group, above its tables."""
    return f"\n{_native.shortened(_native.printable(words), _WIDEST_GROUP)}\n"


def listed(labels: list[str]) -> str:
    """Write labels, separated by commas."""
    return ", ".join(_native.printable(label) for label in labels)


def _shown_rows(weighing: _native.Weighing, section: Section, layout: Layout) -> list[int]:
    """Return the rows of a section in the order of the layout; of many rows without a change only the first."""
    rows = weighing.order(section.rows, layout.sort, layout.changed)
    if _screen(len(rows), layout) == len(rows):
        return rows
    changed = len(weighing.order(rows, layout.sort, changed=True))
    return rows[: _screen(len(rows), layout, changed)]


def _screen(count: int, layout: Layout, least: int = 0) -> int:
    """Return how many of some rows are shown: a screen of them, at least so many, or all if few more."""
    least = max(_SCREEN, least)
    return count if layout.sort != "worst" or layout.every or count <= least + _FEW else least


def _hidden_line(comparison: Comparison, section: Section, rows: list[int], layout: Layout) -> str:
    """State how many rows are not shown, by verdict, and what shows them; empty if all are shown."""
    hidden = set(section.rows).difference(rows)
    if not hidden:
        return ""
    counts = [(code, len(hidden & comparison.of_verdict(code))) for code in VERDICTS]
    said = conjoined([f"{count:,} {words(code)}" for code, count in counts if count])
    how = "" if layout.changed else "; --all-rows shows them"
    return f"not shown: {said} {form(len(hidden), 'row')}{how}\n"


class _Footing(NamedTuple):
    """The footnotes of the rows that a text shows.

    Attributes:
        marks: for each warning the number of its footnote, 0 for a warning without a mark.
        notes: all notes; only those have a number that a shown row refers to.

    """

    marks: list[int]
    notes: list[Note]


def _footing(weighing: _native.Weighing, notes: list[Note], rows: Iterable[int]) -> _Footing:
    """Return the footnotes of some rows, numbered; a note that no mark of these rows refers to has no number."""
    occurs = {code for code, count in weighing.warning_counts(list(rows)) if count}
    marked = [note for note in notes if note.number and note.code in occurs]
    numbers = {note.code: place for place, note in enumerate(marked, 1)}
    numbered = [note._replace(number=numbers[note.code]) for note in marked]
    others = [note._replace(number=0) for note in notes if note not in marked]
    return _Footing([numbers.get(code, 0) for code in WARNINGS], numbered + others)


def _omnibus(comparison: Comparison, section: tuple[int, int], prefix: str, layout: Layout) -> str:
    """Write the tests over all variants of a group and metric; ``prefix`` is what a heading says of all names."""
    head, *tests = tables.omnibus_rows(comparison, *section, layout.sort) or [[]]
    if not tests:
        return ""
    rows = [head, *([name.removeprefix(prefix), *cells] for name, *cells in tests[: _screen(len(tests), layout)])]
    left = len(tests) + 1 - len(rows)
    said = f"not shown: {counted(left, 'test')} over all variants; --all-rows shows them" if left else ""
    made = tables.aligned(_fitting(rows, layout.width), left=2, bold=layout.bold)
    return f"\n{made}" + (f"{folded(said, layout.width)}\n" if said else "")


def _fitting(rows: list[list[str]], width: int | None) -> list[list[str]]:
    """Shorten the names until a line fits."""
    if width is None:
        return rows
    from statera.output.views.names import shortened  # noqa: PLC0415 - it compiles patterns, which few comparisons need

    others = sum(2 + max(map(_native.columns, cells)) for cells in list(zip(*rows, strict=True))[1:])
    names = [row[0] for row in rows[1:]]
    short = shortened(names, max(width - others, _LEAST_NAME))
    return [rows[0], *([short.get(name, name), *cells] for name, *cells in rows[1:])]


def _is_suite(section: Section, layout: Layout) -> bool:
    """Return whether a section has single values, of which the ends and the quantiles are shown."""
    whole = layout.sort == "worst" and not layout.changed and not layout.every
    return whole and section.summary["quantiles"] is not None


def _rows(comparison: Comparison, section: Section, layout: Layout) -> list[int]:
    """Return the rows of a section that are shown."""
    if _is_suite(section, layout):
        return _suite_ends(comparison, section)[0]
    return _shown_rows(comparison.weighing, section, layout)


def _below(comparison: Comparison, section: Section, rows: list[int], layout: Layout, *, alone: bool) -> str:
    """Write what stands below a table: its tails, what it does not show, and the summary of the section."""
    if _is_suite(section, layout):
        return _suite(comparison, section, layout)
    summary = section.summary
    lines = [] if rows else [f"{_native.printable(_metric(comparison, section))}: no row is called changed\n"]
    lines += [f"{line}\n" for line in tail_lines(comparison, rows)]
    lines += [_hidden_line(comparison, section, rows, layout), _summary(summary, alone=alone)]
    return "".join(folded(line, layout.width) for line in lines)


def tail_lines(comparison: Comparison, rows: list[int]) -> list[str]:
    """Write what the tails show of the rows in which tail or spread speak: slow runs, mean and outermost quantile.

    What the findings state is left to them.
    """
    weighing = comparison.weighing
    told = [row for row in rows if row in comparison.open_tails] if comparison.open_tails else []
    of = (weighing.cells(row, ("benchmark", "tail")) for row in told[:_MOST_TAILS])
    lines = [f"{shown(benchmark)}: {tail}" for benchmark, tail in of]
    left = len(told) - _MOST_TAILS
    return [*lines, f"and the tails of {counted(left, 'more row')}, in -f csv"] if left > 0 else lines


def _metric(comparison: Comparison, section: Section) -> str:
    return str(comparison.weighing.row_dict(section.rows[0])["metric"])


def _suite_ends(comparison: Comparison, section: Section) -> tuple[list[int], str]:
    """Return the rows of a suite of single values with the largest changes, and what they are in words."""
    weighing = comparison.weighing
    known = comparison.arrangement.assignment.rule(section.metric).better is not None
    rows = weighing.order(section.rows, "effect", changed=False)
    both = [row for row in rows if weighing.row_dict(row)["change"] is not None]
    # Without a known direction there is no best and worst: the largest changes in either direction come first.
    most = _OFFENDERS if known else _OFFENDERS + _OFFENDERS // 2
    if len(both) <= 2 * _OFFENDERS:
        return both, ""
    which = f"{_OFFENDERS} worst and {_OFFENDERS // 2} best" if known else f"{most} largest changes"
    ends = both[:most] + (both[-_OFFENDERS // 2 :] if known else [])
    return ends, f"the {which} of {len(both):,}; --all-rows shows all\n"


def _suite(comparison: Comparison, section: Section, layout: Layout) -> str:
    """Write what stands below the ends of a suite: what is on one side only, and the quantiles of all changes."""
    weighing, summary = comparison.weighing, section.summary
    lines = [_suite_ends(comparison, section)[1]]
    of = set(section.rows)
    for verdict, where in (("missing", "only in the baseline"), ("new", "not in the baseline")):
        rows = sorted(of & comparison.of_verdict(verdict))
        lines += [f"{where}: {_some(weighing, rows)}\n"] if rows else []
    return "".join(folded(line, layout.width) for line in [*lines, _quantiles(summary), _summary(summary)])


def _some(weighing: _native.Weighing, rows: list[int]) -> str:
    return named((shown(weighing.cell(row, "benchmark")) for row in rows), _OFFENDERS)


def quantile_words(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the quantiles of a suite's relative changes and their mean, as (name, text)."""
    levels = ("10%", "25%", "50%", "75%", "95%", "99%")
    words = [(level, _native.percent(value)) for level, value in zip(levels, summary["quantiles"], strict=True)]
    return [*words, ("mean", _native.percent(summary["mean_change"]))]


def _quantiles(summary: dict[str, Any]) -> str:
    parts = [f"{level} {value}" for level, value in quantile_words(summary)]
    return f"quantiles of change: {' · '.join(parts)}\n"


def mean_words(summary: dict[str, Any]) -> str:
    """Write the geometric mean of a section with its interval and the number of ratios; empty without a mean."""
    return " of ".join(part for part in mean_parts(summary) if part)


def mean_parts(summary: dict[str, Any]) -> tuple[str, str]:
    """Return the geometric mean of a section with its interval, and the number of ratios; empty without a mean."""
    if "ratio" not in summary:
        return "", ""
    interval = _interval(summary)
    how = _INTERVALS[summary["method"]]
    left = f"{summary['without_ratio']:,} without a ratio left out" if summary["without_ratio"] else ""
    remarks = "; ".join(remark for remark in (how, left) if remark)
    rows = counted(summary["rows"], "ratio")
    return f"{_native.percent(summary['ratio'] - 1)}{interval}", f"{rows} ({remarks})" if remarks else rows


def _interval(summary: dict[str, Any]) -> str:
    if summary["low"] is None or summary["high"] is None:
        return ""
    low, high = _native.percent_ends(summary["low"] - 1, summary["high"] - 1)
    return f" [{low}, {high}]"


def verdict_words(summary: dict[str, Any]) -> str:
    """Write the number of rows of each verdict."""
    return " · ".join(f"{count:,} {words(code)}" for code, count in tallied(summary["verdicts"]).items())


def _summary(summary: dict[str, Any], *, alone: bool = False) -> str:
    """Write the mean of a section, and how many rows have each verdict; ``alone``, it lacks the second."""
    mean = mean_words(summary)
    first = f"geometric mean: {mean}\n" if mean and summary["rows"] > 1 else ""
    return first if alone else f"{first}verdicts: {verdict_words(summary)}{_detectable(summary)}\n"


def _detectable(summary: dict[str, Any]) -> str:
    """Write the smallest changes that the inconclusive rows could have shown."""
    if summary["detectable"] is None:
        return ""
    least, middle, most = (_native.percent(size).removeprefix("+") for size in summary["detectable"])
    sizes = least if least == most else f"{least} to {most}, median {middle}"
    return f" (smallest detectable change: {sizes})"


def _closing(comparison: Comparison, notes: list[Note], layout: Layout) -> str:
    sentences = [folded(sentence, layout.width) for sentence in comparison.findings]
    lines = [*([""] if sentences else []), *sentences, ""]
    said = [f"Method: {comparison.method}.", *settings_lines(comparison.settings)]
    said += [*note_lines(notes), _EXPLAIN, *observation_lines(comparison.observations)]
    lines.extend(folded(line, layout.width) for line in said)
    return "\n".join(lines) + "\n"


def folded(text: str, width: int | None) -> str:
    """Wrap lines of prose to the width of the terminal, with an indent from the second line on."""
    # A sentence can contain a name that is not yet printable.
    text = _native.for_terminal(text)
    if width is None or all(len(line) <= width for line in text.split("\n")):
        return text
    from textwrap import fill  # noqa: PLC0415 - only if a line is too long

    least = max(width, 20)
    return "\n".join(
        fill(line, least, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)
        for line in text.split("\n")
    )


_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def superscript(number: int) -> str:
    """Write the number of a footnote."""
    return str(number).translate(_SUPERSCRIPTS)


def note_lines(notes: list[Note]) -> list[str]:
    """Write the notes, a line each; footnotes begin with their number."""
    lines = []
    for note in notes:
        mark = f"{superscript(note.number)} " if note.number else "Note: "
        rows = f" ({counted(note.rows, 'row')})" if note.rows else ""
        lines.append(f"{mark}{note.text}{rows} [{note.code}]")
    return lines


def observation_lines(observations: Observations) -> list[str]:
    """Write the number of values read, what was left out, and the first places of it."""
    values, files = counted(len(observations), "value"), counted(observations.files, "file")
    apart = f"; counted apart: {observations.counted_apart}" if observations.counted_apart else ""
    if not observations.left_out:
        return [f"Read {values} from {files}; nothing was left out{apart}."]
    kinds = ", ".join(f"{code} {count:,}" for code, count in observations.left_out_by_code.items())
    lines = [f"Read {values} from {files}; left out: {observations.left_out:,} ({kinds}){apart}."]
    losing = [p for p in observations.problems if p.code in observations.left_out_by_code]
    lines += [f"  {_native.printable(str(problem))}" for problem in losing[:_SHOWN_PROBLEMS]]
    if len(losing) > _SHOWN_PROBLEMS:
        lines.append("  … (statera convert and -f json list more)")
    return lines
