"""The inspection as plain text: a block for each of few rows, or tables of many rows, the worst first.

A self-test, which compares one build with itself, has a table for each metric instead.
"""

from __future__ import annotations

from itertools import chain, groupby, islice

from statera import _native
from statera.comparison.verdicts.inspection import ADVICE, grades, how, normality, share
from statera.output.views import PLAIN, names
from statera.output.views.tables import aligned
from statera.output.views.texts import common_lines, folded, group_line, listed, note_lines, observation_lines, padded
from statera.reading.formats import are_processes
from statera.support.settings.file import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, counted, form, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, Final, TypeVar

    from statera.comparison.results.inspection import InspectedSection, Inspection
    from statera.comparison.weighing.self_test import MetricRate, RowRate, SelfTest
    from statera.output.views import Layout
    from statera.support.settings import Policy

    T = TypeVar("T")

# Up to so many rows are shown in full.
FEW: Final = 3
_LEAST_NAME = 16
# Where a line is still too long, a name of a variant, and a verdict as short as its grade.
_LEAST_VARIANT, _LEAST_GRADE = 7, 10
_LEAST_VERDICT = 12
_COLOURS = {"unfit": "\x1b[31m", "doubtful": "\x1b[33m", "noisy": "\x1b[2m"}
# Columns that a narrow terminal loses, in this order; the verdict loses only its advice, and "±" is that of the median.
_GIVEN_UP = ("verdict", "±", "skew", "runs for 1 / 2 / 5%", "modes", "IQR", "normal p", "ICC", "n", "median")
# For a column of these a name is shortened further than for others.
_LAST = ("n", "median")
_SHORT_NAME, _WHOLE_NAME = 24, 40
_LEFT = ("benchmark", "variant", "verdict")
_LEAST_COLUMNS = 2
# So many cells are one text: enough to save their objects, and few enough to be objects for a moment.
_PIECE: Final = 4096


def page(inspection: Inspection, layout: Layout = PLAIN) -> str:
    """Write the whole inspection: findings, heading, rows, notes and what was left out."""
    layout = layout._replace(sort=layout.sort or "defects")
    parts = [_findings(inspection, layout), folded(_heading(inspection), layout.width)]
    if inspection.self_test is not None:
        parts.append(_self_test(inspection, layout))
    elif len(inspection) <= FEW:
        rows = [row for section in inspection.sections() for row in section.rows]
        parts += [f"\n{block(inspection, row, layout)}" for row in rows]
    else:
        parts += _sections(inspection, layout)
    return "".join([*parts, _closing(inspection, layout)])


def _heading(inspection: Inspection) -> str:
    """Name the variants that are inspected, and what they have in common."""
    what = "one build compared with itself" if inspection.self_test is not None else "inspected"
    return "\n".join([f"{what}: {listed(inspection.labels)}", *common_lines(inspection.arrangement)]) + "\n"


def _sections(inspection: Inspection, layout: Layout) -> list[str]:
    parts = []
    group, shortened = "", False
    for section in inspection.sections():
        words = inspection.arrangement.groups[section.group]
        if words != group:
            parts.append(group_line(words))
            group = words
        table, short = _table(inspection, section, layout)
        shortened |= short
        lines = [normality(section.summary, inspection.policy), f"grades: {grades(section.summary)}"]
        parts += ["\n", *table, *(folded(line, layout.width) + "\n" for line in lines if line)]
    return [*parts, *_legend(inspection, layout, shortened=shortened)]


def _legend(inspection: Inspection, layout: Layout, *, shortened: bool) -> list[str]:
    """Say what defects there are; what to do, where the lines had no room for it."""
    counts = [(code, n) for code, n in inspection.native.defect_counts(list(range(len(inspection)))) if n]
    if not counts:
        return []
    if not shortened:
        listing = " · ".join(f"{code} {count:,}" for code, count in counts)
        return ["\n", folded(f"defects: {listing} (statera explain CODE)", layout.width), "\n"]
    lines = [f"{code} ({count:,}): {ADVICE[code]}" for code, count in counts]
    return ["\n", *(folded(line, layout.width) + "\n" for line in lines)]


