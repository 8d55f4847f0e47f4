"""The tables of an analysis, in order: each is one SQL file; the walk down the chain runs between them."""

from __future__ import annotations

import os
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from statera.cluster.chain import Block, Chain, walk
from statera.cluster.logs import mapping as mappings
from statera.support.errors import Problem, Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from statera.cluster.engine import DuckDB
    from statera.cluster.filters import Condition
    from statera.cluster.run import Run, RunEvents

SQL = Path(__file__).parent / "sql"
CENTILES = (50, 80, 90, 92, 94, 96, 98, 100)
"""Percentages of the cluster whose adoption is timed."""

SLOTS = {
    "Start": ("density",), "BlkCtx": (), "LgrState": (), "LgrView": (), "Leader": (), "NotLeader": (), "Ticked": (),
    "MemSnap": (), "LedgerMetrics": ("density",),
}  # fmt: skip
BLOCKS = {
    "Forged": ("slot", "block_no", "prev"), "AdoptedBlock": ("size",), "Noticed": ("slot", "block_no"),
    "Requested": ("length",), "Fetched": ("size",), "Announced": (), "Sending": (), "Tip": ("delta",),
}  # fmt: skip
"""The events of the folded tables ``slots`` and ``blocks``, each with the fields that are used."""
_COUNTERS = {
    "CentiCpu": "cpu", "CentiGC": "gc", "CentiMut": "mut", "GcsMajor": "gcs_major", "GcsMinor": "gcs_minor",
    "Alloc": "alloc", "FsRd": "fs_rd", "FsWr": "fs_wr", "NetRd": "net_rd", "NetWr": "net_wr", "RSS": "rss",
    "Heap": "heap", "Live": "live",
}  # fmt: skip
_TYPES = {"density": "DOUBLE", "prev": "VARCHAR"}
# What every folded table has before its events: the number of its lines, and of those of times out of range.
_COUNTS = {"host": "VARCHAR", "lines": "BIGINT", "far": "BIGINT"}
# The interim table, which is not stored: only other tables read it, and it is the largest.
_PASSING = "slot_failures"
# Tables built before the chain is known, and after.
_BEFORE = ("host_blocks", "known_blocks")
_AFTER = (
    "forging", "observations", "adoptions", "slot_failures", "block_failures", "blocks", "peers", "host_slots",
    "usage", "intervals", "spans", "epoch_spans", "host_facts",
)  # fmt: skip
_CHAIN = {
    "position": "BIGINT", "block": "VARCHAR", "slot": "BIGINT", "slot_start": "BIGINT", "block_no": "BIGINT",
    "prev": "VARCHAR", "forger": "INTEGER", "adopters": "BIGINT", "battles": "BIGINT", "size": "BIGINT",
    "gap": "DOUBLE",
}  # fmt: skip
# Fields with measurements; the others say of what and when.
_MEASURED = frozenset({"delta", "length", "size", "density", *_COUNTERS})
# Each slot takes a row, so a host whose Start slots span more is left out: one of them is not a slot of this run. A
# host begins the loop of every slot, so it has about as many lines as slots; short spans may have fewer lines.
_MOST_SLOTS = 10**8
_MOST_SPARSE = 10**6
_SLOTS_A_START = 100
# Differences of log times and slots beyond these would overflow.
_MOST = 2**62
NEAR = f'(e."at" > -{_MOST} AND e."at" < {_MOST})'
"""SQL condition: the time of an event ``e`` is in range."""
FILE, LINE = "({} >> 40)", f"({{}} & {2**40 - 1})"
"""SQL of the file and of the line of a place in a folded table."""
# No real counter, size or ratio is larger; sums and rates up to it fit into fixed point.
_LARGEST = 2**53


def check(plan: mappings.Mapping, path: str | Path) -> None:
    """Raise Stop unless a mapping has the folded tables of a chain."""
    wanted = mappings.load()
    for name in wanted.folds:
        lacking = ", ".join(column for column in wanted.tables[name] if column not in plan.tables.get(name, {}))
        if lacking or name not in plan.folds:
            raise Stop(
                "event-mapping",
                f"{path}: an analysis of a chain needs [tables.{name}] and [folds.{name}] as in the built-in mapping "
                f"{mappings.DEFAULT}. Begin with a copy of that, or use statera logs",
            )


class Built(NamedTuple):
    """Results of building the tables."""

    chain: Chain  # the main chain
    warnings: tuple[Problem, ...]  # what was left out


def build(
    engine: DuckDB, events: RunEvents, conditions: Sequence[Condition], ahead: Mapping[str, int] = MappingProxyType({})
) -> Built:
    """Build every table of a run in the engine; ``ahead`` is subtracted from the times of hosts, in ns."""
    warnings: list[Problem] = []
    _inputs(engine, events, conditions, ahead, warnings)
    for name in _BEFORE:
        engine.store(name, query(name))
    chain = walk(Block(*row) for row in engine.rows(f"SELECT {', '.join(Block._fields)} FROM known_blocks"))
    engine.put("chain", _CHAIN, _chain_rows(chain, events.run))
    _bounds(engine, events, warnings)
    for name in _AFTER:
        if name == _PASSING:
            engine.keep(name, query(name))
            engine.view("resources", query("resources"))
        else:
            engine.store(name, query(name))
    return Built(chain, tuple(warnings))


