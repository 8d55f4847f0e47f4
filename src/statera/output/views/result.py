"""The result file of a comparison: what a comment in a pull request says, as numbers, names and codes.

Another job, with more rights, writes the comment from it. The file therefore holds no sentence and no markup.
Its schema is ``schema/result-1.json``.
"""

from __future__ import annotations

import re

import statera
from statera import _native
from statera.comparison.codes import VERDICTS
from statera.output.views.markdown import open_rows
from statera.support.files import csv_json
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from typing import Any, Final

    from statera.comparison.results.comparison import Comparison
    from statera.comparison.weighing.self_test import MetricRate, SelfTest
    from statera.reading.store.journal import Record
    from statera.reading.store.run_folder import Manifest
    from statera.support.errors import Stop

SCHEMA: Final = "statera.result/1"
# Longer names lose their middle, and the least urgent rows are only counted, so that a file stays below its limit.
_NAME: Final = 200
_UNIT: Final = 24
_ROWS: Final = 500
_FAILURE: Final = 500
_MACHINE: Final = ("cpu", "cores", "memory", "os", "kernel", "virtualisation")
_FILE: Final = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_./-]{,199}")
_FACTOR: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{,59}")
_COMMIT: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}|none")
_NUMBERS: Final = ("baseline_centre", "contender_centre", "change", "p_corrected")


class Gated(NamedTuple):
    """The gate: the words of ``--fail-on``, how many rows fail it, and the code of why it has no answer."""

    fail_on: str
    failing: int
    refusal: str | None = None


class Ran(NamedTuple):
    """The run that a comparison is of: its manifest, and the records of its journal."""

    manifest: Manifest
    records: list[Record]


def document(comparison: Comparison, gate: Gated | None, noise: SelfTest | None, ran: Ran | None) -> str:
    """Write the result of a comparison: also what the gate found, the baseline compared with itself, and the run."""
    answer = comparison.answer
    order = [*open_rows(comparison, "worst")]
    every = comparison.weighing.order([*range(len(comparison))], "worst", changed=False)
    rows = [*dict.fromkeys([*order, *every])]
    alpha = comparison.policy.alpha
    compared = {
        "verdicts": {code: count for code, count in answer.counts.items() if code in VERDICTS},
        "noun": answer.noun,
        "states": list(answer.states),
        "rows": [_row(comparison, row) for row in rows[:_ROWS]],
        "left_out": max(len(rows) - _ROWS, 0),
        "gate": gate._asdict() if gate else None,
        "noise": [_noise(metric, alpha) for metric in noise.metrics if metric.rows][:_ROWS] if noise else [],
    }
    return csv_json.document({**_head(comparison.labels, ran), "failure": None, "compared": compared})


def failed(stop: Stop, ran: Ran | None) -> str:
    """Write why nothing could be compared: the build that failed, otherwise the error."""
    failure = _failed_build(ran) or {"code": stop.code, "text": str(stop)}
    failure["text"] = _native.shortened(_native.printable(failure["text"]), _FAILURE)
    return csv_json.document({**_head([], ran), "failure": failure, "compared": None})


def _head(labels: list[str], ran: Ran | None) -> dict[str, Any]:
    manifest = ran.manifest if ran else None
    return {
        "schema": SCHEMA,
        "statera": statera.__version__,
        "labels": [_short(label) for label in labels[:_ROWS]],
        **_experiment(manifest),
        "revisions": [_revision(each) for each in manifest.sources][:_ROWS] if manifest else [],
        "machine": {key: _short(str(manifest.host[key])) for key in _MACHINE if manifest.host.get(key)}
        if manifest
        else {},
        "seed": manifest.plan.get("seed") if manifest else None,
        "rounds": max((record["round"] for record in ran.records if record["kind"] == "round"), default=0)
        if ran
        else None,
    }


def _experiment(manifest: Manifest | None) -> dict[str, str | None]:
    """Return the experiment file and its only factor; None where a reader could not repeat the command."""
    words = manifest.command if manifest else []
    file = next((word for word in words if word.endswith(".toml") and _FILE.fullmatch(word)), None)
    factors = {levels[0][0] for levels in _levels(manifest) if len(levels) == 1} if manifest else set()
    factor = factors.pop() if len(factors) == 1 else None
    return {"experiment": file, "factor": factor if factor and _FACTOR.fullmatch(factor) else None}


def _levels(manifest: Manifest) -> list[list[list[str]]]:
    return [variant["levels"] for variant in manifest.plan["variants"]]


def _revision(source: dict[str, Any]) -> dict[str, Any]:
    commit = str(source["revision"])
    known = commit if _COMMIT.fullmatch(commit) else None
    return {"label": _short(str(source["variant"])), "commit": known, "dirty": bool(source["dirty"])}


def _row(comparison: Comparison, row: int) -> dict[str, Any]:
    fields = comparison.weighing.row_dict(row)
    metric = next(each for each in comparison.observations.metrics if each.name == fields["metric"])
    names = {name: _short(fields[name]) for name in ("benchmark", "group", "metric", "baseline", "contender")}
    open_ended = fields["change_low_open"] or fields["change_high_open"]
    ends = {end: None if open_ended else fields[end] for end in ("change_low", "change_high")}
    return {
        **names,
        "quantity": metric.quantity,
        "unit": _native.shortened(_native.printable(fields["unit"]), _UNIT),
        "scale": fields["scale"],
        **{name: fields[name] for name in _NUMBERS},
        **ends,
        "runs": [fields["baseline_n"], fields["contender_n"]],
        "verdict": fields["verdict"],
    }


def _noise(metric: MetricRate, alpha: float) -> dict[str, Any]:
    # A rate that may be no more than alpha says nothing of the machine.
    called = metric.called if (metric.called.low or 0.0) > alpha else None
    return {
        "metric": _short(metric.metric),
        "group": _short(metric.group),
        "benchmarks": metric.rows,
        "called": called and called.count,
        "trials": called and called.trials,
        "called_low": called and called.low,
        "called_high": called and called.high,
        "floor": metric.floor,
    }


def _failed_build(ran: Ran | None) -> dict[str, str] | None:
    """Return the first build of a run that failed, with the variant that it is of."""
    if ran is None:
        return None
    failed = next((record for record in ran.records if record["kind"] == "build" and not record["ok"]), None)
    if failed is None:
        return None
    return {"code": "build-failed", "text": failed["message"]}


def _short(name: str) -> str:
    return _native.shortened(_native.printable(name), _NAME)
