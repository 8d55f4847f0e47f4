"""The summary of a run, or of pooled runs: what summary.json and blocks.csv hold, and what their readers need of it."""

from __future__ import annotations

import csv
import io
from pathlib import PurePath
from statistics import stdev
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera import _native
from statera.cluster import consistency
from statera.cluster.consistency import doubts, far_times
from statera.cluster.metrics import METRICS
from statera.cluster.run import is_number
from statera.cluster.statistics import measure
from statera.support.errors import Problem
from statera.support.files import csv_json
from statera.support.files.names import as_text
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from statera.cluster.chain import Chain
    from statera.cluster.engine import DuckDB
    from statera.cluster.filters import Condition
    from statera.cluster.logs.events import Events, HostEvents
    from statera.cluster.run import RunEvents
    from statera.cluster.statistics import Measured
    from statera.cluster.tables import Built


SPEC = 1
CLASSES: Final = {
    "valid": "the peer noticed, requested, fetched and adopted the block, in this order; its phases are measured",
    "missingNotice": "no notice of its header",
    "missingRequest": "noticed and not requested",
    "missingFetch": "requested and not fetched",
    "missingAdoption": "fetched and not adopted",
    "nonUnitary": "fetched or adopted together with other blocks, while catching up",
    "negative": "a phase that ends before it begins: the clocks or the order of the lines disagree",
}
"""The classes of observations of blocks by peers, each with its meaning."""
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
    engine: DuckDB, events: RunEvents, conditions: Sequence[Condition], built: Built, measured: Measured
) -> dict[str, Any]:
    """Return the document of summary.json."""
    hosts = [HostFacts(*row) for row in engine.rows(f"SELECT {', '.join(HostFacts._fields)} FROM host_facts")]
    timing = events.run.timing
    problems = [*events.warnings, *built.warnings, *_chain_warnings(built.chain, str(events.run.path))]
    from statera.cluster.offsets import offsets  # noqa: PLC0415 - NumPy; only an analysis needs it

    found = offsets(engine)
    problems += doubts(engine, events.run, built.chain, measured, found)
    problems += far_times(events, [slot for host in hosts for slot in (host.first_slot, host.last_slot)], measured)
    return {
        "spec": SPEC,
        "run": as_text(events.run.path.resolve().name),
        "manifest": _manifest(engine, events, conditions, hosts),
        "timing": {"slotLength": timing.slot_length / _SECOND, "epochLength": timing.epoch_length},
        "metrics": measured.metrics,
        "chain": _chain(engine, built, conditions),
        "observations": _observations(engine),
        "hosts": _hosts(events, hosts),
        "resolution": resolutions(events),
        "clocks": consistency.document(found),
        "ignoredHosts": sorted(events.run.ignored),
        "filters": [str(condition) for condition in conditions],
        "warnings": [warning_of(problem) for problem in problems],
    }


def warning_of(problem: Problem) -> dict[str, Any]:
    """Return a problem as summaries hold it."""
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
    engine: DuckDB, events: RunEvents, conditions: Sequence[Condition], hosts: Sequence[HostFacts]
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


def _at(host: HostEvents, end: str) -> int:
    """Return the time of the first or last log object of a live host."""
    return int(getattr(host.counts, end))


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


def _chain(engine: DuckDB, built: Built, conditions: Iterable[Condition]) -> dict[str, Any]:
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


def _observations(engine: DuckDB) -> dict[str, Any]:
    found = dict(
        engine.rows(
            "SELECT o.class, count(*) FROM observations AS o JOIN blocks AS b ON b.block = o.block "
            "WHERE b.accepted GROUP BY o.class"
        )
    )
    return {name: found.get(name, 0) for name in CLASSES}


def resolutions(events: Events) -> dict[str, int]:
    """Return the resolution of each host's times, in ns, as far as its lines tell it."""
    known = ((host.host, host.counts.resolution) for host in events.hosts)
    return {name: resolution for name, resolution in known if resolution is not None}


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


def blocks_csv(engine: DuckDB, *, raw: bool = False) -> str:
    """Write one row per main-chain block, oldest first; nulls are empty cells."""
    return csv_json.comma_separated([_CSV, *_block_rows(engine)], raw=raw)


def _block_rows(engine: DuckDB) -> Iterator[list[object]]:
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


_SUMS = ("totalLogObjectsAnalysed", "blocksAnalysed", "blocksRejected")


