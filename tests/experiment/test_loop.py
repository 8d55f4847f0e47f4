"""The loop of an experiment: what runs when, what is on disk by then, what fails, and when it ends."""

import json
import re
import subprocess
import sys
from types import SimpleNamespace

import pytest
from starting import records

from statera.experiment import invocations
from statera.experiment.invocations import Invoker, _failure
from statera.experiment.loop import Loop
from statera.experiment.plan import Machine
from statera.experiment.schedule import looks, width_looks
from support import ROOT, fails


def samples(folder):
    return [each for each in records(folder, "invocation") if each["round"] > 0]


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "out"


def test_every_invocation_is_on_disk_before_the_next_one_begins(run, folder):
    count = f"grep -c invocation {folder}/journal.ndjson"
    assert run("run", "-r", "4", "-n", "a", "-n", "b", "--output", "pipe", "-i", "-o", folder, count, count).code == 0
    printed = [int((folder / each["output"]).read_text()) for each in records(folder, "invocation")]
    assert printed == list(range(8))


def test_each_round_runs_every_variant_back_to_back(run, folder):
    done = run("run", "-r", "6", "-L", "x", "1,2", "--seed", "3", "-o", folder, "true {x}", "echo {x}", "printf {x}")
    assert done.code == 0, done.err
    threes = [samples(folder)[at : at + 3] for at in range(0, 36, 3)]
    assert all(len({(each["round"], each["benchmark"]) for each in three}) == 1 for three in threes)
    assert all({each["variant"] for each in three} == {"true {x}", "echo {x}", "printf {x}"} for three in threes)
    assert [each["round"] for each in records(folder, "round")] == [1, 2, 3, 4, 5, 6]


def test_the_environment_has_one_length_in_a_round_and_another_in_the_next(run, folder):
    assert run("run", "-r", "5", "-n", "a", "-n", "b", "--output", "pipe", "-o", folder, "env", "env").code == 0
    of_round = {}
    for each in samples(folder):
        of_round.setdefault(each["round"], set()).add(len((folder / each["output"]).read_bytes()))
    assert all(len(lengths) == 1 for lengths in of_round.values())
    assert len(set.union(*of_round.values())) == 5


def test_commands_around_the_measured_ones_run_in_their_order(run, folder, tmp_path):
    log = tmp_path / "log"

    def note(word):
        return f"sh -c 'echo {word} >> {log}'"

    done = run(
        *("run", "-r", "2", "-w", "1", "--order", "interleaved", "-o", folder),
        *("-s", note("setup"), "-c", note("cleanup"), "-p", note("before"), "-C", note("after1"), "-C", note("after2")),
        *(note("one"), note("two")),
    )
    assert done.code == 0, done.err
    each = ["before", "one", "after1", "before", "two", "after2"]
    assert log.read_text().split() == ["setup", *each * 3, "cleanup"]
    assert [each.get("warmup", False) for each in records(folder, "invocation")] == [True] * 2 + [False] * 4


def test_a_command_afterwards_that_fails_is_told_and_changes_no_measurement():
    invoker = SimpleNamespace(
        around=lambda task, what: f"{what} of {task}: no" if (task, what) == ("b", "conclude") else "",
        _measured=lambda tasks, *_: [f"record of {task}" for task in tasks],
        _name=str.upper,
    )
    told = []
    assert Invoker._served(invoker, ("a", "b"), [], told.append) == ["record of a", "record of b"]
    assert told == ["B: conclude of b: no"]


def test_two_names_of_one_machine_are_told_and_two_machines_are_not():
    hosts = {name: {"host": name, "facts": {"boot": boot} if boot else {}} for name, boot in (("a", "1"), ("b", ""))}
    told = []
    loop = SimpleNamespace(
        course=SimpleNamespace(hosts=hosts),
        _sites=[SimpleNamespace(host="a"), SimpleNamespace(host="b")],
        _display=SimpleNamespace(complain=told.append),
    )
    Loop._say_same(loop, "c", {"boot": "2"})
    Loop._say_same(loop, "c", {})
    assert not told
    Loop._say_same(loop, "c", {"boot": "1"})
    assert told == ["a and c are one machine: their commands disturb each other. Name each machine once"]


