"""Verification: which rows run again, how the new plan differs from the first, and what the new rows say."""

import json

import pytest
from machines import CONTAINER, LAPTOP, QUIET, tree
from plans import plan

from forked import FORKS
from statera.comparison import pairing, pipeline
from statera.comparison.verdicts.catalogue import CATALOGUE
from statera.experiment import counters
from statera.experiment.plan import Build, Command, Machine, Rounds, as_json, from_json
from statera.experiment.verification import Suspect, again, notes, suspects
from support import fails, noisy, stopped, table, write


@pytest.fixture
def compared(tmp_path):
    """Compare values {benchmark: {variant: values}} of rounds; the first variant is the baseline."""

    def of(**benchmarks):
        rows = [
            {"benchmark": benchmark, "metric": metric, "unit": "s", "value": value, "block": block, "variant": variant}
            for benchmark, variants in benchmarks.items()
            for variant, metrics in variants.items()
            for metric, values in (metrics if isinstance(metrics, dict) else {"time": metrics}).items()
            for block, value in enumerate(values)
        ]
        return pipeline.compare(write(tmp_path, **{"a.csv": table(rows)}), pairing.Request(by=("variant",)))

    return of


FOUR = {
    name: {"old": noisy(1, 20), "new": noisy(factor, 20, seed=seed)}
    for name, factor, seed in (("sort", 1.1, 2), ("hash", 1.3, 3), ("same", 1, 4), ("fast", 0.5, 5))
}


def test_the_worst_rows_come_first_and_at_most_so_many(compared):
    found = compared(**FOUR)
    experiment = plan("old", "new", benchmarks=tuple(FOUR))
    assert [each.program for each in suspects(found, experiment)] == ["hash", "sort", "fast"]
    (worst,) = suspects(found, experiment, 1)
    assert worst.name == "hash, new, time"
    assert worst.change.startswith("+29.9%")
    assert "[" in worst.change


def test_rows_are_named_by_benchmark_or_whole_also_without_a_change(compared):
    found = compared(**FOUR)
    experiment = plan("old", "new", benchmarks=tuple(FOUR))

    def named(*only):
        return [each.benchmark for each in suspects(found, experiment, only=only)]

    assert named("*s*") == ["hash", "sort", "fast"]
    assert named("fast, new, time", "sort") == ["sort", "fast"]
    assert named("same") == ["same"]
    assert "Its benchmarks are sort, hash, same, fast" in stopped(suspects, found, experiment, only=("x",))
    # What became better must become better again.
    [faster] = suspects(found, experiment, only=("fast",))
    [same] = suspects(found, experiment, only=("same",))
    for values, code in ((noisy(0.5, 20, seed=6), "verify-stands"), (noisy(2, 20, seed=6), "verify-does-not-stand")):
        [note] = notes([faster], compared(fast={"old": noisy(1, 20), "new": values}))
        assert note.code == code
    [note] = notes([same], compared(same={"old": noisy(1, 20), "new": noisy(2, 20)}))
    assert (note.code, "had no clear change: +" in note.text) == ("verify-undecided", True)


def test_what_few_runs_leave_open_is_a_change_too(compared):
    few = {
        "open": {"old": noisy(1, 5), "new": noisy(1.5, 5, seed=2)},
        "same": {"old": noisy(1, 5), "new": noisy(1, 5, seed=3)},
    }
    found = suspects(compared(**few), plan("old", "new", benchmarks=tuple(few)))
    assert [(each.program, each.verdict) for each in found] == [("open", "differs")]
    (note,) = notes(found, compared(open={"old": noisy(1, 20), "new": noisy(1.5, 20, seed=2)}))
    assert (note.code, "was not settled: +" in note.text) == ("verify-undecided", True)


def test_where_nothing_changed_there_is_nothing_to_verify(compared):
    found = compared(sort={"old": noisy(1, 20), "new": noisy(1, 20, seed=4)})
    assert "[nothing-to-verify]" in stopped(suspects, found, plan("old", "new"))


def suspect(program="sort", contender="new"):
    return Suspect(program, "", program, "time", contender, "+5.0% [+4.1%, +5.9%]")


