"""The comparison as plain text, for terminals: what changed, the answer, and at most two words of caution.

Where the output is a pipe, the answer comes first; on a terminal it is last, where the eye is. ``--all-rows``,
``--notes`` and ``--method`` bring the rest.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import LOSSES, OF
from statera.comparison.verdicts.answer import answers, cautions
from statera.output.views import PLAIN, tables, wide
from statera.output.views.lines import Choice, compared, facts, names_of, overflow, sheets, summaries
from statera.output.views.texts import (
    common_lines,
    folded,
    note_lines,
    observation_lines,
    tail_lines,
)
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted

if TYPE_CHECKING:
    from typing import Final

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts import Note
    from statera.output.views import Layout
    from statera.output.views.lines import Sheet

_WIDTH: Final = 100
_HEIGHT: Final = 24
# What stands around the lines of a table: caption, headings, counts, answer, cautions.
_AROUND: Final = 12
_LEAST_LINES: Final = 4
_PAIR: Final = 2
_CAUTIONS: Final = 2
_TAILS: Final = 3
_MOST_TAILS: Final = 20
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
    return f"{folded(f'{compared(comparison)}   {facts(comparison)}', layout.width)}\n"


def _sheet(comparison: Comparison, sheet: Sheet, layout: Layout) -> str:
    """Write a table, and the counts of what it does not show."""
    names = names_of(comparison, sheet.lines, sheet)
    text = wide.table(comparison, sheet, names, layout.width, colour=layout.colour)
    below = [*_tails(comparison, sheet, layout), *_counts(comparison, sheet, layout)]
    return text + "".join(f"{line}\n" for line in below)


def _tails(comparison: Comparison, sheet: Sheet, layout: Layout) -> list[str]:
    """Write what the tails show of the lines whose tail speaks."""
    most = _MOST_TAILS if layout.every else _TAILS
    lines = tail_lines(comparison, [line.lead for line in sheet.lines], most)
    return [folded(f"{_MORE}{line}", layout.width) for line in lines]


def _counts(comparison: Comparison, sheet: Sheet, layout: Layout) -> list[str]:
    """Count what is not shown, a line for each verdict."""
    most = min(layout.width or _WIDTH, _WIDTH)
    lines = []
    for code, others in sheet.more.items():
        begin, end = f"{_MORE}{overflow(comparison, code, others)}", "--all-rows"
        lines.append(begin + " " * max(2, most - _native.columns(begin) - len(end)) + end)
    said = summaries(comparison, sheet, most - len(_MORE))
    return lines + [folded(f"{_MORE}{line}", layout.width) for line in said]


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
        parts += [
            f"{title}\n{tables.aligned(rows, bold=layout.bold)}" for title, rows in tables.quantile_tables(comparison)
        ]
    if comparison.blocks:
        from statera.output.views.blocks import block_tables  # noqa: PLC0415 - few comparisons show blocks

        parts += [f"{title}\n{tables.aligned(rows, bold=layout.bold)}" for title, rows in block_tables(comparison)]
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
        # Of 2 tail slower and of 3 more B/op the word alone: a metric keeps its letters.
        words = text.split(" ")
        loud = 3 if words[1:2] == ["tail"] else 2
        text = " ".join([*map(str.upper, words[:loud]), *words[loud:]])
    facts = OF.get(code)
    return f"{facts.ansi}{text}\x1b[0m" if layout.colour and facts and facts.ansi and facts.harm != "none" else text


def _bold(line: str, bad: object, layout: Layout) -> str:
    return f"\x1b[1{';31' if bad else ''}m{line}\x1b[0m" if layout.colour else line


def _beneath(comparison: Comparison, layout: Layout) -> str:
    """Write the cautions, what was left out, and which options bring more."""
    notes = comparison.notes
    lines = (
        [f"⚠ {caution}" for caution in cautions(comparison.observations, comparison.notes)[:_CAUTIONS]]
        if not layout.notes
        else []
    )
    lines += note_lines(answers(notes)) if not layout.notes else []
    lines += observation_lines(comparison.observations) if comparison.observations.left_out or layout.notes else []
    if layout.notes:
        # No line has a mark that a number could refer to.
        lines += [*common_lines(comparison.arrangement), *note_lines([note._replace(number=0) for note in notes])]
        lines.append(_EXPLAIN)
    lines += [f"Method: {comparison.method}."] if layout.method else []
    lines += settings_lines(comparison.settings)
    more = _more(notes, layout)
    return "".join(f"{folded(line, layout.width)}\n" for line in [*lines, *more])


def _more(notes: list[Note], layout: Layout) -> list[str]:
    if layout.notes or layout.method:
        return []
    return [f"{_MORE}More: --notes, --method"] if notes else []
