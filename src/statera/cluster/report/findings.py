"""Section of findings: the answer, what changed and by how much, what is undecided, cards of what changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.manifest import NONE
from statera.cluster.report import changes, hosts, manifest
from statera.cluster.report.alone import key_facts
from statera.cluster.report.banner import banner
from statera.cluster.report.cells import toned
from statera.cluster.report.material import runs
from statera.cluster.report.wording import several, shown
from statera.cluster.sentences import undecided
from statera.output.report.model import Heading, Item, Items, Prose, Section

if TYPE_CHECKING:
    from statera.cluster.compare import Variant
    from statera.cluster.report.material import Material
    from statera.output.report.model import Block

TITLE: Final = "1 Findings"
_WORKLOAD: Final = {"TPS": "{} transactions a second", "Plutus script": "the Plutus script {}"}


def section(material: Material) -> Section:
    """Build the section that comes first: the answer, what changed or which hosts are outliers, what is open."""
    blocks: list[Block] = [banner(material), Prose((_compared(material),))]
    if material.compares:
        blocks += _differences(material)
    else:
        blocks.append(Items(tuple(key_facts(material)), findings=True))
        outliers = hosts.table(list(runs(material)))
        blocks += [outliers] if outliers else []
    return Section("summary", TITLE, tuple(blocks))


def _compared(material: Material) -> str:
    """Write a sentence about the runs: labels, machines and workload."""
    rows = {fact.title: fact.cells for fact in manifest.rows(material)}
    names = [_named(variant, era) for variant, era in zip(material.comparison.variants, rows["Era"], strict=True)]
    what = f"{several(names[1:])} compared with {names[0]}" if material.compares else f"Report of {names[0]}"
    on = [f"{cells[0]} machines" for cells in (rows["Machines"],) if len(set(cells)) == 1]
    on += [
        form.format(shown(rows[title][0]))
        for title, form in _WORKLOAD.items()
        if len(set(rows[title])) == 1 and rows[title][0] != NONE
    ]
    return f"{what}{': ' if on else ''}{', '.join(on)}."


def _named(variant: Variant, era: str) -> str:
    more = [shown(era)] if era != NONE else []
    more += [f"{len(variant.runs)} runs"] if len(variant.runs) > 1 else []
    return f"{shown(variant.label)} ({', '.join(more)})" if more else shown(variant.label)


def _differences(material: Material) -> list[Block]:
    """Show for each pair what changed, the worst first, and what is open; then the cards of what changed."""
    blocks: list[Block] = []
    pairs = material.comparison.pairs
    for place, (base, other) in enumerate(pairs):
        if len(pairs) > 1:
            names = [shown(material.comparison.variants[number].label) for number in (other, base)]
            blocks.append(Heading(" against ".join(names)))
        table = changes.table(material, (base, other))
        blocks += [table] if table else []
        items = (Item(text, toned(verdict)) for text, verdict in undecided(material.comparison, place))
        blocks.append(Items(tuple(items), findings=True))
    differing = manifest.differing(material)
    if differing:
        said = f"The runs also differ in: {several(differing, most=len(differing))}."
        blocks.append(Items((Item(said, "doubtful"),), findings=True))
    cards = list(changes.cards(material))
    return [*blocks, Heading("What changed, metric by metric"), *cards] if cards else blocks