def rounds(number):
    return [{"kind": "round", "round": at, "seconds": 1.0, "machine": {}, "marks": []} for at in range(1, number + 1)]


def invocation(benchmark, variant, time, cpu):
    return {
        "kind": "invocation", "benchmark": benchmark, "variant": variant, "time": time, "user": cpu, "system": 0.0,
    }  # fmt: skip


FIRST = plan(
    "old", "new", "other", benchmarks=("hash", "sort"), rounds=Rounds(until="decided", looks=(9,)), order="abba"
)


def test_only_the_suspects_run_again_beside_the_baseline(tmp_path):
    verified = again(FIRST, [suspect()], rounds(33), tree(tmp_path, LAPTOP))
    assert [each.name for each in verified.variants] == ["old", "new"]
    assert verified.benchmarks == ("sort",)
    assert [(each.benchmark, each.variant, each.command.arguments[1:]) for each in verified.cells] == [
        (0, 0, ("sort", "old")),
        (0, 1, ("sort", "new")),
    ]
    assert verified.rounds == Rounds(number=33)
    assert verified.order == "random"
    assert verified.warmup == 1
    assert verified.seed != FIRST.seed
    assert verified == again(FIRST, [suspect()], rounds(33), tree(tmp_path, LAPTOP))
    assert from_json(json.loads(json.dumps(as_json(verified))), "m") == verified


def test_a_command_runs_on_as_many_cores_as_it_used(tmp_path):
    for at, (files, cpu, cpus) in enumerate(
        [(LAPTOP, 0.99, (1,)), (QUIET, 0.5, (1,)), (LAPTOP, 1.9, ()), (CONTAINER, 0.9, ())]
    ):
        known = [*rounds(9), invocation("sort", "old", 1.0, cpu), invocation("hash", "old", 1.0, 2.0)]
        verified = again(FIRST, [suspect()], known, tree(tmp_path / str(at), files))
        assert verified.machine.cpus == cpus, at
        # Few rounds become more.
        assert verified.rounds == Rounds(number=20)


def test_what_the_first_run_pinned_and_counted_stays(tmp_path):
    first = FIRST._replace(machine=Machine(cpus=(0,), counters=("cycles",)))
    machine = again(first, [suspect()], [], tree(tmp_path, QUIET)).machine
    assert (machine.cpus, machine.counters) == ((0,), ("cycles",))


def test_instructions_are_counted_as_the_machine_can(tmp_path, monkeypatch):
    assert again(FIRST, [suspect()], [], tree(tmp_path / "a", QUIET)).machine.counters == ("instructions",)
    monkeypatch.setattr(counters, "missing", lambda: None)
    assert again(FIRST, [suspect()], [], tree(tmp_path / "b", CONTAINER)).machine.counters == ("callgrind",)
    monkeypatch.setattr(counters, "missing", lambda: "valgrind is not installed")
    assert again(FIRST, [suspect()], [], tree(tmp_path / "b", CONTAINER)).machine.counters == ()


def test_builds_are_made_anew_at_paths_of_another_length(tmp_path):
    key = "0123456789abcdef"
    made, source = f"/cache/builds/{key}", f"/cache/trees/{key}"
    build = Build(key, "/repo", "c" * 40, source, made, Command(("go", "build", "-o", f"{made}/bench"), source))
    cells = tuple(
        cell._replace(
            command=Command((f"{made}/bench", "-x"), f"{source}/data", (("DATA", f"{source}/data"),)),
            input=f"{source}/in",
            build=0,
        )
        for cell in FIRST.cells
    )
    verified = again(FIRST._replace(builds=(build,), cells=cells), [suspect()], [], tree(tmp_path, LAPTOP))
    (other,) = verified.builds
    assert other.key != key
    assert len(other.key) == 16
    assert (other.revision, other.repository) == (build.revision, build.repository)
    assert (len(other.folder) - len(made)) % 8 != 0
    assert other.command == Command(("go", "build", "-o", f"{other.folder}/bench"), other.tree)
    for cell in verified.cells:
        assert cell.command.arguments == (f"{other.folder}/bench", "-x")
        assert cell.command.directory == f"{other.tree}/data"
        assert cell.command.environment == (("DATA", f"{other.tree}/data"),)
        assert cell.input == f"{other.tree}/in"
    assert key not in json.dumps(as_json(verified))


