"""More rounds for a run: those of ``--more``, or of ``-r`` and ``-M`` with ``--resume``.

The looks of a run share alpha. What no look has spent is for the looks of the extension. If nothing is left, because
the run ended undecided at its last look, an extension is a new chance of a false alarm: it spends half of alpha, the
next one a quarter, and so on, so that a run has at most twice the probability. Statera says how much it is.
"""

from __future__ import annotations

from math import isclose
from typing import TYPE_CHECKING, Final, Literal, NamedTuple

from statera.experiment import schedule
from statera.experiment.plan import Rounds
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from statera.experiment.course import Course
    from statera.experiment.plan import Plan
    from statera.reading.store.journal import ExtendRecord, Record

# All looks of a run together spend at most so many times alpha, whatever is added to it.
_MOST: Final = 2.0
_PER_CENT: Final = 100


class Extension(NamedTuple):
    """How many rounds a run shall have.

    Attributes:
        number: of rounds.
        way: ``more``: in addition to those that it has; ``exactly``: altogether; ``most``: at most, with looks.
        option: how a message names it.

    """

    number: int
    way: Literal["more", "exactly", "most"]
    option: str


def extended(plan: Plan, records: Iterable[Record]) -> Plan:
    """Return a plan with the rounds of the last extension among the records, or as it is."""
    last = next((each for each in reversed([*records]) if each["kind"] == "extend"), None)
    return plan if last is None else plan._replace(rounds=_rounds(plan, last))


def record_of(plan: Plan, course: Course, wanted: Extension, path: Path, alpha: float) -> ExtendRecord:
    """Return the record of an extension.

    Benchmarks without a decision go on; if there are none, all go on.

    Args:
        plan: of the run, with its earlier extensions.
        course: what happened so far.
        wanted: the number of rounds.
        path: the folder of the run, for messages.
        alpha: the significance level, which the looks share.

    Raises:
        Stop: there are no more rounds than before, or the order allows none.

    """
    done = course.rounds
    last = wanted.number + done if wanted.way == "more" else wanted.number
    if plan.order == "sequential":
        raise Stop("bad-option", f"{wanted.option}: {path} is of sequential order, to which nothing can be added")
    if last <= done:
        raise Stop("bad-option", f"{wanted.option} {last}: {path} has {done} rounds already. Give a larger number")
    spent = spent_by(plan, course)
    numbers, shares = _looks(plan, done, last, spent, alpha) if len(plan.variants) > 1 else ((), ())
    if wanted.way != "most" and numbers:
        numbers, shares = (last,), (shares[0] if plan.rounds.until == "width" else sum(shares),)
    looks = course.looks
    active = [plan.benchmarks[number] for number in course.active]
    return {
        "kind": "extend",
        "after": done,
        "rounds": last,
        "looks": [*(each["round"] for each in looks), *numbers],
        "shares": [*(each["share"] for each in looks), *shares],
        "spent": spent,
        "benchmarks": active or list(plan.benchmarks),
    }


def spent_by(plan: Plan, course: Course) -> float:
    """Return how often alpha was spent by the looks so far; the end of a fixed number of rounds spends all of it."""
    before = course.extensions[-1] if course.extensions else None
    if before is None and plan.rounds.until is None:
        return float(course.ended)
    if before is None:
        return sum(look["share"] for look in course.looks)
    known = len([each for each in before["looks"] if each <= before["after"]])
    return before["spent"] + sum(look["share"] for look in course.looks[known:])


def said(plan: Plan, course: Course, alpha: float) -> str:
    """Say how probable a false alarm is after extensions; nothing if no more than without them."""
    if not course.extensions or plan.rounds.until == "width" or not course.extensions[-1]["looks"]:
        return ""
    last = course.extensions[-1]
    total = last["spent"] + sum(
        share for at, share in zip(last["looks"], last["shares"], strict=True) if at > last["after"]
    )
    if total <= 1 or isclose(total, 1):
        return ""
    return (
        f"this run was extended after its end: a false alarm has a probability of at most "
        f"{_PER_CENT * alpha * total:.3g} % in place of {_PER_CENT * alpha:.3g} %"
    )


def _looks(plan: Plan, done: int, last: int, spent: float, alpha: float) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the looks after round ``done``, and their shares."""
    numbers, shares = (schedule.width_looks if plan.rounds.until == "width" else schedule.looks)(last, alpha)
    left = [(number, share) for number, share in zip(numbers, shares, strict=True) if number > done]
    if plan.rounds.until == "width":
        return tuple(number for number, _ in left), tuple(share for _, share in left)
    unspent = 1.0 - spent
    total = (_MOST - spent) / 2 if unspent <= 0 or isclose(unspent, 0, abs_tol=1e-9) else unspent
    whole = sum(share for _, share in left)
    return tuple(number for number, _ in left), tuple(total * share / whole for _, share in left)


def _rounds(plan: Plan, record: ExtendRecord) -> Rounds:
    if not record["looks"]:
        return Rounds(number=record["rounds"])
    until = plan.rounds.until or "decided"
    return Rounds(until=until, width=plan.rounds.width, looks=tuple(record["looks"]), shares=tuple(record["shares"]))