def test_the_machine_cools_before_each_invocation_if_the_plan_says_so(monkeypatch):
    slept = []
    monkeypatch.setattr(invocations.time, "sleep", slept.append)
    for cool in (0.0, 2.5):
        plan = SimpleNamespace(machine=SimpleNamespace(cool=cool))
        Invoker._made(SimpleNamespace(_plan=plan, _given={}, _has_left_over=False, _served=lambda *_: []), (), print)
    assert slept == [2.5]


def test_a_program_that_is_not_found_ends_the_run_at_once_and_leaves_no_folder(run, folder):
    done = run("run", "-o", folder, "true", "no-such-program --fast")
    assert done.code == 2
    # Before anything runs.
    assert "no-such-program is not found. Correct the command, or name the program with its path" in done.err
    assert "cannot-start" in done.err
    assert "--resume" not in done.err
    assert "nothing of the run is kept" in done.err
    assert not folder.exists()


def test_a_run_that_cannot_start_leaves_no_folder_above_and_keeps_one_that_was_there(run, tmp_path):
    assert run("run", "no-such-program", "true").code == 2
    assert not (tmp_path / "statera-runs").exists()
    (tmp_path / "mine").mkdir()
    assert run("run", "-o", "mine", "no-such-program", "true").code == 2
    assert list((tmp_path / "mine").iterdir()) == []


def test_a_failure_is_recorded_and_is_no_sample_and_the_run_goes_on(run, folder, tmp_path):
    # The second variant fails in its third invocation, the others in each.
    fails = f"sh -c 'echo >> {tmp_path}/n; test $(wc -l < {tmp_path}/n) -ne 3'"
    names = ("-n", "good", "-n", "bad", "-n", "killed", "-n", "slow")
    words = ("--timeout", "300ms", "-o", folder, "true", fails, "sh -c 'kill -SEGV $$'", "sleep 1000")
    done = run("run", "-r", "3", *names, *words)
    assert done.code == 2
    failures = records(folder, "failure")
    found = sorted((each["variant"], each["round"], each["reason"]) for each in failures)
    others = [(name, number, why) for name, why in (("killed", "signal"), ("slow", "timeout")) for number in (1, 2, 3)]
    assert found == [("bad", 3, "exit"), *others]
    assert all(each["message"] in done.err for each in failures)
    assert len(samples(folder)) == 5
    assert records(folder)[-1] == {"kind": "end", "reason": "complete", "rounds": 3, "missing": 7}
    assert re.search(r"missing samples: .*bad: 1.* \[missing-samples\]", done.err)
    assert "good → bad" in done.out


def test_exit_codes_can_be_accepted(run, folder):
    words = ("-r", "3", "-n", "a", "-n", "b", "sh -c 'exit 3'", "true")
    assert run("run", *words, "-i", "-o", folder).code == 0
    assert {each["exit"] for each in samples(folder)} == {0, 3}
    ended, hung = SimpleNamespace(failure="exit", exit=3), SimpleNamespace(failure="timeout", exit=None)
    for codes, reason in (((), None), ((1, 3), None), ((1,), "exit")):
        assert _failure(ended, Machine(accept_failures=True, accepted_codes=codes)) == reason
    assert _failure(ended, Machine()) == "exit"
    assert _failure(hung, Machine(accept_failures=True)) == "timeout"


def test_a_failed_setup_leaves_its_benchmark_out_and_the_others_run(run, folder):
    setup = "sh -c 'test {x} = 1'"
    done = run("run", "-r", "3", "-L", "x", "1,2", "-s", setup, "-o", folder, "true {x}", "echo {x}")
    assert done.code == 2
    assert {each["benchmark"] for each in samples(folder)} == {"x=1"}
    assert records(folder)[-1]["missing"] == 6
    assert "x=2, true {x}: 3" in done.err


