"""What stands around the tables of a comparison: what was compared, and counts of the lines that no table shows.

The terminal and the comment of a pull request say the same.
"""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import OF
from statera.comparison.verdicts.findings import next_step
from statera.comparison.verdicts.notes import brief
from statera.output.views.lines import ALONE
from statera.output.views.texts import mean_parts, quantile_words
from statera.reading.formats import titles
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Final

    from statera.comparison.results.comparison import Comparison
    from statera.output.views.lines import Line, Sheet

ROOM: Final = 98
"""Columns of a line that names benchmarks, where there is no terminal."""
_LABELS: Final = 6
_PAIR: Final = 2
_LEAST: Final = 8
# Rows whose numbers of runs are looked at.
_SCANNED: Final = 200
# Quantiles of so few changes say no more than the lines.
_FEW: Final = 4
_WORDS: Final = {"one-value": "not judged (one value per build)", "inconclusive": "with no clear change"}


def compared(comparison: Comparison) -> str:
    """Name the builds: ``old → new``."""
    first, *others = map(brief, comparison.labels)
    return f"{first} → {listed(others, _LABELS)}"


def facts(comparison: Comparison) -> str:
    """State the harness, the benchmarks, and the runs of each build; a single benchmark by its name."""
    rows = comparison.briefs
    names = len({fact[0] for fact in rows})
    which = comparison.weighing.cell(0, "benchmark") or "" if names == 1 else counted(names, "benchmark")
    harness = titles({source.format for source in comparison.observations.sources if source.values})
    end = comparison.common_end
    said = [harness, which, _runs(comparison), f"names end in {end}" if end else ""]
    return ", ".join(part for part in said if part)


def _runs(comparison: Comparison) -> str:
    """Write how many runs, processes or pairs each build has."""
    of: set[int] = set()
    designs = set()
    for *_, rows in comparison.weighing.sections()[:1]:
        for row in rows[:_SCANNED]:
            fields = comparison.weighing.row_dict(row)
            of |= {count for count in (fields["baseline_n"], fields["contender_n"]) if count}
            designs.add(fields["design"])
    if not of:
        return ""
    words = comparison.observations.words
    # Where a run is a whole measurement, its values are no runs.
    single = "value" if words.process == "run" else "run"
    unit = "pair" if designs == {"paired"} else words.process if designs == {"nested"} else single
    some = counted(max(of), unit, words.processes if unit == "process" else "")
    span = some if len(of) == 1 else f"{min(of):,} to {some}"
    return span if unit == "pair" else f"{span} per build"


def names_of(comparison: Comparison, lines: Iterable[Line], sheet: Sheet) -> list[str]:
    """Return the names of lines, printable and without what all of them end in."""
    weighing = comparison.weighing
    if sheet.metric is None:
        return [_native.printable(weighing.row_dict(line.lead)["metric"]) for line in lines]
    end = comparison.common_end
    return [(weighing.cell(line.lead, "benchmark") or "").removesuffix(end) for line in lines]


def summaries(comparison: Comparison, sheet: Sheet, room: int = ROOM, *, named: bool = True) -> list[str]:
    """Count what did not change, a line for each verdict, and say what would settle it; then the means.

    Args:
        comparison: the comparison.
        sheet: a table; only the first one counts all benchmarks.
        room: the columns of a line.
        named: whether the first names follow all counts; those of what is gone do anyhow.

    """
    if not sheet.first:
        return _means(comparison, sheet)
    shown = {line.verdict for line in sheet.lines}
    counts, advice = [], []
    for code, others in sheet.others.items():
        more = "more " if code in shown else ""
        begin = f"{len(others):,} {more}{_WORDS.get(code, OF[code].word)}{_of(comparison, sheet, code)}"
        names = [*dict.fromkeys(_named(comparison, others, sheet))] if named or code == "missing" else []
        begin += ": " if names else ""
        counts.append(begin + _fitting(names, room - _native.columns(begin)) if names else begin)
    if not named:
        counts = [" · ".join(counts)] if counts else []
    if "inconclusive" in sheet.others:
        advice = _slow(comparison, sheet.others["inconclusive"])
        step = next_step(
            comparison.weighing, comparison.left_open(), len(comparison.weighing.with_verdict(["inconclusive"]))
        )
        advice += [f"  {step}"] if step else []
    place = 1 + [*sheet.others].index("inconclusive") if advice and named else len(counts)
    found = [*counts[:place], *advice, *counts[place:]]
    return [*found, *_quiet(comparison, sheet.quiet), *_means(comparison, sheet)]


