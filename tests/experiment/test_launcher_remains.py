"""Nothing that a command starts outlives it, nor does a command outlive statera or the executable that started it."""

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from starting import PATIENCE, asked, python, shell

from statera.experiment.launcher import EXECUTABLE, Launcher, left_behind

# Forks twice, into a session of its own; it keeps the pipes of the command open.
DAEMON = """
import os, sys, signal
lives = os.open(sys.argv[1], os.O_WRONLY)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.write(lives, b'daemon\\n')
        signal.pause()
    os._exit(0)
os.wait()
"""
# Sixteen processes, each of which forks and ends, for ever: whoever kills one has missed its child.
SWARM = """
import os, sys
lives = os.open(sys.argv[1], os.O_WRONLY)
ready, grown = os.pipe()
if os.fork() == 0:
    for _ in range(4):
        os.fork()
    os.write(grown, b'.')
    while True:
        if os.fork():
            os._exit(0)
for _ in range(16):
    os.read(ready, 1)
"""
# Starts the command of its arguments as statera would, and waits for it.
STATERA = """
import sys
sys.path.insert(0, sys.argv[1])
from statera.experiment.launcher import Invocation, Launcher
with Launcher() as launcher:
    try:
        environment = (("PATH", "/usr/bin:/bin"), ("STATERA_RUN", "test"))
        outcome = launcher.run(Invocation(tuple(sys.argv[2:]), environment, "/"))
        if outcome.failure:
            print(f"{outcome.failure}: {outcome.message}")
    except KeyboardInterrupt:
        print("interrupted")
"""
WAITS = "trap '' TERM INT HUP; exec 3> \"$1\"; (setsid sleep 1000 &) ; echo $$ >&3; sleep 1000; sleep 1000"


def test_a_daemon_is_ended_and_counted(launcher, lives, tmp_path):
    outcome = launcher.run(python(DAEMON, lives.path, output=str(tmp_path / "out")))
    assert (outcome.exit, outcome.failure, outcome.left_over) == (0, None, 1)
    lives.end()


def test_a_swarm_that_forks_while_it_is_killed(launcher, lives):
    outcome = launcher.run(python(SWARM, lives.path))
    assert outcome.failure is None
    assert outcome.left_over >= 16
    lives.end()


def test_many_processes_are_ended(launcher, lives):
    script = 'exec 3> "$1"; for i in $(seq 100); do setsid sleep 1000 & done'
    outcome = launcher.run(shell(script, lives.path))
    assert outcome.left_over == 100
    lives.end()


def test_orphans_that_ended_by_themselves_are_not_left_over(launcher):
    assert launcher.run(shell("(true &); (true &); sleep 0.05")).left_over == 0


def test_a_timeout_ends_all_even_what_ignores_signals(launcher, lives):
    outcome = launcher.run(shell(WAITS, lives.path, timeout=0.2))
    assert (outcome.failure, outcome.signal, outcome.exit) == ("timeout", signal.SIGKILL, None)
    assert "0.2 s" in outcome.message
    assert outcome.time >= 0.2
    lives.end()


def test_a_command_that_stops_the_executable_blocks_nothing():
    # Its worker, and the guard.
    for stops in ("$PPID", "$(cut -d ' ' -f 4 /proc/$PPID/stat)"):
        with Launcher() as launcher:
            outcome = launcher.run(shell(f"kill -STOP {stops}", timeout=PATIENCE))
        assert (outcome.exit, outcome.failure) == (0, None)


@pytest.fixture
def statera(lives):
    """A process that runs a command by a launcher; the command runs when it is handed out."""
    package = str(EXECUTABLE.parents[2])
    words = [sys.executable, "-c", STATERA, package, "sh", "-c", WAITS, "sh", str(lives.path)]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        command = int(lives.line())
        yield process, command
        process.kill()


def test_a_command_does_not_outlive_a_statera_that_is_killed(statera, lives):
    process, _ = statera
    process.kill()
    lives.end()


