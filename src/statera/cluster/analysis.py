"""The analysis of runs, from their logs to summary.json, blocks.csv and tables."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

from statera.cluster import filters, statistics, summary, tables
from statera.cluster.read import read_run
from statera.engines.duckdb import MEMORY, DuckDB
from statera.errors import Stop

if TYPE_CHECKING:
    from pathlib import Path

    from statera.cluster.read import RunEvents

SUMMARY, BLOCKS, TABLES = "summary.json", "blocks.csv", "tables"


class Options(NamedTuple):
    """How to analyse.

    Attributes:
        filters: in place of those of the run's description; None: these.
        mapping: which lines are which events.
        memory: what the engine may take, for instance ``1GiB``.
        threads: of the engine; 0: all cores.

    """

    filters: tuple[str, ...] | None = None
    mapping: str = "cardano"
    memory: str = MEMORY
    threads: int = 0


def analyse(run: Path, out: Path, options: Options) -> dict[str, Any]:
    """Analyse one run; write ``out``/summary.json last, so that where it stands everything stands."""
    _make(out)
    (out / SUMMARY).unlink(missing_ok=True)
    return analyse_events(read_run(run, out, options.mapping), out, options)


def analyse_events(events: RunEvents, out: Path, options: Options) -> dict[str, Any]:
    """Analyse the events of a run."""
    conditions = filters.chosen(options.filters, events.run.filters)
    filters.check(conditions, events.run.facts, events.run.path)
    with DuckDB(out / TABLES, memory=options.memory, threads=options.threads) as engine:
        built = tables.build(engine, events, conditions)
        engine.store("host_means", statistics.host_means_query())
        engine.store("hosts", "SELECT * FROM host")
        document = summary.summary(engine, events, conditions, built)
        _write(out / BLOCKS, summary.blocks_csv(engine))
    _write(out / SUMMARY, json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
    return document


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
