"""Texts beside tables: notes, means, quantiles, tails, what was read; and the folding of lines."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import OF, OF_TAILS, WARNINGS, tallied
from statera.comparison.pairing.keys import DETAILS
from statera.comparison.verdicts.notes import brief
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, shown
from statera.support.wording import listed as named

if TYPE_CHECKING:
    from typing import Any, Final

    from statera.comparison.pairing import Arrangement
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.verdicts import Note
    from statera.reading.observations import Observations

_BRIEF = 12
_WIDEST_GROUP = 400
_SHOWN_PROBLEMS = 5
_INTERVALS: Final = {
    "runs": "interval: run by run",
    "too-few": "too few runs for an interval",
    "exact": "exact",
    "single": "",
    "one-process": "one process per build: no interval",
}


def footnotes(notes: list[Note]) -> list[int]:
    """Return the number of the footnote of each warning, 0 for a warning without one."""
    numbers = {note.code: note.number for note in notes if note.number}
    return [numbers.get(code, 0) for code in WARNINGS]


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


def tail_lines(comparison: Comparison, rows: list[int], most: int) -> list[str]:
    """Write what the tails show of the rows in which tail or spread speak: slow runs, mean and outermost quantile."""
    weighing = comparison.weighing
    told = [row for row in rows if comparison.briefs[row][1] in OF_TAILS]
    of = (weighing.cells(row, ("benchmark", "tail")) for row in told[:most])
    lines = [f"{shown(benchmark)}: {tail}" for benchmark, tail in of]
    left = len(told) - most
    return [*lines, f"and the tails of {counted(left, 'more benchmark')}, in -f csv"] if left > 0 else lines


def quantile_words(summary: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the quantiles of a suite's relative changes and their mean, as (name, text)."""
    levels = ("10%", "25%", "50%", "75%", "95%", "99%")
    words = [(level, _native.percent(value)) for level, value in zip(levels, summary["quantiles"], strict=True)]
    return [*words, ("mean", _native.percent(summary["mean_change"]))]


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
    return " · ".join(f"{count:,} {OF[code].word}" for code, count in tallied(summary["verdicts"]).items())


def padded(text: str, width: int, *, left: bool) -> str:
    """Pad a printable text to some columns of a terminal, aligned to the left or to the right."""
    blanks = " " * (width - _native.columns(text))
    return text + blanks if left else blanks + text


def folded(text: str, width: int | None) -> str:
    """Wrap lines of prose to the width of the terminal, with an indent from the second line on."""
    # A sentence can contain a name that is not yet printable.
    text = _native.for_terminal(text)
    if width is None or all(_native.columns(line) <= width for line in text.split("\n")):
        return text
    return "\n".join(_wrapped(line, max(width, 20)) for line in text.split("\n"))


def _wrapped(line: str, width: int) -> str:
    """Break a line between words, by columns of the terminal; the spaces within a line stay."""
    import re  # noqa: PLC0415 - only where a line is too long

    lines, room = [""], width
    for word in re.findall(r"\s*\S+", line):
        taken = _native.columns(lines[-1])
        if lines[-1].strip() and taken + _native.columns(word) > room:
            lines.append("  " + word.lstrip())
        else:
            lines[-1] += word
    return "\n".join(lines)


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
