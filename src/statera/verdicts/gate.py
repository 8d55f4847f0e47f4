"""The gate: whether a comparison fails a build, and on which rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from statera.errors import Stop
from statera.settings.policy import parse_fraction
from statera.verdicts.findings import row_name
from statera.wording import counted, shown

if TYPE_CHECKING:
    from statera import _native
    from statera.observations import Words

ONE_PROCESS = "one-process"
# The typical value, the tail, or both.
_WORSE = ("worse", "typical-worse", "tail-worse")
_TAKES = "worse, typical-worse or tail-worse (each with :MARGIN if wanted), missing and inconclusive"
_SHOWN = 20


class Gate(NamedTuple):
    """The rows that fail the gate; margins are fractions, and ``tail`` are the rows that are worse in the tail."""

    worse: bool = False
    beyond: float | None = None
    tail: bool = False
    tail_beyond: float | None = None
    missing: bool = False
    inconclusive: bool = False
    accept_one_process: bool = False


class GateResult(NamedTuple):
    """The rows that fail the gate, the missing and inconclusive rows, and the worse rows that do not count."""

    failing: list[int]
    missing: list[int]
    inconclusive: list[int]
    not_counted: list[int]


def parse_gate(text: str | None, *, accept_one_process: bool = False) -> Gate:
    """Read ``worse[:MARGIN][,missing][,inconclusive]``; ``typical-worse`` and ``tail-worse`` are the parts of worse."""
    gate = Gate(accept_one_process=accept_one_process)
    if text is not None and not text.strip(" ,"):
        raise Stop("bad-option", f"--fail-on is empty: it takes {_TAKES}")
    for word in (text or "").split(","):
        name, colon, margin = word.strip().partition(":")
        if name in _WORSE:
            beyond = parse_fraction(margin, f"--fail-on {name}") if colon else None
            if name != "tail-worse":
                gate = gate._replace(worse=True, beyond=beyond)
            if name != "typical-worse":
                gate = gate._replace(tail=True, tail_beyond=beyond)
        elif name in {"missing", "inconclusive"} and not colon:
            gate = gate._replace(**{name: True})
        elif name or colon:
            raise Stop(
                "bad-option",
                f"--fail-on {word}: it takes {_TAKES}, separated by commas",
            )
    return gate


def examine(gate: Gate, weighing: _native.Weighing) -> GateResult:
    """Find the rows that fail the gate."""
    missing = weighing.with_verdict(["missing"])
    inconclusive = weighing.with_verdict(["inconclusive"])
    failing: list[int] = []
    not_counted: list[int] = []
    for verdict, counts, beyond in (("worse", gate.worse, gate.beyond), ("tail-worse", gate.tail, gate.tail_beyond)):
        worse = weighing.with_verdict([verdict]) if counts else []
        far = worse if beyond is None else set(weighing.worse_beyond(beyond))
        for index in (row for row in worse if row in far):
            lone = ONE_PROCESS in weighing.row_dict(index)["warnings"]
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
            lines.append(f"  {'  '.join(names)}  {change} {interval}  {verdict}")
        left = len(result.failing) - _SHOWN
        lines += [f"  and {counted(left, 'more row')}"] if left > 0 else []
    if result.not_counted:
        rows = counted(len(result.not_counted), "row is", "rows are")
        lone = f"{rows} worse but measured by one {words.process} a side"
        lines.append(f"statera: {lone}, and not counted; --accept-one-process counts such rows")
    always = f"{_rows(result.missing)} missing, {_rows(result.inconclusive)} inconclusive"
    lines.append(f"statera: {always}; --fail-on {_words(gate)}")
    return lines


def _rows(rows: list[int]) -> str:
    return counted(len(rows), "row is", "rows are")


def _words(gate: Gate) -> str:
    typical = _margin("typical-worse", gate.beyond) if gate.worse else ""
    tail = _margin("tail-worse", gate.tail_beyond) if gate.tail else ""
    if gate.worse and gate.tail and gate.beyond == gate.tail_beyond:
        typical, tail = _margin("worse", gate.beyond), ""
    parts = [typical, tail, "missing" if gate.missing else "", "inconclusive" if gate.inconclusive else ""]
    return ",".join(part for part in parts if part) or "nothing"


def _margin(word: str, beyond: float | None) -> str:
    return word if beyond is None else f"{word}:{beyond * 100:.3g}%"