def test_a_benchmark_without_a_setup_keeps_no_other_from_its_own(run, folder, tmp_path):
    experiment = tmp_path / "experiment.toml"
    experiment.write_text(
        'rounds = 2\n[[benchmark]]\nname = "a"\ncommand = ["true"]\n'
        '[[benchmark]]\nname = "b"\ncommand = ["cat", "made"]\nsetup = ["touch", "made"]\n'
    )
    assert run("run", "-o", folder, experiment, cwd=tmp_path).code == 0
    assert (tmp_path / "made").exists()
    assert {each["benchmark"] for each in samples(folder)} == {"a", "b"}


def test_a_benchmark_that_is_not_printed_in_a_round_is_missing(run, folder, tmp_path):
    third = f"sh -c 'echo >> {tmp_path}/n; echo BenchmarkB 10 3.0 ns/op; test $(wc -l < {tmp_path}/n) -eq 3 || {{}}'"
    always = "sh -c 'echo BenchmarkA 10 2.0 ns/op; echo BenchmarkB 10 3.0 ns/op'"
    done = run("run", "-r", "4", "--format", "go", "-o", folder, always, third.format("echo BenchmarkA 10 2.0 ns/op"))
    assert (done.code, "or its baseline: 1 [missing-samples]" in done.err) == (2, True), done.err


def test_results_that_a_program_prints_are_read_in_their_format(run, folder, tmp_path):
    (tmp_path / "result.txt").write_text("BenchmarkOne\t10\t25.0 ns/op\nBenchmarkTwo\t10\t75.0 ns/op\n")
    # The third invocation prints another benchmark.
    changing = (
        f"sh -c 'echo >> {tmp_path}/n; echo BenchmarkOne 10 2.0 ns/op; "
        f"test $(wc -l < {tmp_path}/n) -ne 3 || echo BenchmarkNew 10 3.0 ns/op'"
    )
    words = ("-n", "a", "-n", "same", "-n", "changing", "-n", "none", "--format", "go", "-o", folder)
    same = f"cat {tmp_path}/result.txt"
    done = run("run", "-r", "5", *words, same, same, changing, "echo garbage")
    assert done.code == 2
    assert re.search(r"changing: not always the same benchmarks: also New \[benchmarks-change\]", done.err)
    failures = records(folder, "failure")
    assert [(each["variant"], each["reason"]) for each in failures] == [("none", "no-results")] * 5
    assert all((folder / each["output"]).read_text() == "garbage\n" for each in failures)
    rows = json.loads(run("compare", folder, "-f", "json").out)["rows"]
    found = {(row["contender"], row["benchmark"]): (row["design"], row["contender_values"]) for row in rows}
    assert found["same", "One"] == found["same", "Two"] == found["changing", "One"] == ("paired", 5)
    assert found["changing", "New"][1] == 1


def test_results_can_be_left_in_a_folder_of_each_invocation(run, folder):
    words = ("-n", "a", "-n", "b", "--format", "go", "-S", "sh", "-o", folder)
    command = "echo 'BenchmarkOne 10 2.0 ns/op' > {out}/of_{round}.txt"
    assert run("run", "-r", "3", *words, command, command).code == 0
    outputs = [each["output"] for each in samples(folder)]
    assert len(set(outputs)) == 6
    files = [sorted(file.name for file in (folder / output).iterdir()) for output in outputs]
    assert files == [[f"of_{each['round']}.txt"] for each in samples(folder)]


