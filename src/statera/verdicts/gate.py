"""The gate: whether a comparison fails a build, and on which rows."""

from __future__ import annotations

from statera.errors import Stop
from statera.settings.policy import parse_fraction
from statera.typed import TYPE_CHECKING, NamedTuple, cast
from statera.verdicts.findings import PARAMETRIC, deciding, distinguishing, place_words, row_name
from statera.wording import counted, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera import _native
    from statera.observations import Words

ONE_PROCESS = "one-process"
_DIFFERS = "differs"
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
    """Read ``worse[:MARGIN][,missing][,inconclusive]``; ``typical-worse`` and ``tail-worse`` are the parts of worse."""
    gate = Gate(accept_one_process=accept_one_process, accept_parametric=accept_parametric)
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
    for verdicts, counts, beyond in (
        (["worse", _DIFFERS], gate.worse, gate.beyond),
        (["tail-worse"], gate.tail, gate.tail_beyond),
    ):
        worse = set(weighing.with_verdict(verdicts)) if counts else set()
        for index in weighing.worse_beyond(beyond):
            if index in worse:
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
        whose = distinguishing(weighing)
        lines.append(f"statera: {counted(len(result.failing), 'row fails', 'rows fail')} the gate:")
        for index in weighing.order(result.failing, "worst", False)[:_SHOWN]:  # noqa: FBT003
            change, interval, verdict = (shown(weighing.cell(index, key)) for key in ("change", "interval", "verdict"))
            names = [row_name(weighing, index, each) for each in dict.fromkeys((words.subject, "metric"))]
            names[0] += place_words(weighing, index, whose)
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
    lines.append(f"statera: {always}; --fail-on {in_words(gate)}")
    return lines


def _rows(rows: list[int]) -> str:
    return counted(len(rows), "row is", "rows are")


def in_words(gate: Gate) -> str:
    """Write a gate as ``--fail-on`` takes it, and what it accepts."""
    typical = _margin("typical-worse", gate.beyond) if gate.worse else ""
    tail = _margin("tail-worse", gate.tail_beyond) if gate.tail else ""
    if gate.worse and gate.tail and gate.beyond == gate.tail_beyond:
        typical, tail = _margin("worse", gate.beyond), ""
    parts = [typical, tail, "missing" if gate.missing else "", "inconclusive" if gate.inconclusive else ""]
    accepted = " --accept-one-process" if gate.accept_one_process else ""
    accepted += " --accept-parametric" if gate.accept_parametric else ""
    return (",".join(part for part in parts if part) or "nothing") + accepted


def _margin(word: str, beyond: float | None) -> str:
    return word if beyond is None else f"{word}:{beyond * 100:.3g}%"
