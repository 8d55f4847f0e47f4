"""Results as JSON, and as CSV with every number in full precision.

Within a version of a schema, keys are only added, never changed or removed.
"""

from __future__ import annotations

import json
from dataclasses import asdict

from statera.comparison.codes import GRADES, tallied
from statera.output.views import PLAIN
from statera.support.files import csv_json
from statera.support.files.csv_json import comma_separated
from statera.support.settings import Policy
from statera.support.settings.file import differences
from statera.support.typed import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from statera import _native
    from statera.comparison.results.comparison import Comparison
    from statera.comparison.results.inspection import InspectedSection, Inspection
    from statera.comparison.verdicts import Note
    from statera.comparison.weighing.self_test import RowRate
    from statera.output.views import Layout
    from statera.support.settings.file import Settings

# The fields that name a row, and its verdict.
_NAMES: Final = ("group", "benchmark", "metric", "baseline", "contender", "verdict")


def comparison_document(
    comparison: Comparison, layout: Layout = PLAIN, *, more: Mapping[str, Any] | None = None
) -> str:
    """Write the comparison as one document (schema: docs/json.md); keys of ``more`` precede the rows."""
    return _with_rows(_comparison_head(comparison) | dict(more or {}), _rows(comparison, layout))


def comparison_rows(comparison: Comparison, layout: Layout = PLAIN) -> list[dict[str, Any]]:
    """Return the rows as objects, as they stand in the document."""
    rows: list[dict[str, Any]] = json.loads(_rows(comparison, layout))
    return rows


def _rows(comparison: Comparison, layout: Layout) -> str:
    weighing = comparison.weighing
    return weighing.json(layout.rows(weighing, [*range(len(comparison))], "file"))


def inspection_document(inspection: Inspection, layout: Layout = PLAIN) -> str:
    """Write the inspection as one document; docs/inspect.md describes the schema."""
    native = inspection.native
    rows = native.order([*range(len(inspection))], layout.sort or "file")
    return _with_rows(_inspection_head(inspection), native.json(rows))


def _with_rows(head: dict[str, Any], rows: str) -> str:
    # The compiled part writes the rows, because there can be many.
    begin = csv_json.document(head).removesuffix("\n}\n")
    return f'{begin},\n "rows": {rows}\n}}\n'


def _read(result: Comparison | Inspection) -> dict[str, Any]:
    """Return what was read, and what it has in common."""
    observations, arrangement = result.observations, result.arrangement
    return {
        "configuration": {"common": arrangement.common, "differs": arrangement.differs, "pooled": arrangement.pooled},
        "sources": [source._asdict() for source in observations.sources],
        "values": len(observations),
        "left_out": observations.left_out_by_code,
        "counted_apart": observations.counted_apart_by_code,
        "problems": [problem._asdict() for problem in observations.problems],
        "findings": result.findings,
    }


def _comparison_head(comparison: Comparison) -> dict[str, Any]:
    return {
        "schema": "statera.comparison/2",
        "answer": _answer(comparison),
        "labels": comparison.labels,
        "policy": policy(comparison.policy),
        "settings": settings(comparison.settings),
        **_read(comparison),
        "method": comparison.method,
        "family": comparison.weighing.family,
        "correction": comparison.family,
        "notes": [*map(_note, comparison.notes)],
        "summaries": [_summary(comparison, summary) for summary in comparison.weighing.summaries()],
        "omnibus": [_without_numbers(test) for test in comparison.omnibus],
        "interactions": [_interaction(comparison, each) for each in comparison.interactions],
        **_along(comparison),
        **_asked_for(comparison),
    }


def _asked_for(comparison: Comparison) -> dict[str, Any]:
    """Return where the cost of profiles differs, and the blocks that changed most, as far as they were asked for."""
    found: dict[str, Any] = {}
    if comparison.profiles:
        from statera.output.views.profiles import objects  # noqa: PLC0415 - few comparisons have profiles

        found["profiles"] = objects(comparison.profiles)
    if comparison.blocks:
        from statera.output.views.blocks import block_objects  # noqa: PLC0415 - few comparisons show blocks

        found["blocks"] = block_objects(comparison)
    return found


def _note(note: Note) -> dict[str, Any]:
    """Return a note without the short sentence, which only people read."""
    return {key: value for key, value in note._asdict().items() if key != "brief"}


def _inspection_head(inspection: Inspection) -> dict[str, Any]:
    tested = inspection.self_test
    return {
        "schema": "statera.inspection/2",
        "labels": inspection.labels,
        "policy": policy(inspection.policy),
        "settings": settings(inspection.settings),
        **_read(inspection),
        "notes": [*map(_note, inspection.notes)],
        "summaries": [_inspection_summary(inspection, section) for section in inspection.sections()],
        "self_test": None if tested is None else asdict(tested),
    }


def _answer(comparison: Comparison) -> dict[str, Any]:
    """Return the answer; a row is named by its fields, because the rows of the document can be others, or sorted."""
    answer = comparison.answer
    rows = map(comparison.weighing.row_dict, answer.suspects)
    return {
        "line": answer.line,
        "noun": answer.noun,
        "counts": answer.counts,
        "suspects": [{key: row[key] for key in _NAMES} for row in rows],
    }


