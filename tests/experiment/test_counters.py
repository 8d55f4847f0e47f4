"""Events that are counted: their names, what stands in for them, and that counts are judged as they were asked for."""

import re

import pytest
from machines import QUIET, VIRTUAL, tree
from starting import records

from statera.experiment import check, counters
from support import every

HERE = counters.missing()
valgrind = pytest.mark.skipif(HERE is not None, reason=f"valgrind: {HERE}")


@every(
    "name, known",
    [
        *(
            (name, True)
            for name in ("instructions", "callgrind", "L1-dcache-loads", "LLC-store-misses", "r01c4", "memory.peak")
        ),
        *((name, True) for name in ("instructions:u", "cycles:k", "ref-cycles", "dTLB-load-misses")),
        *(
            (name, False)
            for name in (
                "luck",
                "",
                "r",
                "rx",
                "L1-dcache",
                "instructions:",
                "callgrind:u",
                "memory.peak:u",
                "memoryxpeak",
                "L1-loads",
                3,
            )
        ),
    ],
)
def test_names_are_those_of_perf(name, known):
    assert counters.is_event(name) is known
    # A schema cannot say everything; it refuses no event.
    assert bool(re.fullmatch(counters.PATTERN, str(name))) or not known


def test_an_unknown_event_has_near_ones_and_what_is_recorded_anyway_is_named():
    assert "did you mean instructions?" in counters.unknown("instruction")
    assert "record" in counters.unknown("minor-faults")


@valgrind
def test_callgrind_stands_in_for_a_processor_without_counters(tmp_path):
    found, said = check.countable(("cycles", "instructions"), tree(tmp_path / "virtual", VIRTUAL))
    assert found == ("cycles", "callgrind")
    assert said == "this machine counts no instructions: callgrind counts instructions instead"
    assert check.countable(("instructions",), tree(tmp_path / "quiet", QUIET)) == (("instructions",), "")


@pytest.mark.later
@valgrind
def test_counts_that_were_asked_for_are_judged_and_gated(run, tmp_path):
    counted = ("-r", "2", "--counters", "callgrind,page-faults", "--fail-on", "worse", "-o", tmp_path / "r")
    done = run("run", *counted, "true", "ls /")
    assert done.code == 1, done.err
    assert "instructions (callgrind)" in done.err.partition("fails the gate")[2]
    assert "page-faults" in done.out
    assert len(records(tmp_path / "r", "count")) == 4


@valgrind
def test_instructions_of_callgrind_decide_at_the_first_look(run, tmp_path):
    done = run(
        "run",
        "-M",
        "12",
        "--decide-by",
        "instructions",
        "--counters",
        "callgrind",
        "-o",
        tmp_path / "r",
        "true",
        "ls /",
    )
    kinds = [each["kind"] for each in records(tmp_path / "r", "count", "round")]
    assert kinds == ["count"] * 4 + ["round"] * 9, done.err
