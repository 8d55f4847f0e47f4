"""Drill-downs from a number to the log lines behind it: by block, by host, and lines that were not used."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster.analysis import POOLED, SUMMARY
from statera.cluster.consistency import of_summary
from statera.cluster.logs.directories import directory_name
from statera.cluster.logs.events import EVENTS, Logged, instant, logged_hosts
from statera.cluster.logs.files import layout
from statera.cluster.metrics import METRICS
from statera.cluster.samples import is_analysed, load_summary, open_tables
from statera.cluster.tables import BLOCKS, FILE, LINE, SLOTS
from statera.support.errors import Stop
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from statera.cluster.consistency import Clock
    from statera.cluster.engine import DuckDB


_SECOND = 10**9
_MOST_MATCHES = 10


class Listing(NamedTuple):
    """A table of rows of one kind."""

    title: str  # the title of the table
    columns: tuple[str, ...]  # the names of the columns, all different
    rows: list[tuple[Any, ...]]  # plain values; None if there is no value
    standing: bool = False  # whether a single row is shown vertically, one line per column
    # the unit of the numbers of each row, with which its first value ends; empty if columns have the units.
    units: tuple[str, ...] = ()


def block(analysis: Path, which: str) -> list[Listing]:
    """Return what every host logged about a block, the beginning of a hash or a slot, and about the forger's slot."""
    summary = load_single(analysis)
    tables = ("known_blocks", "blocks", "block_failures", "observations", "hosts")
    with open_tables(analysis, *tables, sources=[analysis / EVENTS]) as engine:
        facts = _block_facts(engine, which)
        if len(facts.rows) > 1:
            return [facts]
        one = dict(zip(facts.columns, facts.rows[0], strict=True))
        logged = logged_hosts(analysis, summary["hosts"])
        return [facts, _observers(engine, one["hash"]), _block_events(engine, logged, one)]


def _block_facts(engine: DuckDB, which: str) -> Listing:
    """Return the known blocks of a slot, or whose hash begins with a text."""
    columns = {
        "hash": "k.block", "slot": "k.slot", "block number": "k.block_no", "parent": "k.prev", "forger": "h.name",
        "size, B": "k.size", "adopting hosts": "k.adopters", "battles": "k.battles", "on the main chain":
        "b.block IS NOT NULL", "accepted": "b.accepted", "fails": "f.tags", "gap, s": "b.gap",
        "valid observers": "b.valid_observers", "0.50 adoption, s": "b.adoption_50",
        "1.00 adoption, s": "b.adoption_100",
    }  # fmt: skip
    query = (
        f"SELECT {', '.join(columns.values())} FROM known_blocks AS k LEFT JOIN blocks AS b ON b.block = k.block "
        "LEFT JOIN hosts AS h ON h.host = k.forger LEFT JOIN ("
        "SELECT block, string_agg(tag, ', ' ORDER BY number) AS tags FROM block_failures GROUP BY block"
        ") AS f ON f.block = k.block "
        f"WHERE {{where}} ORDER BY k.block_no, k.block LIMIT {_MOST_MATCHES}"
    )
    rows: list[tuple[Any, ...]] = []
    if not which:
        raise Stop("no-such-block", "the name of the block is empty. Pass a slot, or the beginning of a hash")
    if which.isdecimal() and len(which) < len(str(2**63)):
        rows = engine.rows(query.replace("{where}", "k.slot = ?"), [int(which)])
    # Text outside ASCII begins no hash, and may not even be valid Unicode.
    if not rows and which.isascii():
        rows = engine.rows(query.replace("{where}", "starts_with(k.block, ?)"), [which.lower()])
    if not rows:
        raise Stop("no-such-block", f"no known block has the slot {which}, or a hash that begins with it")
    single = len(rows) == 1
    return Listing("Block" if single else "Matching blocks", tuple(columns), rows, standing=single)


def _observers(engine: DuckDB, chosen: str) -> Listing:
    names = ("notice", "request", "fetching", "announce", "send", "adoption")
    rows = engine.rows(
        f"SELECT h.name, o.class, {', '.join(f'o.{name}' for name in names)} FROM observations AS o "
        "JOIN hosts AS h ON h.host = o.host WHERE o.block = ? ORDER BY h.host",
        [chosen],
    )
    heads = ("slot to notice", "notice to request", "fetch", "fetched to announced", "to sending", "to adopted")
    return Listing("Observers (phases in seconds)", ("host", "class", *heads), rows)


