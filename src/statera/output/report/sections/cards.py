"""What became worse: a card for each benchmark, with pictures of both sides and what its metrics say together.

Whether a benchmark does more work, or takes longer for the same work, is read from its counters. The rules are few,
because counters seldom prove a cause:

- Only changes that were found or excluded count; an undecided counter says nothing.
- Instructions up in proportion to time: more work. Instructions the same, or fewer: the same work takes longer.
- The same work takes more cycles, if cycles rose; if they did not, it waits, or the clock is slower.
- Misses, faults, allocations and bytes that rose are named; they are not a conclusion.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.comparison.codes import TABLE
from statera.comparison.verdicts.findings import centres
from statera.output.plots import strip
from statera.output.report import figures
from statera.output.report.model import Card, Cell, Column, Prose, Section, Table
from statera.output.report.sections.rows import TONES, change_cell, index_of, interval_words
from statera.support.wording import NOTHING, conjoined, counted, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.rows import Index

_MOST_METRICS = 24
_ASIDE = (
    "Metrics without a verdict are described only: the format counts them as secondary, and no verdict rests on them."
)


def section(material: Material) -> Section | None:
    """Show each benchmark that changed for the worse."""
    if material.comparison is None:
        return None
    index = index_of(material.comparison)
    aside = index_of(material.aside) if material.aside is not None else None
    cards = [_card(index, row, anchor, aside, place) for place, (row, anchor) in enumerate(index.suspects.items())]
    blocks: list[Block] = [*cards]
    if any(figure.picture.kind == "strip" for card in cards for figure in card.figures):
        blocks.insert(0, Prose((f"Pictures of values: {strip.SHOWN[0].lower()}{strip.SHOWN[1:]}.",)))
    more = len(index.answer.suspects) - len(index.suspects)
    if more:
        blocks.append(Prose((f"{counted(more, 'more has', 'more have')} no card. The tables list all of them.",)))
    undirected = index.weighing.undirected(list(index.suspects))
    title = "What became worse or changed" if undirected else "What became worse"
    return Section("suspects", title, tuple(blocks)) if blocks else None


def _card(index: Index, row: int, anchor: str, aside: Index | None, place: int) -> Card:
    others = _others(index, row, aside)
    told = [_known(of, each) for of, each in others]
    tone = TONES[index.fields(row)["verdict"]]
    pictures = figures.of_row(index.comparison, index.fields(row), place)
    read = reading(_known(index, row), told)
    return Card(anchor, index.title(row), _said(index, row), tone, read, tuple(pictures), _table(index, row, others))


def _said(index: Index, row: int) -> str:
    """Write the verdict, the change, its interval and the values of a row in a line."""
    fields, cell = index.fields(row), index.weighing.cell
    change = f"{_native.printable(fields['metric'])} {shown(cell(row, 'change'))} {interval_words(index, row)}".strip()
    parts = [shown(cell(row, "verdict")), change, centres(index.weighing, row)]
    return "; ".join(part for part in parts if part) + "."


def _others(index: Index, row: int, aside: Index | None) -> list[tuple[Index, int]]:
    """Return the row and those of the other metrics of its benchmark, group and pair, each with its comparison."""
    fields = index.fields(row)
    names = ("benchmark", "group", "baseline", "contender")
    key = tuple(fields[name] for name in names)
    found = [(index, each) for each in index.by_names(names).get(key, ()) if each != row]
    known = {fields["metric"], *(index.fields(each)["metric"] for _, each in found)}
    if aside is not None:
        more = aside.by_names(names).get(key, ())
        found += [(aside, each) for each in more if aside.fields(each)["metric"] not in known]
    return found


def _known(index: Index, row: int) -> Known:
    fields = index.fields(row)
    return Known(shown(index.weighing.cell(row, "change")), index.quantity(fields["metric"]), fields)


def _table(index: Index, row: int, others: list[tuple[Index, int]]) -> Table | None:
    """List the metrics of the benchmark, first the one that the card is about; None if it has no others."""
    if not others:
        return None
    rows = [(index, row), *others]
    body = [_cells(of, each, index) for of, each in rows[:_MOST_METRICS]]
    body += ratios([of.fields(each) for of, each in rows])
    fields = index.fields(row)
    sides = [_native.printable(fields[side]) for side in ("baseline", "contender")]
    columns = (
        Column("metric"),
        Column("verdict"),
        Column("change", numeric=True),
        *(Column(name, numeric=True, minor=True) for name in sides),
        Column("interval", numeric=True, minor=True),
    )
    notes = (_ASIDE,) if any(of is not index for of, _ in rows) else ()
    title = f"Metrics of {index.title(row)}"
    return Table(title, columns, tuple(body), notes, max(len(rows), len(body))).without_empty()


def ratios(metrics: Sequence[dict[str, Any]]) -> Iterator[tuple[Cell, ...]]:
    """Write the ratios of the medians of counters that no metric states, as perf stat prints them."""
    of = {bare(fields["metric"]): fields for fields in metrics}
    for title, tops, bottoms, is_share in _RATIOS:
        top, bottom = (next((of[name] for name in names if name in of), None) for names in (tops, bottoms))
        if top is None or bottom is None or title.lower() in of:
            continue
        sides = [(top[side], bottom[side]) for side in ("baseline_centre", "contender_centre")]
        if all(over is not None and under for over, under in sides):
            values = [over / under for over, under in sides]
            texts = [f"{100 * value:.3g} %" if is_share else f"{value:.3g}" for value in values]
            yield (Cell(title), Cell(""), Cell(""), *map(Cell, texts, values), Cell(NOTHING))


def _cells(of: Index, row: int, judged: Index) -> tuple[Cell, ...]:
    fields, cell = of.fields(row), of.weighing.cell
    name = Cell(_native.printable(fields["metric"]), link=of.row_anchor(row) if of is judged else "")
    verdict = Cell(of.comparison.word([row]), None, TONES[fields["verdict"]], chip=True) if of is judged else Cell("")
    # What is only described has no verdict that could leave it open.
    change = (
        change_cell(of, row, TONES[fields["verdict"]])
        if of is judged
        else Cell(shown(cell(row, "change")), fields["change"])
    )
    return (
        name,
        verdict,
        change,
        Cell(shown(cell(row, "baseline_centre")), fields["baseline_centre"]),
        Cell(shown(cell(row, "contender_centre")), fields["contender_centre"]),
        Cell(interval_words(of, row) or NOTHING, fields["change_low"]),
    )


# Verdicts that say that a metric changed, or that it did not.
_KNOWN: Final = tuple(each.code for each in TABLE if each.part == "typical" and each.is_settled)
_INSTRUCTIONS: Final = ("instructions", "instructions (callgrind)", "ir", "cpuinstructions")
_CYCLES: Final = ("cycles", "cpu-cycles", "cpucycles")
_MISSES: Final = ("miss", "fault", "switch", "stall", "migration")
_ALLOCATIONS: Final = ("alloc",)
# The part of the change of time (as a logarithm) that instructions explain: up to the first they do not explain it,
# between the second and the third they explain it. Between the first and the second there is no reading.
_LITTLE, _MOST_OF_IT, _TOO_MUCH = 0.25, 0.6, 1.7
# A smaller change of time has no cause that counters show.
_LEAST: Final = math.log(1.01)
_SHOWN: Final = 3
# So many metrics that rose are named.
_NAMED: Final = 3


# Ratios of counters that perf stat prints beside them: its name, the names of both counters, and whether it is a share.
_RATIOS: Final = (
    ("insn per cycle", _INSTRUCTIONS, _CYCLES, False),
    ("CPUs utilized", ("task-clock",), ("time elapsed", "elapsed", "time"), False),
    ("branch-misses of all branches", ("branch-misses",), ("branches", "branch-instructions"), True),
    ("cache-misses of all cache refs", ("cache-misses",), ("cache-references",), True),
    ("L1-dcache-load-misses of all L1-dcache accesses", ("l1-dcache-load-misses",), ("l1-dcache-loads",), True),
    ("LLC-load-misses of all LL-cache accesses", ("llc-load-misses",), ("llc-loads",), True),
    ("dTLB-load-misses of all dTLB cache accesses", ("dtlb-load-misses",), ("dtlb-loads",), True),
    ("frontend cycles idle", ("stalled-cycles-frontend",), _CYCLES, True),
    ("backend cycles idle", ("stalled-cycles-backend",), _CYCLES, True),
)


def bare(metric: str) -> str:
    """Return a counter's name without the suffixes of perf, which say in which mode an event was counted."""
    return metric.lower().partition(":")[0]