def _table(inspection: Inspection, section: InspectedSection, layout: Layout) -> tuple[list[str], bool]:
    """Write a line for each row, and return whether verdicts lost their advice."""
    native = inspection.native
    metric = _native.printable(inspection.observations.metrics[section.metric].name)
    order = native.order(section.rows, layout.sort)
    rows = [
        row for some in pieces(order) for row, (_, exact) in zip(some, native.grades(some), strict=True) if not exact
    ]
    exact = len(order) - len(rows)
    if not rows:
        whole = form(exact, "the only one is", f"all {exact:,} are")
        line = f"{metric}: {whole} exact: all values are equal, so any difference is real"
        return [folded(line, layout.width), "\n"], False
    columns = _columns(inspection, rows, metric)
    shortened = _fit(columns, columns.pop("short verdict"), layout.width)
    lines = _lines(columns)
    if layout.colour:
        lines = _coloured(lines, inspection, rows)
    more = [f"{counted(exact, 'more is', 'more are')} exact\n"] if exact else []
    return [*("".join(f"{line}\n" for line in some) for some in pieces(lines)), *more], shortened


def _columns(inspection: Inspection, rows: list[int], metric: str) -> dict[str, Cells]:
    """Return the columns of some rows, each below its heading, without those in which no row has anything."""
    native = inspection.native
    headings = {"benchmark": metric, "short verdict": "verdict"}
    columns = {name: Cells([headings.get(name, name)]) for name in native.headings()}
    stated = {*_LEFT, "short verdict"}
    for some in pieces(rows):
        for (name, column), cells in zip(columns.items(), zip(*native.cells(some), strict=True), strict=True):
            column.add(map(shown, cells))
            if name not in stated and any(cell is not None for cell in cells):
                stated.add(name)
    if len(inspection.labels) == 1:
        stated.remove("variant")
    return {name: column for name, column in columns.items() if name in stated}


def _lines(columns: dict[str, Cells]) -> Iterator[str]:
    widths = [(column.width, name in _LEFT) for name, column in columns.items()]
    for cells in zip(*columns.values(), strict=True):
        of_line = [padded(cell, width, left=left) for cell, (width, left) in zip(cells, widths, strict=True)]
        yield "  ".join(of_line).rstrip()


def _fit(columns: dict[str, Cells], short: Cells, width: int | None) -> bool:
    """Drop columns, then shorten names and verdicts, until a line fits; return whether verdicts lost their advice."""
    if width is None:
        return False
    variants, benchmarks = columns.get("variant"), columns["benchmark"]
    if variants:
        columns["variant"] = _apart(variants, _LEAST_NAME)
    shortened = _give_up(columns, short, width)

    def room(name: str, least: int) -> int:
        widths = {key: cells.width for key, cells in columns.items()}
        if name == "verdict":
            widths["benchmark"] = min(widths["benchmark"], _LEAST_NAME)
        return max(width - sum(widths.values()) + widths[name] - 2 * (len(widths) - 1), least)

    def cut_verdicts(least: int) -> None:
        most = room("verdict", least)
        columns["verdict"] = columns["verdict"].each(lambda cell: _cut(cell, most))

    cut_verdicts(_LEAST_VERDICT)
    columns["benchmark"] = _apart(benchmarks, room("benchmark", _LEAST_NAME))
    if variants and room("variant", 0) < _LEAST_NAME:
        columns["variant"] = _apart(variants, room("variant", _LEAST_VARIANT))
        cut_verdicts(_LEAST_GRADE)
        columns["benchmark"] = _apart(benchmarks, room("benchmark", _LEAST_VARIANT))
    return shortened


def _give_up(columns: dict[str, Cells], short: Cells, width: int) -> bool:
    """Drop columns until a line with short names fits; return whether verdicts lost their advice."""
    for name in _GIVEN_UP:
        if _needed(columns, _SHORT_NAME if name in _LAST else _WHOLE_NAME) <= width:
            return name != _GIVEN_UP[0]
        if name == "verdict":
            columns["verdict"] = short
        elif name == "±" and "median" in columns:
            columns["median"] = columns["median"].each(lambda cell: cell.partition(" ± ")[0])
        else:
            columns.pop(name, None)
    return True


