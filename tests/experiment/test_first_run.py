"""A slow first run is told, with what helps; noise is not."""

import re

import pytest
from plans import plan

from statera.experiment.drift import slow_first_run


def invocations(*times, variant="a"):
    return [
        {"kind": "invocation", "benchmark": "sort", "variant": variant, "round": number, "time": each}
        for number, each in enumerate(times, 1)
    ]


def test_a_first_run_far_beyond_the_others_is_told_once_with_what_helps():
    slow, even = invocations(3.0, 1.0, 1.1, 0.9, 1.0, 1.05), invocations(1.0, 1.1, 0.9, 1.0, 1.05, variant="b")
    [line] = slow_first_run(plan("a", "b"), slow + even)
    assert line.startswith("sort, a: the first run took 3.0 s, the others 1.0 s. -w 3 ")
    [line] = slow_first_run(plan("a"), invocations(0.03, 0.002, 0.0021, 0.0019, 0.002, 0.002))
    assert line.startswith("sort, a: the first run took 30 ms, the others 2 ms. ")
    assert "-w 5 " in slow_first_run(plan("a", "b", warmup=2), slow)[0]


def test_noise_few_runs_and_a_later_slow_run_are_not_told():
    for times in (
        (1.3, 1.0, 0.8, 1.4, 1.2, 0.9),
        (9.0, 1.0, 1.0, 1.0),
        (1.0, 9.0, 1.0, 1.0, 1.0, 1.0),
        (1.1,) + (1.0,) * 9,
    ):
        assert slow_first_run(plan("a"), invocations(*times)) == [], times


@pytest.mark.later
def test_it_stands_before_the_comparison(run, tmp_path):
    # The first run of all makes the file that the others find.
    cold = f"sh -c 'test -e {tmp_path}/warm || sleep 0.5; : > {tmp_path}/warm'"
    done = run("run", "-r", "6", "-o", tmp_path / "r", cold)
    assert done.code == 0, done.err
    assert re.search(r"the first run took 0.5 s, the others [\d.]+ ms. -w 3 ", done.err)
    assert done.err.count("[first-run-slow]") == 1
