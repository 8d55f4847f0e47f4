"""Key facts of a report without a comparison: the chain, the propagation of blocks, the resources of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.metrics import BY_KEY, METRICS
from statera.cluster.report.hosts import found_apart
from statera.cluster.report.material import runs
from statera.cluster.report.wording import several, shown
from statera.cluster.rows import side
from statera.cluster.units import suited
from statera.output.report.model import Item
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.cluster.report.material import Material


def key_facts(material: Material) -> Iterator[Item]:
    """Yield the facts that readers look for first."""
    of = {metric.key: side(metric, material.comparison.variants[0]) for metric in METRICS}

    def mean(key: str) -> str:
        unit = suited(BY_KEY[key].unit, (of[key].mean,))
        return f"{unit.amount(of[key].mean)}{unit.words}"

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
    apart = dict.fromkeys(shown(far.host) for _, far in found_apart(each))
    if apart:
        yield Item(f"Outlier hosts: {several(list(apart))}. Section 4 lists all their metrics.", "doubtful")
