"""``statera run --on``: commands on other machines, each of which is a daemon of ssh on loopback."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time

import pytest
from plans import plan
from repositories import commit, written
from sshd import Hosts

from statera.experiment import hosts as on_hosts
from statera.experiment.host import ELSEWHERE, pinned
from statera.experiment.plan import Machine, Service
from statera.experiment.ssh import is_name
from statera.reading.store.run_folder import replay
from statera.support.errors import Stop
from support import ROOT, fails


@pytest.fixture(scope="module")
def machines():
    running = Hosts()
    try:
        running.start("alpha", "beta")
        yield running
    finally:
        running.close()


@pytest.fixture
def start(run, machines, tmp_path):
    """Runs statera with the hosts."""

    def started(*words):
        return run("run", *words, cwd=tmp_path, env=machines.environment)

    return started


def script(path, text):
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def of(folder, kind):
    return [each for each in replay(folder) if each["kind"] == kind]


def left(machines):
    """What runs left on the hosts, which share a home."""
    return [each.name for each in machines.cache.glob("statera/run-*")]


def test_names_of_hosts_are_no_options_and_no_words_for_a_shell():
    for name in ("alpha", "user@beta", "10.0.0.7", "a-b.example.org", "fe80::1", "ssh://me@alpha:2222", "_x"):
        assert is_name(name), name
    for name in (
        "",
        "-oProxyCommand=x",
        "a b",
        "a;b",
        "$(x)",
        "me@-x",
        "a\nb",
        "`x`",
        "a'b",
        "ssh://-x",
        "alpha:22",
        "ä",
    ):
        assert not is_name(name), name
        with pytest.raises(Stop, match="no name of a host"):
            on_hosts.names([name])


def test_what_cannot_run_on_hosts_is_refused():
    one = plan("old", "new", hosts=("alpha",))
    cell = one.cells[0]
    for changed, said in [
        ({"cells": (cell._replace(services=(Service("s", cell.command),)),)}, "a service runs on this machine alone"),
        ({"cells": (cell._replace(output="/x.txt"),)}, "would leave it on the host. Use pipe"),
        ({"order": "duet"}, "starts two commands at one moment of this machine's clock. Use random"),
        ({"machine": Machine(counters=("callgrind",))}, "callgrind counts on this machine alone"),
    ]:
        with pytest.raises(Stop, match=re.escape(said)):
            on_hosts.refuse_impossible(one._replace(**changed))
    on_hosts.refuse_impossible(one)
    with pytest.raises(Stop, match=re.escape("hosts isolate different cores. Name cores")):
        pinned("isolated", ELSEWHERE)
    with pytest.raises(Stop, match=re.escape("--on names a twice. Name each host once")):
        on_hosts.names(["a", "a"])


def test_a_hostile_name_runs_nothing(run, tmp_path):
    done = run("run", "--on=-oProxyCommand=touch x", "true", "false", cwd=tmp_path)
    fails(done, "--on '-oProxyCommand=touch x': this is no name of a host. Write names")
    assert not [*tmp_path.iterdir()]


def test_two_hosts_are_blocks_of_one_comparison(start, run, machines, tmp_path):
    script(tmp_path / "old", "exit 0")
    script(tmp_path / "new", "exit 0")
    result = start("--on", "alpha,beta", "-r", "4", "-w", "1", "-o", "r", "--seed", "1", "./old", "./new")
    assert result.code == 0, result.err
    assert "4 rounds on 2 hosts" in result.err
    assert "alpha and beta are one machine: their commands disturb each other" in result.err
    assert "8 pairs" in result.out
    records = replay(tmp_path / "r")
    samples = [each for each in records if each["kind"] == "invocation" and each["round"]]
    assert {(each["host"], each["round"], each["variant"]) for each in samples} == {
        (host, number, variant)
        for host in ("alpha", "beta")
        for number in range(1, 5)
        for variant in ("./old", "./new")
    }
    assert all(each["host"] in {"alpha", "beta"} and each["machine"] for each in records if each["kind"] == "round")
    facts = {each["host"]: each["facts"] for each in of(tmp_path / "r", "host")}
    assert facts["alpha"]["host"] == os.uname().nodename
    assert {"kernel", "cpu", "cores", "memory", "boot", "libc"} <= set(facts["beta"])
    # Each host has an order of its own.
    orders = {host: [each["variant"] for each in samples if each["host"] == host] for host in ("alpha", "beta")}
    assert orders["alpha"] != orders["beta"]
    assert left(machines) == []
    # The hosts are another user, to whom nothing here belongs.
    assert machines.cache.stat().st_uid != os.getuid()
    again = run("compare", "r", cwd=tmp_path)
    assert "8 pairs" in again.out
    assert "hosts are pooled" in again.out
    apart = json.loads(run("compare", "r", "--by", "variant", "--within", "host", "-f", "json", cwd=tmp_path).out)
    assert {each["group"] for each in apart["rows"]} == {"host: alpha", "host: beta"}


FILE = """
on = ["alpha"]
rounds = 2
[factors]
size = ["1", "2"]
[source]
git = "repository"
[build]
command = { shell = "cp bench.sh $build/bench; chmod +x $build/bench" }
[[benchmark]]
name = "suite"
command = ["{build}/bench", "{size}", "{out}"]
env = { GREETING = "a 'b' $c", OUT = "{out}" }
input = "data.txt"
format = "go"
setup = { shell = "echo set > set.txt; pwd" }
prepare = ["cat", "set.txt", "file of mine.txt"]
"""


def test_builds_inputs_and_results_go_to_the_host_and_back(start, machines, tmp_path):
    bench = (
        '#!/bin/sh\nread word\n[ "$word" = data ] && [ "$GREETING" = "a \'b\' \\$c" ] && [ "$2" = "$OUT" ] || exit 9\n'
        "case $0 in */run-*/builds/*) ;; *) exit 8 ;; esac\n"
        'echo "BenchmarkSum 1 ${1}00 ns/op" > "$2/printed.txt"\n'
    )
    commit(tmp_path / "repository", "v1", bench_sh=bench)
    (tmp_path / "data.txt").write_text("data\n")
    (tmp_path / "file of mine.txt").write_text("x")
    written(tmp_path, FILE)
    result = start("experiment.toml", "-o", "r")
    assert result.code == 0, result.err
    assert "Sum  100 ns  200 ns" in result.out
    assert [
        (tmp_path / "r" / each["output"] / "printed.txt").is_file() for each in of(tmp_path / "r", "invocation")
    ] == [True] * 4
    assert left(machines) == []


def test_a_command_keeps_its_words_and_its_exit_code(start, tmp_path):
    words = ["a b", "'", '"$HOME"', ";touch x", "*", "\\n", "{out}x"]
    command = shlex.join(["sh", "-c", 'printf "%s|" "$@"; echo oops >&2; exit 255', "sh", *words[:-1]])
    result = start("--on", "alpha", "-r", "2", "--output", "pipe", "-i", "-o", "r", command)
    assert result.code == 0, result.err
    found = of(tmp_path / "r", "invocation")
    assert [each["exit"] for each in found] == [255, 255]
    assert (tmp_path / "r" / found[0]["output"]).read_text() == "|".join([*words[:-1], ""])
    failed = start("--on", "alpha", "-r", "2", "-o", "s", "sh -c 'echo oops >&2; exit 255'", "true")
    assert not of(tmp_path / "s", "lost")
    assert "on alpha: it ended with exit code 255" in failed.err, failed.err
    assert not (tmp_path / "x").exists()


def test_hosts_that_cannot_be_used_are_named_and_leave_the_others(start, machines, tmp_path):
    own = machines.folder
    script(own / "foreign" / "uname", 'test "$1" = -m && echo riscv64 || echo Linux')
    script(own / "talking", f'echo "Welcome!"; PATH={own}/foreign:$PATH; export PATH; eval "$SSH_ORIGINAL_COMMAND"')
    script(own / "greets", 'echo "Welcome to gamma!"; eval "$SSH_ORIGINAL_COMMAND"')
    machines.start("other", forced=str(own / "talking"))
    machines.start("gamma", forced=str(own / "greets"))
    result = start("--on", "other,nowhere,gamma", "-r", "2", "-o", "r", "true")
    assert "other cannot be used: it is Linux on riscv64" in result.err, result.err
    assert re.search(r"nowhere cannot be used: .*nowhere", result.err)
    assert result.code == 0, result.err
    assert [each["host"] for each in of(tmp_path / "r", "invocation")] == ["gamma"] * 2
    assert [each["host"] for each in of(tmp_path / "r", "lost")] == ["other", "nowhere"]
    machines.end("other")
    machines.end("gamma")


def test_without_a_host_nothing_is_kept(start, tmp_path):
    done = start("--on", "nowhere", "-r", "2", "-o", "r", "true")
    fails(done, "no host is left. Make one of them reachable", "nothing of the run is kept")
    assert not (tmp_path / "r").exists()


@pytest.fixture
def begun(machines, tmp_path):
    """Starts statera with the hosts and does not wait; what still runs after the test is ended."""
    started = []

    def begin(*words):
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "statera", "run", *words],
                cwd=tmp_path,
                env=machines.environment,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield begin
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.communicate(timeout=30)


def until_round(folder, number):
    """Wait until a run has ended a round on all hosts."""
    until = time.monotonic() + 30
    while True:
        assert time.monotonic() < until
        if (folder / "journal.ndjson").exists() and any(each["round"] >= number for each in of(folder, "round")):
            return
        time.sleep(0.02)


@pytest.mark.later
def test_a_host_that_dies_is_a_mark_and_comes_back_with_the_resumption(machines, begun, start, run, tmp_path):
    running = begun("--on", "alpha,beta", "-r", "8", "-o", "r", "sleep 0.1", "sleep 0.11")
    until_round(tmp_path / "r", 3)
    machines.end("beta")
    said = running.communicate()[1]
    assert running.returncode == 0, said
    lost = of(tmp_path / "r", "lost")
    assert [each["host"] for each in lost] == ["beta"]
    assert f"beta was lost in round {lost[0]['round']}" in said
    assert "statera run --resume r makes the missing rounds [host-lost]" in said
    assert not of(tmp_path / "r", "end")
    assert "beta was lost in round" in run("run", "--status", "r", cwd=tmp_path).out
    assert "the host beta was lost in round" in run("compare", "r", cwd=tmp_path).out
    machines.start("beta")
    resumed = start("--resume", "r")
    assert resumed.code == 0, resumed.err
    assert "16 pairs" in resumed.out
    assert "was lost" not in resumed.err
    done = [(each["host"], each["round"], each["variant"]) for each in of(tmp_path / "r", "invocation")]
    assert len(done) == len(set(done)) == 32
    assert left(machines) == []


def sleeping():
    words = ["pgrep", "-f", "^sleep 100[12]"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.split()


@pytest.mark.later
def test_an_interruption_ends_what_runs_on_hosts(machines, begun):
    running = begun("--on", "alpha,beta", "-r", "2", "-o", "r", "sleep 1001", "sleep 1002")
    until = time.monotonic() + 30
    while not (found := sleeping()):
        assert time.monotonic() < until
        time.sleep(0.05)
    running.send_signal(2)
    said = running.communicate(timeout=30)[1]
    assert running.returncode == 130, said
    assert found
    assert not sleeping()
    assert left(machines) == []


@pytest.mark.later
def test_a_killed_run_leaves_nothing_running_and_goes_on(machines, begun, start, tmp_path):
    running = begun("--on", "alpha,beta", "-r", "6", "-o", "r", "sleep 0.2", "sleep 0.21")
    until_round(tmp_path / "r", 2)
    running.kill()
    running.communicate()
    until = time.monotonic() + 30
    while connections(machines):
        assert time.monotonic() < until
        time.sleep(0.05)
    assert len(left(machines)) == 2
    result = start("--resume", "r")
    assert result.code == 0, result.err
    assert "12 pairs" in result.out
    assert left(machines) == []


def connections(machines):
    return subprocess.run(
        ["pgrep", "-f", f"ssh -F {machines.folder}"], capture_output=True, text=True, check=False
    ).stdout


CASE = ROOT / "tests/formats/cases/statera-run/traps/on-hosts/run"


@pytest.fixture
def disagreeing(tmp_path):
    """Make a run ``r`` whose new build is slower on alpha and faster on beta."""
    folder = shutil.copytree(CASE, tmp_path / "r")
    journal = folder / "journal.ndjson"
    records = [json.loads(line) for line in journal.read_text().splitlines()]
    old, new = (
        next(each for each in records if each.get("variant") == name and each["round"]) for name in ("./old", "./new")
    )
    records = [each for each in records if each["kind"] != "invocation"]
    for number in range(1, 13):
        for host, change in (("alpha", 1.2), ("beta", 0.9)):
            for record, factor in ((old, 1.0), (new, change)):
                seconds = factor * (1 + (number * 7 + 5 * (factor != 1)) % 11 / 1000 + (host == "beta"))
                times = {"time": seconds, "user": seconds, "system": 0.0}
                records.append({**record, **times, "number": len(records), "round": number, "host": host})
    records.append({"kind": "end", "reason": "complete", "rounds": 12, "missing": 0})
    journal.write_text("".join(f"{json.dumps(each)}\n" for each in records))
    return tmp_path


def test_hosts_that_disagree_are_named(run, disagreeing):
    tmp_path = disagreeing
    result = run("run", "--resume", "r", cwd=tmp_path)
    assert "2 changes differ between hosts: " in result.out, result.out + result.err
    assert re.search(r"command time \(alpha \+[12]\d\.?\d*%, beta −\d+\.?\d*%\)", result.out), result.out
    assert "gamma could not be used" in result.err
    assert "the results have 0 of 3 rounds of it. statera run --more 20 r adds rounds on all hosts" in result.err
    # All together have no clear change: a gate must not call that unchanged.
    gated = run("run", "--resume", "r", "--fail-on", "worse", "--accept-parametric", cwd=tmp_path)
    assert gated.code == 1, gated.out + gated.err
    assert "alpha" in gated.err
    # Every reader of the run says so.
    compared = run("compare", "r", "--fail-on", "worse", "--accept-parametric", cwd=tmp_path)
    assert "2 changes differ between hosts: " in compared.out
    assert (compared.code, "alpha" in compared.err) == (1, True)
    assert run("compare", "r", "--fail-on", "worse:30%", "--accept-parametric", cwd=tmp_path).code == 0
    written = run("compare", "r", "-f", "json", cwd=tmp_path)
    assert "hosts-disagree" in {each["code"] for each in json.loads(written.out)["notes"]}


@pytest.mark.later
def test_the_report_of_hosts_that_disagree_asks_for_care(run, disagreeing):
    assert run("report", "r", "-o", "report.md", cwd=disagreeing).code == 0
    assert "2 changes differ between hosts: " in (disagreeing / "report.md").read_text()