def test_the_new_run_says_whether_a_difference_stands(compared):
    for values, code, begins in (
        (noisy(1.05, 20, seed=2), "verify-stands", "sort, new, time stands: +"),
        (noisy(1, 20, seed=2), "verify-does-not-stand", "sort, new, time does not stand: "),
        (noisy(1.02, 20, seed=2, spread=0.3), "verify-undecided", "sort, new, time shows no clear change: "),
    ):
        new = compared(sort={"old": noisy(1, 20), "new": values})
        (note,) = notes([suspect()], new)
        assert (note.code, note.code in CATALOGUE) == (code, True)
        assert note.text.startswith(begins)
        assert note.text.endswith("(was +5.0% [+4.1%, +5.9%])")
        (note,) = notes([suspect("hash")], new)
        assert (note.code, "has no values in the new run" in note.text) == ("verify-undecided", True)


def test_an_exact_change_is_told_once(compared):
    steps = {"old": {"steps": [100.0] * 20}, "new": {"steps": [103.0] * 20}}
    [found] = suspects(compared(sort=steps), plan("old", "new"), only=("sort",))
    assert found.change.count("+3.00%") == 1


def test_a_row_of_go_is_the_same_on_another_number_of_cores(compared):
    was = suspect()._replace(benchmark="sort-2")
    steady = {"old": noisy(1, 20), "new": noisy(1.05, 20, seed=2)}
    [note] = notes([was], compared(sort=steady))
    assert note.text.startswith("sort-2, new, time stands: +")
    # Of two, the one of the same name; if neither has it, none.
    two = {"sort-1": steady, "sort-3": steady}
    assert [each.code for each in notes([was], compared(**two))] == ["verify-undecided"]
    assert [each.code for each in notes([was], compared(**two | {"sort-2": steady}))] == ["verify-stands"]


def test_the_instructions_are_told_where_they_were_counted(compared):
    new = compared(sort={"old": noisy(1, 20), "new": noisy(1.05, 20, seed=2)})
    counts = compared(sort={"old": {counters.METRIC: [100.0] * 2}, "new": {counters.METRIC: [103.0] * 2}})
    (note,) = notes([suspect()], new, counts)
    assert note.text.endswith(", instructions (callgrind): +3.00%")


# With real commands.


@pytest.fixture(scope="module")
def first(tmp_path_factory):
    folder = tmp_path_factory.mktemp("first")
    words = ("run", "-r", "12", "-o", "first", "-n", "short", "-n", "long", "sleep 0.01", "sleep 0.1")
    assert FORKS.run(words, cwd=folder, stdin=b"", env=None).code == 0
    return folder / "first"


def test_a_real_difference_stands(run, first, tmp_path):
    done = run("run", "--verify", first, "-o", tmp_path / "again")
    assert done.code == 0
    assert "sleep, long, time stands: +" in done.out
    assert "[verify-stands]" in done.out
    plans = [json.loads((folder / "manifest.json").read_text())["plan"] for folder in (first, tmp_path / "again")]
    assert plans[0]["seed"] != plans[1]["seed"]
    assert plans[1]["rounds"]["number"] == 20
    fails(run("run", "--verify", first, "--only", "sort"), "fits no row of this run. Its benchmarks are sleep")


def test_a_run_that_has_not_ended_and_a_folder_without_one_are_refused(run, first, tmp_path):
    folder = tmp_path / "unfinished"
    folder.mkdir()
    (folder / "manifest.json").write_bytes((first / "manifest.json").read_bytes())
    lines = (first / "journal.ndjson").read_bytes().splitlines(keepends=True)
    (folder / "journal.ndjson").write_bytes(b"".join(lines[:-1]))
    fails(run("run", "--verify", folder), "[run-unfinished]")
    fails(run("run", "--verify", tmp_path), "holds no run")
