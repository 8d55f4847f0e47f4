"""The inspection as plain text: a block for each of few rows, or tables of many rows, the worst first."""

from __future__ import annotations

from itertools import chain

from statera import _native
from statera.comparison.verdicts.inspection import ADVICE, grades, normality
from statera.output.views import apart, inspection_detail, self_test
from statera.output.views.cells import Cells, pieces
from statera.output.views.terminal import Look, common_lines, folded, group_line, listed, note_lines, observation_lines
from statera.support.settings.provenance import settings_lines
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, form, shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Final

    from statera.comparison.results.inspection import InspectedSection, Inspection

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


def text(inspection: Inspection, look: Look | None = None) -> str:
    """Write the whole inspection: findings, heading, rows, notes and what was left out."""
    look = look or Look(sort="defects")
    parts = [_findings(inspection, look), folded(heading(inspection), look.width)]
    if inspection.self_test is not None:
        parts.append(self_test.text(inspection, look))
    elif len(inspection) <= FEW:
        rows = [row for section in inspection.sections() for row in section.rows]
        parts += [f"\n{inspection_detail.text(inspection, row, look)}" for row in rows]
    else:
        parts += _sections(inspection, look)
    return "".join([*parts, _closing(inspection, look)])


def heading(inspection: Inspection) -> str:
    """Name the variants that are inspected, and what they have in common."""
    what = "one build compared with itself" if inspection.self_test is not None else "inspected"
    return "\n".join([f"{what}: {listed(inspection.labels)}", *common_lines(inspection.arrangement)]) + "\n"


def _sections(inspection: Inspection, look: Look) -> list[str]:
    parts = []
    group, shortened = "", False
    for section in inspection.sections():
        words = inspection.arrangement.groups[section.group]
        if words != group:
            parts.append(group_line(words))
            group = words
        table, short = _table(inspection, section, look)
        shortened |= short
        lines = [normality(section.summary, inspection.policy), f"grades: {grades(section.summary)}"]
        parts += ["\n", *table, *(folded(line, look.width) + "\n" for line in lines if line)]
    return [*parts, *_legend(inspection, look, shortened=shortened)]


def _legend(inspection: Inspection, look: Look, *, shortened: bool) -> list[str]:
    """Say what defects there are; what to do, where the lines had no room for it."""
    counts = [(code, n) for code, n in inspection.native.defect_counts(list(range(len(inspection)))) if n]
    if not counts:
        return []
    if not shortened:
        listing = " · ".join(f"{code} {count:,}" for code, count in counts)
        return ["\n", folded(f"defects: {listing} (statera explain CODE)", look.width), "\n"]
    lines = [f"{code} ({counted(count, 'row')}): {ADVICE[code]}" for code, count in counts]
    return ["\n", *(folded(line, look.width) + "\n" for line in lines)]


def _table(inspection: Inspection, section: InspectedSection, look: Look) -> tuple[list[str], bool]:
    """Write a line for each row, and return whether verdicts lost their advice."""
    native = inspection.native
    metric = _native.printable(inspection.observations.metrics[section.metric].name)
    order = native.order(section.rows, look.sort)
    rows = [
        row for some in pieces(order) for row, (_, exact) in zip(some, native.grades(some), strict=True) if not exact
    ]
    exact = len(order) - len(rows)
    if not rows:
        whole = form(exact, "the only row is", f"all {exact:,} rows are")
        line = f"{metric}: {whole} exact: all values are equal, so any difference is real"
        return [folded(line, look.width), "\n"], False
    columns = _columns(inspection, rows, metric)
    shortened = _fit(columns, columns.pop("short verdict"), look.width)
    lines = _lines(columns)
    if look.colour:
        lines = _coloured(lines, inspection, rows)
    more = [f"and {counted(exact, 'row that is', 'rows that are')} exact\n"] if exact else []
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
        padded = [_padded(cell, width, left=left) for cell, (width, left) in zip(cells, widths, strict=True)]
        yield "  ".join(padded).rstrip()


def _padded(cell: str, width: int, *, left: bool) -> str:
    blanks = " " * (width - _native.columns(cell))
    return cell + blanks if left else blanks + cell


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
    head, *names = column
    forms = apart.shortened(names, room)
    return Cells([_native.shortened(head, room), *(forms.get(each, each) for each in names)])


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


def _findings(inspection: Inspection, look: Look) -> str:
    """Write the findings, unless each row is shown in full and says it itself."""
    if inspection.self_test is None and len(inspection) <= FEW:
        return ""
    bold, plain = ("\x1b[1m", "\x1b[0m") if look.colour else ("", "")
    return "".join(f"{bold}{folded(sentence, look.width)}{plain}\n" for sentence in inspection.findings)


def _closing(inspection: Inspection, look: Look) -> str:
    said = [f"Method: {method(inspection)}.", *settings_lines(inspection.settings)]
    said += note_lines(inspection.notes) + observation_lines(inspection.observations)
    return "\n".join(["", *(folded(line, look.width) for line in said)]) + "\n"


def method(inspection: Inspection) -> str:
    """Describe how the rows were graded."""
    policy = inspection.policy
    if inspection.self_test is not None:
        return self_test.method(inspection.self_test, policy)
    return (
        f"a row shows the changes that a comparison with as many units a side detects with power {policy.power:g} at "
        f"alpha {policy.alpha:g}, before correction; they are computed from the spread"
    )
