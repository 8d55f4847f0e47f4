"""A table of lines for terminals: all columns that fit, in the order of what readers need most.

At 80 columns a line has its name, both values, the change with its interval, and the changes of other metrics; where
there is room, p, a bar, the half-widths of the values, the values of the other metrics, and what would have been
detected. Several contenders have a column each.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import log1p

from statera import _native
from statera.comparison.codes import OF
from statera.comparison.pairing.keys import NO_LEVEL
from statera.comparison.verdicts.notes import brief
from statera.output.views.lines import ALONE
from statera.output.views.names import shortened
from statera.output.views.texts import padded
from statera.support.typed import TYPE_CHECKING, NamedTuple
from statera.support.wording import counted, listed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any, Final

    from statera.comparison.results.comparison import Comparison
    from statera.output.views.lines import Line, Sheet

_GAP: Final = "  "
_WIDTH: Final = 100
_NAMED: Final = 4
_LEAST_NAME: Final = 14
_SHORT_NAME: Final = 24
_WHOLE_NAME: Final = 44
_LONGEST: Final = 200
_BAR: Final = 13
_LABEL: Final = 24
# Labels of pairs are no shorter than these: beside the values of contenders, and where these give way to them.
_LEAST_LABELS: Final = (12, 6)
# How much readers need the values of one of several contenders (see ``Column.need``).
_OF_CONTENDER: Final = 6
_MOST_LEVELS: Final = 4
_PLAIN: Final = frozenset({"worse", "better"})
_TENTH: Final = 0.0995
_TENFOLD: Final = 9.0
_OPEN: Final = "~"
_DIM: Final = "\x1b[2m"
_BOLD: Final = "\x1b[1m"
_END: Final = "\x1b[0m"


class Column(NamedTuple):
    """A column."""

    head: str  # its heading
    cells: list[str]  # its cells, one for each line
    need: int  # how much readers need it: where a table is too wide, the greatest number goes first
    left: bool = False  # whether it is aligned to the left
    verdicts: tuple[str, ...] = ()  # the verdict whose colour each cell has; none where cells have no colour
    is_value: bool = False  # whether it has the values of a build
    pair: tuple[int, int] | None = None  # the baseline and the contender, if it has the changes of one of several pairs

    @property
    def is_change(self) -> bool:
        """Return whether it has the changes of one of several contenders."""
        return self.pair is not None

    @property
    def width(self) -> int:
        """Return its width in columns of a terminal."""
        return max(map(_native.columns, [self.head, *self.cells]))


def table(comparison: Comparison, sheet: Sheet, names: Sequence[str], width: int | None, *, colour: bool) -> str:
    """Write the lines of a table under their headings; empty without lines.

    ``names`` has the name of each line, printable. ``width`` is that of the terminal in columns; None for lines of any
    length, with the columns of a line of 100. With ``colour`` verdicts have colours.
    """
    if not sheet.lines:
        return ""
    title, found = columns(comparison, sheet)
    name = Column(title, [_native.shortened(each, _LONGEST) for each in names], 0, left=True)
    if not title and len(set(names)) == 1 and len(names) > 1 and found[0].left:
        # The caption names the only benchmark.
        name, found = found[0], found[1:]
    found = _with_pairs_named(comparison, name, found, width)
    kept = _fitting(name, found, width)
    left = [column.head for column in found if column.is_change and column not in kept]
    text = _written(kept, sheet, colour=colour)
    if not left:
        return text
    said = f"  and {counted(len(left), 'more build')}, which a wider terminal shows: {listed(left, _NAMED)}"
    return f"{text}{_native.shortened(said, width or _WIDTH)}\n"


def columns(comparison: Comparison, sheet: Sheet) -> tuple[str, list[Column]]:
    """Return the heading of the names, and all columns behind them that have a cell."""
    writer = _Several(comparison, sheet) if len(sheet.pairs) > 1 else _Pair(comparison, sheet)
    return writer.title(), [column for column in (*writer.levels(), *writer.columns()) if any(column.cells)]


def _with_pairs_named(comparison: Comparison, name: Column, found: list[Column], width: int | None) -> list[Column]:
    """Head the columns of pairs of several baselines with both labels, as long as there is room.

    The values of contenders give way: a change says nothing where nobody can tell of which pair it is.
    """
    pairs = [column.pair for column in found if column.pair is not None]
    if len({base for base, _ in pairs}) <= 1:
        return found
    variants = [*dict.fromkeys(variant for pair in pairs for variant in pair)]
    labels = [brief(comparison.labels[variant]) for variant in variants]
    if len(set(labels)) < len(labels):
        return found
    for with_values, least in zip((True, False), _LEAST_LABELS, strict=True):
        for room in range(_LABEL, least - 1, -1):
            of = dict(zip(variants, _native.apart(labels, room), strict=True))
            headed = [
                column if column.pair is None else column._replace(head=f"{of[column.pair[1]]} / {of[column.pair[0]]}")
                for column in found
            ]
            needed = [column for column in headed if with_values or column.need < _OF_CONTENDER]
            if _needed(name, needed, _WHOLE_NAME) <= (width or _WIDTH):
                return headed
    return found


def _fitting(name: Column, found: list[Column], width: int | None) -> list[Column]:
    """Leave out columns until a line fits, then shorten the names."""
    most = _WIDTH if width is None else width
    for least in (_WHOLE_NAME, _SHORT_NAME, _LEAST_NAME):
        kept = list(found)
        keeps = {_WHOLE_NAME: 5, _SHORT_NAME: 3, _LEAST_NAME: 1}[least]
        while _needed(name, kept, least) > most:
            worst = max((column.need for column in kept), default=0)
            if worst < keeps:
                break
            # Columns of one kind go together, but of several contenders the last one alone.
            last = next(column for column in reversed(kept) if column.need == worst)
            kept = [column for column in kept if column is not last and (column.need < worst or last.is_change)]
        if _needed(name, kept, least) <= most:
            break
    if width is None:
        return [name, *kept]
    room = max(width - sum(len(_GAP) + column.width for column in kept), _LEAST_NAME)
    return [name._replace(cells=short(name.cells, room), head=_native.shortened(name.head, room)), *kept]


def short(names: Sequence[str], room: int) -> list[str]:
    """Shorten names to some columns; names that differ stay different."""
    forms = shortened(names, room)
    return [forms.get(each, each) for each in names]


def _needed(name: Column, columns: Iterable[Column], least: int) -> int:
    return min(name.width, least) + sum(len(_GAP) + column.width for column in columns)


def _written(columns: Sequence[Column], sheet: Sheet, *, colour: bool) -> str:
    widths = [column.width for column in columns]
    heads = [padded(each.head, width, left=each.left) for each, width in zip(columns, widths, strict=True)]
    first = _GAP.join(heads).rstrip()
    lines = [f"{_BOLD}{first}{_END}" if colour else first] if first else []
    for place, line in enumerate(sheet.lines):
        cells = [padded(each.cells[place], width, left=each.left) for each, width in zip(columns, widths, strict=True)]
        lines.append(_painted(cells, columns, line, place, colour=colour))
    return "".join(f"{line}\n" for line in lines)


def _painted(cells: list[str], columns: Sequence[Column], line: Line, place: int, *, colour: bool) -> str:
    """Join the cells of a line; only the change and the verdict are coloured, and what did not change is dim."""
    if not colour:
        return _GAP.join(cells).rstrip()
    if OF[line.verdict].harm == "none":
        return f"{_DIM}{_GAP.join(cells).rstrip()}{_END}"
    painted = []
    for cell, column in zip(cells, columns, strict=True):
        ansi = OF[column.verdicts[place]].ansi if column.verdicts else ""
        painted.append(f"{ansi}{cell}{_END}" if ansi and cell.strip() else cell)
    return _GAP.join(painted).rstrip()


class _Writer(ABC):
    """Writes the columns of a table."""

    def __init__(self, comparison: Comparison, sheet: Sheet) -> None:
        self.comparison = comparison
        self.weighing = comparison.weighing
        self.sheet = sheet
        self.lines = sheet.lines
        self.metrics = comparison.observations.metrics

    def title(self) -> str:
        """Return the heading of the names: the metric, where it is not the usual time."""
        if self.sheet.metric is None:
            return ""
        metric = self.metrics[self.sheet.metric]
        times = [each for each in self.comparison.observations.metrics if each.unit == "s"]
        usual = self.sheet.first and metric.unit == "s" and len(times) == 1
        return "" if usual else _native.shortened(_native.printable(metric.name), _WHOLE_NAME)

    def levels(self) -> list[Column]:
        """Return a column for each factor whose levels are compared separately."""
        arrangement = self.comparison.arrangement
        if len(arrangement.groups) <= 1:
            return []
        keys = dict.fromkeys(key for levels in arrangement.levels for key in levels)
        found = []
        for key in keys:
            cells = [arrangement.levels[line.group].get(key, NO_LEVEL) for line in self.lines]
            if set(cells) != {NO_LEVEL}:
                head = _native.shortened(_native.printable(key), _LABEL)
                found.append(Column(head, [*map(_native.printable, cells)], 0, left=True))
        if len(found) <= _MOST_LEVELS:
            return found
        words = [_native.printable(arrangement.groups[line.group]) for line in self.lines]
        return [Column("at", short(words, _WHOLE_NAME), 0, left=True)]

    def label(self, variant: int) -> str:
        """Return the label of a variant for a heading."""
        return _native.shortened(brief(self.comparison.labels[variant]), _LABEL)

    def _cells(self, column: str, rows: Iterable[int | None]) -> list[str]:
        return ["" if row is None else self.weighing.cell(row, column) or "" for row in rows]

    def _shown(self, row: int | None) -> str:
        """Return the change of a row; nobody knows that of an undecided one, which its interval bounds."""
        if row is None:
            return ""
        if self.comparison.briefs[row][1] == "inconclusive":
            return _OPEN
        return self.weighing.cell(row, "brief") or ""

    def _verdicts(self, rows: Iterable[int | None]) -> tuple[str, ...]:
        return tuple("inconclusive" if row is None else self.comparison.briefs[row][1] for row in rows)

    @abstractmethod
    def columns(self) -> list[Column]:
        """Return the columns behind the names."""


class _Pair(_Writer):
    """Writes the columns of a table of one pair of variants."""

    def __init__(self, comparison: Comparison, sheet: Sheet) -> None:
        super().__init__(comparison, sheet)
        self.rows = [sheet.row(line) for line in self.lines]

    def columns(self) -> list[Column]:
        old, new = (self.label(variant) for variant in self.sheet.pairs[0])
        fields = [None if row is None else self.weighing.row_dict(row) for row in self.rows]
        values = [self._cells("old", self.rows), self._cells("new", self.rows)]
        room = [max(map(_native.columns, each), default=0) for each in values]
        heads = _native.apart([old, new], max(*room, 10)) if old != new else [old, new]
        halves = [self._halves("baseline"), self._halves("contender")]
        return [
            Column(heads[0], values[0], 2, is_value=True),
            Column("±", halves[0], 9),
            Column(heads[1], values[1], 2, is_value=True),
            Column("±", halves[1], 9),
            Column("change", [*map(self._shown, self.rows)], 0, verdicts=self._verdicts(self.rows)),
            Column(self.weighing.heading("interval"), self._intervals(), 3),
            *_bar(fields),
            Column(self.weighing.heading("p").replace(" (corrected)", ""), self._p(), 6),
            Column("runs", self._runs(fields), 4),
            Column("mean", self._cells("mean", self.rows) if self.comparison.policy.mean else [], 4),
            *(column for metric in self.sheet.columns for column in self._beside(metric)),
            Column("detects", self._detects(fields), 11),
            Column("", self._words(), 1, left=True, verdicts=tuple(line.verdict for line in self.lines)),
        ]

    def _halves(self, side: str) -> list[str]:
        """Return the half-widths of the values: ``2%``."""
        cells = self._cells(side, self.rows)
        halves = (cell.rpartition(" ± ")[2] if " ± " in cell else "?" for cell in cells)
        return ["" if half == "?" else half for half in halves]

    def _intervals(self) -> list[str]:
        low, high = self._cells("low", self.rows), self._cells("high", self.rows)
        most = [max(map(_native.columns, each), default=0) for each in (low, high)]
        return [
            f"{padded(first, most[0], left=False)} … {padded(last, most[1], left=False)}" if first else last
            for first, last in zip(low, high, strict=True)
        ]

    def _p(self) -> list[str]:
        return [cell.replace("0.", ".", 1) for cell in self._cells("p", self.rows)]

    def _runs(self, fields: list[dict[str, Any] | None]) -> list[str]:
        """Return the runs of each build, where lines differ in them: otherwise the caption states them."""
        of = {(each["baseline_n"], each["contender_n"]) for each in fields if each and each["verdict"] not in ALONE}
        return self._cells("n", self.rows) if len(of) > 1 else [""] * len(fields)

    def _beside(self, metric: int) -> list[Column]:
        """Return the columns of another metric: its change, and where there is room its values."""
        name = _native.printable(self.metrics[metric].name).removesuffix("/op")
        rows = [self.sheet.beside(line, metric) for line in self.lines]
        changes = ["" if row is None or self._is_same(row) else self._rounded(row, name) for row in rows]
        values = []
        for row, change in zip(rows, changes, strict=True):
            old, new = ("", "") if row is None else (self.weighing.cells(row, ("old", "new")))
            values.append(_arrow(old, new) if change and old and new else "")
        head = _native.shortened(name, _LABEL)
        return [Column("", values, 10), Column(head, changes, 5, verdicts=self._verdicts(rows))]

    def _rounded(self, row: int, unit: str) -> str:
        """Return a change beside the principal one: whole per cents from ten on, and no unit that the heading says."""
        fields = self.weighing.row_dict(row)
        change = fields["change"]
        if change is not None and fields["scale"] == "ratio" and _TENTH <= abs(change) < _TENFOLD:
            return f"{100 * change:+.0f}%".replace("-", "−")
        return self._shown(row).removesuffix(f" {unit}")

    def _is_same(self, row: int) -> bool:
        return (self.weighing.cell(row, "brief") or "").lstrip("+−") in {"0", "0%"}

    def _detects(self, fields: list[dict[str, Any] | None]) -> list[str]:
        """Return the smallest change that the runs of each undecided line would have detected."""
        open_ = [each if each and each["verdict"] == "inconclusive" else None for each in fields]
        sizes = [None if each is None else each["detectable"] for each in open_]
        ratio = [each is not None and each["scale"] == "ratio" for each in fields]
        return [
            _native.percent(size).lstrip("+") if size is not None and is_ratio else ""
            for size, is_ratio in zip(sizes, ratio, strict=True)
        ]

    def _words(self) -> list[str]:
        """Return the verdict in words, where the change does not say it."""
        cells = []
        for line, row in zip(self.lines, self.rows, strict=True):
            told = line.lead == row and (line.verdict in _PLAIN or line.verdict == "inconclusive")
            word = "" if told else self.weighing.cell(line.lead, "word") or ""
            # What speaks may be another metric, which has a column or none. A word that this one has too is its word.
            has_too = row is not None and line.verdict not in _PLAIN and self.comparison.briefs[row][1] == line.verdict
            of = "" if line.lead == row or has_too or not word else self.weighing.row_dict(line.lead)["metric"]
            cells.append(f"{word} {_native.printable(of)}".strip())
        return cells


class _Several(_Writer):
    """Writes the columns of a table of several contenders: a value of the baseline, and a change of each contender."""

    def columns(self) -> list[Column]:
        bases = {base for base, _ in self.sheet.pairs}
        found = [self._baseline(next(iter(bases)))] if len(bases) == 1 else []
        labels = [self._pair(pair, named=len(bases) > 1) for pair in self.sheet.pairs]
        heads = _native.apart(labels, 12) if len(set(labels)) > 1 else labels
        for place, (pair, head) in enumerate(zip(self.sheet.pairs, heads, strict=True)):
            rows = [line.rows.get(pair) for line in self.lines]
            found += [Column("", self._cells("new", rows), _OF_CONTENDER), self._changes(head, rows, place, pair)]
            if self.comparison.policy.mean:
                found.append(Column("mean", self._cells("mean", rows), 4))
        return found

    def _changes(self, head: str, rows: list[int | None], place: int, pair: tuple[int, int]) -> Column:
        # The first contenders are the worst; where not all fit, the last go first.
        cells = [*map(self._change, rows)]
        return Column(head, cells, 1 if place else 0, verdicts=self._verdicts(rows), pair=pair)

    def _pair(self, pair: tuple[int, int], *, named: bool) -> str:
        base, contender = (brief(self.comparison.labels[each]) for each in pair)
        return f"{contender} / {base}" if named else contender

    def _baseline(self, base: int) -> Column:
        rows = [next(iter(line.rows.values())) for line in self.lines]
        return Column(self.label(base), self._cells("old", rows), 4)

    def _change(self, row: int | None) -> str:
        if row is None:
            return ""
        change, verdict = self._shown(row), self.comparison.briefs[row][1]
        if verdict in _PLAIN or (change and OF[verdict].harm == "none"):
            return change
        return f"{change} {self.weighing.cell(row, 'word') or ''}".strip()


def _arrow(old: str, new: str) -> str:
    """Write two values, with the unit once where both have it."""
    (number, _, unit), (_, _, other) = old.partition(" "), new.partition(" ")
    return f"{number if unit == other else old} → {new}"


def _bar(fields: list[dict[str, Any] | None]) -> list[Column]:
    """Return a column of intervals drawn on a logarithmic axis that has the point of no change."""
    known = [_ends(each) for each in fields]
    drawn = [each for each in known if each is not None]
    if not drawn:
        return []
    low = min(0.0, *(each[0] for each in drawn))
    high = max(0.0, *(each[2] for each in drawn))
    if high <= low:
        return []
    at: Callable[[float], int] = lambda value: round((value - low) / (high - low) * (_BAR - 1))  # noqa: E731
    zero = at(0.0)
    cells = []
    for each in known:
        marks = [" "] * _BAR
        marks[zero] = "│"
        if each is not None:
            first, middle, last = map(at, each)
            marks[first : last + 1] = "━" * (last - first + 1)
            marks[middle] = "●" if middle != zero or each[0] > 0 or each[2] < 0 else "┼"
        cells.append("".join(marks))
    axis = [" "] * _BAR
    axis[zero] = "0"
    return [Column("".join(axis), cells, 8, left=True)]


def _ends(fields: dict[str, Any] | None) -> tuple[float, float, float] | None:
    # The interval of a single pair has a confidence of 0 %.
    if fields is None or fields["scale"] != "ratio" or fields["change_level"] == 0:
        return None
    ends = fields["change_low"], fields["change"], fields["change_high"]
    if any(end is None or end <= -1 for end in ends):
        return None
    return log1p(ends[0]), log1p(ends[1]), log1p(ends[2])