def pooled_summary(engine: DuckDB, tables: Mapping[str, Path], runs: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return the document of the pooled summary.json; ``tables`` has the directory of the tables of each run."""
    for source in dict.fromkeys(metric.source for metric in METRICS):
        columns = {metric.column: "DOUBLE" for metric in METRICS if metric.source == source}
        columns |= {metric.where: "BOOLEAN" for metric in METRICS if metric.source == source and metric.where != "TRUE"}
        if any(metric.paired for metric in METRICS if metric.source == source):
            columns["host"] = "INTEGER"
        engine.read(source, [folder / f"{source}.parquet" for folder in tables.values()], columns)
    documents = list(runs.values())
    metrics = measure(engine).metrics
    for key, metric in metrics.items():
        metric["runs"] = _between([document["metrics"][key]["mean"] for document in documents])
    return {
        "spec": SPEC,
        "runs": list(runs),
        "manifest": _pooled_manifest([document["manifest"] for document in documents]),
        "metrics": metrics,
        "observations": {
            kind: sum(document["observations"][kind] for document in documents) for kind in documents[0]["observations"]
        },
        "warnings": [
            warning | {"source": warning["source"] or name}
            for name, document in runs.items()
            for warning in document["warnings"]
        ],
    }


def _between(means: Sequence[float | None]) -> dict[str, Any]:
    """Describe the spread of the means of runs: the run is the unit of repetition of a build."""
    known = [mean for mean in means if mean is not None]
    mean = sum(known) / len(known) if known else None
    spread = stdev(known) if len(known) > 1 else None
    return {
        "n": len(known), "means": list(means), "mean": mean, "stddev": spread, "min": min(known, default=None),
        "max": max(known, default=None),
        "coefficientOfVariation": spread / abs(mean) if spread is not None and mean else None,
    }  # fmt: skip


def _pooled_manifest(manifests: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Keep the facts in which all runs agree; add up counts; everything else is null."""
    pooled: dict[str, Any] = {}
    for key, value in manifests[0].items():
        values = [manifest.get(key) for manifest in manifests]
        if key in _SUMS:
            pooled[key] = sum(values)
        else:
            pooled[key] = value if all(other == value for other in values) else None
    return pooled


def pooled_blocks_csv(texts: Mapping[str, str], *, raw: bool = False) -> str:
    """Join the tables of blocks of all runs, with the run in the first column."""
    rows: list[list[str]] = []
    for run, table in texts.items():
        heading, *blocks = csv.reader(io.StringIO(table))
        name = run if raw else _native.guarded(run)
        rows += [[name, *block] for block in blocks] if rows else [["run", *heading], *([name, *b] for b in blocks)]
    # The cells of the tables are escaped already.
    return csv_json.comma_separated(rows, raw=True)


# The source of these warnings is a log file; the source of all others is the run.
_OF_FILES: Final = frozenset({"truncated-log", "changed-log"})
_UNUSED: Final = ("noise", "broken", "cut", "other", "skipped")


def used_lines(summary: dict[str, Any]) -> tuple[int, int]:
    """Count the lines of a run, and those of them that became events."""
    hosts = summary["hosts"].values()
    return sum(host["lines"] for host in hosts), sum(host["analysed"] for host in hosts)


def unused_lines(summary: dict[str, Any]) -> dict[str, int]:
    """Count the lines of a run that became no events, by class."""
    return {kind: sum(host[kind] for host in summary["hosts"].values()) for kind in _UNUSED}


def warnings_of(summary: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Return code and text of every warning of a run; a warning of a log file begins with its name below the run."""
    for warning in summary.get("warnings") or ():
        code, what = str(warning.get("code")), str(warning["what"])
        yield code, f"{_below_run(summary, str(warning.get('source')))}: {what}" if code in _OF_FILES else what


def _below_run(summary: dict[str, Any], source: str) -> str:
    """Return the name of a log file below its run: a file of the run itself, or of a host's directory."""
    path = PurePath(source)
    host = path.parent.name
    return f"{host}/{path.name}" if host and host != summary.get("run") else path.name


def warnings_of_variant(summaries: Sequence[dict[str, Any]]) -> list[str]:
    """Return the warnings of the runs of a variant, each once; if there are several runs, with the runs' names."""
    runs: dict[str, list[str]] = {}
    for summary in summaries:
        for _, what in warnings_of(summary):
            runs.setdefault(what, []).append(str(summary.get("run")))
    if len(summaries) == 1:
        return list(runs)
    return [f"{what} ({', '.join(dict.fromkeys(names))})" for what, names in runs.items()]


class Kind(NamedTuple):
    """A type of plain values."""

    name: str  # the name of the type
    holds: Callable[[Any], bool]  # whether a value is of this type


class Each(NamedTuple):
    """An object with any keys, whose values all have one shape."""

    of: Any


class Or(NamedTuple):
    """A value of a shape, or another in its place."""

    of: Any
    other: object


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**63


_Shape = Kind | Each | Or | list[Any] | dict[str, Any]
_MISSING: Final = object()
_COUNT: Final = Kind("a count", _is_count)
_SURE: Final = Kind("a number", is_number)
_NUMBER: Final = Or(_SURE, None)
_TEXT: Final = Kind("text", lambda value: isinstance(value, str))
_ANY: Final = Kind("a value", lambda value: value is not _MISSING)
_VERSION: Final = Kind("a version that this statera reads", lambda value: _is_count(value) and value == SPEC)


_METRIC: Final = {
    "n": _COUNT,
    **dict.fromkeys(("mean", "median", "stddev", "min", "max"), _NUMBER),
    "quantiles": Or(Each(_NUMBER), None),
}
_WARNING: Final = {"code": _TEXT, "source": _TEXT, "line": _COUNT, "what": _TEXT}
_BOTH: Final = {"spec": _VERSION, "observations": Each(_COUNT), "warnings": [_WARNING]}
_RUN: Final[dict[str, Any]] = _BOTH | {
    "manifest": {
        **dict.fromkeys(("machines", "blocksAnalysed", "blocksRejected"), _COUNT),
        **dict.fromkeys(("slotsAnalysed", "runTime"), _NUMBER),
        "components": Each(Each(_ANY)),
        "workload": Each(_ANY),
    },
    "timing": Each(_NUMBER),
    "metrics": {metric.key: _METRIC for metric in METRICS},
    "chain": {
        **dict.fromkeys(("length", "unknownForger", "missing", "duplicateForge"), _COUNT),
        **dict.fromkeys(("base", "tip", "dropped"), Or(_TEXT, None)),
        "abandoned": [_TEXT],
        "rejectedBy": Each(_COUNT),
    },
    "hosts": Each(
        dict.fromkeys(
            (*_LINES, "restarts", "slots", "blocksForged", "blocksChained", "blocksAccepted"), _COUNT
        )
    ),
    # Older summaries lack these.
    "resolution": Or(Each(_COUNT), _MISSING),
    "clocks": Or(Each({**dict.fromkeys(("offset", "low", "high"), _SURE), "pairs": _COUNT}), _MISSING),
    "ignoredHosts": [_TEXT],
    "filters": [_TEXT],
}  # fmt: skip
_POOL: Final[dict[str, Any]] = _BOTH | {
    "runs": [_TEXT],
    "manifest": Each(_ANY),
    "metrics": {metric.key: _METRIC | {"runs": {"coefficientOfVariation": _NUMBER}} for metric in METRICS},
}


def fault(document: object) -> str | None:
    """Describe the first fault of a summary, of one run or of pooled runs; None if there is none."""
    if not isinstance(document, dict):
        return "it is not a JSON object"
    return next(_faults(document, _POOL if "runs" in document else _RUN, ""), None)


def _faults(value: object, shape: _Shape, at: str) -> Iterator[str]:
    if isinstance(shape, Or):
        if value is shape.other:
            return
        shape = shape.of
    if value is _MISSING:
        yield f"{at} is missing"
    elif isinstance(shape, Kind):
        if not shape.holds(value):
            yield f"{at} is not {shape.name}"
    elif not isinstance(value, list if isinstance(shape, list) else dict):
        yield f"{at} is not {'a list' if isinstance(shape, list) else 'an object'}"
    else:
        for name, one, of in _parts(value, shape):
            yield from _faults(one, of, f"{at}{name}".lstrip("."))


def _parts(value: object, shape: _Shape) -> list[tuple[str, object, _Shape]]:
    """Return the parts of a list or an object: where each is, the value, and its shape."""
    if isinstance(value, list) and isinstance(shape, list):
        return [(f"[{place}]", one, shape[0]) for place, one in enumerate(value)]
    if isinstance(value, dict) and isinstance(shape, Each):
        return [(f".{key}", one, shape.of) for key, one in value.items()]
    if isinstance(value, dict) and isinstance(shape, dict):
        return [(f".{key}", value.get(key, _MISSING), of) for key, of in shape.items()]
    return []
