"""Tables of the rows of a comparison, shared by sections: their cells, their groups, the axis of their intervals.

Numbers are the same as in the terminal. The axis is one of cost, so that worse lies to the right in every row.
"""

from __future__ import annotations

import functools
import math
import re
from typing import TYPE_CHECKING, Any, Final, NamedTuple, cast
from weakref import WeakKeyDictionary

from statera import _native
from statera.comparison.codes import TABLE, VERDICTS
from statera.comparison.verdicts.findings import distinguishing, place_words, row_name
from statera.output.report.model import Cell, Column, Group, Interval, Table, Tone
from statera.support.wording import NOTHING, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from statera.comparison.results.comparison import Comparison, Section
    from statera.comparison.verdicts import Answer
    from statera.comparison.weighing.metric_rules import Rule
    from statera.output.report.material import Material

_NO_ADDRESS: Final = re.compile(r"[^0-9A-Za-z]+")
_LONGEST: Final = 60
# As many rows have a card.
MOST_CARDS: Final = 12


class Index:
    """The rows of a comparison; everything is looked up once, because several sections ask for the same rows."""

    def __init__(self, comparison: Comparison, number: int) -> None:
        self.comparison = comparison
        self.weighing = comparison.weighing
        self._number = number
        self._fields: dict[int, dict[str, Any]] = {}
        self._addresses: dict[int, str] = {}
        self._taken: set[str] = set()
        self._by_names: dict[tuple[str, ...], dict[tuple[str, ...], list[int]]] = {}

    def fields(self, row: int) -> dict[str, Any]:
        """Return the fields of a row."""
        if row not in self._fields:
            self._fields[row] = self.weighing.row_dict(row)
        return self._fields[row]

    def name(self, row: int) -> str:
        """Return the benchmark of a row as tables write it."""
        return shown(self.weighing.cell(row, "benchmark"))

    def is_open(self, row: int) -> bool:
        """Whether tables write ``~`` as a row's change, because not even its direction is known."""
        return self.weighing.is_open(row)

    def by_names(self, names: tuple[str, ...]) -> dict[tuple[str, ...], list[int]]:
        """Return the rows by some of their fields, in their order."""
        if names not in self._by_names:
            found: dict[tuple[str, ...], list[int]] = {}
            for row in range(len(self.comparison)):
                fields = self.fields(row)
                found.setdefault(tuple(fields[name] for name in names), []).append(row)
            self._by_names[names] = found
        return self._by_names[names]

    def quantity(self, metric: str) -> str:
        """Return what a metric measures, such as ``time``."""
        return self._quantities[metric]

    @functools.cached_property
    def _quantities(self) -> dict[str, str]:
        return {metric.name: metric.quantity for metric in self.comparison.observations.metrics}

    def rule(self, metric: str) -> Rule:
        """Return how a metric is judged."""
        return self._rules[metric]

    @functools.cached_property
    def _rules(self) -> dict[str, Rule]:
        metrics, assignment = self.comparison.observations.metrics, self.comparison.arrangement.assignment
        found = zip(metrics, assignment.metrics, strict=True)
        return {metric.name: rule for metric, rule in found if rule is not None}

    @functools.cached_property
    def answer(self) -> Answer:
        """The answer of the comparison."""
        return self.comparison.answer

    @functools.cached_property
    def suspects(self) -> dict[int, str]:
        """The rows that have a card, with its anchor; only those of the requested comparison have one."""
        chosen = self.answer.suspects[:MOST_CARDS] if self._number == 0 else []
        return {row: self.row_anchor(row).replace("row-", "suspect-", 1) for row in chosen}

    @functools.cached_property
    def _cards(self) -> dict[tuple[str, ...], str]:
        return {self.subject(row): anchor for row, anchor in self.suspects.items()}

    def subject(self, row: int) -> tuple[str, ...]:
        """Return what a row is about: its benchmark (or metric, if that is the subject), group and pair."""
        fields = self.fields(row)
        names = (self.comparison.observations.words.subject, "group", "baseline", "contender")
        return tuple(fields[name] for name in names)

    def card_of(self, row: int) -> str:
        """Return the anchor of the card on a row's subject; empty if there is none."""
        return self._cards.get(self.subject(row), "")

    def link(self, row: int) -> str:
        """Return where to read more on a row: its card, else its place in the tables."""
        return self.card_of(row) or self.row_anchor(row)

    def row_anchor(self, row: int) -> str:
        """Return the address of a row, which says what the row is about and does not depend on other benchmarks."""
        if row not in self._addresses:
            of = self.fields(row)
            names = [of[name] for name in self._told]
            words = (_NO_ADDRESS.sub("-", name).strip("-")[-_LONGEST:].strip("-") for name in names)
            number = str(self._number + 1) if self._number else ""
            bare = "-".join(word for word in ("row", number, *words) if word)
            self._addresses[row] = self._free(bare)
        return self._addresses[row]

    def _free(self, bare: str) -> str:
        address, again = bare, 2
        while address in self._taken:
            address, again = f"{bare}--{again}", again + 1
        self._taken.add(address)
        return address

    def place_words(self, row: int) -> str:
        """Write the pair and the group of a row as far as they tell rows apart, such as `` of new at ghc: 9``."""
        return place_words(self.weighing, row, self._whose)

    def title(self, row: int) -> str:
        """Name what a row is about: its benchmark or metric, and the pair and group where there are several."""
        return row_name(self.weighing, row, self.comparison.observations.words.subject) + self.place_words(row)

    @functools.cached_property
    def several_metrics(self) -> bool:
        """Whether rows of several metrics are compared, so that a change must name its own."""
        return len({section[1] for section in self.weighing.sections()}) > 1

    @functools.cached_property
    def _whose(self) -> tuple[bool, bool, bool]:
        return distinguishing(self.weighing)

    @functools.cached_property
    def _told(self) -> list[str]:
        """The names that tell rows apart; the benchmark is always told."""
        sections = self.weighing.sections()
        several = {
            name: len({section[place] for section in sections}) > 1
            for place, name in enumerate(("group", "metric", "baseline", "contender"))
        }
        return ["benchmark", *(name for name in ("metric", "group", "contender", "baseline") if several[name])]


