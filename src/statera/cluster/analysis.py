"""The analysis of runs: from logs to summary.json, blocks.csv and tables; what the lines are if none is an event."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from statera.cluster import consistency, filters, statistics, summary, tables
from statera.cluster.engine import MEMORY, DuckDB
from statera.cluster.logs import mapping, spark
from statera.cluster.logs.directories import directory_name, free, refuse_repeated, scratch_directory
from statera.cluster.logs.events import EVENTS, read_hosts
from statera.cluster.logs.files import MOST_FILES, layout
from statera.cluster.logs.mapping import DEFAULT
from statera.cluster.run import open_run, read_run
from statera.support.errors import Stop
from statera.support.files import csv_json, outputs
from statera.support.files.hadoop import Remote
from statera.support.files.lock import locked
from statera.support.files.names import as_text
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from statera.cluster.logs.events import Counts, Events, Reader
    from statera.cluster.logs.spark import Session
    from statera.cluster.run import RunEvents

SUMMARY, BLOCKS, TABLES, POOLED = "summary.json", "blocks.csv", "tables", "pooled"
CORRECTED = "corrected"

_MEANS = {"metric": "VARCHAR", "host": "INTEGER", "n": "BIGINT", "mean": "DOUBLE"}


class Options(NamedTuple):
    """Options of an analysis."""

    filters: tuple[str, ...] | None = None  # the filters; None for those of the run's description
    mapping: str | None = None  # the mapping from lines to events; None for the one of cardano-node
    memory: str = MEMORY  # the most memory that the engine may use, for instance ``1GiB``
    threads: int = 0  # the threads of the engine; 0 for all cores
    most_files: int = MOST_FILES  # the most files that a run may have
    locks: bool = True  # whether to stop if the file system has no locks
    session: Session | None = None  # a running Spark whose executors read the logs; None for this process
    correct_clocks: bool = False  # write a second analysis, with times corrected by the offsets of clocks
    raw_csv: bool = False  # do not escape names in blocks.csv that a spreadsheet would run as formulas

    def reader(self) -> Reader:
        """Return the function that reads hosts."""
        return read_hosts if self.session is None else spark.reader(self.session)


def analyse(run: Path, out: Path, options: Options) -> dict[str, Any]:
    """Analyse one run; write ``out``/summary.json last, so that its presence means complete results."""
    _refuse_logs(run, out, options.most_files)
    if options.mapping is not None:
        tables.check(mapping.load(options.mapping), options.mapping)
    with locked(out, required=options.locks):
        _refuse_other(out, POOLED, "several runs")
        _clear(out, EVENTS, TABLES)
        events = read_run(run, out, options.mapping or DEFAULT, options.reader(), options.most_files)
        if not any(host.counts.analysed for host in events.hosts):
            raise no_events(run, events)
        found = analyse_events(events, out, options)
        _correct(events, out, found, options)
        return found


def _correct(events: RunEvents, out: Path, found: Mapping[str, Any], options: Options) -> None:
    """Write a second analysis below ``out``, with the times of hosts whose clocks are off corrected, if requested."""
    shutil.rmtree(out / CORRECTED / TABLES, ignore_errors=True)
    (out / CORRECTED / SUMMARY).unlink(missing_ok=True)
    ahead = {one.host: round(one.offset * 1e9) for one in consistency.of_summary(found) if one.is_off}
    if not (options.correct_clocks and ahead):
        return
    folder = out / CORRECTED
    _clear(folder, TABLES)
    analyse_events(events, folder, options, ahead, out / EVENTS)


def analyse_events(
    events: RunEvents,
    out: Path,
    options: Options,
    ahead: Mapping[str, int] = MappingProxyType({}),
    place: Path | None = None,
) -> dict[str, Any]:
    """Analyse the events of a run, and write the results to ``out``.

    ``ahead`` is subtracted from the times of hosts, in ns; the events are in ``place``, by default in ``out``.
    """
    conditions = filters.chosen(options.filters, events.run.filters)
    filters.check(conditions, events.run.facts, events.run.path)
    engine = DuckDB(out / TABLES, memory=options.memory, threads=options.threads, sources=[place or out / EVENTS])
    with engine, _in_range(events.run.path):
        built = tables.build(engine, events, conditions, ahead)
        measured = statistics.measure(engine)
        engine.put("measured", _MEANS, measured.hosts)
        engine.store(
            "host_means", "SELECT m.metric, h.name AS host, m.n, m.mean FROM measured AS m JOIN host AS h USING (host)"
        )
        engine.store("hosts", "SELECT * FROM host")
        document = summary.summary(engine, events, conditions, built, measured)
        outputs.write(out / BLOCKS, summary.blocks_csv(engine, raw=options.raw_csv))
    outputs.write(out / SUMMARY, csv_json.document(document))
    return document


@contextmanager
def _in_range(path: Path) -> Iterator[None]:
    """Refuse values that are too large to be summed."""
    try:
        yield
    except OverflowError as error:
        raise Stop(
            "value-out-of-range",
            f"{path}: values are too large to be summed: {error}. Look for them in the logs, and remove or correct "
            "their lines",
        ) from None


def analyse_all(runs: Sequence[Path], out: Path, options: Options) -> dict[str, Path]:
    """Analyse runs: one run into ``out``; several each into ``out``/NAME, and all together into ``out``/pooled.

    Returns:
        for each run its name and the directory of its results.
    """
    refuse_repeated(runs)
    for run in runs:
        # Report errors of any run before reading the first.
        open_run(run, options.most_files)
        _refuse_logs(run, out, options.most_files)
    if len(runs) == 1:
        analyse(runs[0], out, options)
        return {_name(runs[0]): out}
    folders = {name: out / directory_name(name) for name in _names(runs)}
    with locked(out, required=options.locks):
        _refuse_other(out, "", "one run")
        named = zip(runs, folders.items(), strict=True)
        documents = {name: analyse(run, folder, options) for run, (name, folder) in named}
        with locked(out / POOLED, required=options.locks):
            _pool(out / POOLED, folders, documents, options)
    return folders


@contextmanager
def published(out: Path, runs: Sequence[Path], most_files: int) -> Iterator[Path]:
    """Give the directory for results; those of an address are copied there at the end, or nothing is.

    A reader of the address finds a summary.json only where everything else lies already.
    """
    if not isinstance(out, Remote):
        yield out
        return
    for run in runs:
        _refuse_logs(run, out, most_files)
    out.refuse_taken()
    with scratch_directory() as scratch:
        yield scratch
        out.put(
            scratch, sorted(scratch.rglob(SUMMARY), key=lambda file: (file.parent.name == POOLED, -len(file.parts)))
        )


def _refuse_other(out: Path, below: str, what: str) -> None:
    """Refuse a directory with results of another kind, which would look like part of the new results.

    Call this while the lock is held: until then another command may write such results.
    """
    if (out / below / SUMMARY).is_file():
        raise Stop("cannot-write", f"{out}: holds the analysis of {what}. Name another directory, or remove this one")


def _refuse_logs(run: Path, out: Path, most_files: int) -> None:
    """Refuse to write anything among the logs, even a lock: the next analysis would read results as logs."""
    below = out.resolve()
    if below == run.resolve() or (below.parent == run.resolve() and below.name in layout(run, most_files).logs):
        raise Stop("cannot-write", f"{out}: holds logs of the run. Name another directory for the results")


def _pool(out: Path, folders: Mapping[str, Path], documents: Mapping[str, dict[str, Any]], options: Options) -> None:
    _clear(out)
    tables = {name: folder / TABLES for name, folder in folders.items()}
    sources = list(tables.values())
    with DuckDB(out / TABLES, memory=options.memory, threads=options.threads, sources=sources) as engine:
        document = summary.pooled_summary(engine, tables, documents)
    texts = {name: (folder / BLOCKS).read_text(encoding="utf-8") for name, folder in folders.items()}
    outputs.write(out / BLOCKS, summary.pooled_blocks_csv(texts, raw=options.raw_csv))
    outputs.write(out / SUMMARY, csv_json.document(document))


def _name(run: Path) -> str:
    return as_text(run.resolve().name) or "run"


def _names(runs: Sequence[Path]) -> list[str]:
    """Name runs after their directories; a name that is repeated, or equals that of the pool, gets a number."""
    names: list[str] = []
    for run in runs:
        names.append(free(_name(run), [POOLED, *names]))
    return names


def _clear(folder: Path, *inner: str) -> None:
    """Create directories for results, and delete the summary of an earlier analysis, but no other file."""
    file = folder / SUMMARY
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in inner:
            (folder / name).mkdir(exist_ok=True)
        if file.exists() and not _is_ours(file):
            raise Stop(
                "cannot-write", f"{file}: is not a summary of an analysis. Name another directory, or remove the file"
            )
        file.unlink(missing_ok=True)
    except OSError as error:
        raise outputs.failure(error.filename or folder, error) from None


def _is_ours(file: Path) -> bool:
    try:
        document = json.loads(file.read_bytes())
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and "metrics" in document


_KINDS: Final = {
    "noise": "text, or JSON other than an object", "broken": "broken JSON", "cut": "cut off at the end of a file",
    "other": "not a log object", "skipped": "skipped",
}  # fmt: skip
_NAMES: Final = 3


def no_events(path: Path, events: Events) -> Stop:
    """Return the error that no line is an event: the lines looked for, and what the lines are instead."""
    plan = json.loads(events.mapping.plan)
    line, name = plan["line"], next((name for event in plan["events"] for name in event.get("names", ())), "…")
    lines = counted(sum(host.counts.lines for host in events.hosts), "line")
    hosts = counted(len(events.hosts), "host")
    return Stop(
        "no-events",
        f"{path}: no event of the mapping {events.mapping.name} in {lines} of {hosts}; the line of an event "
        f'is an object such as {{"{line["time"]}": …, "{line["name"]}": "{name}", …}}{_instead(events)}',
    )


def _instead(events: Events) -> str:
    """Describe what the lines are instead of events: by kind, each with file and line of an example if one was kept."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in _KINDS}
    for host in events.hosts:
        for kind, reason, lines in _reasons(host.counts):
            found[kind][reason] = found[kind].get(reason, 0) + lines
    parts = [
        f"{counted(sum(reasons.values()), 'line')}: {_KINDS[kind]}{_listed(reasons)}{_example(events, kind)}"
        for kind, reasons in found.items()
        if sum(reasons.values())
    ]
    not_mapped = sum(host.counts.emitted - host.counts.mapped for host in events.hosts)
    if not_mapped:
        names = _unmapped_names(host.counts for host in events.hosts)
        parts.append(f"{counted(not_mapped, 'line')}: names that are not in the mapping{names}")
    return f"; {'; '.join(parts)}" if parts else ""


def _reasons(counts: Counts) -> Iterator[tuple[str, str, int]]:
    for kind in ("noise", "broken", "cut"):
        yield kind, "", getattr(counts, kind)
    for reason, lines in counts.others:
        yield "other", reason, lines
    for event, reason, lines in counts.skips:
        yield "skipped", f"{event} has {reason}", lines


def _listed(reasons: dict[str, int]) -> str:
    """List the reasons of a kind; several with their numbers of lines."""
    if len(reasons) == 1:
        return "".join(f", {reason}" for reason in reasons if reason)
    return f" ({', '.join(f'{lines:,} {reason}' for reason, lines in reasons.items())})"


def _example(events: Events, kind: str) -> str:
    examples = (one for host in events.hosts for one in host.counts.examples if one.reason == kind)
    return next((f", as {one.file}:{one.line}" for one in examples), "")


def _unmapped_names(all_counts: Iterator[Counts]) -> str:
    names: dict[str, int] = {}
    for counts in all_counts:
        for name, lines in counts.unmapped:
            if name:
                names[name] = names.get(name, 0) + lines
    most = sorted(names, key=lambda name: (-names[name], name))[:_NAMES]
    return f" ({', '.join(most)}{', …' if len(names) > len(most) else ''})" if most else ""
