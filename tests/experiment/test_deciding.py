"""Which metric decides: it is chosen before the first look, it ends the rounds, and the gate judges it."""

import subprocess
from statistics import median

import pytest
from plans import plan
from starting import records
from test_looks import compared, decided, rounds

import statera
from statera import Policy
from statera.comparison.pairing import Request
from statera.comparison.verdicts.catalogue import CATALOGUE
from statera.comparison.verdicts.gate import Judged, examine, parse_gate
from statera.experiment import looks
from statera.experiment.course import Course
from statera.experiment.looks import decided_notes, deciding_rows, examined
from statera.experiment.plan import Command, Service
from support import every, fails, stopped, table, write


def of(*commands, cpu=1.0, busy=True, decide=None, **fields):
    """What decides each of these commands, whose samples take a second and use the processor for a part of it."""
    names = [f"{number}" for number in range(len(commands))]
    made = plan("a", "b", benchmarks=names, decide=decide)
    cells = [cell._replace(command=Command(commands[cell.benchmark]), **fields) for cell in made.cells]
    course = Course(made)
    course.spent.update(dict.fromkeys(names, (cpu, 1.0)))
    return list(looks.chosen(made._replace(cells=tuple(cells)), course, busy=busy).values())


def test_time_decides_on_a_quiet_machine_and_processor_time_on_a_busy_one():
    assert of(("./sort",), busy=False) == ["time"]
    assert of(("./sort",)) == ["cpu"]
    assert of(("./sort",), decide="time") == of(("./sort",), busy=False, decide="time") == ["time"]


def test_commands_that_wait_are_decided_by_time_on_any_machine():
    assert of(("./sleeps",), cpu=0.04) == ["time"]
    assert of(("./sort",), ("curl", "-s", "http://host/"), ("./sort",)) == ["cpu", "time", "cpu"]
    assert of(("./sort",), format="go-bench") == ["primary"]


@every(
    "client, words",
    [
        (True, ("/usr/bin/ssh", "host", "make")),
        (True, ("docker", "run", "x")),
        (True, ("podman", "ps")),
        (True, ("kubectl", "get", "pods")),
        (True, ("env", "A=1", "timeout", "-k", "9", "10", "curl", "x")),
        (True, ("sh", "-c", "sort x | curl -d @- host")),
        (True, ("bash", "-ec", "cd x && /bin/wget 'y")),
        (False, ("sort", "curl")),
        (False, ("sh", "-c", "sort x | uniq")),
        (False, ("env", "A=1")),
        (False, ("./curl-like",)),
    ],
)
def test_clients_are_known_by_their_programs(client, words):
    assert looks.is_client(words) is client


def test_what_is_said_names_the_benchmarks_unless_it_concerns_all():
    assert looks.said({"a": "time"}) == ""
    assert looks.said({"a": "cpu"}) == "the machine is busy: cpu time decides. --decide-by time insists"
    assert "cpu time decides a and b. " in looks.said({"a": "cpu", "b": "cpu", "c": "time"})


def test_only_the_metric_that_decides_is_waited_for(tmp_path):
    lines = rounds({"X": (0.1, 0.01)}, 13, metric="cpu") + rounds({"X": (0, 0.2)}, 13, metric="time", seed=2)
    result = compared(tmp_path, lines)

    def left(metric):
        return examined(result, ["X"], decided(), 2, decide={"X": metric})

    assert left("cpu").undecided == left("any").undecided == ()
    assert left("time") == left("primary") == (("X",), ("X",), ())
    # What names a metric that is not there is told, and decides nothing.
    assert left("unknown") == (("X",), ("X",), ("X",))