def _block_events(engine: DuckDB, logged: dict[str, Logged], one: dict[str, Any]) -> Listing:
    """Return the events of a block, and its forger's of the forge loop in its slot: of each its first line, by time."""
    parts = []
    loop = [event for event in SLOTS if event != "LedgerMetrics"]
    for table, key, events in (("blocks", "VARCHAR", list(BLOCKS)), ("slots", "BIGINT", loop)):
        files = [host.tables[table] for host in logged.values() if table in host.tables]
        columns = {f"{event}_{field}": "BIGINT" for event in events for field in ("at", "place")}
        engine.read(f"logged_{table}", files, {"host": "VARCHAR", "key": key} | columns)
        parts += [
            f"SELECT host, '{event}' AS event, {event}_at AS at_ns, {event}_place AS place FROM chosen_{table} "
            f"WHERE {event}_at IS NOT NULL"
            for event in events
        ]
    rows = engine.rows(
        "WITH chosen_blocks AS (SELECT * FROM logged_blocks WHERE key = ?), "
        "chosen_slots AS (SELECT * FROM logged_slots WHERE key = ? AND host = ?) "
        f"SELECT host, event, at_ns, {FILE.format('place')}, {LINE.format('place')} "
        f"FROM ({' UNION ALL '.join(parts)}) ORDER BY at_ns, host, place",
        [one["hash"], one["slot"], one["forger"] or ""],
    )
    first = rows[0][2] if rows else 0
    listed = [
        (host, event, instant(at), (at - first) / _SECOND, place(logged, host, file, line))
        for host, event, at, file, line in rows
    ]
    return Listing("Events", ("host", "event", "time, UTC", "since the first, s", "line"), listed)


def host(analysis: Path, which: str) -> list[Listing]:
    """Return what a host logged, forged and used, compared with the cluster."""
    summary = load_single(analysis)
    if which not in summary["hosts"]:
        known = ", ".join(list(summary["hosts"])[:_MOST_MATCHES])
        wrong = f"the run has no host {which}" if which else "the name of the host is empty"
        raise Stop("no-such-host", f"{wrong}; the run has {known}")
    logged = logged_hosts(analysis, [which])
    counts = summary["hosts"][which]
    found = [Listing("Host", ("name", *counts), [(which, *counts.values())], standing=True)]
    found.append(_clock(clock for clock in of_summary(summary) if clock.host == which))
    with open_tables(analysis, "host_means", "intervals", "hosts", "spans") as engine:
        means = {
            key: (n, mean)
            for key, n, mean in engine.rows("SELECT metric, n, mean FROM host_means WHERE host = ?", [which])
        }
        rows = [
            (f"{metric.title}, {metric.unit}", *means[metric.key], summary["metrics"][metric.key]["mean"])
            for metric in METRICS
            if metric.key in means
        ]
        units = tuple(metric.unit for metric in METRICS if metric.key in means)
        found.append(Listing("Means", ("metric", "n", "of the host", "of the cluster"), rows, units=units))
        found.append(_restarts(engine, logged, which))
        found.append(_spans(engine, which))
    if which in logged:
        lines = logged[which].counts
        found.append(Listing("Events", ("event", "lines"), [tuple(row) for row in lines.events]))
        found.append(
            Listing("Log objects that are not events", ("name", "lines"), [tuple(row) for row in lines.unmapped])
        )
    return [one for one in found if one.rows]


def _clock(clocks: Iterable[Clock]) -> Listing:
    heads = ("host", "s ahead of the median clock", "at least", "at most", "hosts there and back")
    return Listing("Clock", heads, [tuple(clock) for clock in clocks])


def _restarts(engine: DuckDB, logged: dict[str, Logged], which: str | None) -> Listing:
    rows = engine.rows(
        "SELECT h.name, i.at_ns, i.file, i.line, i.slot FROM intervals AS i JOIN hosts AS h ON h.host = i.host "
        "WHERE i.restart AND (h.name = ? OR ?) ORDER BY h.host, i.at_ns",
        [which or "", which is None],
    )
    listed = [(name, instant(at), slot, place(logged, name, file, line)) for name, at, file, line, slot in rows]
    return Listing("Restarts (counters started again)", ("host", "time, UTC", "slot", "line"), listed)


