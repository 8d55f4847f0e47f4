"""The groups of charts, and their order."""

from __future__ import annotations

from typing import Final

from statera.cluster.metrics import BY_KEY, METRICS, Metric

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