def test_the_verdict_of_what_decided_is_told_where_another_metric_is_open(tmp_path):
    lines = rounds({"X": (0.1, 0.01)}, 13, metric="cpu") + rounds({"X": (0, 0.2)}, 13, metric="time", seed=2)
    result = compared(tmp_path, lines)
    [note] = decided_notes(result, {"X": "cpu"})
    assert note.code in CATALOGUE
    assert note.text.startswith("cpu decided: slower +")
    [note] = decided_notes(
        compared(tmp_path, lines + rounds({"Y": (0.1, 0.01)}, 13, metric="cpu")), {"X": "cpu", "Y": "cpu"}
    )
    assert note.text == "cpu decided: 2 slower"
    # More runs are advised only for what decides.
    for metric, advised in (("cpu", False), ("time", True), ("primary", True), ("unknown", True)):
        result.worth_more = deciding_rows(result, {"X": metric})
        assert bool(result.left_open()) is advised, metric
        assert any("To settle" in line for line in result.findings) is advised, metric
    # What did not decide is no decision.
    assert decided_notes(result, {"X": "time"}) == []
    assert decided_notes(result, {"X": "primary"}) == decided_notes(result, {"X": "any"}) == []
    both = compared(tmp_path, rounds({"X": (0.1, 0.01)}, 13, metric="cpu"))
    assert decided_notes(both, {"X": "cpu"}) == []


@pytest.mark.later
def test_whichever_metric_decides_identical_programs_are_seldom_told_apart(tmp_path):
    # Noise as on a busy machine: the times spread ten times as far. 80 experiments, each looked at as a run is.
    false = dict.fromkeys(("time", "cpu", "any"), 0)
    plans = decided(28)
    for seed in range(80):
        whole = rounds({"X": (0, 0.01)}, 28, metric="cpu", seed=seed)
        whole += rounds({"X": (0, 0.1)}, 28, metric="time", seed=1000 + seed)
        for by in false:
            false[by] += _is_told_apart(tmp_path, whole, by, plans)
    # Of 80, 5 % are 4; 10 or more come with a probability below 0.01.
    assert max(false.values()) < 10, false


def _is_told_apart(folder, whole, by, plans):
    for look, (count, share) in enumerate(zip(plans.looks, plans.shares, strict=True), 1):
        seen = [{**line, "alpha_share": share} for line in whole if int(line["block"]) < count]
        [file] = write(folder, **{"all.csv": table(seen)})
        result = statera.compare(file, by="variant", policy=Policy())
        if not examined(result, ["X"], plans, look, decide={"X": by}).undecided or look == len(plans.looks):
            return any(row.verdict in {"worse", "better"} and by in {row.metric, "any"} for row in result)
    return False


def test_a_run_ends_by_its_metric_and_the_gate_judges_it(run, tmp_path):
    # The second command sleeps: its time is longer, and its processor time is not.
    commands = ("-n", "a", "-n", "b", "sh -c ':'", "sh -c 'exec sleep 0.02'")
    gated = ("--fail-on", "worse", *commands)
    by_time = run("run", "-M", "9", "--decide-by", "time", "-o", tmp_path / "time", *gated)
    assert (by_time.code, len(records(tmp_path / "time", "round"))) == (1, 9), by_time.err
    assert [each["metrics"] for each in records(tmp_path / "time", "decide")] == [{"sh": "time"}]
    faults = run("run", "-r", "3", "--decide-by", "major-faults", "-o", tmp_path / "other", *gated)
    assert (faults.code, "0 gone, 0 with no clear change, 1 unclear in part" in faults.err) == (0, True), faults.err
    assert "the gate judges time alone, because of --decide-by" in by_time.err
    assert "busy" not in by_time.err + faults.err


def test_a_gate_counts_what_it_judges_and_leaves_open_what_decided(tmp_path):
    lines = rounds({"X": (0.1, 0.01)}, 13, metric="cpu") + rounds({"X": (0, 0.2)}, 13, metric="time", seed=2)
    result = compared(tmp_path, lines)

    def code(words, **judged):
        return examine(parse_gate(words), result, Judged(**judged)).code

    def only(metric):
        return lambda row: row["metric"] == metric

    assert [code("worse", of=only(metric)) for metric in ("cpu", "time", "gone")] == [1, 0, 2]
    assert code("worse,inconclusive", of=only("time")) == 1
    assert [code("inconclusive", open=only(metric)) for metric in ("cpu", "time")] == [0, 1]
    assert code("worse", open=only("time")) == 1


