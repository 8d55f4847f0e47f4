"""The order of invocations: a function of plan, seed and round alone, so that a resumed run continues the same one.

Each draw hashes the seed and what it is for. What one benchmark draws does not depend on the other benchmarks, so that
the order of its variants stays the same when others leave the rounds.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from statera.experiment.plan import Plan, Rounds

# The environment may grow by so many bytes: a page, over which the addresses of the stack move.
_PADDING: Final = 4096
_TWO: Final = 2


class Pass(NamedTuple):
    """A part of the plan that ends with a record: a round, or a round of one variant where variants follow each other.

    Attributes:
        round: its number, from 1.
        variants: the numbers of the variants that take part.

    """

    round: int
    variants: tuple[int, ...]


class Place(NamedTuple):
    """An invocation of a round.

    Attributes:
        benchmark, variant: their numbers in the plan.
        order: place among the invocations of its benchmark in this round, from 1. In a duet, the half of the cores.

    """

    benchmark: int
    variant: int
    order: int


def most(rounds: Rounds) -> int:
    """Return the largest number of rounds."""
    return rounds.looks[-1] if rounds.number is None else rounds.number


def passes(plan: Plan) -> Iterator[Pass]:
    """Yield all passes in the order in which they are executed."""
    variants = tuple(range(len(plan.variants)))
    parts = [(each,) for each in variants] if plan.order == "sequential" else [variants]
    for part in parts:
        for number in range(1, most(plan.rounds) + 1):
            yield Pass(number, part)


def steps(plan: Plan, current: Pass, benchmarks: Iterable[int]) -> list[tuple[Place, ...]]:
    """Return the invocations of a pass in their order; those of a tuple with two run at the same time.

    Args:
        plan: gives order and seed.
        current: the pass.
        benchmarks: the numbers of the benchmarks that take part.

    """
    drawn = sorted(benchmarks, key=lambda each: _draw(plan.seed, "benchmark", current.round, each))
    of_each = [_places(plan, current, each) for each in (drawn if plan.order == "random" else sorted(drawn))]
    if plan.order == "duet":
        return [tuple(places) for places in of_each]
    return [(place,) for places in of_each for place in places]


def padding(plan: Plan, number: int) -> int:
    """Return by how many bytes the environment grows in a round: the same number for every variant."""
    return _draw(plan.seed, "padding", number) % _PADDING


def halves(cpus: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the cores of each side of a duet.

    Args:
        cpus: the cores that commands may use; empty: all.

    Raises:
        Stop: there is only one core.

    """
    numbers = cpus or tuple(sorted(os.sched_getaffinity(0)))
    if len(numbers) < _TWO:
        raise Stop("bad-option", "--order duet runs two commands at once and needs two cores; use another order")
    middle = len(numbers) // 2
    return numbers[:middle], numbers[middle : 2 * middle]


def _places(plan: Plan, current: Pass, benchmark: int) -> list[Place]:
    variants = list(current.variants)
    if plan.order in {"random", "duet"}:
        variants.sort(key=lambda each: _draw(plan.seed, "variant", current.round, benchmark, each))
    elif plan.order == "abba" and current.round % 2 == 0:
        variants.reverse()
    return [Place(benchmark, variant, place) for place, variant in enumerate(variants, 1)]


def _draw(*what: object) -> int:
    """Return 64 random bits, always the same ones for the same purpose."""
    from hashlib import blake2b  # noqa: PLC0415 - only where an experiment runs

    return int.from_bytes(blake2b(repr(what).encode(), digest_size=8).digest())
