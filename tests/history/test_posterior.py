"""Where a change begins, by noisy values: probabilities that are right as often as they say."""

from math import log
from random import Random
from types import SimpleNamespace

import pytest

from statera.history.backfill import LEVEL, _Range, distance, halving, posterior


def around(chance, spread, size, count):
    """Values before a range of commits, which begins at 0, and behind it."""
    before = [(at, chance.gauss(0, spread)) for at in range(-40, 0)]
    return before + [(count - 1 + at, chance.gauss(size, spread)) for at in range(12)]


def test_without_a_value_within_all_commits_are_alike():
    assert posterior(around(Random(1), 1, 5, 4), 0, 3) == pytest.approx([0.25] * 4)
    assert posterior(around(Random(1), 1, 5, 1), 0, 0) == [1.0]
    # No level before, or none behind.
    assert posterior([(5, 1.0), (6, 1.0)], 0, 3) == [0.25] * 4
    assert posterior([(-1, 1.0), (1, 1.0)], 0, 3) == [0.25] * 4
    assert posterior([(at, 1.0) for at in range(-9, 20)], 0, 3) == [0.25] * 4


def test_a_value_excludes_what_it_cannot_be():
    held = around(Random(1), 1, 12, 8)
    chances = posterior([*held, (3, 12.0)], 0, 7)
    # It begins at the commit or before it.
    assert sum(chances[:4]) > 0.98
    assert chances[:4] == pytest.approx([chances[0]] * 4)
    chances = posterior([*held, (3, 0.0)], 0, 7)
    assert sum(chances[4:]) > 0.98
    # One in the middle of the levels says next to nothing, and an outlier beyond both not much.
    assert max(posterior([*held, (3, 6.0)], 0, 7)) < 0.25
    assert posterior([*held, (3, 200.0)], 0, 7) == pytest.approx([1 / 8] * 8)


def test_neither_unit_nor_direction_matters():
    held = [*around(Random(3), 1, 3, 8), (2, 1.0), (5, 2.5)]
    chances = posterior(held, 0, 7)
    assert posterior([(at, 1e-9 * value + 5e-9) for at, value in held], 0, 7) == pytest.approx(chances, rel=1e-4)
    turned = [(7 - at - 1, value) for at, value in held]
    assert posterior(turned, 0, 7)[::-1] == pytest.approx(chances, rel=1e-6)


def test_exact_values_decide_alone():
    held = [(-2, 7.0), (-1, 7.0), (7, 9.0), (8, 9.0)]
    assert posterior([*held, (3, 9.0), (2, 7.0)], 0, 7, exact=True)[3] > 0.999


def test_levels_that_differ_are_told_from_those_that_do_not():
    assert distance(around(Random(1), 1, 5, 8), 0, 7) > 8
    assert distance(around(Random(1), 1, 0, 8), 0, 7) < 3
    assert distance([(-1, 1.0)], 0, 7) == 0


def test_a_range_is_clear_by_the_values_before_it_and_from_its_last_commit_on():
    at = [*range(8), *(2, 3, 3), *range(4, 10)]
    order = [f"c{number}" for number in range(10)]
    track = SimpleNamespace(
        series=SimpleNamespace(id="s"),
        line=SimpleNamespace(lane=()),
        order=SimpleNamespace(position={name: number for number, name in enumerate(order)}),
        jobs=lambda _: [SimpleNamespace(job=SimpleNamespace(commit=order[number])) for number in at],
        found=SimpleNamespace(values=[5.0 if number > 4 else 1.0 + 0.01 * place for place, number in enumerate(at)]),
    )
    found = object.__new__(_Range)
    found.commits, found._branch, found._series, found._is_ratio = order[3:7], "main", ("s", ()), False
    found._known = frozenset(order[1:])
    values = found.values(SimpleNamespace(watched=lambda _: [track], catalog=None))
    # The first commit has another level, and those before the range come first.
    assert [place for place, _ in values] == [-2, -1, -1, 0, 1, 2, 0, 0, 1, 2, 3, 4, 3, 4, 5, 6]
    assert found.is_clear(SimpleNamespace(watched=lambda _: [track], catalog=None))


def test_the_next_commit_halves_what_is_probable():
    assert halving([0.25] * 4, [True] * 4) == 1
    assert halving([0.1, 0.1, 0.2, 0.6], [True] * 4) == 2
    assert halving([0.1, 0.1, 0.2, 0.6], [True, True, False, True]) == 1
    # What cannot be measured leaves nothing to ask.
    assert halving([0.01, 0.49, 0.5], [True, False, True]) is None
    assert halving([1.0], [True]) is None


@pytest.mark.later
def test_stated_probabilities_are_kept():
    chance, stated, right = Random(11), [], []
    for _ in range(150):
        held, truth = around(chance, 0.02, log(1.05), 32), chance.randrange(32)
        while max(chances := posterior(held, 0, 31)) < LEVEL:
            at = halving(chances, [True] * 32)
            held.append((at, chance.gauss(log(1.05) * (at >= truth), 0.02)))
        stated.append(max(chances))
        right.append(chances.index(max(chances)) == truth)
    assert sum(right) / len(right) >= LEVEL - 0.02
    assert sum(stated) / len(stated) == pytest.approx(sum(right) / len(right), abs=0.04)
