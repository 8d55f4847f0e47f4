"""Counts of instructions by callgrind: exact, of all programs that a command starts, with the reason where none is."""

import os
import subprocess
from types import SimpleNamespace

import pytest
from plans import plan

from statera.experiment import counters
from statera.experiment.counters import METRIC, PADDING, count, of_one_length
from statera.experiment.course import Course
from statera.experiment.launcher import Invocation
from statera.experiment.plan import Machine

HERE = counters.missing()
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


def test_a_command_under_callgrind_has_the_time_and_the_memory_that_valgrind_needs():
    given = invocation("a", timeout=3.0, memory=1 << 20, counters=("cycles",))
    made = counters._under_callgrind(given, "/50%p")
    assert (made.timeout, made.memory, made.counters, made.aslr) == (300, None, (), False)
    assert made.arguments[1:] == (
        "--quiet", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/50%%p/count.%p", "a"
    )  # fmt: skip
    assert counters._under_callgrind(invocation("a"), "/").timeout is None


def test_a_resumed_count_is_made_beside_all_of_its_benchmark(monkeypatch):
    of = plan("short", "long" * 9)._replace(machine=Machine(counters=(counters.NAME,)))
    course = Course(of)
    course.counted["sort", "long" * 9] = 1
    lengths, records = [], []
    monkeypatch.setattr(counters, "missing", lambda: None)
    monkeypatch.setattr(counters, "count", lambda each, _: lengths.append(counters._length(each)) or 5)
    invoker = SimpleNamespace(
        invocation=lambda task: invocation(*task.cell.command.arguments), around=lambda *_: "", launcher=None
    )
    counters.count_all(
        of, of.cells, course, invoker=invoker, display=SimpleNamespace(say=print, begins=print), record=records.append
    )
    assert [(each["number"], each["variant"]) for each in records] == [(1, "short"), (1, "short"), (2, "long" * 9)]
    assert len(set(lengths)) == 1


def test_all_invocations_get_arguments_and_environment_of_one_length():
    padded = of_one_length(
        [
            invocation("a", "1", environment=(("GOGC", "50"),)),
            invocation("a", "10000", environment=(("GOGC", "100"), (PADDING, "xxxx"))),
            invocation("é", environment=()),
        ]
    )
    assert len({counters._length(each) for each in padded}) == 1
    lengths = [len(dict(each.environment)[PADDING]) for each in padded]
    assert min(lengths) == 0
    assert [each.arguments for each in padded] == [("a", "1"), ("a", "10000"), ("é",)]
