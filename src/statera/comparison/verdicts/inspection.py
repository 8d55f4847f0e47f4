"""Sentences of an inspection: which benchmarks are fit to be compared, which changes they can show, normality."""

from __future__ import annotations

import math

from statera import _native
from statera.comparison.codes import GRADES
from statera.comparison.verdicts.findings import forecast
from statera.comparison.verdicts.notes import Note, on_files, on_processes, on_reading, on_variants, on_what_is_left
from statera.support.settings import Policy
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import NOTHING, counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from statera.comparison.pairing import Arrangement
    from statera.comparison.weighing.self_test import AsMeasured, Called, MetricRate, Rate, SelfTest, Sessions
    from statera.reading.observations import Observations


# What to do about each defect; the numbers of a row stand in its verdict.
ADVICE: Final = {
    "too-few": "So few values or runs show nothing. Measure at least 4.",
    "constant": "Rounding hides how the values vary. Measure longer at a time.",
    "warm-up": "The first values are not those of the steady state. Discard them, or let the harness warm up.",
    "drift": "Values drift over time. Warm up first, and alternate the builds.",
    "unsteady": "The level shifts and does not settle. Check what else runs, and alternate the builds.",
    "autocorrelation": "Consecutive values are correlated. Use more processes with fewer values each.",
    "several-modes": "The values form several clusters. Find what distinguishes them.",
    "coarse-clock": "The clock ticks in steps larger than the margin. Measure longer at a time.",
    "few-distinct": "Few values are distinct, because differences are rounded away. Measure longer at a time.",
    "one-process": "The values do not show how processes differ. Start the program several times.",
    "few-processes": "Only a t-test can compare so few values or runs. Make 4 or more, and more at a stricter alpha.",
    "noisy": "Noise hides changes as small as the margin. Make more runs, or make the machine quieter.",
    "by-block": "Blocks differ in their work, not only by noise. Compare in pairs.",
    "runs-differ": "Runs differ by more than their iterations explain. Make more runs, not more iterations.",
    "outliers": "Some values lie far from the others. Rank tests tolerate them, but check what else ran.",
}
_EXAMPLE_ROWS = 2
# Values of which some are all but exact detect changes smaller than anybody asks for.
_LEAST_SHOWN = 1e-4

_CALLED_ROWS = 3
_HELD = "5%"
# With fewer trials, 5 % is less than one trial.
_TELLING = 20
# A rate above this multiple of alpha, before correction, is more than chance.
_PLAINLY = 1.5
PAIR = 2


def notes(observations: Observations, arrangement: Arrangement, tested: SelfTest | None) -> list[Note]:
    """Return the notes on an inspection."""
    formats = {source.format for source in observations.sources if source.values}
    found = on_reading(observations) + on_variants(arrangement)
    found += on_processes(formats, arrangement) + on_what_is_left(arrangement, "inspected")
    if tested is not None and tested.splits == 0:
        found.append(Note("too-few-to-split", _too_few(tested)))
    return found + on_files(observations, arrangement)


def _too_few(tested: SelfTest) -> str:
    if tested.dealt == "runs":
        return "Fewer than 4 runs cannot be split into two halves of 2. Make more runs of the same build."
    return (
        "Fewer than 8 values cannot be split into two halves of 4. Measure more, or make more runs of the same build."
    )


def findings(native: _native.Inspection) -> list[str]:
    """State what matters most: which rows are unfit, doubtful, noisy or fit."""
    every = native.order(list(range(len(native))), "defects")
    summary = native.summary(every)
    rows: dict[str, list[int]] = {}
    for grade, count in reversed(list(zip(GRADES, summary["grades"], strict=True))):
        rows[grade] = every[:count]
        every = every[count:]
    found = [
        f"{_samples(native, rows[grade])} {grade}: {_examples(native, rows[grade])}."
        for grade in ("unfit", "doubtful")
        if rows[grade]
    ]
    if rows["noisy"]:
        found.append(f"{_samples(native, rows['noisy'])} noisy: {_shows(native.summary(rows['noisy']))}")
    if rows["fit"]:
        are_all = len(rows["fit"]) == len(native) > 1
        words = f"All {_noun(native)}s are" if are_all else _samples(native, rows["fit"])
        shows = _shows(native.summary(rows["fit"]), fit=True)
        found.append(f"{words} fit to be compared{f': {shows}' if shows else '.'}")
    large = summary["large"]
    if large:
        few = counted(large, f"{_noun(native)} has", f"{_noun(native)}s have")
        found.append(
            f"{few} more than 5,000 values, whose normality is tested by Anderson-Darling, not by Shapiro-Wilk."
        )
    return found


