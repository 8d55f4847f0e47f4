"""What an inspection says in sentences: which benchmarks are fit, what half of them show, how many pass as normal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from statera import _native
from statera.codes import GRADES
from statera.verdicts.notes import Note, on_processes, on_reading, on_variants, on_what_is_left
from statera.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from statera.observations import Observations
    from statera.pairing import Arrangement
    from statera.settings import Policy
    from statera.weighing.self_test import SelfTest

# What to do about each defect; the numbers of a row stand in its verdict.
ADVICE: Final = {
    "too-few": "so few can show nothing; 4 values or runs are the least",
    "constant": "a time that never varies is rounded away; measure longer at a time",
    "warm-up": "discard what comes before the steady state, or let the harness warm up",
    "drift": "values rise or fall over the run order; warm up first, and run the builds in turns",
    "unsteady": "the level changes and does not settle; look at what else runs, and run the builds in turns",
    "autocorrelation": "neighbouring values resemble each other; start more processes, of fewer values each",
    "several-modes": "the values fall into several heaps; find what tells them apart",
    "coarse-clock": "the clock ticks in steps larger than the margin; measure longer at a time",
    "few-distinct": "so few different values that rounding shows; measure longer at a time",
    "one-process": "what differs from start to start is not in the values; start it several times",
    "few-processes": "two or three runs allow no rank test; 4 and more do",
    "noisy": "changes of the margin are lost in the noise; make more runs, or the machine quieter",
    "by-block": "what differs between blocks is the work, not the noise; compare in pairs",
    "runs-differ": "runs differ by more than their iterations explain; more runs help, more iterations do not",
    "outliers": "values far outside the rest; ranks are robust to them, but look at what else ran",
}
_EXAMPLES = 2


def notes(observations: Observations, arrangement: Arrangement, tested: SelfTest | None) -> list[Note]:
    """Gather what must be said beside the rows."""
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
    """State what matters most: what is unfit, what is doubtful, what is lost in the noise."""
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
        found.append(f"{few} more than 5,000 values: normality by Anderson-Darling there, not by Shapiro-Wilk.")
    return found


def _shows(summary: Mapping[str, Any], *, fit: bool = False) -> str:
    """Say what half of some rows show, and what would show their margin, where it is not shown yet."""
    shows, runs = summary["detectable"], summary["runs_for_margin"]
    if shows is None:
        return "" if fit else "changes of their margin are lost in the noise"
    more = f"; about {_native.forecast(runs)} runs a side would show their margin" if runs is not None else ""
    return f"half of them show changes from {_size(shows)} on{'' if fit else more}"


def normality(summary: Mapping[str, Any], policy: Policy) -> str:
    """Say of what, and what share of a section passes as normal; empty for fewer than two."""
    passing = passing_as_normal(summary, policy)
    return passing and f"normality: {passing}"


def passing_as_normal(summary: Mapping[str, Any], policy: Policy) -> str:
    """Say what share of a section passes as normal, and how many would fail by chance; empty for fewer than two."""
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
        f"by chance {by_chance} of {tested:,} normal samples would not{logs}"
    )


def grades(summary: Mapping[str, Any]) -> str:
    """Write how many rows have each grade."""
    counts = zip(GRADES, summary["grades"], strict=True)
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