def _without_numbers(test: _native.Omnibus) -> dict[str, Any]:
    return {key: value for key, value in test.items() if not key.endswith("_number")}


def _interaction(comparison: Comparison, each: _native.Interaction) -> dict[str, Any]:
    levels = [comparison.weighing.row_dict(row)["group"] for row in each["rows"]]
    return {**{key: value for key, value in each.items() if key != "rows"}, "levels": levels}


def _along(comparison: Comparison) -> dict[str, Any]:
    """Return the quantile tables and shift functions if quantiles were requested."""
    if not comparison.levels:
        return {}
    found = comparison.distribution()
    labels, groups = comparison.labels, comparison.arrangement.groups
    tables = [
        {
            "group": groups[each.group],
            "benchmark": each.benchmark,
            "metric": comparison.observations.metrics[each.metric].name,
            "variant": labels[each.variant],
            "n": each.n,
            "median": each.median,
            "iqr": each.iqr,
            "quantiles": list(each.at),
        }
        for each in found.quantiles
    ]
    speed_ups = [
        {
            "group": groups[each.baseline.group],
            "benchmark": each.baseline.benchmark,
            "metric": comparison.observations.metrics[each.baseline.metric].name,
            "baseline": labels[each.baseline.variant],
            "contender": labels[each.contender.variant],
            "speed_up": list(each.at),
        }
        for each in found.speed_ups
    ]
    shifts = []
    for row, points in found.shifts.items():
        fields = comparison.weighing.row_dict(row)
        named = {key: fields[key] for key in ("group", "benchmark", "metric", "baseline", "contender", "scale")}
        shifts.append({**named, "points": [point._asdict() for point in points]})
    return {"levels": list(found.levels), "quantiles": tables, "speed_ups": speed_ups, "shift_functions": shifts}


def policy(thresholds: Policy) -> dict[str, Any]:
    """Return all thresholds by name."""
    named = thresholds._asdict()
    named["margins"] = [{"metrics": pattern, "margin": margin} for pattern, margin in thresholds.margins]
    named["noise"] = [{"metrics": pattern, "floor": floor} for pattern, floor in thresholds.noise]
    named["directions"] = [{"metrics": pattern, "better": word} for pattern, word in thresholds.directions]
    return named


def settings(used: Settings) -> dict[str, Any]:
    """Return the name of the settings file, and the settings that differ from their defaults."""
    value, default = policy(used.policy), policy(Policy())
    names = [each.name for each in differences(used.policy)]
    changed = [{"name": name, "value": value[name], "default": default[name]} for name in names]
    return {"file": used.file, "changed": changed}


def _summary(comparison: Comparison, summary: dict[str, Any]) -> dict[str, Any]:
    metric = comparison.observations.metrics[summary["metric"]]
    mean = None
    if "ratio" in summary:
        mean = {key: summary[key] for key in ("ratio", "low", "high", "rows", "method", "certain")}
    quantiles = summary["quantiles"]
    return {
        "group": comparison.arrangement.groups[summary["group"]],
        "metric": metric.name,
        "baseline": comparison.labels[summary["baseline"]],
        "contender": comparison.labels[summary["contender"]],
        "geometric_mean": mean,
        "without_ratio": summary["without_ratio"],
        "verdicts": tallied(summary["verdicts"]),
        "change_quantiles": dict(zip(("0.10", "0.25", "0.50", "0.75", "0.95", "0.99"), quantiles, strict=True))
        if quantiles
        else None,
        "mean_change": summary["mean_change"] if quantiles else None,
        "moves_as_one": summary["moves_as_one"],
        "spread": dict(zip(("ratio", "p", "rows"), summary["spread"], strict=True)) if "spread" in summary else None,
        "detectable": dict(zip(("least", "median", "most"), summary["detectable"], strict=True))
        if summary["detectable"]
        else None,
    }


def _inspection_summary(inspection: Inspection, section: InspectedSection) -> dict[str, Any]:
    return {
        "group": inspection.arrangement.groups[section.group],
        "metric": inspection.observations.metrics[section.metric].name,
        **section.summary,
        "grades": dict(zip(GRADES, section.summary["grades"], strict=True)),
    }


_SELF_TEST = (
    "group", "benchmark", "metric", "scale", "called", "trials", "called_low", "called_high", "significant", "floor",
    "largest",
)  # fmt: skip


def comparison_table(comparison: Comparison, layout: Layout = PLAIN) -> str:
    """Write a header line and a line for each row."""
    weighing = comparison.weighing
    rows = layout.rows(weighing, [*range(len(comparison))], "file")
    return weighing.csv(rows, raw=layout.raw)


def inspection_table(inspection: Inspection, layout: Layout = PLAIN) -> str:
    """Write a header line and a line for each row of an inspection, or of its self-test."""
    native = inspection.native
    if inspection.self_test is None:
        return native.csv(native.order([*range(len(inspection))], layout.sort or "file"), raw=layout.raw)
    return comma_separated([_SELF_TEST, *map(_line, inspection.self_test.rows)], raw=layout.raw)


def _line(row: RowRate) -> list[object]:
    called = row.called
    rates = [called.count, called.trials, called.low, called.high, row.significant, row.floor, row.largest]
    return [row.group, row.benchmark, row.metric, row.scale, *rates]
