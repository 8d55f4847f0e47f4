"""Cores, priority, addresses, memory limits and counters are those asked for, or nothing is started."""

import os
import shutil
import stat
import tempfile
from pathlib import Path

import pytest
from starting import asked, python, shell

from statera.experiment.launcher import COUNTERS, EXECUTABLE, Launcher

MIB = 1 << 20
NO_RANDOMIZE = 0x0040000
SHOWS = "grep Cpus_allowed_list /proc/self/status | cut -f2; nice; cat /proc/self/personality"


@pytest.fixture
def settings(launcher, tmp_path):
    """Run a command that shows its settings: cores, priority, whether addresses are random."""

    def show(running=launcher, **asked_for):
        out = tmp_path / "shown"
        outcome = running.run(shell(SHOWS, output=str(out), **asked_for))
        assert outcome.failure is None, outcome.message
        cores, nice, personality = out.read_text().split()
        return cores, int(nice), not int(personality, 16) & NO_RANDOMIZE

    return show


def test_settings_are_those_asked_for_and_taken_back(settings):
    before = settings()
    core = max(os.sched_getaffinity(0))
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert settings(cpus=(core,), nice=own + 3, aslr=False) == (str(core), own + 3, False)
    assert settings() == before
    assert before[1:] == (own, True)


def test_cores_that_may_not_be_used_are_refused(launcher):
    core = max(os.sched_getaffinity(0))
    for cores in ((core, core + 1000), (1023,), (100_000,)):
        outcome = launcher.run(asked("true", cpus=cores))
        assert outcome.failure == "cannot-start"
        assert str(cores[-1]) in outcome.message
    assert launcher.run(asked("true")).failure is None


@pytest.fixture
def nobody(tmp_path):
    """A launcher whose executable has no rights."""
    if os.geteuid() != 0:
        with Launcher() as running:
            yield running
        return
    # The folders of pytest are root's alone.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        copy = shutil.copy(EXECUTABLE, folder)
        wrapper = tmp_path / "wrapper"
        drops = (
            "import os, sys; os.setgroups([]); os.setgid(65534); os.setuid(65534); os.execv(sys.argv[1], sys.argv[1:])"
        )
        wrapper.write_text(f'#!/bin/sh\nexec {shutil.which("python3")} -c "{drops}" {copy}\n')
        wrapper.chmod(0o755)
        with Launcher(wrapper) as running:
            yield running


def test_without_rights_a_lower_priority_is_taken_back_too(nobody):
    own = os.getpriority(os.PRIO_PROCESS, 0)
    for nice, expected in ((own + 7, own + 7), (None, own), (own + 3, own + 3)):
        outcome = nobody.run(shell('exit "$(nice)"', nice=nice))
        assert outcome.exit == expected


def test_without_rights_a_higher_priority_is_refused(nobody):
    outcome = nobody.run(asked("true", nice=-5))
    assert outcome.failure == "not-permitted"
    assert "ulimit -e" in outcome.message


def limited(launcher, given):
    outcome = launcher.run(given)
    if outcome.failure == "not-permitted":
        pytest.skip(f"this machine: {outcome.message}")
    return outcome


def test_a_memory_limit_holds_for_a_command_and_its_children(launcher):
    allocates = "b'1' * (200 << 20)"
    outcome = limited(launcher, python(allocates, memory=64 * MIB))
    assert outcome.failure == "signal"
    assert outcome.message == f"it needed more memory than its limit of {64 * MIB} bytes"
    children = python(
        "import os, sys; sys.exit(os.spawnv(os.P_WAIT, sys.executable, ['python', '-c', \"" + allocates + '"]) != 0)'
    )
    assert "its limit" in launcher.run(children._replace(memory=64 * MIB)).message
    assert launcher.run(python(allocates, memory=500 * MIB)).failure is None
    assert launcher.run(python(allocates)).failure is None


def test_a_memory_limit_leaves_no_group_behind(launcher, tmp_path):
    out = tmp_path / "out"
    limited(launcher, shell("cat /proc/self/cgroup", memory=64 * MIB, output=str(out)))
    group = next(line.split(":", 2)[2] for line in out.read_text().splitlines() if "statera-" in line)
    assert not list(Path("/sys/fs/cgroup").glob("*" + group))
    assert group not in Path("/proc/self/cgroup").read_text()