_KEPT: Final[WeakKeyDictionary[Comparison, Index]] = WeakKeyDictionary()


def index_of(comparison: Comparison, number: int = 0) -> Index:
    """Return the index of a comparison; ``number`` is that of its question."""
    if comparison not in _KEPT:
        _KEPT[comparison] = Index(comparison, number)
    return _KEPT[comparison]


def indexes(material: Material) -> list[Index]:
    """Return the index of each question."""
    return [index_of(question.comparison, number) for number, question in enumerate(material.questions)]


def tally(index: Index, rows: Iterable[int]) -> dict[str, int]:
    """Count rows by verdict."""
    counts: dict[str, int] = {}
    for row in rows:
        verdict = index.fields(row)["verdict"]
        counts[verdict] = counts.get(verdict, 0) + 1
    return counts


# A table shows this many rows at most, the worst first; the attachment has all.
MOST_ROWS: Final = 1000
TONES: Final = cast("dict[str, Tone]", {each.code: each.tone for each in TABLE})
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_UNKNOWN: Final = " ± ?"
OPEN: Final = "~"
# The names that a row may have besides its benchmark, and their headings.
_NAMES: Final = {"metric": "metric", "contender": "variant", "baseline": "against", "group": "level"}


def row_table(index: Index, rows: Sequence[int], title: str, full: str) -> Table:
    """Write rows of a comparison, the worst first and in groups if that helps; the attachment ``full`` has all rows."""
    order = [*rows]
    if len(order) > MOST_ROWS:
        order = index.weighing.order(order, "worst", changed=False)[:MOST_ROWS]
    made = grouped(index, order)
    axis = axis_of(index, made.rows)
    heads, body = _written(index, made, axis)
    drawn = [cell.interval for row in body for cell in row if cell.interval]
    # As in the terminal, a column with only dashes (single values have no p) is left out.
    keep = [place for place in range(len(heads)) if any(row[place].text not in {NOTHING, ""} for row in body)]
    table = Table(
        title,
        tuple(heads),
        tuple(map(tuple, body)),
        total=len(rows),
        full=full,
        anchors=tuple(index.row_anchor(row) for row in made.rows),
        groups=made.groups,
        drawn=_drawn(index, drawn, axis) if drawn else "",
    )
    return table.with_columns(keep)