class Known(NamedTuple):
    """A metric of the benchmark: its change as written, and its fields."""

    text: str
    quantity: str
    fields: dict[str, Any]

    @property
    def name(self) -> str:
        """The name of the counter."""
        return bare(self.fields["metric"])

    @property
    def rise(self) -> float | None:
        """The change as a logarithm, 0 if it was excluded; None if it is not known or no ratio."""
        if self.fields["verdict"] == "equivalent":
            return 0.0
        change = self.fields["change"]
        known = self.fields["verdict"] in _KNOWN and self.fields["scale"] == "ratio" and change is not None
        return math.log1p(change) if known and -1 < change < math.inf else None

    @property
    def risen(self) -> bool:
        """Whether it rose."""
        return self.fields["verdict"] in _KNOWN[:3] and (self.fields["change"] or 0.0) > 0

    def is_any(self, names: Sequence[str]) -> bool:
        """Whether it has one of these names."""
        return self.name in names

    def has(self, parts: Sequence[str]) -> bool:
        """Whether its name contains one of these parts."""
        return any(part in self.name for part in parts)


def reading(time: Known, others: Sequence[Known]) -> str:
    """Read the metrics of a benchmark whose ``time`` rose, in a sentence; empty if they say nothing."""
    if time.quantity != "time" or time.rise is None or time.rise < _LEAST:
        return ""
    told = [each for each in others if each.fields["verdict"] in _KNOWN and _counts(each)]
    if not told:
        return ""
    works = _work(time.rise, told)
    risen = [each for each in told if each.risen and (each.has(_MISSES) or _memory(each))]
    if not works and not risen:
        return ""
    why = [each for names in (_INSTRUCTIONS, _CYCLES) for each in told if each.is_any(names)]
    more, rest = risen[:_NAMED], risen[_NAMED:]
    rest += [each for each in told if each not in risen and each.has(_MISSES)]
    # Counters without a conclusion are listed with the others.
    rest = rest if works else [*why, *rest]
    parts = [f"{works} ({_listed(why)})"] if works else []
    parts += [f"more {conjoined([f'{_name(each)} ({each.text})' for each in more])}"] if more else []
    parts += [_listed(rest[:_SHOWN])] if rest else []
    said = "; ".join(parts)
    return f"{said[:1].upper()}{said[1:]}."


