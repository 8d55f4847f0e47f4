"""Lengths of time; and the order of invocations: each equally often, the same from the same seed."""

from collections import Counter
from itertools import pairwise, permutations
from typing import get_args

from recorded import plan
from statera.experiment import schedule
from statera.experiment.plan import Order, Rounds
from support import stopped


def made(order_name, *, variants=("a", "b"), benchmarks=("x",), rounds=8, seed=1):
    base = plan(variants, benchmarks, rounds=Rounds(number=rounds))
    return base._replace(order=order_name, seed=seed)


def sequence(experiment, benchmarks=None):
    """The (round, benchmark, variant) of every invocation."""
    chosen = range(len(experiment.benchmarks)) if benchmarks is None else benchmarks
    return [
        (current.round, place.benchmark, place.variant)
        for current in schedule.passes(experiment)
        for step in schedule.steps(experiment, current, chosen)
        for place in step
    ]


def chi_square(counts, cells):
    """The statistic of equal frequencies, over its degrees of freedom."""
    expected = sum(counts.values()) / cells
    return (sum((count - expected) ** 2 / expected for count in counts.values()) - (cells - 1)) / (
        2 * (cells - 1)
    ) ** 0.5


def test_each_order_of_the_variants_is_drawn_equally_often():
    for variants in (2, 3, 4):
        by_round = {}
        for number, _, variant in sequence(made("random", variants=tuple("abcd"[:variants]), rounds=4800)):
            by_round.setdefault(number, []).append(variant)
        counts = Counter(map(tuple, by_round.values()))
        every = list(permutations(range(variants)))
        assert set(counts) == set(every)
        assert abs(chi_square(counts, len(every))) < 3.5


def test_rounds_are_independent_of_each_other():
    experiment = made("random", rounds=4000)
    firsts = [variant for number, _, variant in sequence(experiment)][::2]
    same = sum(one == other for one, other in pairwise(firsts))
    assert abs(same - 2000) < 3.5 * 1000**0.5


def test_benchmarks_of_a_round_are_shuffled_and_their_variants_stay_together():
    experiment = made("random", benchmarks=("x", "y", "z"), rounds=600)
    orders = Counter()
    for number in range(1, 601):
        current = schedule.Pass(number, (0, 1))
        of_round = [step[0].benchmark for step in schedule.steps(experiment, current, range(3))]
        assert of_round[::2] == of_round[1::2]
        orders[tuple(of_round[::2])] += 1
    assert set(orders) == set(permutations(range(3)))


def test_the_same_seed_gives_the_same_order_and_another_seed_another_one():
    assert sequence(made("random", seed=7)) == sequence(made("random", seed=7))
    assert sequence(made("random", rounds=50, seed=7)) != sequence(made("random", rounds=50, seed=8))


def test_an_order_does_not_change_with_the_version_of_python():
    # The draws hash texts: a change of these numbers would change the order of a resumed run.
    firsts = [variant for number, _, variant in sequence(made("random", rounds=16, seed=1))][::2]
    assert firsts == [0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 0, 0, 1]


def test_the_order_of_a_benchmark_does_not_depend_on_the_others():
    for name in get_args(Order):
        experiment = made(name, benchmarks=("x", "y", "z", "w"), rounds=40)
        alone = sequence(experiment, [2])
        for others in ([0, 2], [2, 3], [0, 1, 2, 3]):
            assert [each for each in sequence(experiment, others) if each[1] == 2] == alone, name


def test_abba_turns_every_other_round():
    found = [variant for _, _, variant in sequence(made("abba", variants=("a", "b", "c"), rounds=3))]
    assert found == [0, 1, 2, 2, 1, 0, 0, 1, 2]


def test_interleaved_keeps_the_order_and_sequential_runs_one_variant_after_the_other():
    assert [variant for _, _, variant in sequence(made("interleaved", rounds=3))] == [0, 1, 0, 1, 0, 1]
    found = sequence(made("sequential", rounds=3))
    assert found == [(1, 0, 0), (2, 0, 0), (3, 0, 0), (1, 0, 1), (2, 0, 1), (3, 0, 1)]


def test_a_duet_runs_both_at_once_and_changes_sides():
    experiment = made("duet", rounds=400)
    steps = [schedule.steps(experiment, current, [0]) for current in schedule.passes(experiment)]
    assert all(len(step) == 2 and [place.order for place in step] == [1, 2] for [step] in steps)
    left = sum(step[0].variant == 0 for [step] in steps)
    assert abs(left - 200) < 3.5 * 10


def test_the_sides_of_a_duet_have_as_many_cores():
    sides = {(0, 1): ((0,), (1,)), (2, 3, 5): ((2,), (3,)), (0, 1, 2, 3): ((0, 1), (2, 3))}
    assert {cpus: schedule.halves(cpus) for cpus in sides} == sides
    assert "needs two cores" in stopped(schedule.halves, (3,))


def test_the_environment_grows_by_the_same_length_for_all_variants_of_a_round():
    experiment = made("random")
    lengths = [schedule.padding(experiment, number) for number in range(2000)]
    assert 0 <= min(lengths) < 40
    assert 4055 < max(lengths) < 4096
    # Each of the sixteen positions within a cache line's alignment is drawn equally often.
    assert abs(chi_square(Counter(length % 16 for length in lengths), 16)) < 3.5


def test_lengths_of_time():
    seconds = {"90": 90, "90s": 90, "1.5m": 90, "1h30m": 5400, "250ms": 0.25, "1 h": 3600, "8784h": 366 * 86400}
    none = dict.fromkeys(("", "0", "-1s", "soon", "1x", "h", "1e99", "8784h1ms"))
    assert {text: schedule.parse_duration(text) for text in seconds | none} == seconds | none
    words = {0.42: "0.4 s", 12.3: "12 s", 200: "3 min 20 s", 7500: "2 h 5 min"}
    assert {each: schedule.duration_in_words(each) for each in words} == words