def _drawn(index: Index, drawn: Sequence[Interval], axis: Axis) -> str:
    level = f"{index.comparison.policy.level} %"
    spans = any(each.low < each.high for each in drawn)
    what = f"Lines beside the changes are their {level} intervals" if spans else "Marks beside the changes"
    beyond = "; arrows lead beyond" if any(each.cut_low or each.cut_high for each in drawn) else ""
    return f"{what}: {axis.words}{beyond}."


def _written(index: Index, made: Grouped, axis: Axis) -> tuple[list[Column], list[list[Cell]]]:
    weighing, comparison = index.weighing, index.comparison
    fields = [index.fields(row) for row in made.rows]
    names = [name for name in _NAMES if name not in made.told and len({each[name] for each in fields}) > 1]
    # A benchmark that is the only one names no row, unless nothing else does.
    named = not names or len({each["benchmark"] for each in fields}) > 1
    mean = ("mean",) if comparison.policy.mean else ()
    sides = [_side(fields, side) for side in ("baseline", "contender")]
    heads = [
        *([Column("benchmark")] if named else []),
        *(Column(_NAMES[name]) for name in names),
        Column("verdict"),
        Column(weighing.heading("change"), numeric=True),
        *(Column(name, numeric=True, minor=True) for name in sides),
        *(
            Column(weighing.heading(name), numeric=True, minor=True, repeats=name in {"n", "p"})
            for name in ("n", "interval", *mean, "p")
        ),
        Column("remark", minor=True),
    ]
    marks = {note.code: note.number for note in comparison.notes if note.number}
    body = []
    for row, each in zip(made.rows, fields, strict=True):
        link = index.card_of(row)
        told = [Cell(index.name(row), link=link)] if named else []
        told += [
            Cell(_native.printable(each[name]), link="" if told or place else link) for place, name in enumerate(names)
        ]
        chip = Cell(index.comparison.word([row]), None, TONES[each["verdict"]], chip=True)
        body.append([*told, chip, *_numbers(index, row, axis, mean), Cell(_remark(index, row, marks))])
    return heads, body


def _side(fields: list[dict[str, Any]], side: str) -> str:
    """Name a column of centres: by its variant, if all rows have the same."""
    of = {each[side] for each in fields}
    return _native.printable(of.pop()) if len(of) == 1 else side


def _numbers(index: Index, row: int, axis: Axis, mean: tuple[str, ...]) -> list[Cell]:
    fields, cell = index.fields(row), index.weighing.cell
    keys = {
        "baseline": fields["baseline_centre"],
        "contender": fields["contender_centre"],
        "n": fields["baseline_n"],
        "interval": fields["change_low"],
        **dict.fromkeys(mean, fields["mean_change"]),
        "p": fields["p_corrected"],
    }
    tone = TONES[fields["verdict"]]
    change = change_cell(index, row, tone, axis.place(index, row))
    # Of a value without others the spread is not known, which needs no sign in every cell.
    return [change, *(Cell(shown(cell(row, name)).removesuffix(_UNKNOWN), key) for name, key in keys.items())]


def change_cell(index: Index, row: int, tone: Tone, drawn: Interval | None = None) -> Cell:
    """Write the change of a row, which sorts by its estimate; ``~`` if not even its direction is known."""
    words, key = shown(index.weighing.cell(row, "change")), index.fields(row)["change"]
    if not index.is_open(row):
        return Cell(words, key, tone, drawn)
    # A phone shows neither the interval nor its drawing.
    known = f"estimate {words}, interval {interval_words(index, row)}"
    return Cell(OPEN, key, tone, drawn, means=f"No clear change, not even the direction is known: {known}")


