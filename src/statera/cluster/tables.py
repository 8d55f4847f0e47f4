"""The tables of an analysis, in order: each is one SQL file; the walk down the chain runs between them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from statera.cluster.chain import Block, Chain, walk
from statera.support.errors import Problem
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from statera.cluster.engine import DuckDB
    from statera.cluster.filters import Condition
    from statera.cluster.logs.files import LogFile
    from statera.cluster.run import Run, RunEvents

SQL = Path(__file__).parent / "sql"
CENTILES = (50, 80, 90, 92, 94, 96, 98, 100)
"""Percentages of the cluster whose adoption is timed."""

_EVENT = {
    "host": "VARCHAR", "event": "VARCHAR", "at": "BIGINT", "slot": "BIGINT", "block": "VARCHAR", "block_no": "BIGINT",
    "prev": "VARCHAR", "delta": "BIGINT", "length": "BIGINT", "size": "BIGINT", "density": "DOUBLE",
    "file": "BIGINT", "line": "BIGINT", "seq": "BIGINT",
}  # fmt: skip
_COUNTERS = "CentiCpu CentiGC CentiMut GcsMajor GcsMinor Alloc FsRd FsWr NetRd NetWr RSS Heap Live"
_RESOURCE = {
    "host": "VARCHAR", "at": "BIGINT", "file": "BIGINT", "line": "BIGINT", "seq": "BIGINT",
    **dict.fromkeys(_COUNTERS.split(), "BIGINT"),
}  # fmt: skip
# Interim tables, not stored: only other tables read them, and they are the largest.
_PASSING = frozenset({"slot_stamps", "slot_failures"})
# Tables built before the chain is known, and after.
_BEFORE = ("slot_stamps", "host_blocks", "known_blocks")
_AFTER = (
    "forging", "observations", "adoptions", "slot_failures", "block_failures", "blocks", "peers", "host_slots",
    "usage", "intervals", "cpu_slots", "spans", "epoch_spans", "host_facts",
)  # fmt: skip
_CHAIN = {
    "position": "BIGINT", "block": "VARCHAR", "slot": "BIGINT", "slot_start": "BIGINT", "block_no": "BIGINT",
    "prev": "VARCHAR", "forger": "INTEGER", "adopters": "BIGINT", "battles": "BIGINT", "size": "BIGINT",
    "gap": "DOUBLE",
}  # fmt: skip
# Columns with measurements; the other columns say of what and when.
_MEASURED = frozenset({"delta", "length", "size", "density", *_COUNTERS.split()})
# Each slot takes a row, so a host whose Start slots span more is left out: one of them is not a slot of this run. A
# host begins the loop of every slot, so it has about as many lines as slots; short spans may have fewer lines.
_MOST_SLOTS = 10**8
_MOST_SPARSE = 10**6
_SLOTS_A_START = 100
# Differences of log times and slots beyond these would overflow.
_MOST = 2**62
NEAR = f'(e."at" > -{_MOST} AND e."at" < {_MOST})'
"""SQL condition: the time of an event ``e`` is in range."""
# No real counter, size or ratio is larger; sums and rates up to it fit into fixed point.
_LARGEST = 2**53


class Built(NamedTuple):
    """Results of building the tables."""

    chain: Chain  # the main chain
    warnings: tuple[Problem, ...]  # what was left out


def build(engine: DuckDB, events: RunEvents, conditions: Sequence[Condition]) -> Built:
    """Build every table of a run in the engine."""
    warnings: list[Problem] = []
    _inputs(engine, events, conditions, warnings)
    for name in _BEFORE:
        _make(engine, name)
    chain = walk(Block(*row) for row in engine.rows(f"SELECT {', '.join(Block._fields)} FROM known_blocks"))
    engine.put("chain", _CHAIN, _chain_rows(chain, events.run))
    _bounds(engine, events, warnings)
    for name in _AFTER:
        _make(engine, name)
    return Built(chain, tuple(warnings))


def _make(engine: DuckDB, name: str) -> None:
    if name in _PASSING:
        engine.keep(name, query(name))
    else:
        engine.store(name, query(name))


def query(name: str) -> str:
    """Return the SQL of a table."""
    return (SQL / f"{name}.sql").read_text(encoding="utf-8")


def host_order(hosts: Iterable[str]) -> list[str]:
    """Sort hosts by name, byte by byte; a host's place is its number, so that numbers sort like names."""
    return sorted(hosts, key=os.fsencode)