def _shows(summary: Mapping[str, Any], *, fit: bool = False) -> str:
    """Write the median detectable change of some rows, and the runs that would detect one as small as the margin."""
    shows, runs = summary["detectable"], summary["runs_for_margin"]
    if shows is None or (fit and shows < _LEAST_SHOWN):
        return "" if fit else "noise hides changes as small as the margin."
    half = " in half of them" if sum(summary["grades"]) > 1 else ""
    more = f" About {forecast(runs)} runs per build would detect the margin{half}." if runs is not None else ""
    return f"the median of the smallest detectable changes is {_size(shows)}.{'' if fit else more}"


def normality(summary: Mapping[str, Any], policy: Policy) -> str:
    """Write the share of a section that passes a test of normality, with a label; empty for fewer than two rows."""
    passing = passing_as_normal(summary, policy)
    return passing and f"normality: {passing}"


def passing_as_normal(summary: Mapping[str, Any], policy: Policy) -> str:
    """Write the share of a section that passes a test of normality; empty for fewer than two rows."""
    tested, normal = summary["tested"], summary["normal"]
    if tested <= 1:
        return ""
    test = "Shapiro-Wilk"
    if summary["large"]:
        test = "Anderson-Darling" if summary["large"] == tested else "Shapiro-Wilk (Anderson-Darling above 5,000)"
    chance = policy.alpha * tested
    by_chance = f"{chance:.0f}" if chance >= 10 else f"{chance:.2g}"  # noqa: PLR2004 - two digits
    logs = ""
    if summary["log_tested"]:
        logs = f", {summary['log_normal']:,} of {summary['log_tested']:,} pass on a log scale"
    fail = "failure is" if by_chance == "1" else "failures are"
    return (
        f"{normal:,} of {tested:,} ({100 * normal / tested:.0f}%) pass {test} at {policy.alpha:g} "
        f"({by_chance} {fail} expected by chance){logs}"
    )


def grades(summary: Mapping[str, Any]) -> str:
    """Write the number of rows of each grade, the worst first."""
    counts = reversed(list(zip(GRADES, summary["grades"], strict=True)))
    return " · ".join(f"{count:,} {grade}" for grade, count in counts if count)


def _samples(native: _native.Inspection, rows: list[int]) -> str:
    noun = _noun(native)
    return counted(len(rows), f"{noun} is", f"{noun}s are")


def _noun(native: _native.Inspection) -> str:
    """Call the rows benchmarks, if there is one of each; with several metrics or variants each is a sample."""
    names = [row[0] for row in native.cells(list(range(min(len(native), 1000))))]
    return "benchmark" if len(set(names)) == len(names) else "sample"


def _examples(native: _native.Inspection, rows: list[int]) -> str:
    cells = native.cells(rows[:_EXAMPLE_ROWS])
    several = len({row[1] for row in native.cells(list(range(min(len(native), 1000))))}) > 1
    texts = []
    for index, row in zip(rows, cells, strict=False):
        name = f"{shown(row[0])} of {shown(row[1])}" if several else shown(row[0])
        texts.append(f"{name} ({', '.join(what for _, what, _ in native.defects(index)[:2])})")
    return listed(texts, _EXAMPLE_ROWS, last=", and ", total=len(rows))


def _size(change: float) -> str:
    return _native.percent(change).lstrip("+")


