"""What the machine reports around a round, read from made trees and from this machine, and the marks that follow."""

import subprocess
import sys

import pytest
from machines import COMMON, LAPTOP, cpu, pressure, stat, tree
from starting import python

from statera.comparison.verdicts.catalogue.experiments import MARKS
from statera.experiment import readings
from statera.experiment.readings import LIMITS, Readings, marks


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def around(folder, seconds, later, files=LAPTOP):
    """The readings of a round of so many seconds, after which the files of the system are other ones."""
    tree(folder, files)
    clock = Clock()
    with Readings(root=str(folder), clock=clock) as machine:
        machine.begin()
        tree(folder, later)
        clock.now = seconds
        return machine.end()


def test_a_quiet_round_has_readings_and_no_mark(tmp_path):
    machine, marked = around(tmp_path, 10.0, {})
    assert machine == {
        "cpu_pressure": 0,
        "memory_pressure": 0,
        "io_pressure": 0,
        "steal": 0,
        "other_work": 0,
        "throttled": 0,
        "frequency": 2.6e9,
    }
    assert marked == []


def test_each_limit_marks_its_round(tmp_path):
    for mark, reading, value, later in (
        ("cpu-pressure", "cpu_pressure", 0.2, {"proc/pressure/cpu": pressure(total=2_000_000)}),
        ("memory-pressure", "memory_pressure", 0.02, {"proc/pressure/memory": pressure(total=200_000)}),
        ("io-pressure", "io_pressure", 0.1, {"proc/pressure/io": pressure(total=1_000_000)}),
        ("steal", "steal", 0.05, {"proc/stat": stat(steal=100)}),
        ("other-work", "other_work", 0.5, {"proc/stat": stat(busy=1000)}),
        ("throttled", "throttled", 4, cpu(1, thermal_throttle__core_throttle_count="4\n")),
    ):
        machine, marked = around(tmp_path / mark, 10.0, later)
        # What this test itself uses of the processor is no other work.
        assert machine[reading] == pytest.approx(value, abs=0.01 if reading == "other_work" else 1e-12), mark
        assert marked == [mark]


def test_a_machine_that_tells_less_has_fewer_readings_and_no_mark(tmp_path):
    files = {"proc/stat": stat(), "sys/devices/system/cpu/online": "0-1\n"}
    machine, marked = around(tmp_path, 1.0, {}, files)
    assert sorted(machine) == ["other_work", "steal"]
    assert marked == []
    (tmp_path / "nothing").mkdir()
    assert around(tmp_path / "nothing", 1.0, {}, {}) == ({}, [])


def test_a_tick_marks_no_short_round(tmp_path):
    # A tick is 10 ms: in a round of 5 ms on two cores it is more than all of their time.
    assert around(tmp_path, 0.005, {"proc/stat": stat(busy=1, steal=1)}, COMMON)[1] == []


def test_marks_follow_the_share_and_not_the_length_of_the_round():
    for ticks in (1_000, 10_000, 1_000_000):
        assert marks({"other_work": 0.3, "steal": 0.05}, ticks) == ["steal", "other-work"]
        assert marks({"other_work": 0.09, "steal": 0.009}, ticks) == []


def test_a_round_without_a_beginning_has_no_readings(tmp_path):
    tree(tmp_path, COMMON)
    with Readings(root=str(tmp_path)) as machine:
        assert machine.end() == ({}, [])


def test_what_commands_use_is_our_own_work_while_they_run_and_when_they_ended(launcher):
    busy = "sum(i * i for i in range(400_000))"
    before = readings._own()
    outcome = launcher.run(python(busy))
    ended = readings._own()
    child = subprocess.Popen(
        [sys.executable, "-c", f"{busy}; print(flush=True); input()"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    child.stdout.readline()
    running = readings._own()
    child.communicate(b"\n")
    # The starter of the commands lives on, and has ticks of what it waited for.
    assert ended - before > outcome.user + outcome.system - 0.03
    assert running > ended


def test_this_machine_gives_readings_that_are_shares():
    with Readings() as machine:
        machine.begin()
        subprocess.run([sys.executable, "-c", "pass"], check=True)
        found, marked = machine.end()
    shares = [value for name, value in found.items() if name not in {"throttled", "frequency"}]
    assert shares
    assert all(0 <= share <= 1 for share in shares)
    assert set(marked) <= set(LIMITS)


def test_files_are_closed(tmp_path):
    tree(tmp_path, LAPTOP)
    machine = Readings(root=str(tmp_path))
    machine.close()
    machine.close()
    machine.begin()
    assert readings._read(None) == b""


def test_each_mark_has_an_entry_that_states_its_limit():
    assert set(LIMITS) == set(MARKS)
    for mark, limit in LIMITS.items():
        if limit.above:
            assert f"more than {100 * limit.above:.0f} %" in MARKS[mark].meaning


def test_what_ends_between_two_readings_takes_no_time_from_what_lives():
    before = readings.Used({7: 0.014, 8: 0.001}, 0.0)
    # The starter, 7, has ended: of its 14 milliseconds the kernel tells whole ticks, and none or one of them.
    for awaited in (0.0, 0.01):
        assert readings.Used({8: 0.010}, awaited).since(before) == pytest.approx(0.009)
    # Another 20 milliseconds of what began and ended in between.
    assert readings.Used({8: 0.010, 9: 0.002}, 0.034).since(before) == pytest.approx(0.009 + 0.002 + 0.020)
