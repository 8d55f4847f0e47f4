"""Sentences of an inspection: which benchmarks are fit to be compared, which changes they can show, normality."""

from __future__ import annotations

from statera import _native
from statera.comparison.codes import GRADES
from statera.comparison.verdicts.findings import forecast
from statera.comparison.verdicts.notes import Note, on_processes, on_reading, on_variants, on_what_is_left
from statera.support.typed import TYPE_CHECKING
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Final

    from statera.comparison.pairing import Arrangement
    from statera.comparison.weighing.self_test import SelfTest
    from statera.reading.observations import Observations
    from statera.support.settings import Policy

# What to do about each defect; the numbers of a row stand in its verdict.
ADVICE: Final = {
    "too-few": "so few values or runs show nothing; measure at least 4",
    "constant": "rounding hides how the values vary; measure longer at a time",
    "warm-up": "discard the values before the steady state, or let the harness warm up",
    "drift": "values rise or fall over the run order; warm up first, and run the builds in turns",
    "unsteady": "the level changes and does not settle; check what else runs, and run the builds in turns",
    "autocorrelation": "neighbouring values are correlated; start more processes with fewer values each",
    "several-modes": "the values form several clusters; find what distinguishes them",
    "coarse-clock": "the clock ticks in steps larger than the margin; measure longer at a time",
    "few-distinct": "few values are distinct, because differences are rounded away; measure longer at a time",
    "one-process": "the values do not show how starts differ; start the program several times",
    "few-processes": "only a t-test can compare so few values or runs; make 4 or more, and more at a stricter alpha",
    "noisy": "noise hides changes as small as the margin; make more runs, or make the machine quieter",
    "by-block": "blocks differ in their work, not only by noise; compare in pairs",
    "runs-differ": "runs differ by more than their iterations explain; make more runs, not more iterations",
    "outliers": "some values lie far from the others; rank tests are robust to them, but check what else ran",
}
_EXAMPLES = 2
# Values of which some are all but exact detect changes smaller than anybody asks for.
_LEAST_SHOWN = 1e-4


def notes(observations: Observations, arrangement: Arrangement, tested: SelfTest | None) -> list[Note]:
    """Return the notes on an inspection."""
    formats = {source.format for source in observations.sources if source.values}
    found = on_reading(observations) + on_variants(arrangement)
    found += on_processes(formats, arrangement) + on_what_is_left(arrangement, "inspected")
    if tested is not None and tested.splits == 0:
        found.append(Note("too-few-to-split", _too_few(tested)))
    return found


def _too_few(tested: SelfTest) -> str:
    if tested.dealt == "runs":
        return "fewer than 4 runs cannot be split into two sides of 2; make more runs of the same build"
    return "fewer than 8 values cannot be split into two sides of 4; measure more, or make more runs of the same build"


def findings(native: _native.Inspection) -> list[str]:
    """State what matters most: which rows are unfit, doubtful, noisy or fit."""
    every = native.order(list(range(len(native))), "defects")
    summary = native.summary(every)
    rows: dict[str, list[int]] = {}
    for grade, count in reversed(list(zip(GRADES, summary["grades"], strict=True))):
        rows[grade] = every[:count]
        every = every[count:]
    found = [
        f"{_rows(len(rows[grade]))} {grade}: {_examples(native, rows[grade])}."
        for grade in ("unfit", "doubtful")
        if rows[grade]
    ]
    if rows["noisy"]:
        found.append(f"{_rows(len(rows['noisy']))} noisy: {_shows(native.summary(rows['noisy']))}.")
    if rows["fit"]:
        words = "All rows are" if len(rows["fit"]) == len(native) > 1 else _rows(len(rows["fit"]))
        shows = _shows(native.summary(rows["fit"]), fit=True)
        found.append(f"{words} fit to be compared{shows and f': {shows}'}.")
    large = summary["large"]
    if large:
        few = counted(large, "row has", "rows have")
        found.append(
            f"{few} more than 5,000 values, whose normality is tested by Anderson-Darling, not by Shapiro-Wilk."
        )
    return found


def _shows(summary: Mapping[str, Any], *, fit: bool = False) -> str:
    """Write the median detectable change of some rows, and the runs that would show changes as small as the margin."""
    shows, runs = summary["detectable"], summary["runs_for_margin"]
    if shows is None or (fit and shows < _LEAST_SHOWN):
        return "" if fit else "noise hides changes as small as the margin"
    half = " in half of them" if sum(summary["grades"]) > 1 else ""
    more = (
        f"; about {forecast(runs)} runs a side would show changes as small as the margin{half}"
        if runs is not None
        else ""
    )
    return f"the median detectable change is {_size(shows)}{'' if fit else more}"


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
        logs = f"; their logarithms: {summary['log_normal']:,} of {summary['log_tested']:,}"
    return (
        f"{normal:,} of {tested:,} ({100 * normal / tested:.0f}%) pass {test} at {policy.alpha:g}; "
        f"of {tested:,} normal samples {by_chance} would fail by chance{logs}"
    )


def grades(summary: Mapping[str, Any]) -> str:
    """Write the number of rows of each grade, the worst first."""
    counts = reversed(list(zip(GRADES, summary["grades"], strict=True)))
    return " · ".join(f"{count:,} {grade}" for grade, count in counts if count)


def _rows(count: int) -> str:
    return counted(count, "row is", "rows are")


def _examples(native: _native.Inspection, rows: list[int]) -> str:
    cells = native.cells(rows[:_EXAMPLES])
    several = len({row[1] for row in native.cells(list(range(min(len(native), 1000))))}) > 1
    texts = []
    for index, row in zip(rows, cells, strict=False):
        name = f"{shown(row[0])} of {shown(row[1])}" if several else shown(row[0])
        texts.append(f"{name} ({', '.join(what for _, what, _ in native.defects(index)[:2])})")
    return listed(texts, _EXAMPLES, last=", and ", total=len(rows))


def _size(change: float) -> str:
    return _native.percent(change).lstrip("+")