def test_a_decided_benchmark_leaves_the_rounds_and_the_run_ends_at_the_limit(run, folder):
    first, *_ = looks(12)[0]
    words = ("-M", "12", "-L", "n", "100,8000", "-n", "a", "-n", "b", "--seed", "1", "-o", folder)
    # With 100, the two do the same work; with 8000, the second one does four times as much.
    same = "sh -c 'i=0; n={n}; while [ $i -lt $n ]; do i=$((i+1)); done'"
    more = "sh -c 'i=0; n={n}; test $n = 100 || n=$((4*n)); while [ $i -lt $n ]; do i=$((i+1)); done'"
    gate = ("--fail-on", "worse")
    assert run("run", *words, *gate, same, more).code == run("compare", folder, *gate).code == 1
    found, taken = records(folder, "look"), {"n=100": 0, "n=8000": 0}
    for each in samples(folder):
        taken[each["benchmark"]] += 1
    # Whether noise decides the equal pair is up to the machine; whichever it does, the records must agree.
    ended = {
        name: next((look["round"] for look in found if name not in look["undecided"]), found[-1]["round"])
        for name in taken
    }
    assert taken == {name: 2 * rounds for name, rounds in ended.items()}
    assert ended["n=8000"] == first
    assert [look["round"] for look in found] == list(looks(12)[0])[: len(found)]
    if found[-1]["undecided"]:
        assert sum(look["share"] for look in found) == pytest.approx(1.0)
    assert records(folder)[-1]["reason"] == ("limit" if found[-1]["undecided"] else "decided")
    rows = json.loads(run("compare", folder, "-f", "json").out)["rows"]
    (row,) = (each for each in rows if (each["benchmark"], each["metric"]) == ("n=8000", "cpu"))
    assert (row["verdict"], row["baseline_n"]) == ("worse", first)
    assert row["change_level"] == pytest.approx(1 - 0.05 * found[0]["share"], abs=0.003)


def test_the_look_at_which_the_time_is_over_spends_what_is_left(run, folder):
    assert run("run", "--max-time", "1ms", "-o", folder, "-n", "a", "-n", "b", "true", "true").code == 0
    [look] = records(folder, "look")
    assert (look["round"], look["share"]) == (1, 1.0)
    assert records(folder)[-1]["reason"] == "time"
    rounds = folder.with_name("rounds")
    assert run("run", "-r", "900", "--max-time", "1ms", "-o", rounds, "-n", "a", "-n", "b", "true", "true").code == 0
    assert records(rounds)[-1] == {"kind": "end", "reason": "time", "rounds": 1, "missing": 0}


def test_a_run_until_a_width_has_the_same_level_at_every_look(run, folder):
    spin = "sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done'"
    assert run("run", "--until", "width:90%", "-n", "a", "-n", "b", "-o", folder, spin, spin).code == 0
    assert {look["share"] for look in records(folder, "look")} == {width_looks()[1][0]}
    row = json.loads(run("compare", folder, "-f", "json").out)["rows"][0]
    assert row["change_level"] == pytest.approx(1 - 0.05 * width_looks()[1][0], abs=0.02)


def test_both_sides_of_a_duet_run_at_the_same_time(run, folder):
    assert run("run", "-r", "4", "--order", "duet", "-o", folder, "sleep 0.1", "sleep 0.11").code == 0
    found = samples(folder)
    for one, other in zip(found[::2], found[1::2], strict=True):
        assert one["round"] == other["round"]
        assert {one["order"], other["order"]} == {1, 2}
        assert abs(one["started"] - other["started"]) < min(one["time"], other["time"])


def test_a_sequential_run_is_warned_of(run, folder):
    done = run("run", "-r", "3", "--order", "sequential", "-o", folder, "true", "sleep 0.001")
    assert done.code == 0, done.err
    assert "sequential-order" in done.err
    assert [each["variant"] for each in samples(folder)] == ["true"] * 3 + ["sleep 0.001"] * 3


def test_a_full_disk_ends_the_run_and_it_continues_afterwards(run, folder):
    words = ["-r", "30", "-o", str(folder), "true", "sleep 0.001"]
    # Files of at most 16 blocks of 512 bytes: the manifest is smaller, and thirty rounds take more.
    limited = ["sh", "-c", 'ulimit -f 16; exec "$0" -m statera run "$@"', sys.executable, *words]
    done = subprocess.run(limited, capture_output=True, text=True, check=False, cwd=folder.parent)
    assert done.returncode == 2, done.stderr
    assert "disk-full" in done.stderr
    assert f"--resume {folder}" in done.stderr
    before = (folder / "journal.ndjson").read_bytes()
    assert before.endswith(b"\n")
    assert run("run", "--resume", folder).code == 0
    assert (folder / "journal.ndjson").read_bytes().startswith(before)
    assert len(samples(folder)) == 60