def _inputs(engine: DuckDB, events: RunEvents, conditions: Sequence[Condition], warnings: list[Problem]) -> None:
    run = events.run
    numbers = {host: number for number, host in enumerate(host_order(run.hosts))}
    live = {host.host: host.live for host in events.hosts}
    engine.put(
        "host",
        {"host": "INTEGER", "name": "VARCHAR", "live": "BOOLEAN", "modified": "BIGINT"},
        [(number, host, live.get(host, False), _modified(run.files[host])) for host, number in numbers.items()],
    )
    engine.read("logged_events", events.tables("events"), _EVENT)
    engine.read("logged_resources", events.tables("resources"), _RESOURCE)
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
    places = [(percent, (percent * machines + 99) // 100) for percent in CENTILES]
    engine.put("centiles", {"percent": "INTEGER", "place": "INTEGER"}, places)
    _views(engine, run, warnings)


def _views(engine: DuckDB, run: Run, warnings: list[Problem]) -> None:
    """Add host numbers to events; leave out events whose time or slot is out of range, and values too large."""
    most = (_MOST - run.timing.system_start) // run.timing.slot_length
    slots = f"(e.slot IS NULL OR e.slot <= {most})"
    _view(engine, "events", _EVENT, f"{NEAR} AND {slots}")
    _view(engine, "resources", _RESOURCE, NEAR)
    [(far,)] = engine.rows(
        f"SELECT (SELECT count(*) FROM logged_events AS e WHERE NOT ({NEAR} AND {slots})) "
        f"+ (SELECT count(*) FROM logged_resources AS e WHERE NOT {NEAR})"
    )
    if far:
        what = f"left out {counted(far, 'event')} with times or slots out of range"
        warnings.append(Problem("slot-out-of-range", str(run.path), 0, what, ""))
    large = _large(engine, "events", _EVENT) | _large(engine, "resources", _RESOURCE)
    if large:
        told = ", ".join(f"{counted(count, 'value')} of {column}" for column, count in large.items())
        what = f"{told} beyond {_LARGEST:,}, the largest number that is counted: treated as missing"
        warnings.append(Problem("value-out-of-range", str(run.path), 0, what, ""))


def _large(engine: DuckDB, name: str, columns: Iterable[str]) -> dict[str, int]:
    """Count the values that are too large, by column."""
    measured = [column for column in columns if column in _MEASURED]
    counts = ", ".join(f"count(CASE WHEN NOT {_fits(column)} THEN 1 END)" for column in measured)
    [found] = engine.rows(f"SELECT {counts} FROM logged_{name} AS e")
    return {column: count for column, count in zip(measured, found, strict=True) if count}


def _fits(column: str) -> str:
    return f'e."{column}" BETWEEN -{_LARGEST} AND {_LARGEST}'


def _taken(column: str) -> str:
    if column == "at":
        return 'e."at" AS at_ns'
    return f'CASE WHEN {_fits(column)} THEN e."{column}" END AS "{column}"' if column in _MEASURED else f'e."{column}"'


def _modified(files: Iterable[LogFile]) -> int | None:
    """Return the last change of the newest log file, in whole seconds since 1970; None without files."""
    return max((file.modified // 10**9 for file in files), default=None)


def _view(engine: DuckDB, name: str, columns: Mapping[str, str], where: str) -> None:
    named = (_taken(column) for column in columns if column != "host")
    engine.view(
        name,
        f"SELECT h.host, {', '.join(named)} FROM logged_{name} AS e JOIN host AS h ON h.name = e.host WHERE {where}",
    )


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
        "SELECT s.host, h.name, min(s.slot), max(s.slot), count(*) "
        "FROM slot_stamps AS s JOIN host AS h ON h.host = s.host WHERE s.starts > 0 GROUP BY s.host, h.name"
    )
    bounds: list[tuple[int, int, int]] = []
    for host, name, first, last, starts in found:
        if last - first < min(max(_MOST_SPARSE, _SLOTS_A_START * starts), _MOST_SLOTS):
            bounds.append((host, first, last))
        else:
            what = f"the Start events of {name} span slots {first} to {last}: its forge loop and resources are left out"
            warnings.append(Problem("slot-out-of-range", str(events.run.path), 0, what, ""))
    engine.put("bounds", {"host": "INTEGER", "first_slot": "BIGINT", "last_slot": "BIGINT"}, bounds)
    first = min((low for _, low, _ in bounds), default=0)
    last = max((high for *_, high in bounds), default=-1)
    engine.series("slot_series", "slot", first, last)