def query(name: str) -> str:
    """Return the SQL of a table."""
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def _inputs(
    engine: DuckDB,
    events: RunEvents,
    conditions: Sequence[Condition],
    ahead: Mapping[str, int],
    warnings: list[Problem],
) -> None:
    run = events.run
    # Numbers sort like names, byte by byte.
    hosts = sorted(run.hosts, key=os.fsencode)
    # The last change of the newest log file, in whole seconds since 1970; None without files.
    newest = {host: max((file.modified // 10**9 for file in run.files[host]), default=None) for host in hosts}
    live = {host.host: host.live for host in events.hosts}
    engine.put(
        "host",
        {"host": "INTEGER", "name": "VARCHAR", "live": "BOOLEAN", "modified": "BIGINT", "ahead": "BIGINT"},
        [(number, host, live.get(host, False), newest[host], ahead.get(host, 0)) for number, host in enumerate(hosts)],
    )
    engine.read("logged_slots", events.tables("slots"), _folded("BIGINT", SLOTS) | {"Start_times": "BIGINT"})
    engine.read("logged_blocks", events.tables("blocks"), _folded("VARCHAR", BLOCKS))
    counters = {f"Resources_{name}{before}": "BIGINT" for name in _COUNTERS for before in ("", "_before")}
    places = dict.fromkeys(("at", "at_before", "back", "Resources_place"), "BIGINT")
    engine.read("logged_resources", events.tables("resources"), _COUNTS | places | counters)
    engine.put(
        "setting",
        {
            "system_start": "BIGINT", "slot_length": "BIGINT", "epoch_length": "BIGINT", "security_param": "DOUBLE",
            "active_slots": "DOUBLE", "max_body": "DOUBLE",
        },
        [(*_timing(run), *(run.facts.get(key) for key in ("securityParam", "activeSlotsCoeff", "maxBlockBodySize")))],
    )  # fmt: skip
    engine.put(
        "conditions",
        {"number": "INTEGER", "kind": "VARCHAR", "tag": "VARCHAR", "value": "DOUBLE"},
        [(number, *condition) for number, condition in enumerate(conditions, 1)],
    )
    machines = len(run.hosts)
    centiles = [(percent, (percent * machines + 99) // 100) for percent in CENTILES]
    engine.put("centiles", {"percent": "INTEGER", "place": "INTEGER"}, centiles)
    _views(engine, run, warnings)


def _folded(key: str, events: Mapping[str, tuple[str, ...]]) -> dict[str, str]:
    """Return the columns of a folded table with their types: its key, and times and fields of its events."""
    names = {f"{event}_{field}": _TYPES.get(field, "BIGINT") for event, of in events.items() for field in ("at", *of)}
    return {"key": key, **_COUNTS, **names}


def _views(engine: DuckDB, run: Run, warnings: list[Problem]) -> None:
    """Add host numbers to events; leave out events whose time or slot is out of range, and values too large."""
    large: dict[str, int] = {}
    for name, of in (("slots", SLOTS), ("blocks", BLOCKS), ("resources", {"Resources": tuple(_COUNTERS)})):
        large |= _large(engine, name, of)
    most = (_MOST - run.timing.system_start) // run.timing.slot_length
    engine.view("slots", _view("slots", "slot", SLOTS, large, f"e.key <= {most}", "e.start_times"))
    engine.view("block_events", _view("blocks", "block", BLOCKS, large, "TRUE", most=most))
    engine.view("placed", _placed(large))
    engine.view("slot_stamps", query("slot_stamps"))
    [(far,)] = engine.rows(
        f"SELECT (SELECT coalesce(sum(CASE WHEN key <= {most} THEN far ELSE lines END), 0) FROM logged_slots) "
        f"+ (SELECT coalesce(sum(far), 0) + count(CASE WHEN forged_slot > {most} THEN 1 END) "
        f"+ count(CASE WHEN noticed_slot > {most} THEN 1 END) FROM logged_blocks) "
        "+ (SELECT coalesce(sum(far), 0) FROM logged_resources)"
    )
    if far:
        what = f"left out {counted(int(far), 'event')} with times or slots out of range"
        warnings.append(Problem("slot-out-of-range", str(run.path), 0, what, ""))
    if large:
        told = ", ".join(f"{counted(count, 'value')} of {field}" for field, count in large.items())
        what = f"{told} beyond {_LARGEST:,}, the largest number that is counted: treated as missing"
        warnings.append(Problem("value-out-of-range", str(run.path), 0, what, ""))


def _large(engine: DuckDB, name: str, events: Mapping[str, tuple[str, ...]]) -> dict[str, int]:
    """Count the values of first lines that are too large, by field."""
    measured = [(event, field) for event, of in events.items() for field in of if field in _MEASURED]
    counts = ", ".join(f"count(CASE WHEN NOT {_fits(event, field)} THEN 1 END)" for event, field in measured)
    [found] = engine.rows(f"SELECT {counts} FROM logged_{name} AS e")
    large: dict[str, int] = {}
    for (_, field), count in zip(measured, found, strict=True):
        large[field] = large.get(field, 0) + count
    return {field: count for field, count in large.items() if count}


def _fits(event: str, field: str) -> str:
    return f'e."{event}_{field}" BETWEEN -{_LARGEST} AND {_LARGEST}'


def _view(
    name: str,
    key: str,
    events: Mapping[str, tuple[str, ...]],
    large: Container[str],
    where: str,
    *more: str,
    most: int | None = None,
) -> str:
    """Write the query of a folded table with host numbers; events whose slot is beyond ``most`` are missing."""
    columns = [*more]
    for event, fields in events.items():
        for field in ("at", *fields):
            value = f'e."{event}_{field}" - h.ahead' if field == "at" else _value(event, field, large)
            if most is not None and "slot" in fields:
                value = f'CASE WHEN e."{event}_slot" <= {most} THEN {value} END'
            columns.append(f"{value} AS {event}_{field}")
    return (
        f"SELECT h.host, e.key AS {key}, {', '.join(columns)} FROM logged_{name} AS e "
        f"JOIN host AS h ON h.name = e.host WHERE e.lines > e.far AND {where}"
    )


def _value(event: str, field: str, large: Container[str]) -> str:
    """Write the value of a field; where some are too large, these are missing."""
    value = f'e."{event}_{field}"'
    return f"CASE WHEN {_fits(event, field)} THEN {value} END" if field.removesuffix("_before") in large else value


def _placed(large: Container[str]) -> str:
    """Write the query of Resources events with their slots, and with time and counters of the one before (``_0``)."""
    counters = ", ".join(
        f"{_value('Resources', name + before, large)} AS {column}{suffix}"
        for name, column in _COUNTERS.items()
        for before, suffix in (("", ""), ("_before", "_0"))
    )
    return (
        'SELECT h.host, e."at" - h.ahead AS at_ns, '
        f"CASE WHEN e.at_before > -{_MOST} THEN e.at_before - h.ahead END AS at_ns_0, "
        f"{FILE.format('e.resources_place')} AS file, {LINE.format('e.resources_place')} AS line, e.back, "
        f"{_slot('at')} AS slot, "
        f"CASE WHEN e.at_before > -{_MOST} THEN {_slot('at_before')} END AS slot_before, {counters} "
        "FROM logged_resources AS e JOIN host AS h ON h.name = e.host CROSS JOIN setting AS g WHERE e.lines > e.far"
    )


def _slot(column: str) -> str:
    """Write the slot of a time, which is negative before the start."""
    since = f'(e."{column}" - h.ahead - g.system_start)'
    before = f"-((g.slot_length - 1 - {since}) // g.slot_length)"
    return f"CASE WHEN {since} >= 0 THEN {since} // g.slot_length ELSE {before} END"


def _timing(run: Run) -> tuple[int, int, int]:
    return run.timing.system_start, run.timing.slot_length, run.timing.epoch_length


def _chain_rows(chain: Chain, run: Run) -> list[tuple[object, ...]]:
    start, length, _ = _timing(run)
    rows: list[tuple[object, ...]] = []
    before = None
    for position, block in enumerate(chain.blocks):
        gap = None
        if before is not None and before.block_no == block.block_no - 1:
            gap = (block.slot - before.slot) * length / 1e9
        rows.append(
            (position, block.block, block.slot, start + block.slot * length, block.block_no, block.prev, block.forger,
             block.adopters, block.battles, block.size, gap)
        )  # fmt: skip
        before = block
    return rows


def _bounds(engine: DuckDB, events: RunEvents, warnings: list[Problem]) -> None:
    """Find for each host the first and last slot with a Start; define the series of slots over all hosts."""
    found = engine.rows(
        "SELECT * FROM (SELECT s.host, h.name, min(CASE WHEN starts > 0 THEN slot END) AS first, "
        "max(CASE WHEN starts > 0 THEN slot END), count(CASE WHEN starts > 0 THEN 1 END), "
        "max(slot) - min(slot), count(*) "
        "FROM slot_stamps AS s JOIN host AS h ON h.host = s.host GROUP BY s.host, h.name) WHERE first IS NOT NULL"
    )
    bounds: list[tuple[int, int, int, bool]] = []
    for host, name, first, last, starts, span, rows in found:
        if last - first < min(max(_MOST_SPARSE, _SLOTS_A_START * starts), _MOST_SLOTS):
            # With a row for every slot, none in between is without.
            bounds.append((host, first, last, rows == span + 1))
        else:
            what = f"the Start events of {name} span slots {first} to {last}: its forge loop and resources are left out"
            warnings.append(Problem("slot-out-of-range", str(events.run.path), 0, what, ""))
    columns = {"host": "INTEGER", "first_slot": "BIGINT", "last_slot": "BIGINT", "whole": "BOOLEAN"}
    engine.put("bounds", columns, bounds)
    first = min((low for _, low, *_ in bounds), default=0)
    last = max((high for _, _, high, _ in bounds), default=-1)
    engine.series("slot_series", "slot", first, last)
