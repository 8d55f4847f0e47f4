"""The gate: whether a comparison fails a build, and on which rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, cast

from statera.errors import Stop
from statera.settings.policy import parse_fraction
from statera.verdicts.findings import deciding, row_name
from statera.wording import counted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera import _native
    from statera.observations import Words

ONE_PROCESS = "one-process"
PARAMETRIC = "parametric"
_DIFFERS = "differs"
_SHOWN = 20


class Gate(NamedTuple):
    """The rows that fail the gate: worse (beyond a margin, as a fraction), missing or inconclusive."""

    worse: bool = False
    beyond: float | None = None
    missing: bool = False
    inconclusive: bool = False
    accept_one_process: bool = False
    accept_parametric: bool = False

    def counts(self, row: Mapping[str, object]) -> bool:
        """Tell whether a row for the worse counts, although it may only differ."""
        warnings = cast("tuple[str, ...]", row["warnings"])
        refused = (not self.accept_one_process and ONE_PROCESS in warnings) or (
            not self.accept_parametric and PARAMETRIC in warnings
        )
        return row["verdict"] != _DIFFERS or not refused


class GateResult(NamedTuple):
    """The rows that fail the gate, the missing and inconclusive rows, and rows that differ and do not count."""

    failing: list[int]
    missing: list[int]
    inconclusive: list[int]
    not_counted: list[int]


def parse_gate(text: str | None, *, accept_one_process: bool = False, accept_parametric: bool = False) -> Gate:
    """Read ``worse[:MARGIN][,missing][,inconclusive]``."""
    gate = Gate(accept_one_process=accept_one_process, accept_parametric=accept_parametric)
    if text is not None and not text.strip(" ,"):
        raise Stop("bad-option", "--fail-on is empty: it takes worse[:MARGIN], missing and inconclusive")
    for word in (text or "").split(","):
        name, colon, margin = word.strip().partition(":")
        if name == "worse":
            gate = gate._replace(worse=True, beyond=parse_fraction(margin, "--fail-on worse") if colon else None)
        elif name in {"missing", "inconclusive"} and not colon:
            gate = gate._replace(**{name: True})
        elif name or colon:
            raise Stop(
                "bad-option",
                f"--fail-on {word}: it takes worse[:MARGIN], missing and inconclusive, separated by commas",
            )
    return gate


def examine(gate: Gate, weighing: _native.Weighing) -> GateResult:
    """Find the rows that fail the gate."""
    missing = weighing.with_verdict(["missing"])
    inconclusive = weighing.with_verdict(["inconclusive"])
    failing: list[int] = []
    not_counted: list[int] = []
    if gate.worse:
        for index in weighing.worse_beyond(gate.beyond):
            (failing if gate.counts(weighing.row_dict(index)) else not_counted).append(index)
    if gate.missing:
        failing += missing
    if gate.inconclusive:
        failing += inconclusive
    return GateResult(failing, missing, inconclusive, not_counted)


def message(gate: Gate, result: GateResult, weighing: _native.Weighing, words: Words) -> list[str]:
    """Write the rows that fail the gate, and the numbers of missing and inconclusive rows."""
    lines = []
    if result.failing:
        lines.append(f"statera: {counted(len(result.failing), 'row fails', 'rows fail')} the gate:")
        for index in weighing.order(result.failing, "worst", False)[:_SHOWN]:  # noqa: FBT003
            change, interval, verdict = (shown(weighing.cell(index, key)) for key in ("change", "interval", "verdict"))
            names = (row_name(weighing, index, each) for each in dict.fromkeys((words.subject, "metric")))
            verdict = verdict.replace("one process", f"one {words.process}")
            lines.append(f"  {'  '.join(names)}  {change} {interval}  {verdict}")
        left = len(result.failing) - _SHOWN
        lines += [f"  and {counted(left, 'more row')}"] if left > 0 else []
    few = [index for index in result.not_counted if PARAMETRIC in weighing.row_dict(index)["warnings"]]
    lone = len(result.not_counted) - len(few)
    if lone:
        lines.append(
            f"statera: {counted(lone, 'row differs', 'rows differ')} for the worse, but a side has one "
            f"{words.process}: "
            f"not counted; {deciding(words).lower()}; --accept-one-process counts such rows"
        )
    if few:
        lines.append(
            f"statera: {counted(len(few), 'row differs', 'rows differ')} for the worse by a t-test of few runs: not "
            "counted; run more often; --accept-parametric counts such rows"
        )
    always = f"{_rows(result.missing)} missing, {_rows(result.inconclusive)} inconclusive"
    lines.append(f"statera: {always}; --fail-on {_words(gate)}")
    return lines


def _rows(rows: list[int]) -> str:
    return counted(len(rows), "row is", "rows are")


def _words(gate: Gate) -> str:
    worse = "" if not gate.worse else "worse" if gate.beyond is None else f"worse:{gate.beyond * 100:.3g}%"
    parts = [worse, "missing" if gate.missing else "", "inconclusive" if gate.inconclusive else ""]
    accepted = " --accept-one-process" if gate.accept_one_process else ""
    accepted += " --accept-parametric" if gate.accept_parametric else ""
    return (",".join(part for part in parts if part) or "nothing") + accepted
