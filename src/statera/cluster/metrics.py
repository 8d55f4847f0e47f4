"""Definitions of all metrics: key, title, unit, meaning and the table of the values. All outputs use these."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final, Literal, NamedTuple, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

T = TypeVar("T")

_SMOOTH: Final = frozenset({"s", "%", "MiB", "MiB/s", "KiB/s"})

Better = Literal["lower", "higher", "none"]
Unit = Literal["hosts", "blocks", "keys"]


class Metric(NamedTuple):
    """A metric."""

    key: str  # the identifier in the data dictionary
    title: str  # the title of its row
    unit: str  # the unit of its values
    population: str  # what each value belongs to: ``host``, ``block``, ``(host, slot)``, …
    section: str | None  # the table of the report (2.1 to 2.5) that shows it; None for charts and dictionary only
    source: str  # the table that holds its values
    column: str  # the column of that table
    better: Better  # the direction of an improvement
    meaning: str  # its definition in the data dictionary
    where: str = "TRUE"  # the SQL condition that selects rows
    samples: Unit = "hosts"  # the unit of a test of two runs: hosts, in pairs, or blocks or keys, in order
    # whether a run has one number, which all hosts report alike, as a running mean whose values share most of their
    # blocks: neither hosts nor stretches of time are then independent.
    of_run: bool = False

    @property
    def has_percentiles(self) -> bool:
        """Whether its percentiles are compared across runs: those of counts jump by whole numbers."""
        return self.unit in _SMOOTH and not self.of_run

    @property
    def is_between_lines(self) -> bool:
        """Whether values are times between two lines, or from the start of a slot to a line."""
        return self.unit == "s" and self.key != "cdfBlockGap"

    @property
    def paired(self) -> bool:
        """Whether values belong to hosts, which pair two runs."""
        return self.samples == "hosts"


_SLOT, _HOST, _BLOCK, _PEER = "(host, slot)", "host", "block", "(block, valid observer)"


def _loop(key: str, title: str, unit: str, column: str, better: Better, meaning: str) -> Metric:
    section = "2.1" if key == "cdfStarts" else None
    return Metric(key, title, unit, _SLOT, section, "host_slots", column, better, meaning)


def _rate(key: str, title: str, unit: str, column: str, meaning: str) -> Metric:
    section = None if key.startswith("Net") else "2.1"
    return Metric(key, title, unit, "Resources interval", section, "intervals", column, "lower", meaning, "inside")


def _gauge(key: str, title: str, column: str, meaning: str) -> Metric:
    return Metric(key, title, "MiB", "Resources event", "2.1", "usage", column, "lower", meaning, "inside")


def _host(key: str, title: str, unit: str, column: str, meaning: str) -> Metric:
    return Metric(key, title, unit, _HOST, "2.2", "host_facts", column, "none", meaning, "live")


def _block(key: str, title: str, unit: str, section: str | None, column: str, better: Better, meaning: str) -> Metric:
    return Metric(key, title, unit, _BLOCK, section, "blocks", column, better, meaning, "accepted", "blocks")


def _forging(key: str, title: str, meaning: str, *, section: str | None = "2.3") -> Metric:
    return _block(key, title, "s", section, _snake(key), "lower", meaning)


def _peer(key: str, title: str, column: str, meaning: str) -> Metric:
    return Metric(key, title, "s", _PEER, "2.4", "peers", column, "lower", meaning, samples="blocks")


def _adoption(percent: int) -> Metric:
    name = f"{percent / 100:.2f}"
    meaning = f"Time from the start of the slot until {percent} % of the machines of the cluster had adopted the block."
    return _block(f"cdf{name}", f"{name} adoption", "s", "2.5", f"adoption_{percent}", "lower", meaning)


def _snake(key: str) -> str:
    """Return the column of a key: ``forger_blk_ctx`` for ``cdfForgerBlkCtx``."""
    bare = key.removeprefix("cdf").removeprefix("x")
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in bare).lstrip("_")


_CPU_CORE = "% of one core"

METRICS: Final = (
    _loop("cdfStarts", "Forge loop starts", "#", "starts", "none",
          "Iterations of the forge loop that began for a slot (StartLeadershipCheck; repeated lines count once)."),
    _rate("CentiCpu", "Process CPU usage", "%", "cpu",
          f"CPU time of the process as the kernel reports it, {_CPU_CORE}, over each interval between reports."),
    _rate("CentiGC", "RTS GC CPU usage", "%", "gc",
          f"CPU time of garbage collection as the run-time system reports it, {_CPU_CORE}."),
    _rate("CentiMut", "RTS Mutator CPU usage", "%", "mut",
          f"CPU time of the program proper as the run-time system reports it, {_CPU_CORE}."),
    _rate("GcsMajor", "Major GCs", "#/s", "gcs_major", "Major garbage collections per second."),
    _rate("GcsMinor", "Minor GCs", "#/s", "gcs_minor", "Minor garbage collections per second."),
    _gauge("RSS", "Kernel RSS", "rss", "Resident memory of the process as the kernel reports it."),
    _gauge("Heap", "RTS heap size", "heap", "Heap of the run-time system."),
    _gauge("Live", "RTS live GC dateset", "live", "Data found live by garbage collection."),
    _rate("Alloc", "RTS alloc rate", "MiB/s", "alloc", "Memory allocated per second."),
    _rate("FsRd", "Filesystem reads", "KiB/s", "fs_rd",
          "Bytes that the process caused to be read from storage, per second."),
    _rate("FsWr", "Filesystem writes", "KiB/s", "fs_wr",
          "Bytes that the process caused to be written to storage, per second."),
    Metric("cdfSpanLensCpu", "CPU 85% spans", "slots", "CPU span", "2.1", "spans", "length", "lower",
           "Length of uninterrupted stretches of slots with more than 85 % of one core in use."),
    _host("cdfBlocksPerHost", "Blocks per host", "blocks", "forged",
          "Blocks that a host forged in the whole run, on the chain or off it, before any filter."),
    _host("cdfBlocksFilteredRatio", "Filtered to chained block ratio", "/", "filtered_ratio",
          "Share of a host's blocks on the main chain that pass the filters."),
    _host("cdfBlocksChainedRatio", "Chained to forged block ratio", "/", "chained_ratio",
          "Share of the blocks forged by a host that are on the main chain."),
    _block("cdfBlockBattle", "Height & slot battles", "blocks", "2.2", "battles", "lower",
           "Other known blocks of the same height."),
    _block("cdfBlockSize", "Block size", "B", "2.2", "size", "none", "Size of the block's body."),
    _forging("cdfForgerStart", "Started forge loop iteration",
             "From the start of the slot until the forger's loop began (StartLeadershipCheck)."),
    _forging("cdfForgerBlkCtx", "Acquired block context", "From the beginning of the loop to the block context."),
    _forging("cdfForgerLgrState", "Acquired ledger state", "From the block context to the ledger state."),
    _forging("cdfForgerLgrView", "Acquired ledger view", "From the ledger state to the ledger view."),
    _forging("cdfForgerLead", "Leadership check duration", "From the ledger view to the decision to lead."),
    _forging("cdfForgerTicked", "Ledger ticking", "From the decision to lead to the ticked ledger state."),
    _forging("cdfForgerMemSnap", "Mempool snapshotting", "From the ticked ledger state to the mempool's snapshot."),
    _forging("cdfForgerForge", "Leadership to forged",
             "From the snapshot of the mempool to the forged block: the last phase, so that the phases add up."),
    _forging("cdfForgerAnnounce", "Forged to announced", "From the forged block to its announcement to peers."),
    _forging("cdfForgerSend", "Forged to sending", "From the forged block until the forger began to send it."),
    _forging("cdfForgerAdoption", "Forged to self-adopted",
             "From the forged block until its forger reported that it adopted it (AdoptedBlock)."),
    _forging("cdfForgerAnnounceCum", "Slot start to announced",
             "From the start of the slot until the forger announced the block."),
    _block("cdfPeerNoticeFirst", "First peer notice", "s", "2.4", "peer_notice_first", "lower",
           "From the start of the slot until the fastest peer had the block's header."),
    _block("cdfPeerFetchFirst", "First peer fetch", "s", "2.4", "peer_fetch_first", "lower",
           "From the start of the slot until the fastest peer had fetched the block."),
    _peer("cdfPeerRequest", "Notice to fetch request", "request", "From a peer's notice of the header to its request."),
    _peer("cdfPeerFetch", "Fetch duration", "fetching", "From a peer's request to its completed fetch."),
    _peer("cdfPeerAnnounce", "Fetched to announced", "announce", "From the completed fetch to its announcement."),
    _peer("cdfPeerSend", "Fetched to sending", "send", "From the completed fetch until the peer began to send it on."),
    _peer("cdfPeerAdoption", "Fetched to adopted", "adoption", "From the completed fetch until the peer adopted it."),
    *(_adoption(percent) for percent in (50, 80, 90, 92, 94, 96, 98, 100)),
    _rate("NetRd", "Network reads", "KiB/s", "net_rd", "Bytes received from the network per second."),
    _rate("NetWr", "Network writes", "KiB/s", "net_wr", "Bytes sent to the network per second."),
    _loop("cdfStarted", "Forge loop tardiness", "s", "started", "lower",
          "From the start of the slot until the loop began (StartLeadershipCheck)."),
    _loop("cdfBlkCtx", "Block context acquisition delay", "s", "blk_ctx", "lower",
          "From the beginning of the loop to the block context."),
    _loop("cdfLgrState", "Ledger state acquisition delay", "s", "lgr_state", "lower",
          "From the block context to the ledger state."),
    _loop("cdfLgrView", "Ledger view acquisition delay", "s", "lgr_view", "lower",
          "From the ledger state to the ledger view."),
    _loop("cdfLeading", "Leadership check duration", "s", "leadership", "lower",
          "From the ledger view to the decision whether to lead (NodeIsLeader, NodeNotLeader)."),
    _loop("cdfDensity", "Chain density", "/", "density", "none",
          "Blocks per slot over the newest stretch of the chain, as each host reports it.")._replace(of_run=True),
    _block("cdfBlockGap", "Interblock gap", "s", None, "gap", "none",
           "From the slot of the previous block of the chain to that of the block."),
    Metric("cdfSpanLensCpuEpoch", "CPU spans at Ep boundary", "slots", "(host, epoch boundary)", None, "epoch_spans",
           "length", "lower",
           "Slots of a CPU span from an epoch boundary on, for spans that include one of the epoch's first 4 slots."),
    _forging("xForgerLeadToForged", "Leadership decision to forged",
             "From the decision to lead to the forged block: ticking, snapshot and forging together.", section=None),
    _forging("xForgerAddedToChain", "Forged to added to chain",
             "From the forged block until its forger's chain database added it as the tip.", section=None),
)  # fmt: skip
BY_KEY: Final = {metric.key: metric for metric in METRICS}
_SHARED: Final = {title for title, count in Counter(metric.title for metric in METRICS).items() if count > 1}


def name(metric: Metric, percentile: str = "") -> str:
    """Return the name of a metric outside of its table: its title, with the key where two metrics share a title."""
    own = f"{metric.title} ({metric.key})" if metric.title in _SHARED else metric.title
    return f"{own}, {percentile}" if percentile else own


_TITLES: Final = {
    "2.1": "Resource Usage", "2.2": "Anomaly control", "2.3": "Forging", "2.4": "Individual peer propagation",
    "2.5": "End-to-end propagation",
}  # fmt: skip
# The two rows that older reports do not have in the table of forging.
_EXTRA: Final = {"2.3": ("xForgerLeadToForged", "xForgerAddedToChain")}


class Section(NamedTuple):
    """A table of the report."""

    number: str
    title: str
    metrics: tuple[Metric, ...]
    extra: tuple[Metric, ...]


SECTIONS: Final = tuple(
    Section(
        number,
        title,
        tuple(metric for metric in METRICS if metric.section == number),
        tuple(BY_KEY[key] for key in _EXTRA.get(number, ())),
    )
    for number, title in _TITLES.items()
)


def in_sections(values: Mapping[str, T]) -> Iterator[tuple[Section | None, list[tuple[T, bool]]]]:
    """Yield for each table the values of its metrics by key, each with whether it is extra; last those of no table."""
    left = dict(values)
    for section in SECTIONS:
        keys = {**{metric.key: False for metric in section.metrics}, **{metric.key: True for metric in section.extra}}
        yield section, [(left.pop(key), extra) for key, extra in keys.items() if key in left]
    yield None, [(value, False) for value in left.values()]