def _remark(index: Index, row: int, marks: dict[str, int]) -> str:
    """Write what the verdict's cell says besides the verdict: its reason, and the numbers of notes."""
    fields = index.fields(row)
    said = shown(index.weighing.cell(row, "verdict")).removeprefix(index.comparison.word([row])).lstrip(": ")
    if said.startswith("(") and said.endswith(")") and said.count("(") == 1:
        said = said[1:-1]
    numbers = [marks[code] for code in fields["warnings"] if marks.get(code)]
    signs = " ".join(str(number).translate(_SUPERSCRIPTS) for number in sorted(numbers))
    return f"{said} {signs}".strip()


def text_table(title: str, rows: Sequence[Sequence[str]], *, left: int = 1) -> Table:
    """Build a table from texts, the heading first; the first ``left`` columns are not numbers."""
    head, *body = rows
    columns = tuple(Column(name, numeric=place >= left) for place, name in enumerate(head))
    return Table(title, columns, tuple(tuple(Cell(text) for text in row) for row in body))


def where(comparison: Comparison, section: Section) -> str:
    """Write the name of a section: its metric, group and pair, as far as they distinguish it from others."""
    fields = comparison.weighing.row_dict(section.rows[0])
    words = [fields["metric"]]
    if section.contender is not None and comparison.labels[2:]:
        words[0] += f" of {fields['contender']} against {fields['baseline']}"
    if fields["group"]:
        words.append(fields["group"])
    return ", ".join(_native.printable(word) for word in words)


# Fewer groups or rows in them would only lengthen a table.
_LEAST_GROUPS: Final = 2
_LEAST_ROWS: Final = 3
# Names make groups if most rows have a neighbour of the same first word, and if there are not too many groups.
_MOST_ALONE: Final = 0.2
_LONG: Final = 8
_PART: Final = re.compile(r"[/:.]+")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+|.", re.DOTALL)
_OTHERS: Final = "Others"


class Grouped(NamedTuple):
    """Rows in the order of a table, their groups, and the fields that the titles of the groups name."""

    rows: list[int]
    groups: tuple[Group, ...]
    told: tuple[str, ...]


def grouped(index: Index, rows: Sequence[int]) -> Grouped:
    """Group the rows of a table by what helps most; the group with the worst row first, each with its worst first."""
    order = index.weighing.order([*rows], "worst", changed=False)
    for told, key in (
        (("metric",), lambda row: _native.printable(index.fields(row)["metric"])),
        (("group",), lambda row: _native.printable(index.fields(row)["group"])),
        (("contender", "baseline"), lambda row: _pair(index.fields(row))),
        ((), _by_name(index, order)),
    ):
        made = _made(index, order, key, told) if key else None
        if made:
            return made
    return Grouped(order, (), ())


def _pair(fields: dict[str, Any]) -> str:
    return _native.printable(f"{fields['contender']} against {fields['baseline']}")


def _made(index: Index, order: Sequence[int], key: Callable[[int], str], told: tuple[str, ...]) -> Grouped | None:
    of: dict[str, list[int]] = {}
    for row in order:
        of.setdefault(key(row), []).append(row)
    if sum(len(rows) >= _LEAST_ROWS for rows in of.values()) < _LEAST_GROUPS:
        return None
    groups = tuple(Group(title, answer_words(index, rows), len(rows)) for title, rows in of.items())
    return Grouped([row for rows in of.values() for row in rows], groups, told)


def answer_words(index: Index, rows: Sequence[int]) -> str:
    """Write how many rows have which verdict, the worst first."""
    of: dict[str, list[int]] = {}
    for row in rows:
        of.setdefault(index.fields(row)["verdict"], []).append(row)
    return " · ".join(f"{len(of[code]):,} {index.comparison.word(of[code])}" for code in VERDICTS if code in of)


