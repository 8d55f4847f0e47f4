"""What one build weighed against itself says in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import _native
from statera.wording import NOTHING, counted, listed

if TYPE_CHECKING:
    from statera.settings import Policy
    from statera.weighing.self_test import AsMeasured, Called, MetricRate, Rate, SelfTest

_EXAMPLES = 3
_HELD = "5%"
# With fewer trials a rate of 5 % is less than one of them.
_TELLING = 20
# So much above alpha, before correction, is more than chance.
_PLAINLY = 1.5


def findings(tested: SelfTest, policy: Policy) -> list[str]:
    """State the rates: of the results as they were measured, of a row, of a whole suite; and what would hold them."""
    found = [_as_measured(tested.as_measured)] if tested.as_measured else []
    if tested.splits == 0:
        return [*found, "There is too little to split into two sides."]
    metrics = [metric for metric in tested.metrics if metric.rows]
    if not metrics:
        return [*found, "All rows are exact, or have one value: no test was made, and no false alarm can be."]
    for metric in metrics:
        found += _metric(metric, policy)
    if len(metrics) > 1:
        found.append(f"Any row of any metric is called changed in {of(tested.suite)} of the splits.")
    return found


def how(tested: SelfTest) -> str:
    """Say what was dealt, and in how many ways."""
    which = "all" if tested.all_splits else "a sample of"
    ways = f"two sides, {which} {tested.splits:,} ways"
    if tested.length <= 1:
        return f"{tested.stretches} {tested.dealt} dealt to {ways}"
    return f"{tested.stretches} stretches of {tested.length:.3g} consecutive {tested.dealt} dealt to {ways}"


def of(rate: Rate) -> str:
    """Write ``22 of 126 (17% [11%, 25%])``."""
    ends = "" if rate.low is None or rate.high is None else f" [{_percent(rate.low)}, {_percent(rate.high)}]"
    return f"{rate.count:,} of {rate.trials:,} ({share(rate)}{ends})"


def share(rate: Rate) -> str:
    """Write a rate in per cent."""
    return NOTHING if rate.share is None else _percent(rate.share)


def _percent(part: float) -> str:
    return f"{100 * part:.0f}%" if part >= 0.0995 or part == 0 else f"{100 * part:.2g}%"  # noqa: PLR2004 - two digits


def _metric(metric: MetricRate, policy: Policy) -> list[str]:
    name = ", ".join(_native.printable(word) for word in (metric.metric, metric.group) if word)
    many = metric.rows > 1
    rows = "a row is" if many else "the row is"
    held = _held(metric.called, metric.margin, metric.gate)
    found = [f"{name}: {rows} called changed in {of(metric.called)}; {held}."]
    if many:
        held = _held(metric.any, metric.margin_any, metric.gate_any)
        found.append(
            f"{name}: any of {metric.rows:,} rows is called changed in {of(metric.any)} of the splits; {held}."
        )
    before = metric.significant
    if before.share is not None and before.share > _PLAINLY * policy.alpha:
        found.append(
            f"{name}: p ≤ {policy.alpha:g} before correction in {share(before)} of rows and splits, where "
            f"{100 * policy.alpha:g}% are due: what is measured close together is more alike than the test takes it "
            "for. Run the builds in turns, or compare several runs of each."
        )
    return found


def _held(rate: Rate, margin: float | None, gate: float | None) -> str:
    if rate.trials < _TELLING:
        return f"too few splits to tell {_HELD}"
    if margin is None or gate is None:
        return f"the present margin holds {_HELD}"
    return f"--margin {_up(margin)} or --fail-on worse:{_up(gate)} would hold {_HELD}"


def _up(margin: float) -> str:
    """Round a margin up, so that it still holds."""
    scaled = 1000 * margin
    whole = int(scaled)
    return f"{(whole + (whole < scaled)) / 10:g}%"


def _as_measured(pairs: tuple[AsMeasured, ...]) -> str:
    rows, called = sum(pair.rows for pair in pairs), sum(len(pair.called) for pair in pairs)
    if len(pairs) == 1:
        pair = pairs[0]
        names = f"{_native.printable(pair.baseline)} against {_native.printable(pair.contender)}"
        what = f"{called:,} of {counted(rows, 'row')}"
        return f"As measured, {names}: {what} called changed{_named(pair.called)}."
    alarmed = sum(bool(pair.called) for pair in pairs)
    part = f" ({_percent(called / rows)})" if rows else ""
    alarms = f"{alarmed:,} of {len(pairs):,} pairs of results had a row called changed"
    return f"As measured: {alarms}; {called:,} of {rows:,} rows{part}."


def _named(called: tuple[Called, ...]) -> str:
    texts = []
    for row in called[:_EXAMPLES]:
        change = f" {_native.percent(row.change)}" if row.scale == "ratio" and row.change is not None else ""
        texts.append(f"{_native.printable(row.benchmark)} {_native.printable(row.metric)}{change}")
    return f" ({listed(texts, _EXAMPLES, last=', and ', total=len(called))})" if texts else ""