def _named(comparison: Comparison, lines: list[Line], sheet: Sheet) -> list[str]:
    """Name lines; what one build lacks at a level, with the level."""
    names = names_of(comparison, lines, sheet)
    groups = comparison.arrangement.groups
    if len(groups) == 1:
        return names
    return [
        f"{name} at {_native.printable(groups[line.group])}" if line.verdict in ALONE else name
        for name, line in zip(names, lines, strict=True)
    ]


def _slow(comparison: Comparison, lines: list[Line]) -> list[str]:
    """Name the undecided lines of which only slow runs are open."""
    found = []
    for line in lines[:_SCANNED]:
        fields = comparison.weighing.row_dict(line.lead)
        if fields["reason"] == "tail-undecided":
            name, verdict = comparison.weighing.cells(line.lead, ("benchmark", "verdict"))
            found.append(f"  {name}: {(verdict or '').partition(': ')[2]}")
    left = len(found) - _FEW
    return [*found[:_FEW], f"  and {left:,} more with too few slow runs to decide"] if left > 0 else found


def _quiet(comparison: Comparison, metrics: list[int]) -> list[str]:
    """Name the metrics in which nothing changed: those that are decided, and those that are not."""
    of: dict[str, list[str]] = {}
    for metric in metrics:
        rows = [row for section in comparison.sections() if section.metric == metric for row in section.rows]
        same = comparison.of_verdict("equivalent").issuperset(rows)
        word = "unchanged" if same else "no clear change"
        of.setdefault(word, []).append(_native.printable(comparison.observations.metrics[metric].name))
    return [f"{word} in {listed(names, _FEW)}" for word, names in of.items()]


def _of(comparison: Comparison, sheet: Sheet, code: str) -> str:
    """Say of which metric or of how many builds no clear change is."""
    if code != "inconclusive":
        return ""
    if len(sheet.pairs) > 1:
        return " in any build"
    if sheet.metric is None or not sheet.columns:
        return ""
    metric = comparison.observations.metrics[sheet.metric]
    return f" ({'time' if metric.unit == 's' else _native.printable(metric.name)})"


def overflow(comparison: Comparison, code: str, lines: list[Line]) -> str:
    """Count the lines of a verdict that have no room, with the range of their changes."""
    weighing = comparison.weighing
    words = {weighing.cell(line.lead, "word") or code for line in lines[:_SCANNED]}
    word = words.pop() if len(words) == 1 else OF[code].word
    order = weighing.order([line.lead for line in lines], "fall", changed=False)
    rows = [weighing.row_dict(row) for row in (order[0], order[-1])]
    ends = [_native.percent(row["change"]) for row in rows if row["change"] is not None and row["scale"] == "ratio"]
    span = f", {' to '.join(dict.fromkeys(ends))}" if ends else ""
    return f"{len(lines):,} {'other' if word in {'more', 'less'} else 'more'} {word}{span}"


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
    return ", ".join([*kept, "…"]) if kept else _native.shortened(text, max(room, _LEAST))


def _means(comparison: Comparison, sheet: Sheet) -> list[str]:
    """Write the geometric means of the metrics of a table of one pair, or the quantiles of a suite."""
    if len(sheet.pairs) > 1 or sheet.metric is None or len(comparison.arrangement.groups) > 1:
        return []
    found = []
    several = bool(sheet.columns or sheet.quiet) or not sheet.first
    for section in comparison.sections():
        if section.metric not in {sheet.metric, *sheet.columns} or section.summary.get("rows", 0) < _PAIR:
            continue
        if section.summary["quantiles"] is not None and section.summary["rows"] > _FEW:
            levels = (f"{level} {value}" for level, value in quantile_words(section.summary))
            return [f"quantiles of change: {' · '.join(levels)}"]
        mean, _ = mean_parts(section.summary)
        name = _native.printable(comparison.observations.metrics[section.metric].name)
        left = section.summary["without_ratio"]
        mean += f" ({left:,} without a ratio left out)" if mean and left else ""
        found += [f"{name} {mean}" if several else mean] if mean else []
    return [f"geometric mean: {', '.join(found)}"] if found else []