def _by_name(index: Index, rows: Sequence[int]) -> Callable[[int], str] | None:
    """Return the group of a row by its benchmark's first part or word; None if neither groups the rows well."""
    names = {row: index.name(row) for row in rows}
    if len(set(names.values())) < _LONG:
        return None
    prefix = _common(list(names.values()))
    for cut in (_first_part, _first_word):
        firsts = {row: cut(name[len(prefix) :]) for row, name in names.items()}
        counts: dict[str, int] = {}
        for first in firsts.values():
            counts[first] = counts.get(first, 0) + 1
        kept = {first for first, count in counts.items() if count >= _LEAST_ROWS and first}
        alone = sum(count for first, count in counts.items() if first not in kept)
        if len(kept) >= _LEAST_GROUPS and alone <= _MOST_ALONE * len(rows):
            return lambda row, firsts=firsts, kept=kept: (  # type: ignore[misc]
                prefix + firsts[row] if firsts[row] in kept else _OTHERS
            )
    return None


def _common(names: Sequence[str]) -> str:
    """Return the parts that all names begin with, such as the path of a module."""
    least, most = min(names), max(names)
    shared = next((place for place, sign in enumerate(least) if place >= len(most) or most[place] != sign), len(least))
    ends = [match.end() for match in _PART.finditer(least[:shared])]
    return least[: ends[-1]] if ends else ""


def _first_part(name: str) -> str:
    parts = _PART.split(name, maxsplit=1)
    return parts[0] if len(parts) > 1 else ""


def _first_word(name: str) -> str:
    found = _WORD.match(name)
    return found[0] if found and found[0].isalpha() else ""


# With so many rows the axis may end before the largest change, if that exceeds the usual ones so many times.
_ENOUGH: Final = 4
_FAR: Final = 15.0
# Of rows none of which changed at all.
_FLAT: Final = (-1.0, 1.0)
# Each side of no change takes at least this share of the axis; so much room stays beyond the outermost mark.
_LEAST: Final = 0.14
_ROOM: Final = 0.04
_RATES: Final = "higher"


class _Span(NamedTuple):
    """A change and the ends of its interval on the axis; an end is infinite if it is open."""

    low: float
    middle: float
    high: float


# Ratios that people know by heart.
_TICKS: Final = (
    0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.99, 1.01, 1.02, 1.05, 1.1, 1.2, 1.5, 2, 5, 10, 20, 50, 100,
)  # fmt: skip
# What a character and the gap between two labels take of the axis where a page is narrow.
_CHARACTER: Final = 0.03
_GAP: Final = 0.03
_TENFOLD: Final = 10


class Axis(NamedTuple):
    """An axis of changes of cost: logarithms of ratios, or differences; a rate that falls costs more."""

    ratio: bool  # whether the places are logarithms of ratios
    # low, high: the ends
    low: float
    high: float
    words: str  # what left and right mean, as a sentence without a full stop
    signed: bool = True  # whether a place means the same change in all rows: not where rates are among times

    def place(self, index: Index, row: int) -> Interval | None:
        """Return a row's change as places on the axis; None if the row has no change of this kind."""
        span = _span(index, row, ratio=self.ratio)
        if span is None:
            return None
        low, middle, high = (self._at(value) for value in span)
        return Interval(low, middle, high, self._at(0.0), span.low < self.low, span.high > self.high)

    def ticks(self) -> tuple[tuple[float, str], ...]:
        """Return places of the axis with the changes there: none of differences, which rows have in their own units."""
        if not self.ratio or not self.signed:
            return ()
        found: list[tuple[float, str]] = [(self._at(0.0), "0")]
        for ratio in sorted(_TICKS, key=lambda ratio: -abs(math.log(ratio))):
            value = math.log(ratio)
            place = self._at(value)
            label = f"×{ratio:g}" if ratio >= _TENFOLD else f"{100 * (ratio - 1):+.0f}%".replace("-", "−")
            if self.low < value < self.high and all(
                abs(place - other) >= _GAP + _CHARACTER * (len(label) + len(of)) / 2 for other, of in found
            ):
                found.append((place, label))
        return tuple(sorted(found))

    def _at(self, value: float) -> float:
        return round(min(max((value - self.low) / (self.high - self.low), 0.0), 1.0), 4)


