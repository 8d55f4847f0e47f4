"""Section of charts: the distribution of every metric, and the course over the slots of those that have one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.output.report.model import Fold, Heading, Prose, Section
from statera.support.wording import counted

if TYPE_CHECKING:
    from statera.cluster.report.material import Group, Material
    from statera.output.report.model import Block

TITLE: Final = "3 Charts"
_CLUSTER: Final = ("Resources", "Forge loop", "Chain", "CPU spans")
_OF_CLUSTER, _OF_BLOCKS = "Cluster performance", "Block propagation"
# Of a single configuration these are open: they show what the cluster is for.
_FIRST: Final = "End-to-end"


def section(material: Material) -> Section:
    """Show every metric that has values: what did not change is folded, what changed stands on the cards above."""
    pictures = material.pictures
    if not pictures:
        return Section("charts", TITLE, (Prose(("No metric has values, so there are no charts.",)),))
    blocks: list[Block] = [Prose((_lead(material),))]
    for group in pictures.groups:
        if not material.compares and group.title == _FIRST:
            blocks += [Heading(_heading(group)), *group.pairs]
        else:
            blocks.append(
                Fold(f"{_heading(group)} ({counted(group.metrics, 'metric')})", tuple(group.pairs), on_paper=True)
            )
    return Section("charts", TITLE, tuple(blocks))


def _lead(material: Material) -> str:
    pictures = material.pictures
    courses = " The chart beside it shows the metric over the slots of the run." if "timeline" in pictures.kinds else ""
    carded = " The charts of the metrics that changed most are on their cards, in the findings." * bool(pictures.carded)
    return (
        "A distribution is drawn as the share of values up to each value; the band around it spans the "
        f"distributions of single hosts.{courses} A metric without values has no chart.{carded}"
    )


def _heading(group: Group) -> str:
    words = group.title if group.title.startswith("CPU") else group.title.lower()
    return f"{_OF_CLUSTER if group.title in _CLUSTER else _OF_BLOCKS}: {words}"
