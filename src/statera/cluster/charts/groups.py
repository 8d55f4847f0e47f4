"""Which charts there are: a chart and the runs in it, the groups of metrics, and their order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.cluster.metrics import BY_KEY, METRICS, Metric

if TYPE_CHECKING:
    from pathlib import Path

    from statera.output.plots.picture import Picture


Kind = Literal["cdf", "timeline"]


class ChartRun(NamedTuple):
    """A run of a chart, drawn in one colour."""

    label: str  # its name
    analyses: tuple[Path, ...]  # the directories of its analyses; several are repeats of one configuration


class Chart(NamedTuple):
    """A chart of a metric."""

    key: str  # the key of the metric
    kind: Kind  # its distribution, or its course over slots
    title: str  # the title of the metric
    meaning: str  # the meaning of the metric, a sentence
    group: str  # the heading above it
    picture: Picture  # the chart itself


_GROUPS: Final = {
    "Resources": (
        "CentiCpu", "CentiGC", "CentiMut", "Alloc", "GcsMajor", "GcsMinor", "Heap", "Live", "RSS", "FsRd", "FsWr",
        "NetRd", "NetWr",
    ),
    "Forge loop": ("cdfStarts", "cdfStarted", "cdfBlkCtx", "cdfLgrState", "cdfLgrView", "cdfLeading"),
    "Chain": (
        "cdfDensity", "cdfBlockGap", "cdfBlockSize", "cdfBlockBattle", "cdfBlocksPerHost", "cdfBlocksChainedRatio",
        "cdfBlocksFilteredRatio",
    ),
    "CPU spans": ("cdfSpanLensCpu", "cdfSpanLensCpuEpoch"),
    "Forging": tuple(metric.key for metric in METRICS if metric.key.startswith(("cdfForger", "xForger"))),
    "Peers": tuple(metric.key for metric in METRICS if metric.key.startswith("cdfPeer")),
    "End-to-end": tuple(metric.key for metric in METRICS if metric.section == "2.5"),
}  # fmt: skip
GROUPS: Final[dict[str, tuple[Metric, ...]]] = {
    group: tuple(BY_KEY[key] for key in keys) for group, keys in _GROUPS.items()
}
"""The metrics of every heading, in order."""

HOST_COURSES: Final = tuple(
    metric
    for metric in (*GROUPS["Resources"], *GROUPS["Forge loop"], BY_KEY["cdfDensity"])
    if metric.source in {"host_slots", "intervals", "usage"}
)
"""Metrics that every host has over slots."""
BLOCK_COURSES: Final = (BY_KEY["cdfBlockGap"], BY_KEY["cdfBlockSize"])
"""Metrics that every block has along the chain."""
