"""Counts of instructions by callgrind: exact, of all programs that a command starts, with the reason where none is."""

import os
import subprocess

import pytest

from statera.experiment import callgrind
from statera.experiment.callgrind import METRIC, PADDING, count, of_one_length
from statera.experiment.launcher import Invocation

HERE = callgrind.missing()
valgrind = pytest.mark.skipif(HERE is not None, reason=f"valgrind: {HERE}")
WORK = """
#include <stdlib.h>
int main(int count, char **words) {
    volatile long sum = 0;
    for (long turn = 0; turn < atol(words[1]); turn++) sum++;
    return 0;
}
"""


def invocation(*arguments, **fields):
    fields.setdefault("environment", tuple(os.environ.items()))
    return Invocation(arguments, directory="/", **fields)


@pytest.fixture(scope="module")
def loop(tmp_path_factory):
    folder = tmp_path_factory.mktemp("loop")
    (folder / "loop.c").write_text(WORK)
    subprocess.run(["cc", "-O0", "-o", folder / "loop", folder / "loop.c"], check=True)
    return str(folder / "loop")


@valgrind
def test_a_loop_is_counted_exactly(launcher, loop):
    short, again, long = of_one_length([invocation(loop, number) for number in ("1000", "1000", "2000")])
    counts = [count(each, launcher) for each in (short, again, long)]
    assert counts[0] == counts[1]
    per_turn = (counts[2] - counts[0]) / 1000
    assert per_turn == int(per_turn)
    assert per_turn > 10


@valgrind
def test_programs_that_a_command_starts_count_too(launcher, loop):
    alone = count(invocation("sh", "-c", f"{loop} 100000"), launcher)
    twice = count(invocation("sh", "-c", f"{loop} 100000; {loop} 100000; true"), launcher)
    assert twice > 1.5 * alone


@valgrind
def test_a_command_that_cannot_start_gives_the_reason(launcher, tmp_path):
    program = tmp_path / "nothing"
    assert "nothing" in count(invocation(str(program)), launcher)
    assert "it ran longer than" in count(invocation("sleep", "1000", timeout=0.01), launcher)


def test_without_valgrind_the_reason_is_said(launcher, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert count(invocation("true"), launcher).startswith("valgrind is not installed")
    assert METRIC == "instructions (callgrind)"


def test_all_invocations_get_arguments_and_environment_of_one_length():
    padded = of_one_length(
        [
            invocation("a", "1", environment=(("GOGC", "50"),)),
            invocation("a", "10000", environment=(("GOGC", "100"), (PADDING, "xxxx"))),
            invocation("é", environment=()),
        ]
    )
    assert len({callgrind._length(each) for each in padded}) == 1
    lengths = [len(dict(each.environment)[PADDING]) for each in padded]
    assert min(lengths) == 0
    assert [each.arguments for each in padded] == [("a", "1"), ("a", "10000"), ("é",)]