def axis_of(index: Index, rows: Sequence[int]) -> Axis:
    """Choose the axis of rows: of ratios, unless most rows have differences of one metric."""
    fields = [index.fields(row) for row in rows]
    changes = [each for each in fields if each["change"] is not None]
    one_metric = len({each["metric"] for each in changes}) <= 1
    ratio = not one_metric or 2 * sum(each["scale"] == "ratio" for each in changes) >= len(changes)
    spans = [span for span in (_span(index, row, ratio=ratio) for row in rows) if span is not None]
    low, high = _ends(spans)
    rates = any(index.rule(each["metric"]).better == _RATES for each in fields)
    return Axis(ratio, low, high, _words(index, rows, (low, high), ratio=ratio), signed=not rates)


def _span(index: Index, row: int, *, ratio: bool) -> _Span | None:
    fields = index.fields(row)
    if fields["change"] is None or (fields["scale"] == "ratio") != ratio:
        return None
    low = -math.inf if fields["change_low_open"] else fields["change_low"]
    high = math.inf if fields["change_high_open"] else fields["change_high"]
    middle = _along(fields["change"], ratio=ratio)
    ends = [middle if end is None else _along(end, ratio=ratio) for end in (low, high)]
    span = _Span(ends[0], middle, ends[1])
    return _Span(-span.high, -span.middle, -span.low) if index.rule(fields["metric"]).better == _RATES else span


def _along(change: float, *, ratio: bool) -> float:
    if not ratio:
        return change
    return math.log1p(change) if change > -1 else -math.inf


def _ends(spans: Sequence[_Span]) -> tuple[float, float]:
    """Return ends that hold all changes and intervals, but those that would compress all others."""
    sizes = sorted(
        max(abs(end) for end in span if math.isfinite(end)) for span in spans if any(map(math.isfinite, span))
    )
    if not sizes or sizes[-1] <= 0:
        return _FLAT
    usual = sizes[len(sizes) // 2]
    most = _FAR * usual if len(sizes) >= _ENOUGH and usual > 0 else math.inf
    ends = [min(max(end, -most), most) for span in spans for end in span if math.isfinite(end)]
    low, high = min([0.0, *ends]), max([0.0, *ends])
    least = _LEAST * (high - low)
    low, high = min(low, -least), max(high, least)
    room = _ROOM * (high - low)
    return low - room, high + room


def _words(index: Index, rows: Iterable[int], ends: tuple[float, float], *, ratio: bool) -> str:
    """Say which side is worse; and where the axis ends, if one sign means the same in all rows and any changed."""
    names = {index.fields(row)["metric"] for row in rows}
    metrics = [metric for metric in index.comparison.observations.metrics if metric.name in names]
    directions = [(metric.quantity, index.rule(metric.name).better) for metric in metrics]
    better = {direction for _, direction in directions}
    bad = "slower" if all(_native.is_speed(*each) for each in directions) else "worse"
    words = f"{'more' if better <= {None} else bad} to the right"
    if None in better and len(better) > 1:
        words += ", more where the direction is not known"
    if not ratio or len(better) != 1 or ends == _FLAT:
        return words
    turn = -1 if better == {_RATES} else 1
    low, high = (_native.percent(math.expm1(min(turn * end, 700.0))) for end in ends)
    return f"{words}; the axis runs from {low} to {high}"


def interval_words(index: Index, row: int) -> str:
    """Write the interval of a row; empty if it has none, or if its change is exact."""
    words = index.weighing.cell(row, "interval") or ""
    return "" if words.endswith("(exact)") else words
