"""The summary of a run: the contents of summary.json and blocks.csv."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.cluster.consistency import doubts, far_times
from statera.support.errors import Problem
from statera.support.files import csv_json
from statera.support.files.names import as_text
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from statera.cluster.chain import Chain
    from statera.cluster.description import Timing
    from statera.cluster.filters import Condition
    from statera.cluster.logs.read import HostEvents
    from statera.cluster.run_events import RunEvents
    from statera.cluster.statistics import Measured
    from statera.cluster.tables import Built, Engine

SPEC = 1
_CLASSES = (
    "valid", "missingNotice", "missingRequest", "missingFetch", "missingAdoption", "nonUnitary", "negative",
)  # fmt: skip
_LINES = ("lines", "noise", "broken", "cut", "other", "emitted", "analysed", "skipped")
_SECOND = 10**9


class HostFacts(NamedTuple):
    """A row of the table of hosts."""

    name: str
    live: bool
    first_slot: int | None
    last_slot: int | None
    slots: int
    restarts: int
    forged: int
    chained: int
    accepted: int


def summary(
    engine: Engine, events: RunEvents, conditions: Sequence[Condition], built: Built, measured: Measured
) -> dict[str, Any]:
    """Return the document of summary.json."""
    hosts = [HostFacts(*row) for row in engine.rows(f"SELECT {', '.join(HostFacts._fields)} FROM host_facts")]
    problems = [*events.warnings, *built.warnings, *_chain_warnings(built.chain, str(events.run.path))]
    problems += doubts(engine, events.run, built.chain, measured)
    problems += far_times(events, [slot for host in hosts for slot in (host.first_slot, host.last_slot)], measured)
    return {
        "spec": SPEC,
        "run": as_text(events.run.path.resolve().name),
        "manifest": _manifest(engine, events, conditions, hosts),
        "timing": _timing(events.run.timing),
        "metrics": measured.metrics,
        "chain": _chain(engine, built, conditions),
        "observations": _observations(engine),
        "hosts": _hosts(events, hosts),
        "ignoredHosts": sorted(events.run.ignored),
        "filters": [str(condition) for condition in conditions],
        "warnings": [_problem(problem) for problem in problems],
    }


def _problem(problem: Problem) -> dict[str, Any]:
    return {"code": problem.code, "source": as_text(problem.source), "line": problem.line, "what": problem.what}


def _chain_warnings(chain: Chain, source: str) -> list[Problem]:
    found = []
    if chain.missing:
        what = f"{counted(chain.missing, 'block')} of the main chain without any log line; the chain was bridged there"
        found.append(Problem("bridged", source, 0, what, ""))
    if chain.unknown_forger:
        what = f"{counted(chain.unknown_forger, 'block')} of the main chain without a log line of the forger"
        found.append(Problem("unknown-forger", source, 0, what, ""))
    if chain.circles:
        blocks = counted(chain.circles, "block")
        what = f"{blocks} of the main chain whose line names the block itself or one above it as parent: bridged there"
        found.append(Problem("circular-chain", source, 0, what, ""))
    return found


def _manifest(
    engine: Engine, events: RunEvents, conditions: Sequence[Condition], hosts: Sequence[HostFacts]
) -> dict[str, Any]:
    run = events.run
    live = [host for host in events.hosts if host.live]
    facts = [host for host in hosts if host.live]
    first, last = [_at(host, "first") for host in live], [_at(host, "last") for host in live]
    run_time = (max(last) - min(first)) / _SECOND if live else None
    slots = [slot for host in facts for slot in (host.first_slot, host.last_slot) if slot is not None]
    duration = (max(slots) - min(slots)) * run.timing.slot_length / _SECOND if slots else None
    [(accepted, length)] = engine.rows("SELECT count(CASE WHEN accepted THEN 1 END), count(*) FROM blocks")
    times = [(late - early) / _SECOND for early, late in zip(first, last, strict=True)]
    rates = [host.counts.emitted / time for host, time in zip(live, times, strict=True) if time > 0]
    return {
        "identifier": run.facts.get("identifier"),
        "runBatch": run.facts.get("batch"),
        "profile": run.facts.get("profile"),
        "ghcVersion": run.facts.get("ghcVersion"),
        "clusterSystemStart": run.facts.get("systemStart"),
        "analysisDate": run.facts.get("analysisDate"),
        "era": run.facts.get("era"),
        "components": run.components,
        "workload": run.workload,
        "machines": len(run.hosts),
        "filtersApplied": len(conditions),
        "logObjectsEmittedPerHost": _mean([host.counts.emitted for host in live]),
        "logObjectsAnalysedPerHost": _mean([host.counts.analysed for host in live]),
        "totalLogObjectsAnalysed": sum(host.counts.analysed for host in live),
        "hostRunTime": _mean(times),
        "hostLogLineRate": _mean(rates),
        "runTime": run_time,
        "analysedRunDuration": duration,
        "runTimeEfficiency": duration / run_time if duration is not None and run_time else None,
        "nodeStartSpread": (max(first) - min(first)) / _SECOND if live else None,
        "nodeStopSpread": (max(last) - min(last)) / _SECOND if live else None,
        "slotsAnalysed": _mean([host.slots for host in facts]),
        "blocksAnalysed": accepted,
        "blocksRejected": length - accepted,
    }


def _timing(timing: Timing) -> dict[str, Any]:
    return {"slotLength": timing.slot_length / _SECOND, "epochLength": timing.epoch_length}


def _at(host: HostEvents, end: str) -> int:
    """Return the time of the first or last log object of a live host."""
    return int(getattr(host.counts, end))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _chain(engine: Engine, built: Built, conditions: Iterable[Condition]) -> dict[str, Any]:
    chain = built.chain
    failed = dict(engine.rows("SELECT tag, count(DISTINCT block) FROM block_failures GROUP BY tag"))
    return {
        "length": len(chain.blocks),
        "base": chain.blocks[0].block if chain.blocks else None,
        "tip": chain.blocks[-1].block if chain.blocks else None,
        "dropped": chain.dropped.block if chain.dropped else None,
        "unknownForger": chain.unknown_forger,
        "missing": chain.missing,
        "abandoned": list(chain.abandoned),
        "rejectedBy": {condition.tag: failed.get(condition.tag, 0) for condition in conditions},
        "duplicateForge": chain.duplicate_forge,
    }


def _observations(engine: Engine) -> dict[str, Any]:
    found = dict(
        engine.rows(
            "SELECT o.class, count(*) FROM observations AS o JOIN blocks AS b ON b.block = o.block "
            "WHERE b.accepted GROUP BY o.class"
        )
    )
    return {name: found.get(name, 0) for name in _CLASSES}


def _hosts(events: RunEvents, hosts: Sequence[HostFacts]) -> dict[str, Any]:
    counts = {host.host: host.counts for host in events.hosts}
    return {
        host.name: {
            **{name: getattr(counts[host.name], name) for name in _LINES},
            "restarts": host.restarts,
            "slots": host.slots,
            "blocksForged": host.forged,
            "blocksChained": host.chained,
            "blocksAccepted": host.accepted,
        }
        for host in hosts
    }


# Column of blocks.csv: column of the table of blocks.
_CSV = {
    "blockNo": "block_no", "slot": "slot", "hash": "block", "prev": "prev", "forger": "name", "size": "size",
    "battles": "battles", "gap": "gap", "accepted": "accepted", "reasons": "", "adopters": "adopters",
    "validObservers": "valid_observers", "cdfForgerStart": "forger_start", "cdfForgerBlkCtx": "forger_blk_ctx",
    "cdfForgerLgrState": "forger_lgr_state", "cdfForgerLgrView": "forger_lgr_view", "cdfForgerLead": "forger_lead",
    "cdfForgerTicked": "forger_ticked", "cdfForgerMemSnap": "forger_mem_snap", "cdfForgerForge": "forger_forge",
    "cdfForgerAnnounce": "forger_announce", "cdfForgerSend": "forger_send", "cdfForgerAdoption": "forger_adoption",
    "cdfForgerAnnounceCum": "forger_announce_cum", "xForgerLeadToForged": "forger_lead_to_forged",
    "xForgerAddedToChain": "forger_added_to_chain", "cdfPeerNoticeFirst": "peer_notice_first",
    "cdfPeerFetchFirst": "peer_fetch_first", "cdf0.50": "adoption_50", "cdf0.80": "adoption_80",
    "cdf0.90": "adoption_90", "cdf0.92": "adoption_92", "cdf0.94": "adoption_94", "cdf0.96": "adoption_96",
    "cdf0.98": "adoption_98", "cdf1.00": "adoption_100",
}  # fmt: skip


def blocks_csv(engine: Engine, *, raw: bool = False) -> str:
    """Write one row per main-chain block, oldest first; nulls are empty cells."""
    return csv_json.comma_separated([_CSV, *_block_rows(engine)], raw=raw)


def _block_rows(engine: Engine) -> Iterator[list[object]]:
    reasons: dict[object, list[str]] = {}
    for block, tag in engine.rows("SELECT block, tag FROM block_failures ORDER BY block, number"):
        if tag not in reasons.setdefault(block, []):
            reasons[block].append(str(tag))
    columns = ", ".join(f"h.{column}" if column == "name" else f"b.{column}" for column in _CSV.values() if column)
    names = [name for name, column in _CSV.items() if column]
    query = f"SELECT {columns} FROM blocks AS b LEFT JOIN host AS h ON h.host = b.forger ORDER BY b.position"
    for row in engine.rows(query):
        cells = dict(zip(names, row, strict=True))
        cells["accepted"] = int(bool(cells["accepted"]))
        cells["reasons"] = ";".join(reasons.get(cells["hash"], ()))
        yield [cells[name] for name in _CSV]
