"""Section of findings: the answer, what changed and by how much, what is undecided, cards of what changed."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from statera.cluster.comparison import changed, side, undecided
from statera.cluster.metrics import BY_KEY, METRICS, name
from statera.cluster.numbers import percent, quantity, suited
from statera.cluster.observations import MEAN, NONE, PERCENTILES, stated
from statera.cluster.report.cells import axis, count, mean, shown, tone, toned
from statera.cluster.report.chain import outliers_of, outliers_table
from statera.cluster.report.material import anchor, runs
from statera.cluster.report.tables import pair_table
from statera.output.report.model import (
    Banner,
    Card,
    Cell,
    Column,
    Heading,
    Item,
    Items,
    Lead,
    Prose,
    Section,
    Share,
    Table,
)
from statera.output.report.sections.summary import shares
from statera.support.wording import counted, several

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from statera.cluster.comparison import Change
    from statera.cluster.metrics import Metric
    from statera.cluster.observations import Variant
    from statera.cluster.report.cells import Axis
    from statera.cluster.report.material import Material
    from statera.output.report.model import Block


TITLE: Final = "1 Findings"
_WORKLOAD: Final = {"TPS": "{} transactions a second", "Plutus script": "the Plutus script {}"}


def section(material: Material) -> Section:
    """Build the section that comes first: the answer, what changed or which hosts are outliers, what is open."""
    banner = _banner_of_comparison(material) if material.compares else _banner_of_one(material)
    blocks: list[Block] = [banner, Prose((_runs_sentence(material),))]
    if material.compares:
        blocks += _differences(material)
    else:
        blocks.append(Items(tuple(key_facts(material)), findings=True))
        outliers = outliers_table(list(runs(material)))
        blocks += [outliers] if outliers else []
    return Section("summary", TITLE, tuple(blocks))


def _runs_sentence(material: Material) -> str:
    """Write a sentence about the runs: labels, machines and workload."""
    rows = {fact.title: fact.cells for fact in material.manifest}
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
    clocks = material.comparison.clocks
    blocks: list[Block] = [Items((Item(clocks, "doubtful"),), findings=True)] if clocks else []
    pairs = material.comparison.pairs
    for place, (base, other) in enumerate(pairs):
        if len(pairs) > 1:
            names = [shown(material.comparison.variants[number].label) for number in (other, base)]
            blocks.append(Heading(" against ".join(names)))
        table = _changes_table(material, (base, other))
        blocks += [table] if table else []
        items = (Item(text, toned(verdict)) for text, verdict in undecided(material.comparison, place))
        blocks.append(Items(tuple(items), findings=True))
    differing = material.differing
    if differing:
        said = f"The runs also differ in: {several(differing, most=len(differing))}."
        blocks.append(Items((Item(said, "doubtful"),), findings=True))
    cards = list(_cards(material))
    return [*blocks, Heading("What changed, metric by metric"), *cards] if cards else blocks


_MOST: Final = 8
# What a report of one configuration answers first, as far as its logs say it.
_FACTS: Final = {
    "cdf0.50": "half of the cluster adopted a block {} after the start of its slot",
    "cdf1.00": "all of it after {}",
    "CentiCpu": "a host used {} of a core",
}
_NEVER: Final = "no block was adopted by half of the cluster"


def _banner_of_comparison(material: Material) -> Banner:
    every = material.changed or material.leads
    rows = every[:_MOST]
    on = axis(material.comparison, rows)
    leads = tuple(_lead(material, cell, on) for cell in rows)
    words = on.words if any(lead.interval for lead in leads) else ""
    return Banner(material.answer.line, shares(material.answer), leads, words, len(every))


def _lead(material: Material, cell: Change, on: Axis) -> Lead:
    by = f"{percent(cell.delta_percent)} {cell.interval_percent or ''}".rstrip()
    pairs = len(material.comparison.pairs) > 1
    whose = f", {shown(cell.other.label)} against {shown(cell.base.label)}" if pairs else ""
    link = material.pictures.link(cell.metric) if cell.changed else anchor("row", cell.metric)
    return Lead(f"{cell.name}{whose}", by, tone(cell), on.place(cell), link)


def _banner_of_one(material: Material) -> Banner:
    """State how fast blocks spread, on how many machines, and how many hosts are outliers."""
    variant = material.comparison.variants[0]
    of = {row.metric.key: row.metric for row in material.rows}
    each = list(runs(material))
    hosts = {(one.name, host) for one in each for host in one.summary["hosts"]}
    odd = {(one.name, far.host) for one, far in outliers_of(each)}
    known = {key: side(of[key], variant).mean for key in _FACTS if key in of}
    said = [_NEVER] if known.get("cdf0.50", 0.0) is None else []
    said += [_FACTS[key].format(quantity(of[key].unit, mean)) for key, mean in known.items() if mean is not None]
    of_runs = f" in {counted(len(each), 'run')}" if len(each) > 1 else ""
    some = f"{counted(len(odd), 'is an outlier', 'are outliers')}" if odd else "none is an outlier"
    line = "; ".join([*said, f"of {counted(len(hosts), 'host')}{of_runs} {some}"])
    found = (Share("outlier", len(odd), "doubtful"), Share("like the others", len(hosts) - len(odd), "equivalent"))
    return Banner(line[:1].upper() + line[1:], tuple(share for share in found if share.count) if odd else (), (), "")


def key_facts(material: Material) -> Iterator[Item]:
    """Yield the facts that readers look for first."""
    of = {metric.key: side(metric, material.comparison.variants[0]) for metric in METRICS}

    def mean(key: str) -> str:
        return quantity(BY_KEY[key].unit, of[key].mean)

    each = list(runs(material))
    for one in each:
        length, accepted = one.summary["chain"]["length"], one.summary["manifest"]["blocksAnalysed"]
        gap = f"; one every {mean('cdfBlockGap')}" if of["cdfBlockGap"].mean is not None and len(each) == 1 else ""
        yield Item(
            f"{shown(one.name)}: {counted(length, 'block')} on the main chain; {accepted:,} passed the filters{gap}."
            if length
            else f"{shown(one.name)}: no chain was found, so there are no metrics of blocks.",
            "" if length else "missing",
        )
    if of["cdf0.50"].mean is not None:
        whole = of["cdf1.00"]
        every = f", all of it after {mean('cdf1.00')} (n {whole.n:,})" if whole.mean is not None else ""
        yield Item(
            f"Half of the cluster had adopted a block {mean('cdf0.50')} after the start of its slot on average "
            f"(n {of['cdf0.50'].n:,}){every}."
        )
    if of["cdfForgerAnnounceCum"].mean is not None:
        yield Item(
            f"A forger announced its block {mean('cdfForgerAnnounceCum')} after the start of the slot on average; a "
            f"peer took {mean('cdfPeerFetch')} to fetch it and {mean('cdfPeerAdoption')} to adopt it."
        )
    if of["CentiCpu"].mean is not None:
        yield Item(
            f"A host used {mean('CentiCpu')} of a core and {mean('RSS')} of memory, and allocated {mean('Alloc')}."
        )
    else:
        yield Item("No host reported its resources, so there are no metrics of resources.", "missing")
    apart = dict.fromkeys(shown(far.host) for _, far in outliers_of(each))
    if apart:
        yield Item(f"Outlier hosts: {several(list(apart))}. Section 4 lists all their metrics.", "doubtful")


def _changes_table(material: Material, pair: tuple[int, int]) -> Table | None:
    """Build the table of what changed in a pair of variants; None if nothing did."""
    base, other = (material.comparison.variants[place] for place in pair)
    cells = [cell for cell in material.changed if (cell.base, cell.other) == (base, other)]
    if not cells:
        return None
    on = axis(material.comparison, cells)
    found = pair_table(material, [(cell, "") for cell in cells], on, "Changed: ")
    return replace(found, notes=("The worst first.", *found.notes), drawn=f"Where intervals are drawn: {on.words}.")


def _cards(material: Material) -> Iterator[Card]:
    """Yield a card of each metric that changed."""
    for metric in material.pictures.carded:
        cells = [cell for cell in material.changed if cell.metric is metric]
        yield Card(
            anchor("suspect", metric),
            name(metric),
            _said(material, cells),
            tone(cells[0]),
            metric.meaning,
            material.pictures.of_card(metric),
            _runs(material, metric),
        )


def _said(material: Material, cells: Sequence[Change]) -> str:
    level = f"{material.comparison.settings.policy.level}\u00a0%"
    several = len(material.comparison.pairs) > 1
    said = [
        (f"{shown(cell.other.label)} against {shown(cell.base.label)}: " if several else "") + changed(cell, level)
        for cell in cells
    ]
    return f"{'; '.join(said)}."


def _runs(material: Material, metric: Metric) -> Table | None:
    """Show the mean of each run, which is what several runs a side are judged by; None with one run a side."""
    if all(len(variant.runs) == 1 for variant in material.comparison.variants):
        return None
    every = list(runs(material))
    unit = suited(metric.unit, (stated(one.run, metric) for one in every))
    of = (MEAN, *PERCENTILES) if metric.has_percentiles else (MEAN,)
    rows = tuple(
        (
            Cell(shown(one.name)),
            *(mean(stated(one.run, metric, each), unit) for each in of),
            count(one.summary["metrics"][metric.key]["n"]),
        )
        for one in every
    )
    values = [Column(f"mean, {unit.name}", numeric=True), *(Column(each, numeric=True) for each in of[1:])]
    return Table(f"{name(metric)}, run by run", (Column("run"), *values, Column("n", numeric=True)), rows)
