"""The times of a run as hyperfine 1.20 exports them (``--export-json``): one result a command, one time a round."""

from __future__ import annotations

import shlex
from statistics import fmean, median, stdev
from typing import TYPE_CHECKING, Any

from statera.experiment.plan import levels_in_words
from statera.support.files import csv_json

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.experiment.plan import Cell, Plan
    from statera.reading.store.journal import InvocationRecord, Record


def text(plan: Plan, records: Iterable[Record]) -> str:
    """Write the samples of a run as hyperfine's JSON. Times are in seconds, memory is in bytes."""
    samples: dict[tuple[str, str], list[InvocationRecord]] = {}
    for record in records:
        if record["kind"] == "invocation" and record["round"] > 0:
            samples.setdefault((record["benchmark"], record["variant"]), []).append(record)
    results = []
    for cell in plan.cells:
        own = samples.get(plan.names(cell))
        if own:
            results.append(_result(plan, cell, own))
    return csv_json.document({"results": results})


def _named(plan: Plan, cell: Cell) -> str:
    """Name a result as hyperfine does: by the command, or the name that it was given."""
    variant = plan.variants[cell.variant]
    if len(plan.benchmarks) > 1:
        return f"{plan.benchmarks[cell.benchmark]} {variant.name}"
    named_by_levels = variant.name == levels_in_words(variant.levels)
    return shlex.join(cell.command.arguments) if named_by_levels else variant.name


def _result(plan: Plan, cell: Cell, samples: list[InvocationRecord]) -> dict[str, Any]:
    times = [sample["time"] for sample in samples]
    variant = plan.variants[cell.variant]
    return {
        "command": _named(plan, cell),
        "mean": fmean(times),
        "stddev": stdev(times) if len(times) > 1 else None,
        "median": median(times),
        "user": fmean(sample["user"] for sample in samples),
        "system": fmean(sample["system"] for sample in samples),
        "min": min(times),
        "max": max(times),
        "times": times,
        "memory_usage_byte": [sample["memory"] for sample in samples],
        "exit_codes": [sample["exit"] for sample in samples],
        "parameters": dict(variant.levels),
    }