def _needed(columns: dict[str, Cells], most: int) -> int:
    """Return the width of a line whose name is shortened to a half, or to ``most`` columns."""
    widths = {name: cells.width for name, cells in columns.items()}
    name = widths["benchmark"]
    return sum(widths.values()) - name + min(name, max(_LEAST_NAME, name // 2), most) + 2 * (len(widths) - 1)


def _apart(column: Cells, room: int) -> Cells:
    """Shorten the names of a column, the heading first; they stay different."""
    if column.width <= room:
        return column
    head, *rest = column
    forms = names.shortened(rest, room)
    return Cells([_native.shortened(head, room), *(forms.get(each, each) for each in rest)])


def _cut(cell: str, room: int) -> str:
    """Shorten a verdict at a space."""
    while _native.columns(cell) > room:
        head, blank, _ = cell.rstrip("…").rstrip().rpartition(" ")
        if not blank:
            return _native.shortened(cell, room)
        cell = head.rstrip(":;,") + " …"
    return cell


def _coloured(lines: Iterator[str], inspection: Inspection, rows: list[int]) -> Iterator[str]:
    yield f"\x1b[1m{next(lines)}\x1b[0m"
    graded = chain.from_iterable(inspection.native.grades(some) for some in pieces(rows))
    for line, (grade, _) in zip(lines, graded, strict=True):
        colour = _COLOURS.get(grade)
        yield f"{colour}{line}\x1b[0m" if colour else line


def _findings(inspection: Inspection, layout: Layout) -> str:
    """Write the findings, unless each row is shown in full and says it itself."""
    if inspection.self_test is None and len(inspection) <= FEW:
        return ""
    bold, plain = layout.bold
    return "".join(f"{bold}{folded(sentence, layout.width)}{plain}\n" for sentence in inspection.findings)


def _closing(inspection: Inspection, layout: Layout) -> str:
    said = [f"Method: {method(inspection)}.", *settings_lines(inspection.settings)]
    said += note_lines(inspection.notes) + observation_lines(inspection.observations)
    return "\n".join(["", *(folded(line, layout.width) for line in said)]) + "\n"


def method(inspection: Inspection) -> str:
    """Describe how the rows were graded."""
    policy = inspection.policy
    if inspection.self_test is not None:
        return _self_test_method(inspection.self_test, policy)
    return (
        "'detects' is the smallest change that a comparison with so many runs per build detects with power "
        f"{policy.power:g} at alpha {policy.alpha:g}, before correction. It is computed from the spread"
    )


def _self_test(inspection: Inspection, layout: Layout) -> str:
    """Write the splits and a table for each metric, the rows with most false alarms first."""
    tested = inspection.self_test
    if tested is None or not tested.splits:
        return ""
    parts = [f"\n{folded(how(tested), layout.width)}\n"]
    for group, metrics in groupby(tested.metrics, key=lambda metric: metric.group):
        own = list(metrics)
        if group:
            parts.append(f"\n{_native.printable(group)}\n")
        parts += [_rate_table(inspection, metric, layout) for metric in own if metric.rows]
        without = [_native.printable(metric.metric) for metric in own if not metric.rows]
        if without:
            line = f"{', '.join(without)}: exact, or one value per half: no test and no false alarm"
            parts.append(f"\n{folded(line, layout.width)}\n")
    return "".join(parts)


def _rate_table(inspection: Inspection, metric: MetricRate, layout: Layout) -> str:
    table = self_test_rows(inspection, metric, layout.sort)
    if layout.width is not None:
        table = _fitting(table, layout.width)
    return "".join(["\n", aligned(table, bold=layout.bold), folded(mean_moved(metric), layout.width)])


def self_test_rows(inspection: Inspection, metric: MetricRate, sort: str = "defects") -> list[list[str]]:
    """Return the rows of a metric as a table, the heading first."""
    tested = inspection.self_test
    key = (metric.group, metric.metric_number)
    own = [row for row in tested.rows if (row.group, row.metric_number) == key] if tested else []
    if sort == "defects":
        own.sort(key=lambda row: (-row.called.count, -row.significant, -(row.floor or 0.0)))
    elif sort == "name":
        own.sort(key=lambda row: row.benchmark)
    before = f"p ≤ {inspection.policy.alpha:g}"
    head = [_native.printable(metric.metric), "called changed", before, "noise floor", "largest"]
    return [head, *(_rate_cells(inspection, row) for row in own)]


def _rate_cells(inspection: Inspection, row: RowRate) -> list[str]:
    def size(change: float | None) -> str:
        if change is None:
            return NOTHING
        if row.scale == "ratio":
            return "±" + _native.percent(change).lstrip("+")
        return "±" + _native.amount(inspection.observations.native, row.metric_number, change, change)

    trials = row.called.trials
    before = f"{100 * row.significant / trials:.0f}%" if trials else NOTHING
    return [_native.printable(row.benchmark), share(row.called), before, size(row.floor), size(row.largest)]


def mean_moved(metric: MetricRate) -> str:
    """Write how far the geometric mean moved; empty for a single row."""
    if metric.mean_floor is None or metric.rows <= 1:
        return ""
    return f"geometric mean: within ±{_native.percent(metric.mean_floor).lstrip('+')} in 95% of the splits\n"


def _fitting(table: list[list[str]], width: int) -> list[list[str]]:
    """Drop the last columns, then shorten names, until a line fits."""
    kept = len(table[0])
    while kept > _LEAST_COLUMNS and _LEAST_NAME + _width(table, kept) > width:
        kept -= 1
    room = max(width - _width(table, kept), _LEAST_NAME)
    return [[_native.shortened(row[0], room), *row[1:kept]] for row in table]


def _width(table: list[list[str]], kept: int) -> int:
    """Return the width of all columns except that of the names."""
    return sum(max(len(row[column]) for row in table) + 2 for column in range(1, kept))


def _self_test_method(tested: SelfTest, policy: Policy) -> str:
    """Describe the method of the self-test."""
    if not tested.splits:
        return f"each pair of results is compared under the present policy, alpha {policy.alpha:g}"
    by_runs = ""
    if tested.dealt == "runs" and tested.length <= 1:
        by_runs = ". Single runs that are dealt at random keep the rate by construction, so the noise floor tells more"
    return (
        f"each split is compared under the present policy, alpha {policy.alpha:g}. Noise floor: 95% of the typical "
        "changes are smaller. Intervals of rates are by Clopper & Pearson, for the number of independent splits: "
        f"{counted(tested.stretches - 1, 'split')} of {counted(tested.stretches, 'stretch', 'stretches')}{by_runs}"
    )


class Cells:
    """Printable texts, such as the cells of a column; none has a line end.

    Each text as an object of its own would need several times as much memory.
    """

    def __init__(self, cells: Iterable[str] = ()) -> None:
        self._pieces: list[str] = []
        self._width: int | None = None
        self.add(cells)

    def add(self, cells: Iterable[str]) -> None:
        """Add cells at the end."""
        self._pieces += ["\n".join(piece) for piece in pieces(cells)]
        self._width = None

    def __iter__(self) -> Iterator[str]:
        """Iterate over the cells."""
        for piece in self._pieces:
            yield from piece.split("\n")

    @property
    def width(self) -> int:
        """The number of terminal columns of the widest cell."""
        if self._width is None:
            self._width = max(map(_native.columns, self))
        return self._width

    def each(self, function: Callable[[str], str]) -> Cells:
        """Return the cells that a function makes of these."""
        return Cells(map(function, self))


def pieces(items: Iterable[T]) -> Iterator[list[T]]:
    """Yield some items at a time."""
    rest = iter(items)
    while piece := list(islice(rest, _PIECE)):
        yield piece


_GRADES = {"unfit": "\x1b[31m", "doubtful": "\x1b[33m", "fit": "\x1b[32m"}
_INDENT = 14
# Steps below this share of the median do not matter.
_FINE = 1e-4


def block(inspection: Inspection, row: int, layout: Layout) -> str:
    """Write the block of a row: its title, its facts, and its defects with advice."""
    title, grade = title_of(inspection, row)
    colour = _GRADES.get(grade, "") if layout.colour else ""
    bold, plain = layout.bold
    lines = [f"{bold}{title}{plain}: {colour}{grade}{plain if colour else ''}"]
    for label, words in facts(inspection, row):
        lines.append(_folded(f"  {label:{_INDENT - 2}}{words}", layout.width))
    lines += [_folded(f"  → {line}", layout.width) for line in defects(inspection, row)]
    return "\n".join(lines) + "\n"


def _folded(line: str, width: int | None) -> str:
    line = _native.printable(line)
    if width is None or _native.columns(line) <= width:
        return line
    from textwrap import fill  # noqa: PLC0415 - only where a line is too long: it costs a sixth of an inspection

    return fill(line, max(width, 40), subsequent_indent=" " * _INDENT, break_long_words=False, break_on_hyphens=False)


def title_of(inspection: Inspection, row: int) -> tuple[str, str]:
    """Return the name of a row and its grade."""
    fields = inspection.native.row_dict(row)
    several = len(inspection.labels) > 1
    words = (fields["benchmark"], fields["metric"], fields["variant"] if several else "", fields["group"])
    return ", ".join(_native.printable(word) for word in words if word), fields["grade"]


def defects(inspection: Inspection, row: int) -> list[str]:
    """Return the defects of a row, each with its advice and its code."""
    found = inspection.native.defects(row)
    lines = []
    for code, what, advice in found:
        why = f" ({ADVICE[code]})" if not advice else ""
        lines.append(f"{what[:1].upper()}{what[1:]}: {advice}{why} [{code}]")
    return lines or ["Nothing prevents a comparison."]


def facts(inspection: Inspection, row: int) -> list[tuple[str, str]]:
    """Return the lines of the block, as (label, text)."""
    fields = inspection.native.row_dict(row)
    metric = next(
        m
        for m, each in enumerate(inspection.observations.metrics)
        if (each.name, each.unit) == (fields["metric"], fields["unit"])
    )
    words = _Words(inspection, metric, fields)
    found = [("n", words.n()), ("median", words.median()), ("spread", words.spread())]
    if fields["n"] > 1 and not fields["exact"] and fields["distinct"] > 1:
        found += [("normality", words.normality()), ("shape", words.shape()), ("order", words.order())]
        # Runs of one value each have nothing within them: their values follow each other.
        is_within = 1 < (fields["runs"] or 0) < fields["values"]
        found += [("within runs" if is_within else "over time", words.steadiness())]
        found += [("clock", words.clock())]
    if fields["icc"] is not None:
        found += [("runs", words.parts()), ("worth", words.worth())]
    found += [("detects", words.detects())]
    return [(label, line) for label, line in found if line]


class _Words:
    """The facts of a row in words."""

    def __init__(self, inspection: Inspection, metric: int, fields: dict[str, Any]) -> None:
        self.inspection = inspection
        self.metric = metric
        self.fields = fields
        self.of = fields.get

    # A number that is too large to compute is None, and is written as a dash.

    def amount(self, value: float | None, size: float | None = None) -> str:
        native = self.inspection.observations.native
        return _native.amount(native, self.metric, value, size or value or 0.0)

    def change(self, value: float | None) -> str:
        """Write a change on the row's scale."""
        if self.fields["scale"] == "ratio":
            return _native.percent(value)
        return ("+" if value is not None and value > 0 else "") + self.amount(value)

    def n(self) -> str:
        values, n, runs = self.fields["values"], self.fields["n"], self.fields["runs"]
        sampled = self.fields["sampled"]
        if sampled == "runs":
            each = self.fields["iterations"] or values / n
            return f"{counted(n, 'run')} of {each:.3g} values, each run by its median"
        noun = counted(n, {"values": "value", "blocks": "block"}[sampled])
        if runs is None and not are_processes(
            {source.format for source in self.inspection.observations.sources if source.values}
        ):
            return f"{noun}, and it is unknown which of them share a process" if n > 1 else noun
        return f"{noun} of one process" if runs == 1 else f"{noun}, each an independent run" if n > 1 else noun

    def median(self) -> str:
        centre = self.fields["centre"]
        if self.fields["low"] is None:
            enough = "" if self.fields["n"] > 1 else " (a single value)"
            return self.amount(centre) + enough
        low, high = (self.amount(self.fields[end], centre) for end in ("low", "high"))
        return f"{self.amount(centre)} [{low}, {high}] at {100 * self.fields['level']:.1f}%"

    def spread(self) -> str:
        if self.fields["n"] == 1:
            return ""
        if self.fields["distinct"] == 1:
            return "none: all values are equal" + (", as they should be" if self.fields["exact"] else "")
        centre, iqr, mad, cv = (self.fields[name] for name in ("centre", "iqr", "mad", "cv"))
        share = f" ({_native.percent(iqr / centre).lstrip('+')})" if centre and centre > 0 and iqr is not None else ""
        parts = [f"IQR {self.amount(iqr)}{share}", f"MAD {self.amount(mad)}"]
        if cv is not None:
            parts.append(f"CV {_native.percent(cv).lstrip('+')}")
        return " · ".join(parts)

    def normality(self) -> str:
        if self.fields["normality"] is None:
            return "too few values for a test (at least 3)"
        w, p = self.fields["normality"], self.fields["normality_p"]
        shapiro = self.fields["normality_test"] == "shapiro-wilk"
        name, letter = ("Shapiro-Wilk", "W") if shapiro else ("Anderson-Darling (above 5,000 values)", "A²")
        parts = [f"{name} {letter} {number(w, '.5g')}, p {p_value(p)}"]
        if self.fields["log_normality"] is not None:
            log_w, log_p = self.fields["log_normality"], self.fields["log_normality_p"]
            parts.append(f"of logarithms {letter} {number(log_w, '.5g')}, p {p_value(log_p)}")
        return " · ".join(parts)

    def shape(self) -> str:
        parts = []
        if self.fields["skewness"] is not None:
            parts.append(f"skewness {self.fields['skewness']:+.2f}")
        modes = self.fields["modes"]
        parts.append(f"{counted(modes, 'mode')} (dip test p {p_value(self.fields['dip_p'])})")
        outliers = self.fields["outliers"]
        parts.append(counted(outliers, "outlier") if outliers else "no outliers")
        return " · ".join(parts)

    def order(self) -> str:
        parts = []
        if self.fields["drift_p"] is not None:
            rho, p, change = (self.fields[name] for name in ("drift_rho", "drift_p", "drift_change"))
            half = f"second half against first {self.change(change)}"
            parts.append(f"{half} · Spearman's rho {number(rho, '+.2f')} over the order, p {p_value(p)}")
        if self.fields["autocorrelation"] is not None:
            lag, z = self.fields["autocorrelation"], self.fields["autocorrelation_z"]
            parts.append(f"autocorrelation {number(lag, '+.2f')} ({number(z, '+.1f')} standard errors)")
        return " · ".join(parts) or "too few values for a trend (at least 8)"

    def steadiness(self) -> str:
        series, warming, unsteady = (self.fields[name] for name in ("series", "series_warming", "series_unsteady"))
        if not series:
            return ""
        of = "" if series == 1 else f"{warming} of {series} runs: "
        if warming:
            end, change = self.fields["warm_up"], self.fields["warm_up_change"]
            there = f", {_native.percent(change)} before" if change is not None else ""
            return f"{of}steady after {end:g} {form(end, 'value')}{there}"
        if unsteady:
            return ("" if series == 1 else f"{unsteady} of {series} runs: ") + "the level shifts and does not settle"
        return "steady from the first value, no shift of level" + ("" if series == 1 else f" in any of {series} runs")

    def clock(self) -> str:
        distinct, values, resolution = (self.fields[name] for name in ("distinct", "values", "resolution"))
        centre = self.fields["centre"]
        step = "no common step"
        if resolution is not None:
            part = resolution / abs(centre) if centre else 0.0
            share = f" ({_native.percent(part).lstrip('+')} of the median)" if part >= _FINE else ""
            step = f"steps of {self.amount(resolution)}{share}"
        return f"{distinct:,} different values of {values:,} · {step}"

    def parts(self) -> str:
        icc, low, high = (self.fields[name] for name in ("icc", "icc_low", "icc_high"))
        plain, robust = (
            f"standard deviation {self.deviation(f'{kind}within_sd')} within runs, "
            f"{self.deviation(f'{kind}between_sd')} between"
            for kind in ("", "robust_")
        )
        share = self.fields["robust_share"]
        return (
            f"{plain} · {number(icc, '.0%')} of the variance is between runs "
            f"[{number(low, '.0%')}, {number(high, '.0%')}] (ICC)"
        ) + ("" if share is None else f", by run medians: {robust} · {number(share, '.0%')} between runs")

    def deviation(self, name: str) -> str:
        """Write a standard deviation on the row's scale."""
        value = self.fields[name]
        if value is None:
            return NOTHING
        return _native.percent(value).lstrip("+") if self.fields["scale"] == "ratio" else self.amount(value)

    def worth(self) -> str:
        margin = f"{100 * self.fields['margin']:g}%"
        if self.fields["best_iterations"] is not None:
            best, cost, now = (self.fields[name] for name in ("best_iterations", "best_seconds", "present_seconds"))
            iterations = f"{counted(round(best), 'iteration')} per run"
            needed = self.fields["best_runs"]
            runs = "the number of runs needed is too large to compute"
            if needed is not None and cost is not None:
                runs = f"{_native.forecast(needed)} runs per build detect {margin} and take {seconds(cost)}"
            present = (
                f". With {self.fields['iterations']:.3g} per run it takes {seconds(now)}" if now is not None else ""
            )
            return f"{iterations} are worth their cost: {runs}{present}"
        level, size = self.fields["break_even"], self.fields["iterations"]
        if level is None:
            return "iterations do not differ: one per run is enough"
        if level == 0:
            return "runs do not differ: more iterations do as well as more runs"
        return (
            f"{size:.3g} values per run are too many unless a start costs as much as {level:.2g} of them. "
            "--cost-run SECONDS computes the best number"
        )

    def detects(self) -> str:
        if self.fields["exact"]:
            return "any difference is real"
        detectable = self.fields["detectable"]
        if self.fields["sampled"] == "blocks":
            return "unknown: pairing removes the differences between blocks. --aa with a second run shows the rest"
        if detectable is None:
            return "nothing" if "too-few" in self.fields["defects"] else "unknown, because all values are equal"
        power = self.inspection.policy.power
        size = self.change(detectable).lstrip("+")
        first = f"changes of {size} or more, with power {power:g} against as many"
        needed = [(level, self.fields[f"runs_for_{level}"]) for level in (1, 2, 5)]
        texts = [f"{level}%: {_native.forecast(count)}" for level, count in needed if count is not None]
        word = {"runs": "runs", "values": "values", "blocks": "blocks"}[self.fields["sampled"]]
        return f"{first} · {word} per build for {' · '.join(texts)}" if texts else first


def number(value: float | None, form: str) -> str:
    """Write a number, or a dash for None."""
    return NOTHING if value is None else format(value, form)


def p_value(p: float | None) -> str:
    """Write a p-value with up to four digits, a small one with two."""
    if p is None:
        return NOTHING
    return f"{p:.4g}" if p >= 0.001 else f"{p:.2g}"  # noqa: PLR2004 - where three decimals end


def seconds(time: float) -> str:
    """Write a time in seconds as s, min or h."""
    for unit, size in (("h", 3600.0), ("min", 60.0)):
        if time >= 3 * size:
            return f"{time / size:.2g} {unit}"
    return f"{time:.2g} s" if time < 100 else f"{time:.0f} s"  # noqa: PLR2004 - two digits
