"""When an experiment runs what, and when it ends: lengths of time, rounds, looks with their shares of alpha, the order.

The order of invocations is a function of plan, seed and round alone, so that a resumed run continues the same one. Each
draw hashes the seed and what it is for. What one benchmark draws does not depend on the other benchmarks, so that the
order of its variants stays the same when others leave the rounds.
"""

from __future__ import annotations

import os
import re
from hashlib import blake2b
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.experiment.plan import Rounds
from statera.support.errors import Stop
from statera.support.settings import Policy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from statera.experiment.plan import Plan

_UNITS: Final = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}
_PART: Final = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h)\s*")
# A year: what is longer is a mistake.
_LONGEST: Final = 366 * 86400.0
# Below so many seconds a tenth of a second is written.
_SHORT: Final = 10
_MOST_ROUNDS: Final = 1_000_000
_WIDTH: Final = re.compile(r"width[ :]\s*(\d+(?:\.\d+)?)\s*%")
_PER_CENT: Final = 100
LIMIT: Final = 60
"""The number of rounds after which an experiment ends, decided or not."""
# Each look but the last spends a tenth of alpha. The last one keeps the other half, because most of the changes that a
# limit can find at all are found there.
_TENTHS: Final = (1, 1, 1, 1, 1, 5)
# Looks at widths: their ratio, and the share of alpha of every one of them (docs/calibration.md).
_WIDTH_STEP: Final = 1.1
_WIDTH_SHARE: Final = 0.6
# Tails and spreads can take a tenth of alpha from the typical changes.
_TYPICAL: Final = 0.9
# The environment may grow by so many bytes: a page, over which the addresses of the stack move.
_PADDING: Final = 4096


def parse_duration(text: str) -> float | None:
    """Return the seconds of a length of time; a number alone is in seconds. None if the text is none, or is 0."""
    text = text.strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", text):
        text += "s"
    if not re.fullmatch(rf"(?:{_PART.pattern})+", text):
        return None
    seconds = sum(float(number) * _UNITS[unit] for number, unit in _PART.findall(text))
    return seconds if 0 < seconds <= _LONGEST else None


def duration_in_words(seconds: float) -> str:
    """Write a length of time as a person reads it: ``0.4 s``, ``12 s``, ``3 min 20 s``, ``2 h 5 min``."""
    if seconds < _SHORT:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, left = divmod(minutes, 60)
    if hours:
        return f"{hours} h {left} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


def parse_rounds(stated: object) -> Rounds | None:
    """Return the rounds without looks; None if the value states none."""
    if isinstance(stated, int) and not isinstance(stated, bool):
        return Rounds(number=stated) if 1 <= stated <= _MOST_ROUNDS else None
    if not isinstance(stated, str):
        return None
    if stated.strip() == "until decided":
        return Rounds(until="decided")
    found = _WIDTH.fullmatch(stated.strip())
    width = float(found[1]) / _PER_CENT if found else 0
    return Rounds(until="width", width=width) if 0 < width < 1 else None


def with_looks(rounds: Rounds, limit: int = LIMIT, least: int = 1, alpha: float = Policy().alpha) -> Rounds:
    """Return rounds, as ``parse_rounds`` returns them, with the looks that they end by.

    They may end after ``least`` rounds, and end after ``limit`` in any case. Looks before the first leave their share
    to the last one. All looks together spend ``alpha``.
    """
    if rounds.until is None:
        return rounds
    numbers, shares = (looks if rounds.until == "decided" else width_looks)(limit, alpha)
    left_out = sum(number < least for number in numbers[:-1])
    kept = shares[left_out:]
    if rounds.until == "decided":
        kept = (*kept[:-1], 1.0 - sum(kept[:-1]))
    return rounds._replace(looks=numbers[left_out:], shares=kept)


def looks(limit: int = LIMIT, alpha: float = Policy().alpha) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the numbers of rounds after which the results are examined, and the share of alpha that each look spends.

    The looks lead in equal ratios from the fewest rounds that can decide anything at a tenth of alpha up to the limit.
    Looks that fall on one number of rounds are one look and spend their shares together, so that a small limit has
    fewer of them, and nothing jumps from one limit to the next.
    """
    first = min(_least_rounds(alpha), limit)
    spent: dict[int, int] = {}
    for place, tenths in enumerate(_TENTHS):
        at = round(first * (limit / first) ** (place / (len(_TENTHS) - 1)))
        spent[at] = spent.get(at, 0) + tenths
    return tuple(spent), tuple(tenths / sum(_TENTHS) for tenths in spent.values())


def _least_rounds(alpha: float) -> int:
    """Return the fewest rounds that can decide anything at a tenth of alpha: the signed-rank test has p of 2 / 2^n."""
    rounds = 1
    while 2.0 / 2**rounds > 0.1 * alpha * _TYPICAL:
        rounds += 1
    return rounds


def width_looks(limit: int = LIMIT, alpha: float = Policy().alpha) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Return the numbers of rounds after which the width of intervals is examined, and the share of alpha at each.

    Whoever ends when an interval is narrow prefers moments at which the spread happens to look small. Such intervals
    hold the change in 93 to 96 % at a level of 95 %; at three fifths of alpha they do in 95 % and more.
    """
    found = [min(_least_rounds(alpha), limit)]
    while found[-1] < limit:
        found.append(min(max(round(found[-1] * _WIDTH_STEP), found[-1] + 1), limit))
    return tuple(found), (_WIDTH_SHARE,) * len(found)


