"""The analysis of runs, from their logs to summary.json, blocks.csv and tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.cluster import filters, pooled, spread, statistics, summary, tables
from statera.cluster.places import directory_name
from statera.cluster.read import read_hosts, read_run
from statera.engines.duckdb import MEMORY, DuckDB
from statera.engines.spark.engine import Spark
from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from statera.cluster.read import Reader, RunEvents
    from statera.engines.spark.session import Session

SUMMARY, BLOCKS, TABLES, POOLED = "summary.json", "blocks.csv", "tables", "pooled"

_MEANS = {"metric": "VARCHAR", "host": "INTEGER", "n": "BIGINT", "mean": "DOUBLE"}


class Options(NamedTuple):
    """How to analyse.

    Attributes:
        filters: in place of those of the run's description; None: these.
        mapping: which lines are which events.
        memory: what the engine may take, for instance ``1GiB``.
        threads: of the engine; 0: all cores.
        session: a running Spark, to read and compute there; None: here, by DuckDB.

    """

    filters: tuple[str, ...] | None = None
    mapping: str = "cardano"
    memory: str = MEMORY
    threads: int = 0
    session: Session | None = None

    def reader(self) -> Reader:
        """Give what reads hosts."""
        return read_hosts if self.session is None else spread.reader(self.session)

    def engine(self, folder: Path) -> DuckDB | Spark:
        """Give what runs the SQL, with its tables in a directory."""
        if self.session is None:
            return DuckDB(folder, memory=self.memory, threads=self.threads)
        return Spark(self.session, folder, memory=self.memory, threads=self.threads)


def analyse(run: Path, out: Path, options: Options) -> dict[str, Any]:
    """Analyse one run; write ``out``/summary.json last, so that where it stands everything stands."""
    _make(out)
    (out / SUMMARY).unlink(missing_ok=True)
    return analyse_events(read_run(run, out, options.mapping, options.reader()), out, options)


def analyse_events(events: RunEvents, out: Path, options: Options) -> dict[str, Any]:
    """Analyse the events of a run."""
    conditions = filters.chosen(options.filters, events.run.filters)
    filters.check(conditions, events.run.facts, events.run.path)
    with options.engine(out / TABLES) as engine:
        built = tables.build(engine, events, conditions)
        measured = statistics.measure(engine)
        engine.put("measured", _MEANS, measured.hosts)
        engine.store(
            "host_means", "SELECT m.metric, h.name AS host, m.n, m.mean FROM measured AS m JOIN host AS h USING (host)"
        )
        engine.store("hosts", "SELECT * FROM host")
        document = summary.summary(engine, events, conditions, built, measured)
        _write(out / BLOCKS, summary.blocks_csv(engine))
    _write(out / SUMMARY, _json(document))
    return document


def analyse_all(runs: Sequence[Path], out: Path, options: Options) -> dict[str, Path]:
    """Analyse runs: one into ``out``, several each into a directory of its name below, and all into ``out``/pooled.

    Returns:
        of each run its name and the directory of its results.

    """
    if len(runs) == 1:
        analyse(runs[0], out, options)
        return {_name(runs[0]): out}
    folders = {name: out / directory_name(name) for name in _names(runs)}
    documents = {name: analyse(run, folder, options) for run, (name, folder) in zip(runs, folders.items(), strict=True)}
    _pool(out / POOLED, folders, documents, options)
    return folders


def _pool(out: Path, folders: Mapping[str, Path], documents: Mapping[str, dict[str, Any]], options: Options) -> None:
    _make(out)
    (out / SUMMARY).unlink(missing_ok=True)
    tables = {name: folder / TABLES for name, folder in folders.items()}
    with DuckDB(out / TABLES, memory=options.memory, threads=options.threads) as engine:
        document = pooled.summary(engine, tables, documents)
    texts = {name: (folder / BLOCKS).read_text(encoding="utf-8") for name, folder in folders.items()}
    _write(out / BLOCKS, pooled.blocks_csv(texts))
    _write(out / SUMMARY, _json(document))


def _name(run: Path) -> str:
    return run.resolve().name or "run"


def _names(runs: Sequence[Path]) -> list[str]:
    """Name runs after their directories; a name that occurs again, or is taken by the pool, gets a number."""
    names: list[str] = []
    for run in runs:
        name, number = _name(run), 1
        while name in names or name == POOLED:
            number += 1
            name = f"{_name(run)}-{number}"
        names.append(name)
    return names


def _json(document: dict[str, Any]) -> str:
    return json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Stop("cannot-write", f"{folder}: {error.strerror}") from None


def _write(path: Path, text: str) -> None:
    """Write a file that is either whole or not there."""
    part = path.with_name(path.name + ".part")
    try:
        part.write_text(text, encoding="utf-8", errors="surrogateescape")
        part.replace(path)
    except OSError as error:
        raise Stop("cannot-write", f"{path}: {error.strerror}") from None
