"""How far a run is, in words: for whoever watches it, and for ``--status``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.comparison.codes import words
from statera.experiment.durations import in_words
from statera.experiment.order import most
from statera.support.wording import counted, listed, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.comparison.results.comparison import Comparison
    from statera.experiment.course import Course
    from statera.experiment.plan import Plan
    from statera.reading.store.records import EndRecord

# Rows that are shown; the comparison at the end shows all.
_MOST: Final = 12
# What a benchmark is that goes on.
_OPEN: Final = {"decided": "undecided", "width": "too wide", None: "undecided"}
_ENDS: Final = {
    "complete": "all rounds are done",
    "decided": "every benchmark is decided",
    "limit": "the last look is done",
    "time": "the time is over",
}


def heading(plan: Plan, course: Course) -> str:
    """Say how many rounds are done, how long they took and may still take, and how many benchmarks go on."""
    if course.end is not None:
        return ended(course.end, course)
    if not course.done:
        return f"warming up, {counted(sum(course.warmed.values()), 'invocation')} done" if course.warmed else "starting"
    parts = [f"{_rounds(plan, course)} done", in_words(course.seconds)]
    left = time_left(plan, course)
    if left and course.active:
        parts.append(f"{'' if plan.rounds.until is None else 'at most '}{in_words(left)} left")
    if course.looks:
        parts.append(f"{len(course.active)} of {len(plan.benchmarks)} {_OPEN[plan.rounds.until]}")
    if course.failures:
        parts.append(f"{counted(len(course.failures), 'invocation')} failed")
    return ", ".join(parts)


def ended(end: EndRecord, course: Course) -> str:
    """Say how a run ended."""
    missing = f"; {counted(end['missing'], 'sample')} missing" if end["missing"] else ""
    return f"{_ENDS[end['reason']]}: {counted(end['rounds'], 'round')} in {in_words(course.seconds)}{missing}"


def time_left(plan: Plan, course: Course) -> float | None:
    """Return the seconds that the rest takes if every round lasts as long as the last one; None if there was none."""
    if course.last_round is None:
        return None
    passes = most(plan.rounds) * (len(plan.variants) if plan.order == "sequential" else 1)
    left = course.last_round["seconds"] * (passes - course.passes)
    limit = plan.rounds.seconds
    return left if limit is None else min(left, max(limit - course.seconds, 0.0))


def effects(comparison: Comparison) -> list[str]:
    """Write change, interval and verdict of every row, the first rows only if there are many."""
    weighing = comparison.weighing
    lines = [_effect(comparison, row) for row in range(min(len(weighing), _MOST))]
    if left := max(len(weighing) - _MOST, 0):
        lines.append(f"and {counted(left, 'more row')}")
    return lines


def hopeless(plan: Plan, names: Sequence[str]) -> str:
    """Name the benchmarks that the last look will probably not decide."""
    return f"probably still {_OPEN[plan.rounds.until]} after {most(plan.rounds)} rounds: {listed(names, _MOST)}"


def missing(course: Course) -> list[str]:
    """Name the benchmarks and variants that lack samples."""
    lacking = [f"{benchmark}, {variant}: {count}" for (benchmark, variant), count in course.missing().items()]
    return [f"missing samples: {listed(lacking, _MOST)}"] if lacking else []


def _rounds(plan: Plan, course: Course) -> str:
    number = plan.rounds.number
    of = f"at most {most(plan.rounds)}" if number is None else f"{number}"
    return f"{course.rounds} of {of} rounds"


def _effect(comparison: Comparison, row: int) -> str:
    weighing = comparison.weighing
    fields = weighing.row_dict(row)
    names = [fields["benchmark"], fields["metric"]]
    if len(comparison.labels) > 2:  # noqa: PLR2004 - with two variants it is the other one
        names.insert(1, fields["contender"])
    change = [weighing.cell(row, column) for column in ("change", "interval")]
    known = " ".join(cell for cell in change if cell and cell != "-")
    return f"{', '.join(map(shown, names))}: {known or 'too few runs'} {words(fields['verdict'])}"