def _spans(engine: DuckDB, which: str) -> Listing:
    rows = engine.rows(
        "SELECT s.first_slot, s.last_slot, s.length FROM spans AS s JOIN hosts AS h ON h.host = s.host "
        f"WHERE h.name = ? ORDER BY s.length DESC, s.first_slot LIMIT {_MOST_MATCHES}",
        [which],
    )
    return Listing("Longest spans above 85 % CPU", ("first slot", "last slot", "slots"), rows)


def errors(analysis: Path) -> list[Listing]:
    """Return everything that was not used or is unusual, with file and line if known."""
    summary = load_single(analysis)
    logged = logged_hosts(analysis, summary["hosts"])
    warnings = [
        (one["code"], one["what"], f"{one['source']}:{one['line']}" if one["line"] else str(one["source"]))
        for one in summary["warnings"]
    ]
    classes = ("lines", "noise", "broken", "cut", "other", "skipped")
    of_hosts = [
        (name, *(host[kind] for kind in classes))
        for name, host in summary["hosts"].items()
        if any(host[kind] for kind in classes[1:]) or not host["emitted"]
    ]
    reasons = [
        (name, what, event, reason, lines)
        for name, one in logged.items()
        for what, event, reason, lines in [
            *(("skipped", *row) for row in one.counts.skips),
            *(("other", "", *row) for row in one.counts.others),
        ]
    ]
    examples = [
        (name, row.reason, f"{row.file}:{row.line}", row.text)
        for name, one in logged.items()
        for row in one.counts.examples
    ]
    with open_tables(analysis, "intervals", "hosts") as engine:
        restarts = _restarts(engine, logged, None)
    observed = [(name, count) for name, count in summary["observations"].items() if name != "valid" and count]
    found = [
        Listing("Warnings", ("code", "what", "where"), warnings),
        _clock(clock for clock in of_summary(summary) if clock.is_off),
        Listing("Lines that are not events", ("host", *classes), of_hosts),
        Listing("Reasons", ("host", "class", "event", "reason", "lines"), reasons),
        Listing("Examples", ("host", "class", "line", "text"), examples),
        restarts,
        Listing("Observations of accepted blocks that are not valid", ("class", "observations"), observed),
    ]
    return [one for one in found if one.rows]


def place(logged: dict[str, Logged], name: str, file: int, line: int) -> str:
    """Write file and line."""
    files: Sequence[str] = logged[name].files if name in logged else ()
    return f"{files[file] if 0 <= file < len(files) else file}:{line}"


_MOST_NAMED: Final = 10


def load_single(path: Path) -> dict[str, Any]:
    """Read the summary of a run's analysis.

    Raises ``Stop`` if it cannot be read, or the directory holds something else: pooled runs, several analyses, logs.
    """
    try:
        if not is_analysed(path):
            raise Stop("not-analysed", f"{path}: {_instead(path)}")
    except OSError as error:
        raise Stop("not-analysed", f"{path}: cannot be read: {error.strerror}") from None
    summary = load_summary(path)
    if "runs" in summary:
        above = path.parent if path.name not in {"", ".."} else path.resolve().parent
        folders = [folder for name in summary["runs"] if is_analysed(folder := above / directory_name(name))]
        one = _one_of(folders) if folders else "Pass the analysis of a single run"
        raise Stop("not-analysed", f"{path}: holds several runs pooled, without their lines. {one}")
    return summary


def _instead(path: Path) -> str:
    """Describe what a directory without a summary holds, and what to do."""
    if not path.is_dir():
        return "there is no such directory. Pass one that statera cluster analyse wrote"
    analyses = [each for each in sorted(path.iterdir()) if each.name != POOLED and is_analysed(each)]
    if analyses:
        return f"holds the analyses of {len(analyses)} runs. {_one_of(analyses)}"
    if (path / EVENTS).is_dir():
        return f"its analysis did not finish. Run statera cluster analyse RUN -o {shlex.quote(str(path))}"
    if any((path / name).is_file() for name in ("run.json", "meta.json")) or layout(path).logs:
        command = f"statera cluster analyse {shlex.quote(str(path))} -o OUT"
        return f"holds logs, not an analysis. Analyse them into another directory first ({command}) and pass that one"
    return f"has no {SUMMARY}. Run statera cluster analyse RUN -o OUT, and pass OUT"


def _one_of(folders: Sequence[Path]) -> str:
    return f"Pass one of them: {listed((shlex.quote(str(folder)) for folder in folders), _MOST_NAMED)}"