def test_a_metric_that_no_command_has_is_refused(run, tmp_path):
    done = run("run", "--decide-by", "tme", "-o", tmp_path / "r", "true", "false")
    fails(done, "--decide-by tme: no metric has this name; did you mean time?")
    (tmp_path / "e.toml").write_text('decide = "x"\n[[benchmark]]\nname = "n"\ncommand = ["true"]\n')
    fails(run("run", "e.toml", cwd=tmp_path), "e.toml: decide x: no metric has this name")


def test_what_is_recorded_of_a_service_may_decide():
    service = Service("db", Command(("db",)))
    made = plan("a", "b", decide="db cpu")
    served = made._replace(cells=tuple(each._replace(services=(service,)) for each in made.cells))
    looks.refuse_unknown(served, "--decide-by")
    assert "no metric has this name" in stopped(looks.refuse_unknown, made, "x")


@pytest.mark.parametrize("rounds", [("-r", "1"), ("-M", "2")])
def test_a_metric_that_nothing_prints_is_told(rounds, run, tmp_path):
    words = (*rounds, "--decide-by", "speed", "--format", "numbers", "-o", tmp_path / "r", "echo 1", "echo 2")
    done = run("run", *words)
    said = "no benchmark has this metric" if "-r" in rounds else "there is no metric speed, so that each primary metric"
    assert (done.code, said in done.err) == (0, True)


def test_callgrind_is_refused_where_it_would_count_nothing(run, tmp_path):
    words = ("--service", "sleep 9", "--counters", "callgrind", "-o", tmp_path / "r", "true", "false")
    fails(run("run", *words), "callgrind counts no commands beside a service")
    assert not (tmp_path / "r").exists()


def test_instructions_that_decide_are_counted():
    assert looks.counted("instructions", ()) == ("instructions",)
    assert looks.counted("instructions", ("callgrind",)) == ("callgrind",)
    assert looks.counted(None, ("cycles",)) == ("cycles",)


def test_a_metric_of_the_second_rank_is_compared_if_it_decides():
    assert looks.request_of(plan("a", "b")) == looks.request_of(plan("a", "b", decide="any")) == Request()
    assert looks.request_of(plan("a", "b", decide="memory")) == Request(besides=("memory",))


def test_what_was_fixed_stays_when_a_run_continues():
    made = plan("a", "b")
    record = {"kind": "decide", "busy": True, "metrics": {"sort": "cpu"}}
    assert Course(made, [record]).decide == record


BUSY = """
#include <stdint.h>
#include <stdlib.h>
int main(int c, char **v) {
  uint64_t n = atol(v[1]), x = 88172645463325252ull;
  while (n--) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
  volatile uint64_t s = x; (void)s; return 0;
}
"""


@pytest.mark.later
def test_a_busy_machine_mostly_decides_a_change_of_5_per_cent_by_processor_time_within_15_rounds(run, tmp_path):
    [source] = write(tmp_path, **{"busy.c": BUSY})
    subprocess.run(["gcc", "-O1", "-o", tmp_path / "busy", source], check=True)
    load = [subprocess.Popen([tmp_path / "busy", f"{10**14}"]) for _ in range(8)]
    commands = (f"{tmp_path}/busy 5000000", f"{tmp_path}/busy 5250000")
    try:
        done = [run("run", "-o", tmp_path / f"r{number}", *commands) for number in range(5)]
    finally:
        for process in load:
            process.kill()
            process.wait()
    said = "the machine is busy: cpu time decides. --decide-by time insists"
    assert [each.err.count(said) for each in done] == [1] * 5
    assert all("cpu slower" in each.out for each in done)
    # Of 20 such experiments 2 needed 19 rounds, so that a single one would fail now and then.
    assert median(len(records(tmp_path / f"r{number}", "round")) for number in range(5)) <= 15