def share_of_last(rounds: Rounds, look: int) -> float:
    """Return the share of alpha that look number ``look`` (from 1) spends if it becomes the last one."""
    if rounds.until == "width":
        return rounds.shares[look - 1]
    return min(1.0, sum(rounds.shares[look - 1 :]))


class Pass(NamedTuple):
    """A part of the plan that ends with a record: a round, or a round of one variant where those follow each other."""

    round: int  # its number, from 1
    variants: tuple[int, ...]  # the numbers of the variants that take part


class Place(NamedTuple):
    """An invocation of a round."""

    # benchmark, variant: their numbers in the plan
    benchmark: int
    variant: int
    order: int  # place among the invocations of its benchmark in this round, from 1. In a duet, the half of the cores.
    others: tuple[int, ...] = ()  # the numbers of further benchmarks that the same process runs, after the first

    @property
    def benchmarks(self) -> tuple[int, ...]:
        """The numbers of all benchmarks of the process."""
        return (self.benchmark, *self.others)


def most_rounds(rounds: Rounds) -> int:
    """Return the largest number of rounds."""
    return rounds.looks[-1] if rounds.number is None else rounds.number


def passes(plan: Plan) -> Iterator[Pass]:
    """Yield all passes in the order in which they are executed."""
    variants = tuple(range(len(plan.variants)))
    parts = [(each,) for each in variants] if plan.order == "sequential" else [variants]
    for part in parts:
        for number in range(1, most_rounds(plan.rounds) + 1):
            yield Pass(number, part)


def steps(
    plan: Plan, current: Pass, benchmarks: Iterable[int], host: str = "", alone: Collection[int] = ()
) -> list[tuple[Place, ...]]:
    """Return the invocations of a pass in their order; those of a tuple with two run at the same time.

    ``benchmarks`` are the numbers of those that take part, of which those of ``alone`` share no process with others of
    their suite. All hosts have the same benchmark at the same time, and an order of variants of their own.
    """

    def drawn(numbers: Iterable[int]) -> list[int]:
        if plan.order != "random":
            return [*numbers]
        return sorted(numbers, key=lambda each: _draw(plan.seed, "benchmark", current.round, each))

    names = _suites(plan)
    units: dict[int, list[int]] = {}
    for number in drawn(sorted(benchmarks)):
        # What a suite draws depends on none of its rows being there.
        unit = names.get(number) if number not in alone else None
        units.setdefault(number if unit is None else unit, []).append(number)
    of_each = [_places(plan, current, unit, units[unit], host) for unit in drawn(units)]
    if plan.order == "duet":
        return [tuple(places) for places in of_each]
    return [(place,) for places in of_each for place in places]


def _suites(plan: Plan) -> dict[int, int]:
    """Return a number below 0 for each benchmark that shares processes: that of its suite."""
    known: dict[str, int] = {}
    found = {
        cell.benchmark: known.setdefault(cell.suite, -1 - len(known)) for cell in plan.cells if cell.suite is not None
    }
    apart = {cell.benchmark for cell in plan.cells if cell.suite is None}
    return {number: suite for number, suite in found.items() if number not in apart}


def padding(plan: Plan, number: int) -> int:
    """Return by how many bytes the environment grows in a round: the same number for every variant."""
    return _draw(plan.seed, "padding", number) % _PADDING


def halves(cpus: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cores of each side of a duet, of those that commands may use; empty: all.

    Raises ``Stop`` if there is only one core.
    """
    numbers = cpus or tuple(sorted(os.sched_getaffinity(0)))
    middle = len(numbers) // 2
    if not middle:
        raise Stop("bad-option", "--order duet runs two commands at once and needs two cores. Use another order")
    return numbers[:middle], numbers[middle : 2 * middle]


def _places(plan: Plan, current: Pass, unit: int, benchmarks: Sequence[int], host: str) -> list[Place]:
    variants = list(current.variants)
    own = [host] * bool(host)
    if plan.order in {"random", "duet"}:
        variants.sort(key=lambda each: _draw(plan.seed, "variant", current.round, unit, each, *own))
    elif plan.order == "abba" and current.round % 2 == 0:
        variants.reverse()
    first, *others = benchmarks
    return [Place(first, variant, place, tuple(others)) for place, variant in enumerate(variants, 1)]


def _draw(*what: object) -> int:
    """Return 64 random bits, always the same ones for the same purpose."""
    return int.from_bytes(blake2b(repr(what).encode(), digest_size=8).digest())