def _name(each: Known) -> str:
    return _native.printable(each.fields["metric"])


def _listed(counters: Iterable[Known]) -> str:
    return ", ".join(f"{_name(each)} {each.text}" for each in counters)


def counters(metrics: Sequence[str]) -> list[str]:
    """Return the metrics that are counters of the reading, those first that explain most."""
    classes: tuple[Callable[[str], bool], ...] = (
        lambda name: name in (*_INSTRUCTIONS, *_CYCLES),
        lambda name: "miss" in name,
        lambda name: any(part in name for part in _MISSES),
    )
    found = dict.fromkeys(metric for fits in classes for metric in metrics if fits(bare(metric)))
    return list(found)


def _counts(each: Known) -> bool:
    return each.is_any((*_INSTRUCTIONS, *_CYCLES)) or each.has(_MISSES) or _memory(each)


def _memory(each: Known) -> bool:
    return each.quantity == "bytes" or each.has(_ALLOCATIONS)


def _work(time: float, told: Iterable[Known]) -> str:
    instructions = next((each.rise for each in told if each.is_any(_INSTRUCTIONS)), None)
    cycles = next((each.rise for each in told if each.is_any(_CYCLES)), None)
    if instructions is None:
        return ""
    part = instructions / time
    if _MOST_OF_IT <= part <= _TOO_MUCH:
        return "more work"
    if part > _LITTLE:
        return ""
    work = "the same work" if abs(part) <= _LITTLE else "less work"
    if cycles is None:
        return f"more time for {work}"
    return f"more cycles for {work}" if cycles > _LITTLE * time else f"waiting or a slower clock, for {work}"
