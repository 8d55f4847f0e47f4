"""Sentences on a self-test, in which one build is compared with itself."""

from __future__ import annotations

import math

from statera import _native
from statera.support.settings import Policy
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, counted, listed

if TYPE_CHECKING:
    from statera.comparison.weighing.self_test import AsMeasured, Called, MetricRate, Rate, SelfTest, Sessions

_EXAMPLES = 3
_HELD = "5%"
# With fewer trials, 5 % is less than one trial.
_TELLING = 20
# A rate above this multiple of alpha, before correction, is more than chance.
_PLAINLY = 1.5
PAIR = 2


def findings(tested: SelfTest, policy: Policy) -> list[str]:
    """State the rates of false alarms (as measured, of a row, of a suite) and the margins that limit them to 5 %."""
    found = [_as_measured(tested.as_measured)] if tested.as_measured else []
    found += [sessions_words(tested.sessions)] if tested.sessions else []
    if tested.splits == 0:
        return [*found, "There are too few runs or values to split them into two sides."]
    metrics = [metric for metric in tested.metrics if metric.rows]
    if not metrics:
        return [*found, "All rows are exact or have one value: there is no test, and no false alarm is possible."]
    for metric in metrics:
        found += _metric(metric, policy, advises=tested.advises)
    if len(metrics) > 1:
        found.append(f"Any row of any metric is called changed in {of(tested.suite)} of the splits.")
    if not tested.advises:
        found.append(
            "No margin is advised: the results state no more than "
            f"{counted(tested.processes, 'process', 'processes')}, and new processes differ by more than the values of "
            "one. Measure this build in four or more processes, and pass a file for each, or a table with a column "
            "`process`."
        )
    return found


def sessions_words(found: Sessions) -> str:
    """State how much sessions differ, and how little two of them tell."""
    of = f"{counted(found.sessions, 'session')}, {counted(found.benchmarks, 'benchmark')}"
    of += f"; 95% bound {percent_up(found.upper)}"
    size = f"by {percent_up(found.deviation)} (standard deviation; {of})"
    words = size if found.certain else f"by no more than their runs explain ({of})"
    return f"Sessions of this build differ {words}{': two sessions tell little' if found.sessions == PAIR else ''}."


def proposed_session(found: Sessions) -> float:
    """Return the setting ``session`` that sessions advise: the default stands unless they show that it is wrong."""
    return found.deviation if found.certain else max(found.deviation, min(found.upper, Policy().session))


def percent_up(part: float) -> str:
    """Write a share in per cent with two digits, rounded up."""
    if part <= 0:
        return "0%"
    step = 10.0 ** (math.floor(math.log10(part)) - 1)
    return f"{100 * step * math.ceil(round(part / step, 6)):.6g}%"


def how(tested: SelfTest) -> str:
    """Describe the splits: what was dealt to the two sides, and in how many ways."""
    which = "all" if tested.all_splits else "a sample of"
    ways = f"two sides in {which} {tested.splits:,} ways"
    if tested.length <= 1:
        return f"{tested.stretches} {tested.dealt} dealt to {ways}"
    return f"{tested.stretches} stretches of {tested.length:.3g} consecutive {tested.dealt} dealt to {ways}"


def of(rate: Rate) -> str:
    """Write ``22 of 126 (17% [11%, 25%])``."""
    ends = "" if rate.low is None or rate.high is None else f" [{_percent(rate.low)}, {_percent(rate.high)}]"
    return f"{rate.count:,} of {rate.trials:,} ({share(rate)}{ends})"


def share(rate: Rate) -> str:
    """Write a rate as a percentage."""
    return NOTHING if rate.share is None else _percent(rate.share)


def _percent(part: float) -> str:
    return f"{100 * part:.0f}%" if part >= 0.0995 or part == 0 else f"{100 * part:.2g}%"  # noqa: PLR2004 - two digits


def _metric(metric: MetricRate, policy: Policy, *, advises: bool) -> list[str]:
    name = ", ".join(_native.printable(word) for word in (metric.metric, metric.group) if word)
    many = metric.rows > 1
    rows = "a row is" if many else "the row is"
    held = _held(metric.called, metric.margin, metric.gate) if advises else ""
    found = [f"{name}: {rows} called changed in {of(metric.called)}{held}."]
    if many:
        held = _held(metric.any, metric.margin_any, metric.gate_any) if advises else ""
        found.append(f"{name}: any of {metric.rows:,} rows is called changed in {of(metric.any)} of the splits{held}.")
    before = metric.significant
    if before.share is not None and before.share > _PLAINLY * policy.alpha:
        found.append(
            f"{name}: p ≤ {policy.alpha:g} before correction in {share(before)} of rows and splits, where "
            f"{100 * policy.alpha:g}% are expected: values that are measured close together resemble each other more "
            "than the test assumes. Run the builds in turns, or compare several runs of each."
        )
    return found


def _held(rate: Rate, margin: float | None, gate: float | None) -> str:
    if rate.trials < _TELLING:
        return f"; there are too few splits to judge a rate of {_HELD}"
    if margin is None or gate is None:
        return f"; the present margin limits this rate to {_HELD}"
    return f"; --margin {_up(margin)} or --fail-on worse:{_up(gate)} would limit this rate to {_HELD}"


def _up(margin: float) -> str:
    """Write a margin in per cent, rounded up so that the rate stays within its limit."""
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
