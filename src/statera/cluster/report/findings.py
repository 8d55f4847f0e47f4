"""Section of findings: what is better or worse and by how much, what is undecided, what was left out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.cluster.manifest import NONE
from statera.cluster.report import manifest
from statera.cluster.report.alone import key_facts
from statera.cluster.report.left_out import left_out
from statera.cluster.report.sentences import changes, undecided
from statera.cluster.report.wording import several, shown
from statera.report.model import Heading, Item, Items, Prose, Section

if TYPE_CHECKING:
    from statera.cluster.compare import Variant
    from statera.cluster.report.material import Material
    from statera.report.model import Block

_WORKLOAD: Final = {"TPS": "{} transactions a second", "Plutus script": "the Plutus script {}"}


def section(material: Material) -> Section:
    """Build the section that comes first."""
    blocks: list[Block] = [Prose((_compared(material),))]
    if material.compares:
        blocks += _differences(material)
    else:
        blocks.append(Items(tuple(key_facts(material)), findings=True))
    blocks += [Heading("What was left out"), Items(tuple(left_out(material)))]
    return Section("summary", "Findings", tuple(blocks))


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
    blocks: list[Block] = []
    pairs = material.comparison.pairs
    for place, (base, other) in enumerate(pairs):
        if len(pairs) > 1:
            names = [shown(material.comparison.variants[number].label) for number in (other, base)]
            blocks.append(Heading(" against ".join(names)))
        items = [*changes(material.comparison, place), *undecided(material.comparison, place)]
        blocks.append(Items(tuple(items), findings=True))
    said = []
    differing = manifest.differing(material)
    if differing:
        said.append(Item(f"The runs also differ in: {several(differing, most=len(differing))}.", "doubtful"))
    if any(cell.of_one_run for row in material.comparison.rows for cell in row.cells):
        said.append(
            Item(
                "A single run of a configuration does not show how much runs of the same build differ: rows marked "
                "“one run” hold for these runs only. Repeat the runs to compare the builds, or add earlier runs of the "
                "baseline's build with --baseline-runs.",
                "doubtful",
            )
        )
    if said:
        blocks.append(Items(tuple(said), findings=True))
    return blocks
