"""The section on what became worse: a card for each benchmark, with pictures of both sides and its other metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.comparison.codes import words
from statera.comparison.verdicts.findings import centres
from statera.output.plots import strip
from statera.output.report import figures
from statera.output.report.model import Card, Cell, Column, Prose, Section, Table
from statera.output.report.sections import suite
from statera.output.report.sections.index import index_of
from statera.output.report.sections.intervals import interval_words
from statera.output.report.sections.reading import Known, reading
from statera.output.report.sections.rows import TONES, change_cell
from statera.support.wording import NOTHING, counted, shown

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.report.material import Material
    from statera.output.report.model import Block
    from statera.output.report.sections.index import Index

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
        blocks.append(Prose((f"{counted(more, 'more has', 'more have')} no card; the tables list all of them.",)))
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
    return Table(title, columns, tuple(body), notes, len(rows)).without_empty()


def _cells(of: Index, row: int, judged: Index) -> tuple[Cell, ...]:
    fields, cell = of.fields(row), of.weighing.cell
    name = Cell(_native.printable(fields["metric"]), link=of.row_anchor(row) if of is judged else "")
    verdict = Cell(words(fields["verdict"]), None, TONES[fields["verdict"]], chip=True) if of is judged else Cell("")
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


def wanted(comparison: Comparison) -> list[str]:
    """Return the benchmarks whose secondary metrics are worth looking up: those of cards, and the worst of a suite."""
    index, weighing = index_of(comparison), comparison.weighing
    single = weighing.order(weighing.harmed(weighing.with_verdict(["one-value"])), "effect", False)  # noqa: FBT003
    return list(dict.fromkeys(index.fields(row)["benchmark"] for row in (*index.suspects, *single[: suite.NAMED])))