def test_an_interruption_ends_the_command(statera, lives):
    process, _ = statera
    process.send_signal(signal.SIGINT)
    lives.end()
    assert process.communicate()[0] == "interrupted\n"
    assert process.returncode == 0


def parent(process):
    return int(Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[1])


@pytest.mark.parametrize("killed", ["worker", "guard"])
def test_a_command_does_not_outlive_the_executable(statera, lives, killed):
    process, command = statera
    worker = parent(command)
    guard = parent(worker)
    assert parent(guard) == process.pid
    os.kill(worker if killed == "worker" else guard, signal.SIGKILL)
    lives.end()
    assert process.wait() == 0


def test_what_the_executable_cannot_end_any_more_is_found_by_its_environment(statera, lives):
    process, command = statera
    worker = parent(command)
    guard = parent(worker)
    # A guard that is stopped cannot end what the worker leaves.
    for each, number in ((guard, signal.SIGSTOP), (worker, signal.SIGKILL), (guard, signal.SIGKILL)):
        os.kill(each, number)
    lives.end()
    assert (
        process.communicate()[0]
        == "starter: the executable that starts commands was ended from outside, and its command with it\n"
    )


def test_after_the_executable_was_lost_the_next_command_runs(launcher):
    kills = "p=$(cut -d' ' -f4 /proc/$$/stat); kill -9 $p; sleep 1000"
    assert launcher.run(shell(kills)).failure == "starter"
    assert launcher.run(shell("exit 3")).exit == 3
    # A command that kills its process group ends only itself.
    outcome = launcher.run(shell("kill -9 0"))
    assert (outcome.failure, outcome.signal) == ("signal", 9)


def test_one_of_two_starters_is_lost(launcher, lives):
    kills = "p=$(cut -d' ' -f4 /proc/$$/stat); kill -9 $p; sleep 1000"
    first, second = launcher.both(shell(kills), shell('exec 3> "$1"; exit 6', lives.path))
    assert (first.failure, second.exit) == ("starter", 6)
    assert launcher.run(asked("true")).failure is None


def test_processes_of_an_earlier_run_are_ended_and_no_others(lives):
    waits = ["sh", "-c", 'exec 3> "$1"; sleep 1000 & echo >&3; wait', "sh", str(lives.path)]
    environment = {"PATH": os.environ["PATH"], "STATERA_RUN": "run-1"}
    other = ["sh", "-c", "read line"]
    with (
        subprocess.Popen(waits, env=environment, start_new_session=True),
        subprocess.Popen(other, env={**environment, "STATERA_RUN": "run-10"}, stdin=subprocess.PIPE) as stays,
    ):
        lives.line()
        assert left_behind("run-1") == 2
        lives.end()
        assert stays.poll() is None
        assert left_behind("run-1") == left_behind(None) == 0


# The C library ignores the signals that it uses itself, 32 and 33, in all that it spawns.
LIBRARYS_OWN = 3 << 31


def test_a_command_is_in_a_process_group_of_its_own_with_default_signals(tmp_path):
    out = tmp_path / "out"
    ignoring = (
        "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nsignal.signal(signal.SIGHUP, signal.SIG_IGN)\n"
        "signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})\n"
    ) + STATERA
    shows = f"exec > {out}; cut -d' ' -f1,5,6,7 /proc/$$/stat; cat /proc/self/status"
    subprocess.run([sys.executable, "-c", ignoring, str(EXECUTABLE.parents[2]), "sh", "-c", shows], check=True)
    process, group, session, terminal = map(int, out.read_text().splitlines()[0].split())
    assert group == process
    assert session != os.getsid(0)
    assert terminal == 0
    blocked, ignored = (int(re.search(rf"Sig{name}:\t(\w+)", out.read_text())[1], 16) for name in ("Blk", "Ign"))
    assert (blocked, ignored & ~LIBRARYS_OWN) == (0, 0)
