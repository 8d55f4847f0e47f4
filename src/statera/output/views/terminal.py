"""The comparison as plain text, for terminals: what changed, the answer, and at most two words of caution.

Where the output is a pipe, the answer comes first; on a terminal it is last, where the eye is. ``--all-rows``,
``--notes`` and ``--method`` bring the rest.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import LOSSES, OF
from statera.comparison.verdicts.cautions import cautions
from statera.comparison.verdicts.findings import next_step
from statera.output.views import PLAIN, tables, wide
from statera.output.views.lines import Choice, sheets
from statera.output.views.texts import (
    common_lines,
    folded,
    mean_parts,
    note_lines,
    observation_lines,
    quantile_words,
    tail_lines,
)
from statera.reading.formats import titles
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Final

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts import Note
    from statera.output.views import Layout
    from statera.output.views.lines import Line, Sheet

_WIDTH: Final = 100
_HEIGHT: Final = 24
# What stands around the lines of a table: caption, headings, counts, answer, cautions.
_AROUND: Final = 12
_LEAST_LINES: Final = 4
_LABELS: Final = 6
_PAIR: Final = 2
_CAUTIONS: Final = 2
# Quantiles of so few changes say no more than the lines.
_FEW: Final = 4
_MORE: Final = "  "
_EXPLAIN: Final = "Explain a column or a word: statera explain change (or interval, p, verdicts, runs-needed)"


def page(comparison: Comparison, layout: Layout = PLAIN) -> str:
    """Write the comparison: caption, what changed, counts of the rest, the answer, and cautions."""
    found = sheets(comparison, _choice(layout))
    body = [_caption(comparison, layout)]
    body += [_sheet(comparison, sheet, layout) for sheet in found]
    body.append(_further(comparison, layout))
    answer, beneath = _answer(comparison, layout), _beneath(comparison, layout)
    parts = [*body, answer + beneath] if layout.height else [answer + body[0], *body[1:], beneath]
    return "\n".join(part for part in parts if part)


def _choice(layout: Layout) -> Choice:
    height = layout.height or _HEIGHT
    return Choice(max(height - _AROUND, _LEAST_LINES), layout.every, layout.sort or "worst", layout.only)


def _caption(comparison: Comparison, layout: Layout) -> str:
    """Write what is compared with what, and how much of it."""
    first, *others = map(_native.printable, comparison.labels)
    labels = f"{first} → {listed(others, _LABELS)}"
    observations = comparison.observations
    names = len({fact[0] for fact in comparison.weighing.brief([*range(len(comparison))])})
    harness = titles({source.format for source in observations.sources if source.values})
    end = _common_end(comparison)
    facts = [harness, counted(names, "benchmark"), _runs(comparison), f"names end in {end}" if end else ""]
    said = [f"{labels}   {', '.join(fact for fact in facts if fact)}", *_where(comparison)]
    return "".join(f"{folded(line, layout.width)}\n" for line in said)


def _common_end(comparison: Comparison) -> str:
    """Return the number of cores that Go writes at the end of all names, which tells no two of them apart."""
    rows = {fact[0]: row for row, fact in enumerate(comparison.weighing.brief([*range(len(comparison))]))}
    names = (comparison.weighing.cell(row, "benchmark") or "" for row in rows.values())
    first = next(names, "")
    stem, dash, digits = first.rpartition("-")
    end = dash + digits
    return end if len(rows) > 1 and stem and digits.isdigit() and all(map(_ends_in(end), names)) else ""


def _ends_in(end: str) -> Callable[[str], bool]:
    return lambda name: name.endswith(end) and len(name) > len(end)


def _where(comparison: Comparison) -> list[str]:
    """Say which benchmark all lines are of, where they are metrics or levels."""
    rows = comparison.weighing.brief([*range(len(comparison))])
    if len({row[0] for row in rows}) != 1 or not len(comparison):
        return []
    return [comparison.weighing.cell(0, "benchmark") or ""]


def _runs(comparison: Comparison) -> str:
    """Write how many runs, processes or pairs each build has."""
    of: set[int] = set()
    designs = set()
    for section in comparison.sections()[:1]:
        for row in section.rows[:200]:
            fields = comparison.weighing.row_dict(row)
            of |= {count for count in (fields["baseline_n"], fields["contender_n"]) if count}
            designs.add(fields["design"])
    if not of:
        return ""
    unit = "pair" if designs == {"paired"} else comparison.observations.words.process if designs == {"nested"} else "run"
    some = counted(max(of), unit, comparison.observations.words.processes if unit == "process" else "")
    span = some if len(of) == 1 else f"{min(of):,} to {some}"
    return span if unit == "pair" else f"{span} per build"


def _sheet(comparison: Comparison, sheet: Sheet, layout: Layout) -> str:
    """Write a table, and the counts of what it does not show."""
    names = _names(comparison, sheet.lines, sheet)
    text = wide.table(comparison, sheet, names, layout.width, colour=layout.colour)
    below = [*_tails(comparison, sheet, layout), *_counts(comparison, sheet, layout), *_means(comparison, sheet, layout)]
    return text + "".join(f"{line}\n" for line in below)


def _names(comparison: Comparison, lines: Iterable[Line], sheet: Sheet) -> list[str]:
    weighing = comparison.weighing
    if sheet.metric is None:
        return [_native.printable(weighing.row_dict(line.lead)["metric"]) for line in lines]
    end = _common_end(comparison)
    return [(weighing.cell(line.lead, "benchmark") or "").removesuffix(end) for line in lines]


def _tails(comparison: Comparison, sheet: Sheet, layout: Layout) -> list[str]:
    """Write what the tails show of the lines whose tail speaks."""
    rows = [line.lead for line in sheet.lines]
    return [folded(f"{_MORE}{line}", layout.width) for line in tail_lines(comparison, rows)]


def _counts(comparison: Comparison, sheet: Sheet, layout: Layout) -> list[str]:
    """Count what is not shown, a line for each verdict."""
    lines = [_overflow(comparison, code, lines, layout) for code, lines in sheet.more.items()]
    if not sheet.first:
        return lines
    for code, others in sheet.others.items():
        names = [*dict.fromkeys(_names(comparison, others, sheet))]
        of = _of_metric(comparison, sheet) if code == "inconclusive" else ""
        of += " in any build" if code == "inconclusive" and len(sheet.pairs) > 1 else ""
        begin = f"{_MORE}{len(others):,} {'with ' if code == 'inconclusive' else ''}{_word(comparison, code)}{of}: "
        lines.append(begin + _fitting(names, _room(layout) - _native.columns(begin)))
    if sheet.quiet:
        quiet = [_native.printable(comparison.observations.metrics[each].name) for each in sheet.quiet]
        lines.append(f"{_MORE}unchanged or with no clear change: {listed(quiet, 4)}")
    undecided = comparison.weighing.with_verdict(["inconclusive"]) if "inconclusive" in sheet.others else []
    advice = next_step(comparison.weighing, undecided) if undecided else ""
    return lines + ([folded(f"{_MORE}{_MORE}{advice}", layout.width)] if advice else [])


def _word(comparison: Comparison, code: str) -> str:
    if code == "one-value":
        return "not judged (one value per build)"
    if code == "equivalent":
        return "unchanged"
    return OF[code].word


def _of_metric(comparison: Comparison, sheet: Sheet) -> str:
    """Name the metric that no clear change is of, where there are several."""
    if sheet.metric is None or not sheet.columns:
        return ""
    metric = comparison.observations.metrics[sheet.metric]
    return f" ({'time' if metric.unit == 's' else _native.printable(metric.name)})"


def _overflow(comparison: Comparison, code: str, lines: list[Line], layout: Layout) -> str:
    """Count the lines of a verdict that have no room, with the range of their changes."""
    words = {comparison.weighing.cell(line.lead, "word") or code for line in lines}
    word = words.pop() if len(words) == 1 else OF[code].word
    rows = [comparison.weighing.row_dict(line.lead) for line in lines]
    changes = sorted(row["change"] for row in rows if row["change"] is not None and row["scale"] == "ratio")
    ends = [_native.percent(change) for change in (changes[:1] + changes[-1:])]
    span = f", {' to '.join(dict.fromkeys(ends))}" if ends else ""
    begin, end = f"{_MORE}{len(lines):,} more {word}{span}", "--all-rows"
    return begin + " " * max(2, _room(layout) - _native.columns(begin) - len(end)) + end


def _room(layout: Layout) -> int:
    return min(layout.width or _WIDTH, _WIDTH)


def _fitting(names: list[str], room: int) -> str:
    """Write names as far as they fit a line; an ellipsis stands for the others."""
    text = ", ".join(names)
    if _native.columns(text) <= room:
        return text
    kept: list[str] = []
    for name in names:
        if _native.columns(", ".join([*kept, name, "…"])) > room:
            break
        kept.append(name)
    return ", ".join([*kept, "…"]) if kept else _native.shortened(text, max(room, 8))


def _means(comparison: Comparison, sheet: Sheet, layout: Layout) -> list[str]:
    """Write the geometric means of the metrics of a table of one pair, or the quantiles of a suite."""
    if len(sheet.pairs) > 1 or sheet.metric is None or len(comparison.arrangement.groups) > 1:
        return []
    found = []
    for section in comparison.sections():
        if section.metric not in {sheet.metric, *sheet.columns} or section.summary["rows"] < _PAIR:
            continue
        if section.summary["quantiles"] is not None and section.summary["rows"] > _FEW:
            words = " · ".join(f"{level} {value}" for level, value in quantile_words(section.summary))
            return [folded(f"{_MORE}quantiles of change: {words}", layout.width)]
        mean, _ = mean_parts(section.summary)
        name = _native.printable(comparison.observations.metrics[section.metric].name)
        found += [f"{'' if not sheet.columns else name + ' '}{mean}"] if mean else []
    return [folded(f"{_MORE}geometric mean: {', '.join(found)}", layout.width)] if found else []


def _further(comparison: Comparison, layout: Layout) -> str:
    """Write the tables that were asked for: interactions of factors, quantiles, tests over all variants."""
    parts = []
    if comparison.arrangement.factors:
        lines = tables.interaction_lines(comparison, every=layout.every)
        parts += ["".join(f"{folded(line, layout.width)}\n" for line in lines)] if lines else []
    if layout.every and len(comparison.labels) > _PAIR:
        for place in dict.fromkeys(section.place for section in comparison.sections()):
            rows = tables.omnibus_rows(comparison, *place, layout.sort or "worst")
            parts += [tables.aligned(rows, left=2, bold=layout.bold)] if rows else []
    if comparison.levels:
        parts += [f"{title}\n{tables.aligned(rows, bold=layout.bold)}" for title, rows in tables.quantile_tables(comparison)]
    return "\n".join(parts)


def _answer(comparison: Comparison, layout: Layout) -> str:
    """Write the answer: what is worse in capitals, and in colours where the terminal has them."""
    found = comparison.answer
    if found.name or any(not code or text[:1].isupper() for code, text in found.parts):
        line = folded(f"{found.line}.", layout.width)
        return f"{_bold(line, found.counts.keys() & {*LOSSES}, layout)}\n"
    said = [_loud(code, text, layout) for code, text in found.parts]
    if found.noun == "comparison":
        said[0] = f"{counted(sum(found.counts.values()), found.noun)}:   {said[0]}"
    whole = "   ".join(said)
    if layout.width is None or sum(_native.columns(text) + 3 for _, text in found.parts) <= layout.width + 3:
        return f"{whole}\n"
    return f"{folded('   '.join(said), layout.width)}\n" if not layout.colour else f"{whole}\n"


def _loud(code: str, text: str, layout: Layout) -> str:
    if code in LOSSES:
        words, bracket, rest = text.partition(" (")
        text = f"{words.upper()}{bracket}{rest}"
    facts = OF.get(code)
    return f"{facts.ansi}{text}\x1b[0m" if layout.colour and facts and facts.ansi and facts.harm != "none" else text


def _bold(line: str, bad: object, layout: Layout) -> str:
    return f"\x1b[1{';31' if bad else ''}m{line}\x1b[0m" if layout.colour else line


def _beneath(comparison: Comparison, layout: Layout) -> str:
    """Write the cautions, what was left out, and which options bring more."""
    notes = comparison.notes
    lines = [f"⚠ {caution}" for caution in cautions(comparison)[:_CAUTIONS]] if not layout.notes else []
    lines += observation_lines(comparison.observations) if comparison.observations.left_out or layout.notes else []
    if layout.notes:
        lines += [*common_lines(comparison.arrangement), *note_lines(notes), _EXPLAIN]
    if layout.method:
        lines += [f"Method: {comparison.method}.", *settings_lines(comparison.settings)]
    more = _more(notes, layout)
    return "".join(f"{folded(line, layout.width)}\n" for line in [*lines, *more])


def _more(notes: list[Note], layout: Layout) -> list[str]:
    if layout.notes or layout.method:
        return []
    return [f"{_MORE}More: --notes, --method"] if notes else []
