"""The gate: whether a comparison fails a build, and on which rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.errors import Stop
from statera.settings.policy import parse_fraction
from statera.verdicts.findings import deciding, row_name
from statera.wording import counted, shown

if TYPE_CHECKING:
    from statera import _native
    from statera.observations import Words

_DIFFERS = "differs"
_SHOWN = 20


class Gate(NamedTuple):
    """The rows that fail the gate: worse (beyond a margin, as a fraction), missing or inconclusive."""

    worse: bool = False
    beyond: float | None = None
    missing: bool = False
    inconclusive: bool = False
    accept_one_process: bool = False


class GateResult(NamedTuple):
    """The rows that fail the gate, the missing and inconclusive rows, and rows that differ and do not count."""

    failing: list[int]
    missing: list[int]
    inconclusive: list[int]
    not_counted: list[int]


def parse_gate(text: str | None, *, accept_one_process: bool = False) -> Gate:
    """Read ``worse[:MARGIN][,missing][,inconclusive]``."""
    gate = Gate(accept_one_process=accept_one_process)
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
            lone = weighing.row_dict(index)["verdict"] == _DIFFERS
            (not_counted if lone and not gate.accept_one_process else failing).append(index)
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
    if result.not_counted:
        rows = counted(len(result.not_counted), "row differs", "rows differ")
        lines.append(
            f"statera: {rows} for the worse, but a side has one {words.process}: not counted; "
            f"{deciding(words).lower()}; --accept-one-process counts such rows"
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
    return (",".join(part for part in parts if part) or "nothing") + accepted
