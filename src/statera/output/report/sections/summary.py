"""The summary: findings with numbers, the worst first; caveats; an overview of every metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera import _native
from statera.output.report.model import Cell, Column, Fold, Item, Items, Prose, Section, Table
from statera.output.report.sections import atlas, suite
from statera.output.report.sections.banner import banner
from statera.output.report.sections.grouping import answer_words
from statera.output.report.sections.index import index_of
from statera.output.report.sections.quantiles import MOST_LINES, where_it_differs
from statera.output.report.sections.rows import where
from statera.output.report.sections.sentences import sentences
from statera.output.views.comment import NO_BREAK
from statera.output.views.factors import depends, interaction_lines
from statera.output.views.terminal import mean_parts
from statera.support.wording import counted

if TYPE_CHECKING:
    from statera.comparison.results.comparison import Comparison
    from statera.output.report.material import Material
    from statera.output.report.model import Block

# Notes that affect the credibility of findings, the most important first.
_CARE: Final = (
    "moves-as-one",
    "machine-differs",
    "measured-elsewhere",
    "one-process",
    "too-few-runs",
    "family-too-large",
    "empty-cell",
)
_OVERVIEW: Final = 60
# If the sentences name every row, an overview would repeat them.
_FEW: Final = 12
_ROWS_OF_EACH: Final = 4
# So many effects that depend on a level are open.
_EFFECTS: Final = 4


def section(material: Material) -> Section | None:
    """Summarise the findings."""
    blocks: list[Block] = banner(material)
    if material.comparison is not None:
        blocks += _of(material.comparison)
    elif material.inspection is not None:
        said = tuple(Item(_native.printable(line)) for line in material.inspection.findings)
        blocks.append(Items(said if material.reason is not None else said[1:]))
    blocks += atlas.shares(material)
    if material.observations.left_out:
        kinds = ", ".join(f"{code} {count:,}" for code, count in material.observations.left_out_by_code.items())
        count = material.observations.left_out
        left = counted(count, "line, record or file was", "lines, records or files were")
        text = f"{left} left out of reading ({kinds})"
        blocks.append(Items((Item(f"{text}; see the data quality.", "inconclusive"),)))
    if material.observations.apart:
        blocks.append(Items((Item(f"Counted apart, because they hold no result: {material.observations.apart}."),)))
    return Section("summary", "Summary", tuple(blocks))


def _of(comparison: Comparison) -> list[Block]:
    """Summarise the findings of a comparison below its answer."""
    blocks: list[Block] = [*_findings(sentences(comparison)), *_interactions(comparison)]
    blocks += suite.described(comparison)
    along = where_it_differs(comparison)
    if 0 < len(along) <= MOST_LINES:
        blocks.append(Prose(("Where in the distribution, by bands that hold at all quantiles at once:",)))
        blocks.append(Items(tuple(Item(line) for line in along)))
    care = [note for code in _CARE for note in comparison.notes if note.code == code]
    if care:
        texts = (Item(f"{note.text}{_rows(note.rows)}", "inconclusive") for note in care)
        blocks += [Prose(("Read this with care:",)), Items(tuple(texts))]
    overview = _overview(comparison)
    return [*blocks, overview] if overview else blocks


def _findings(items: list[Item]) -> list[Block]:
    """Show what is said of many rows; the sentences on single rows repeat the banner, and add values and p."""
    single, many = [item for item in items if item.link], [item for item in items if not item.link]
    title = f"In sentences: {counted(len(single), 'finding')}"
    found: list[Block] = []
    if single:
        found.append(Fold(title, (Items(tuple(single), findings=True),), on_paper=True, drawn_above=True))
    return [*found, Items(tuple(many), findings=True)] if many else found


def _interactions(comparison: Comparison) -> list[Block]:
    """Say whether effects depend on a level: those that do are open."""
    question, *lines = [line.strip() for line in interaction_lines(comparison)] or [""]
    if not lines:
        return []
    items = [Item(line) for line in lines]
    found = sum(depends(each, comparison.policy.alpha) for each in comparison.interactions)
    if len(items) > 1 and not found:
        said = f"{question} Not shown for any of {len(comparison.interactions):,} effects."
        return [Prose((said,)), Fold("The effects at each level", (Items(tuple(items)),))]
    most = min(max(found, 1), _EFFECTS)
    blocks: list[Block] = [Prose((question,)), Items(tuple(items[:most]))]
    return [*blocks, Fold("The other effects", (Items(tuple(items[most:])),))] if items[most:] else blocks


def _rows(count: int) -> str:
    return f" ({counted(count, 'row')})" if count else ""


def _mean(words: str) -> str:
    """Write a mean so that a narrow cell parts it from its interval, but not the interval's ends."""
    mean, _, interval = words.partition(" ")
    return f"{mean} {interval.replace(' ', NO_BREAK)}" if interval else mean


def _overview(comparison: Comparison) -> Table | None:
    """List every metric and pair with its verdicts and its geometric mean; None for one, or if each has few rows."""
    sections, index = comparison.sections("worst"), index_of(comparison)
    # Sections of two or three rows have no mean, and their verdicts stand in the tables.
    if len(sections) == 1 or len(comparison) <= _FEW or len(comparison) < _ROWS_OF_EACH * len(sections):
        return None
    # The description of a suite states the means.
    if len(suite.of(comparison)) == len(sections):
        return None
    rows = []
    for each in sections[:_OVERVIEW]:
        change, how = mean_parts(each.summary) if each.summary.get("rows", 0) > 1 else ("", "")
        rows.append(
            (Cell(where(comparison, each)), Cell(answer_words(index, each.rows)), Cell(_mean(change)), Cell(how))
        )
    columns = (Column("metric"), Column("verdicts"), Column("geometric mean", numeric=True), Column("of", minor=True))
    return Table("Every metric at a glance", columns, tuple(rows), total=len(sections)).without_empty()