def self_test_findings(tested: SelfTest, policy: Policy) -> list[str]:
    """State the rates of false alarms (as measured, of a row, of a suite) and the margins that limit them to 5 %."""
    found = [_as_measured(tested.as_measured)] if tested.as_measured else []
    found += [sessions_words(tested.sessions)] if tested.sessions else []
    if tested.splits == 0:
        return [*found, "There are too few runs or values to split them into two halves."]
    metrics = [metric for metric in tested.metrics if metric.rows]
    if not metrics:
        return [*found, "All values are exact or single: there is no test, and no false alarm is possible."]
    for metric in metrics:
        found += _metric(metric, policy, advises=tested.advises)
    if len(metrics) > 1:
        found.append(f"Some benchmark is called changed in some metric in {of(tested.suite)} of the splits.")
    if not tested.advises:
        found.append(
            "No margin is advised, because the results state no more than "
            f"{counted(tested.processes, 'process', 'processes')}, and new processes differ by more than the values of "
            "one. Measure this build in four or more processes, and pass a file for each, or a table with a column "
            "`process`."
        )
    return found


def sessions_words(found: Sessions) -> str:
    """State how much sessions differ, and how little two of them tell."""
    of = f"{counted(found.sessions, 'session')}, {counted(found.benchmarks, 'benchmark')}"
    of += f", 95% bound {percent_up(found.upper)}"
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
    """Describe the splits: what was dealt to the two halves, and in how many ways."""
    which = "all" if tested.all_splits else "a sample of"
    ways = f"two halves in {which} {tested.splits:,} ways"
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
    return f"{100 * part:.0f}%" if part >= 0.0995 else f"{100 * part:.2g}%"  # noqa: PLR2004 - two digits


def _metric(metric: MetricRate, policy: Policy, *, advises: bool) -> list[str]:
    name = ", ".join(_native.printable(word) for word in (metric.metric, metric.group) if word)
    many = metric.rows > 1
    rows = "a benchmark is" if many else "the benchmark is"
    held = _held(metric.called, metric.margin, metric.gate) if advises else ""
    found = [f"{name}: {rows} called changed in {of(metric.called)}{held}."]
    if many:
        held = _held(metric.any, metric.margin_any, metric.gate_any) if advises else ""
        found.append(
            f"{name}: any of {metric.rows:,} benchmarks is called changed in {of(metric.any)} of the splits{held}."
        )
    before = metric.significant
    # A few splits reach such a rate by chance.
    if before.share is not None and before.share > _PLAINLY * policy.alpha < (before.low or 0.0):
        found.append(
            f"{name}: p ≤ {policy.alpha:g} before correction in {share(before)} of tests, where "
            f"{100 * policy.alpha:g}% are expected: values that are measured close together resemble each other more "
            "than the test assumes. Alternate the builds, or compare several runs of each."
        )
    return found


def _held(rate: Rate, margin: float | None, gate: float | None) -> str:
    if rate.trials < _TELLING:
        return f". The splits are too few to judge a rate of {_HELD}"
    if margin is None or gate is None:
        return f". The present margin limits this rate to {_HELD}"
    return f". --margin {_up(margin)} or --fail-on worse:{_up(gate)} would limit this rate to {_HELD}"


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
        what = f"{called:,} of {counted(rows, 'comparison')}"
        return f"As measured, {names}: {what} called changed{_named(pair.called)}."
    alarmed = sum(bool(pair.called) for pair in pairs)
    part = f" ({_percent(called / rows)})" if rows else ""
    alarms = f"{alarmed:,} of {len(pairs):,} pairs of results have something called changed"
    return f"As measured: {alarms}, {called:,} of {rows:,} comparisons{part}."


def _named(called: tuple[Called, ...]) -> str:
    texts = []
    for row in called[:_CALLED_ROWS]:
        change = f" {_native.percent(row.change)}" if row.scale == "ratio" and row.change is not None else ""
        texts.append(f"{_native.printable(row.benchmark)} {_native.printable(row.metric)}{change}")
    return f" ({listed(texts, _CALLED_ROWS, last=', and ', total=len(called))})" if texts else ""