def test_an_output_for_which_the_disk_has_no_room_ends_the_run_without_a_record(run, folder):
    done = run("run", "-r", "3", "--output", "/dev/full", "-o", folder, "echo x", "echo y")
    fails(done, "[disk-full]", f"continue this run with: statera run --resume {folder}")
    assert records(folder, "invocation", "failure", "end") == []


def test_a_folder_that_is_removed_ends_the_run(run, folder):
    fails(run("run", "-r", "1000000", "-w", "1", "-o", folder, f"rm -rf {folder}", "true"), "[run-removed]")


def test_a_single_command_is_inspected_and_the_default_folder_is_said(run, tmp_path):
    done = run("run", "-r", "4", "true")
    assert done.code == 0
    assert done.out.startswith("inspected: true")
    [path] = (tmp_path / "statera-runs").iterdir()
    assert f"the run is in statera-runs/{path.name}" in done.err


def test_no_wall_clock_decides_anything():
    # A clock that jumps changes the dates of manifest and sessions alone: everything else is monotonic.
    texts = {path.name: path.read_text() for path in (ROOT / "src/statera/experiment").glob("*.py")}
    assert [name for name, text in texts.items() if "time.time(" in text] == []
    assert {name for name, text in texts.items() if "datetime.now" in text} == {"loop.py", "run.py"}


BAD = "sh -c 'echo no database $$ >&2; exit 3'"


def test_a_baseline_that_only_fails_ends_the_run_and_its_standard_error_is_kept(run, folder):
    done = run("run", "-o", folder, "-n", "a", "-n", "b", BAD, "true")
    assert done.code == 2
    assert re.search(
        r"a: the baseline failed 3 times and gave no sample: .* code 3. It printed: no database \d+", done.err
    )
    failures = records(folder, "failure")
    assert len(failures) == 3
    assert (folder / failures[-1]["errors"]).read_text().startswith("no database")
    # The standard error of the other variant was taken alike, and nothing of it stays.
    assert {each.name for each in (folder / "raw").iterdir()} == {each["errors"][4:] for each in failures[1:]}


def test_what_a_harness_printed_before_it_failed_is_quoted(run, folder):
    done = run("run", "-o", folder, "--format", "numbers", "sh -c 'echo usage: x; exit 1'", "echo 1")
    assert "it ended with exit code 1; it printed: usage: x\n" in done.err
    assert "exit code 1. It printed: usage: x. Correct the command, and start a new run" in done.err
    # To continue would fail again.
    assert "continue this run" not in done.err


def test_other_benchmarks_go_on_without_the_one_whose_baseline_fails(run, folder):
    text = "[factors]\nx = ['1', '2']\n"
    for name, command in (("good", '["true"]'), ("bad", '["sh", "-c", "exit {x}"]')):
        text += f"[[benchmark]]\nname = '{name}'\ncommand = {command}\n"
    (folder.parent / "e.toml").write_text("rounds = 5\n" + text)
    done = run("run", "-o", folder, "e.toml")
    assert "The benchmark is left out [baseline-fails]" in done.err
    made = [each["benchmark"] for each in records(folder, "failure", "invocation")]
    assert made.count("good") == 10
    assert made.count("bad") < 10


def test_a_variant_that_fails_later_is_no_reason_to_stop(run, folder):
    done = run("run", "-r", "6", "-o", folder, "-n", "a", "-n", "b", "sh -c 'test {round} -lt 3'", "true")
    assert len(records(folder, "round")) == 6, done.err
    assert "baseline-fails" not in done.err


def test_processes_that_outlive_the_command_are_told_in_the_answer(run, folder):
    leaves = "sh -c 'for i in 1 2 3 4; do sleep 100 & done'"
    done = run("run", "-r", "2", "-o", folder, "-n", "a", "-n", "b", leaves, "true")
    assert "4 processes outlived the command in 2 of 4 invocations: their cpu is not counted" in done.out, done.out
    again = run(
        "run", "-r", "1", "-o", folder.parent / "one", "-n", "a", "-n", "b", "sh -c 'sleep 9 &'", "sh -c 'sleep 9 &'"
    )
    assert "1 process outlived the command: its cpu is not counted" in again.out, again.out