def test_without_rights_a_memory_limit_is_refused_and_nothing_starts(nobody, tmp_path):
    tmp_path.chmod(0o777)
    outcome = nobody.run(asked("touch", str(tmp_path / "ran"), memory=64 * MIB))
    if outcome.failure is None:
        pytest.skip("this machine permits everybody to limit memory")
    assert outcome.failure == "not-permitted"
    assert "systemd-run" in outcome.message
    assert not (tmp_path / "ran").exists()


def test_the_peak_of_a_control_group_is_that_of_all_processes_at_once(launcher, tmp_path):
    def peak(given):
        found = launcher.run(given._replace(counters=("memory.peak",))).counters["memory.peak"]
        if isinstance(found, str):
            pytest.skip(f"this machine: {found}")
        return found

    # Pages that processes share since a fork count once here, and four times where processes are looked at.
    forks = "import os, time; b = b'1' * (100 << 20); [os.fork() for _ in range(2)]; time.sleep(0.1)"
    assert 100 * MIB < peak(python(forks)) < 150 * MIB
    each = python("import os, time; [os.fork() for _ in range(2)]; b = b'1' * (50 << 20); time.sleep(0.5)")
    assert 200 * MIB < peak(each) < 300 * MIB
    assert peak(each._replace(memory=1000 * MIB)) > 200 * MIB
    assert peak(asked("true")) < 20 * MIB
    out = tmp_path / "out"
    launcher.run(shell("cat /proc/self/cgroup", output=str(out), counters=("memory.peak",)))
    group = next(line.split(":", 2)[2] for line in out.read_text().splitlines() if "statera-" in line)
    assert not list(Path("/sys/fs/cgroup").glob("*" + group))


def test_without_rights_there_is_a_reason_instead_of_a_peak(nobody):
    outcome = nobody.run(asked("true", counters=("memory.peak", "task-clock")))
    assert outcome.failure is None
    assert set(outcome.counters) == {"memory.peak", "task-clock"}
    if isinstance(outcome.counters["memory.peak"], int):
        pytest.skip("this machine permits everybody to make control groups")
    assert "memory.peak is not available: no control group" in outcome.counters["memory.peak"]


def test_each_counter_has_a_count_or_a_reason(launcher):
    counters = launcher.run(asked("true", counters=COUNTERS)).counters
    assert set(counters) == set(COUNTERS)
    reasons = {value for value in counters.values() if isinstance(value, str)}
    known = (
        "no PMU", "perf_event_paranoid is", "not an event of this processor", "no perf events", "in use all the time",
    )  # fmt: skip
    assert all(any(word in reason for word in known) for reason in reasons)
    for name in ("instructions", "cycles", "page-faults", "task-clock"):
        assert counters[name] != 0


def test_counters_include_children_and_nothing_of_the_starter(launcher):
    def counted(given):
        found = launcher.run(given._replace(counters=("page-faults", "task-clock")))
        if isinstance(found.counters["page-faults"], str):
            pytest.skip(f"this machine: {found.counters['page-faults']}")
        return found

    small, large = counted(asked("true")), counted(shell('"$@"', python("").arguments[0], "-c", "b'1' * (64 << 20)"))
    assert small.counters["page-faults"] < 1000 < 64 * MIB // 4096 <= large.counters["page-faults"]
    assert 0 < large.counters["task-clock"] / 1e9 <= large.time * (os.cpu_count() or 1)
    assert abs(large.counters["page-faults"] - large.minor_faults - large.major_faults) < 200


def test_an_unknown_counter_is_named(launcher):
    assert launcher.run(asked("true", counters=("no-such",))).counters == {"no-such": "there is no such event"}


def test_what_the_system_forbids_to_count_has_the_reason(nobody):
    outcome = nobody.run(asked("true", counters=("context-switches", "page-faults")))
    paranoid = int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    if paranoid < 2:
        pytest.skip(f"perf_event_paranoid is {paranoid}: everybody may count")
    assert "perf_event_paranoid is" in str(outcome.counters["context-switches"])
    counted = outcome.counters["page-faults"]
    assert isinstance(counted, str) or outcome.remarks["page-faults"].startswith("in user space alone")


def test_the_executable_is_executable_by_everybody():
    assert EXECUTABLE.stat().st_mode & stat.S_IXOTH
