"""The section on blocks: which of them changed most, with and without what strikes some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.comparison.results.blocks import has_events
from statera.output.report.model import Cell, Column, Fold, Prose, Section, Table
from statera.output.views import blocks as words

if TYPE_CHECKING:
    from statera.comparison.results.blocks import ChangedBlocks
    from statera.comparison.results.comparison import Comparison
    from statera.output.report.material import Material
    from statera.output.report.model import Block

_LEAD: Final = (
    "Values are paired by {word}, and each {word} is the same work in both builds. The median change is that of the "
    "changes of single {word}s; a ratio of sums would be that of the few most expensive ones."
)
# Rows that are shown, the others folded.
_MOST: Final = 2


def section(material: Material) -> Section | None:
    """Show the blocks that changed most, if that was asked for or some of them are struck by an event."""
    made: list[Block] = []
    for question in material.questions:
        comparison = question.comparison
        if not (comparison.blocks or has_events(comparison.observations)):
            continue
        tables = [each for found in comparison.changed_blocks() for each in _tables(comparison, found)]
        if tables and not made:
            made.append(Prose((_LEAD.format(word=words.word_of(comparison)),)))
        made += tables[:_MOST]
        made += [Fold("The other metrics and benchmarks", tuple(tables[_MOST:]))] if tables[_MOST:] else []
    return Section("blocks", "What changed most", tuple(made)) if made else None


def _tables(comparison: Comparison, found: ChangedBlocks) -> list[Table]:
    word, of = words.word_of(comparison), comparison.observations.native
    title, sides = words.title_of(comparison, found), words.sides_of(comparison, found)
    numbers = tuple(Column(side, numeric=True) for side in sides)

    def amounts(baseline: float, contender: float) -> tuple[Cell, ...]:
        texts = words.amounts(of, found.metric, baseline, contender)
        return tuple(Cell(text, key) for text, key in zip(texts, (baseline, contender), strict=True))

    parts = tuple(
        (
            Cell(part.words),
            Cell(f"{part.blocks:,}", part.blocks),
            *amounts(part.baseline, part.contender),
            Cell(_native.percent(part.change), part.change),
        )
        for part in found.parts
    )
    most = tuple(
        (
            Cell(_native.printable(each.block)),
            *amounts(each.baseline, each.contender),
            Cell(_native.percent(each.change), each.change),
            *([Cell("yes" if each.struck else "")] if found.event else []),
        )
        for each in found.most
    )
    columns = (Column(f"{word}s"), Column("number", numeric=True), *numbers, Column("median change", numeric=True))
    event = (Column(found.event),) if found.event else ()
    return [
        *([Table(f"{title}: all {word}s", columns, parts)] if len(parts) > 1 else []),
        Table(
            f"{title}: the {word}s that changed most, of {found.parts[0].blocks:,}",
            (Column(word), *numbers, Column("change", numeric=True), *event),
            most,
        ),
    ]
