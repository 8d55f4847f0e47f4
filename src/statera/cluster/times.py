"""Times from one event to another of the same key across hosts, which a mapping defines, in the logs of any system."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from statera.cluster import lines
from statera.cluster.comparison import ClusterComparison, compare
from statera.cluster.engine import DuckDB
from statera.cluster.inputs import NO_RUNS, Earlier, labelled
from statera.cluster.logs import mapping
from statera.cluster.logs.directories import scratch_directory
from statera.cluster.logs.events import EVENTS, read_logs
from statera.cluster.logs.files import MOST_FILES
from statera.cluster.logs.hosts import open_logs
from statera.cluster.logs.mapping import ACROSS
from statera.cluster.metrics import Metric
from statera.cluster.samples import Analysed
from statera.cluster.statistics import FIXED, exact_sum, measure
from statera.cluster.summary import resolutions, warning_of
from statera.cluster.tables import NEAR, query
from statera.support.errors import Problem, Stop
from statera.support.files.names import as_text
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from statera.cluster.logs.events import Events
    from statera.cluster.logs.mapping import Definition, Side
    from statera.cluster.samples import Series
    from statera.comparison.pairing import Request
    from statera.support.settings.file import Settings


def all_metrics(found: Iterable[Definition]) -> list[Metric]:
    """Return the metrics of all definitions."""
    return [
        _metric(one, across, place_name(number, place))
        for number, one in enumerate(found)
        for place, across in enumerate(one.hosts)
    ]


def _metric(definition: Definition, across: str, source: str) -> Metric:
    words, population = ACROSS.get(across, (f"{across[:-1]} % of the hosts", "key"))
    title = f"{definition.title}, {words}" if words else definition.title
    meaning = f"From {definition.begin.event} to {definition.end.event} of the same {definition.key}"
    key = definition.name if across == "each" else f"{definition.name}.{across}"
    better: Any = definition.better
    meaning += f", {words}." if words else "."
    return Metric(key, title, "s", population, None, source, "seconds", better, meaning, samples="keys")


def place_name(number: int, place: int) -> str:
    """Return the table name of a metric: the ``place``-th of definition ``number``."""
    return f"time_{number}_{place}"


def place_of(across: str, machines: int) -> int | None:
    """Return the host's place in the order of arrival, counted from 1, with P % rounded up; None for all hosts."""
    if across == "each":
        return None
    return 1 if across == "first" else -(-int(across[:-1]) * machines // 100)


_PLACES = {"host": "VARCHAR", "event": "VARCHAR", "at": "BIGINT", "file": "BIGINT", "line": "BIGINT", "seq": "BIGINT"}
_TYPES = {"natural": "BIGINT", "integer": "BIGINT", "number": "DOUBLE", "text": "VARCHAR", "hash": "VARCHAR"}


class Slow(NamedTuple):
    """One of the longest times."""

    name: str  # the name of the definition
    key: str  # the key that both events share
    seconds: float  # the time from the first event to the second
    # the host, and the file and line, of the first event.
    begun_on: str
    begun: str
    # the host, and the file and line, of the second event.
    ended_on: str
    ended: str


class Timed(NamedTuple):
    """The times of a run."""

    # the statistics, and the values for a comparison. For each definition, ``counts`` in the summary holds the
    # number of keys that began, never ended and never began, and of negative times; ``lines`` and ``leftOut`` count
    # the lines.
    analysed: Analysed
    slowest: tuple[Slow, ...]  # the longest times of each definition, the longest first


def timed_mapping(name: str | Path) -> mapping.Mapping:
    """Load a mapping that defines times.

    Raises:
        Stop: the mapping is invalid, or has no ``[[times]]``.

    """
    found = mapping.load(name)
    if not found.times:
        raise Stop("event-mapping", f"{name}: this mapping has no [[times]], which define what to time")
    return found


def analyse(
    path: Path,
    scratch: Path,
    plan: mapping.Mapping,
    *,
    memory: str,
    threads: int = 0,
    slowest: int = 0,
    most_files: int = MOST_FILES,
) -> Timed:
    """Time what the mapping defines in the logs below ``path``; events and tables are written below ``scratch``.

    Raises:
        Stop: there are no logs, or they hold no event that the mapping times.

    """
    logs = open_logs(path, most_files)
    events = read_logs(logs, scratch, plan)
    sources = [scratch / EVENTS]
    with DuckDB(scratch / "tables", memory=memory, threads=threads, sources=sources) as engine:
        _build(engine, events, len(logs.hosts))
        counts = {one.name: _counts(engine, number) for number, one in enumerate(plan.times)}
        if not any(of["begun"] or of["neverBegun"] for of in counts.values()):
            raise lines.nothing_timed(path, events)
        metrics = all_metrics(plan.times)
        measured = measure(engine, metrics)
        summary = {
            "spec": 1,
            "run": as_text(path.resolve().name),
            "machines": len(logs.hosts),
            "lines": lines.totals(events),
            "leftOut": [one._asdict() for one in lines.left_out(events)],
            "manifest": {},
            "metrics": measured.metrics,
            "resolution": resolutions(events),
            "counts": counts,
            "warnings": [
                warning_of(problem)
                for problem in [*events.warnings, *_far(engine, events, str(path)), *_warnings(str(path), counts)]
            ],
        }
        series = {metric.key: _series(engine, metric.source) for metric in metrics}
        slow = [row for number, one in enumerate(plan.times) for row in _slowest(engine, events, number, one, slowest)]
    return Timed(Analysed(path, summary, {}, series), tuple(slow))


def _build(engine: DuckDB, events: Events, machines: int) -> None:
    times = events.mapping.times
    for table, columns in events.mapping.tables.items():
        if table in events.mapping.folds:
            engine.read(f"logged_{table}", events.tables(table), {"far": "BIGINT"})
            continue
        kinds = {column: _TYPES[kind] for column, kind in columns.items()}
        engine.read(f"logged_{table}", events.tables(table), _PLACES | kinds)
    engine.put(
        "wanted",
        {"number": "INTEGER", "begins": "BOOLEAN", "event": "VARCHAR"},
        [(number, begins, side.event) for number, one in enumerate(times) for begins, side in _sides(one)],
    )
    parts = [
        _keyed(number, one, side, begins=begins) for number, one in enumerate(times) for begins, side in _sides(one)
    ]
    engine.view("keyed", " UNION ALL ".join(parts))
    engine.store("times", query("times"))
    for number, one in enumerate(times):
        for place, across in enumerate(one.hosts):
            at = place_of(across, machines)
            where = f"number = {number}" + (f" AND place = {at}" if at else "")
            engine.view(place_name(number, place), f"SELECT key_text, begun_at, seconds FROM times WHERE {where}")


def _sides(one: Definition) -> tuple[tuple[bool, Side], ...]:
    return ((True, one.begin), (False, one.end))


def _keyed(number: int, one: Definition, side: Side, *, begins: bool) -> str:
    return (
        f'SELECT w.number, w.begins, CAST(e."{one.key}" AS VARCHAR) AS key_text, e.host, e."at" AS at_ns, '
        f"e.file, e.line, e.seq FROM logged_{side.table} AS e JOIN wanted AS w ON w.event = e.event "
        f'WHERE w.number = {number} AND w.begins = {begins} AND e."{one.key}" IS NOT NULL AND {NEAR}'
    )


def _counts(engine: DuckDB, number: int) -> dict[str, int]:
    [(begun, without_end, without_begin)] = engine.rows(
        "SELECT count(CASE WHEN b THEN 1 END), count(CASE WHEN b AND NOT e THEN 1 END), "
        "count(CASE WHEN e AND NOT b THEN 1 END) FROM ("
        "SELECT bool_or(begins) AS b, bool_or(NOT begins) AS e FROM keyed "
        f"WHERE number = {number} GROUP BY key_text) AS keys"
    )
    [(negative,)] = engine.rows(f"SELECT count(*) FROM times WHERE number = {number} AND seconds < 0")
    return {"begun": begun, "neverEnded": without_end, "neverBegun": without_begin, "negative": negative}


def _warnings(source: str, counts: dict[str, dict[str, int]]) -> list[Problem]:
    found = []
    for name, of in counts.items():
        if of["neverEnded"] or of["neverBegun"]:
            began = counted(of["neverEnded"], "key")
            what = f"{name}: {began} began and never ended, {of['neverBegun']} ended and never began"
            found.append(Problem("unmatched-keys", source, 0, what, ""))
        if of["negative"]:
            what = f"{name}: {counted(of['negative'], 'time')} below zero, kept as logged"
            found.append(Problem("negative-times", source, 0, what, ""))
    return found


def _far(engine: DuckDB, events: Events, source: str) -> list[Problem]:
    folds = events.mapping.folds
    counts = (
        f"SELECT sum(far) AS far FROM logged_{name}" if name in folds
        else f"SELECT count(*) AS far FROM logged_{name} AS e WHERE NOT {NEAR}"
        for name in events.mapping.tables
    )  # fmt: skip
    [(found,)] = engine.rows(f"SELECT sum(far) FROM ({' UNION ALL '.join(counts)})")
    far = int(found or 0)
    what = f"{counted(far, 'event')} of times before 1824 or after 2116: left out"
    return [Problem("value-out-of-range", source, 0, what, "")] if far else []


def _series(engine: DuckDB, source: str) -> Series:
    rows = engine.rows(
        f"SELECT {exact_sum('seconds')} / {FIXED}e0, count(*) FROM {source} GROUP BY key_text, begun_at "
        "ORDER BY begun_at, key_text"
    )
    return [(float(total), count) for total, count in rows]


def _slowest(engine: DuckDB, events: Events, number: int, one: Definition, most: int) -> list[Slow]:
    files = {host.host: host.files for host in events.hosts}
    rows: Sequence[tuple[Any, ...]] = engine.rows(
        "SELECT key_text, seconds, begun_on, begun_file, begun_line, host, file, line FROM times "
        f"WHERE number = {number} ORDER BY seconds DESC, key_text, host LIMIT {most}"
    )
    return [
        Slow(one.name, key, seconds, begun_on, f"{files[begun_on][first]}:{line}", host, f"{files[host][last]}:{at}")
        for key, seconds, begun_on, first, line, host, last, at in rows
    ]


def of_paths(
    words: Sequence[str],
    mapping: str,
    settings: Settings | None = None,
    request: Request | None = None,
    earlier: Earlier = NO_RUNS,
    *,
    memory: str,
    threads: int = 0,
    slowest: int = 0,
    most_files: int = MOST_FILES,
) -> Timed | ClusterComparison:
    """Time runs, each written ``[LABEL=]PATH``; several are compared, the first is the baseline.

    The ``earlier`` runs are further runs of the baseline.

    Returns:
        the times of a single path, or a comparison of several.

    Raises:
        Stop: a path holds no logs, the mapping times nothing, or all paths have one label.

    """
    plan = timed_mapping(mapping)
    timed: list[Timed] = []
    with scratch_directory() as scratch:

        def load(path: Path, number: int) -> Analysed:
            place = scratch / str(number)
            timed.append(
                analyse(path, place, plan, memory=memory, threads=threads, slowest=slowest, most_files=most_files)
            )
            return timed[-1].analysed

        variants = labelled(words, load, earlier)
    if len(timed) == 1:
        return timed[0]
    if len(variants) == 1 and not (request and request.by):
        raise Stop("nothing-to-compare", "all runs have the same label. Name runs with two labels, the baseline first")
    return compare(variants, settings, request, all_metrics(plan.times))
