"""Suites: each benchmark that a harness lists is one of the plan, which is decided by itself."""

import json
import os
import shutil
import sys

import pytest
from repositories import commit, written
from starting import records

from statera.experiment.initial_file import initial
from statera.experiment.suites import HARNESSES, choosing, rows_of, selecting
from statera.experiment.words import filled
from statera.reading import observations
from support import every, fails

# Lists and runs benchmarks as a test binary of Go does; the second variant has one more, and one that is faster.
HARNESS = """
import re, sys, time
rows = ["BenchmarkOne", "BenchmarkTwo"] + ["BenchmarkNew"] * (sys.argv[1] == "b")
wanted = next((each.partition("=")[2] for each in sys.argv if each.startswith("-test.bench=")), None)
if "-test.list=^Benchmark" in sys.argv:
    print(*rows, "ok  x 0.001s", sep="\\n")
for row in rows:
    if wanted and re.search(wanted, row):
        print(f"{row}-2 100 {10 if sys.argv[1] == 'b' and row == 'BenchmarkOne' else 20}.{time.time_ns() % 7} ns/op")
"""
FILE = """
rounds = 2
[factors]
version = ["a", "b"]
[[benchmark]]
name = "suite"
harness = "go"
command = ["PYTHON", "-I", "-S", "harness.py", "{version}"]
"""


@pytest.fixture
def place(tmp_path):
    (tmp_path / "harness.py").write_text(HARNESS)
    (tmp_path / "experiment.toml").write_text(FILE.replace("PYTHON", sys.executable))
    return tmp_path


def test_each_row_is_a_benchmark_that_runs_alone(place, run):
    done = run("run", "experiment.toml", "-o", "r", cwd=place)
    assert done.code == 0, done.err
    assert "suite: not all variants have BenchmarkNew" in done.err
    made = records(place / "r", "invocation")
    assert {each["benchmark"] for each in made} == {"BenchmarkOne", "BenchmarkTwo"}
    assert len(made) == 8
    printed = {each["benchmark"]: (place / "r" / each["output"]).read_text().splitlines() for each in made}
    assert all(len(lines) == 1 and lines[0].startswith(row) for row, lines in printed.items())
    chosen = run("run", "experiment.toml", "--only", "*Two", "--list", "-f", "json", cwd=place)
    assert json.loads(chosen.out)["benchmarks"] == ["BenchmarkTwo"]


def test_two_suites_with_the_same_rows_have_names_of_their_own(place, run):
    text = (place / "experiment.toml").read_text()
    again = text.partition("[[benchmark]]")[2].replace('"suite"', '"again"')
    (place / "experiment.toml").write_text(f"{text}[[benchmark]]{again}")
    done = run("run", "experiment.toml", "--list", "-f", "json", cwd=place)
    names = ["suite: BenchmarkOne", "suite: BenchmarkTwo", "again: BenchmarkOne", "again: BenchmarkTwo"]
    assert json.loads(done.out)["benchmarks"] == names


@every(
    ("old", "new", "why"),
    [
        (
            "print(*rows",
            "sys.exit('broken here'); print(*rows",
            "go cannot list its benchmarks: it ended with exit code 1",
        ),
        ("print(*rows", "rows = []; print(*rows", "go lists no benchmark. See what this prints"),
        ('"BenchmarkOne", "BenchmarkTwo"', '"Benchmark" + sys.argv[1]', "no benchmark is in all variants"),
    ],
)
def test_a_harness_that_does_not_answer_is_told(old, new, why, place, run):
    (place / "harness.py").write_text(HARNESS.replace(old, new))
    fails(run("run", "experiment.toml", "-o", "r", cwd=place), why, "[no-suite]")
    assert not (place / "r").exists()


# Lists, and measures what follows the options in one process, as pytest-benchmark does; "broken" fails.
SHARING = """
import json, pathlib, sys, time
rows = [f"t.py::test_{name}" for name in ("a[{x}]", "b", "c", "d")]
if "--setup-plan" in sys.argv:
    print(*(f"        {row} (fixtures used: benchmark)" for row in rows), sep="\\n")
    sys.exit()
chosen = [row for row in sys.argv if "::" in row]
with open("made", "a") as made:
    print(sys.argv[1], *chosen, file=made)
at = next(word.partition("=")[2] for word in sys.argv if word.startswith("--benchmark-json="))
stats = lambda row: {"data": [(2 + (sys.argv[1] == "new" and row[-1] == "b")) * 1e-3 + time.time_ns() % 9 * 1e-7]}
found = [{"name": row[6:], "fullname": row, "stats": stats(row)} for row in chosen if row[-1] != SKIPPED]
pathlib.Path(at).write_text(json.dumps({"machine_info": {}, "version": "4", "benchmarks": found}))
sys.exit(any(row[-1] == BROKEN for row in chosen) or len(chosen) > MOST)
"""


@pytest.fixture
def sharing(tmp_path):
    """Make a suite whose rows share a process; ``made`` of its folder has a line for each."""

    def written_with(rounds="3", broken="", skipped="", most=99):
        text = SHARING.replace("BROKEN", repr(broken)).replace("SKIPPED", repr(skipped)).replace("MOST", str(most))
        (tmp_path / "harness.py").write_text(text)
        file = FILE.replace("PYTHON", sys.executable).replace("rounds = 2", f"rounds = {rounds}")
        file = file.replace('"a", "b"', '"old", "new"').replace('"go"', '"pytest-benchmark"')
        (tmp_path / "experiment.toml").write_text(file)
        return tmp_path

    return written_with


def processes(place):
    """The variant and the rows of each process."""
    return [line.split() for line in (place / "made").read_text().splitlines()]


def test_rows_of_a_harness_that_starts_slowly_share_a_process(sharing, run):
    place = sharing()
    done = run("run", "experiment.toml", "-o", "r", "-w", "1", cwd=place)
    assert done.code == 0, done.err
    found = processes(place)
    assert [len(rows) for _, *rows in found] == [4] * 8
    # Both variants have the rows of a round in one order, and rounds have orders of their own.
    assert all(one[1:] == other[1:] for one, other in zip(found[2::2], found[3::2], strict=True))
    assert len({tuple(rows) for _, *rows in found[2:]}) > 1
    made = records(place / "r", "invocation")
    assert [each["number"] for each in made] == [*range(1, 33)]
    for each in made:
        (own,) = json.loads((place / "r" / each["output"] / "result.json").read_text())["benchmarks"]
        assert (own["fullname"], each["shared"]) == (each["benchmark"], 4)
    assert len(observations.read([place / "r"])) == 24


def test_a_row_that_is_decided_leaves_the_process(sharing, run):
    place = sharing(rounds='"until decided"')
    done = run("run", "experiment.toml", "-o", "r", "-M", "12", "--seed", "1", cwd=place)
    assert done.code == 0, done.err
    last = records(place / "r", "look")[0]
    later = {row for _, *rows in processes(place)[2 * last["round"] :] for row in rows}
    assert "t.py::test_b" not in last["undecided"]
    assert later == {*last["undecided"]}


def test_a_row_that_fails_runs_alone_from_then_on(sharing, run):
    place = sharing(broken="c", rounds="2")
    done = run("run", "experiment.toml", "-o", "r", "--seed", "1", cwd=place)
    fails(done, "4 rows of suite, ", "Each row runs alone in this round")
    assert {each["benchmark"] for each in records(place / "r", "failure")} == {"t.py::test_c"}
    assert len(records(place / "r", "invocation")) == 12
    sizes = [len(rows) for _, *rows in processes(place)]
    assert sizes[:10] == [4, 1, 1, 1, 1] * 2
    assert sorted(sizes[10:]) == [1, 1, 3, 3]


def test_rows_that_fail_only_together_run_alone(sharing, run):
    place = sharing(most=2)
    done = run("run", "experiment.toml", "-o", "r", cwd=place)
    assert done.code == 0, done.err
    assert [len(rows) for _, *rows in processes(place)] == [4] + [1] * 24


def test_a_row_without_results_is_a_failure_of_its_own(sharing, run):
    place = sharing(skipped="d", rounds="2")
    done = run("run", "experiment.toml", "-o", "r", cwd=place)
    assert "the process of its suite left no results of it" in done.err
    assert {(each["benchmark"], each["reason"]) for each in records(place / "r", "failure")} == {
        ("t.py::test_d", "no-results")
    }
    assert len(records(place / "r", "invocation")) == 12


def test_a_resumed_run_makes_the_rows_that_lack(sharing, run):
    place = sharing()
    assert run("run", "experiment.toml", "-o", "r", cwd=place).code == 0
    journal = place / "r" / "journal.ndjson"
    lines = journal.read_text().splitlines(keepends=True)
    at = [number for number, line in enumerate(lines) if '"invocation"' in line]
    # The write of the second process of round 2 ended after its second row.
    journal.write_text("".join(lines[: at[13] + 1]))
    (place / "made").unlink()
    done = run("run", "--resume", "r", cwd=place)
    assert done.code == 0, done.err
    assert [len(rows) for _, *rows in processes(place)] == [2, 4, 4]
    made = records(place / "r", "invocation")
    assert len({(each["round"], each["benchmark"], each["variant"]) for each in made}) == len(made) == 24
    assert len(observations.read([place / "r"])) == 24


def test_a_suite_that_shares_has_its_selection_last():
    for name, harness in HARNESSES.items():
        assert harness.parts is None or harness.selects[-1] == "{row}", name
        assert name == harness.format


LISTS = {
    "go": ("BenchmarkA\nBenchmarkB_2\nok  \tx\t0.001s\nPASS\nTestX\n", ["BenchmarkA", "BenchmarkB_2"]),
    "pytest-benchmark": (
        """
        SETUP    F benchmark
        t.py::test_a[a b] (fixtures used: benchmark, n, request)
        t.py::C::m (fixtures used: a, benchmark)
        t.py::no (fixtures used: benchmarks)
        t.py::test_plain
no tests ran in 0.01s
""",
        ["t.py::test_a[a b]", "t.py::C::m"],
    ),
    "libtest": ("add: benchmark\ndeep::sub: benchmark\ndeep::t: test\n\n1 test, 2 benchmarks\n", ["add", "deep::sub"]),
    "criterion": ("fold/n/100: benchmark\nfold/n/1000: benchmark\n", ["fold/n/100", "fold/n/1000"]),
    "catch2": (
        "Matching test cases:\n  sum, [x]*\n      [!benchmark][.]\n  other\n      [.]\n2 matching test cases\n\n",
        ["sum, [x]*", "other"],
    ),
    "jmh": ("Benchmarks: \nx.y.Sums.loop\nx.y.Sums$Inner.stream\n", ["x.y.Sums.loop", "x.y.Sums$Inner.stream"]),
    "google-benchmark": ("BM_a/1\nBM_b<int>/min_time:0.1\n", ["BM_a/1", "BM_b<int>/min_time:0.1"]),
}


def test_lists_of_all_harnesses():
    assert LISTS.keys() == HARNESSES.keys()
    for name, (text, rows) in LISTS.items():
        assert rows_of(HARNESSES[name], text.splitlines()) == rows, name


def test_names_are_whole_and_no_placeholders():
    assert selecting(HARNESSES["go"], "BenchmarkA.b")[1] == r"-test.bench=^BenchmarkA\.b$"
    row = "t.py::test[{out}-$(touch x)]"
    assert filled(selecting(HARNESSES["pytest-benchmark"], row)[-1], {}) == row
    assert selecting(HARNESSES["catch2"], "sum, [x]*")[-1] == r"sum\, \[x\]\*"
    assert selecting(HARNESSES["jmh"], "x.Sums$In.f")[0] == r"^x\.Sums\$In\.f$"
    assert choosing(HARNESSES["go"], ("x", "-test.bench=.")) == "-test.bench=."
    assert choosing(HARNESSES["pytest-benchmark"], ("-m", "pytest", "tests/test_a.py")) == "tests/test_a.py"
    assert choosing(HARNESSES["pytest-benchmark"], ("-m", "pytest", "--x=1")) is None


def test_the_first_file_of_a_project_names_its_harness(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[project.optional-dependencies]\ntest = ["pytest-benchmark"]\n')
    assert 'harness = "pytest-benchmark"' in initial(tmp_path)
    assert "[build]" not in initial(tmp_path)
    (tmp_path / "go.mod").write_text("module x\n")
    assert 'harness = "go"' in initial(tmp_path)


@pytest.mark.later
@pytest.mark.skipif(shutil.which("go") is None, reason="there is no go")
def test_a_package_of_go_is_measured_by_its_first_file(tmp_path, run):
    bench = 'package x\nimport "testing"\n' + "".join(
        f"func Benchmark{name}(b *testing.B) {{ for i := 0; i < b.N; i++ {{}} }}\n" for name in ("One", "Two")
    )
    (tmp_path / "x_test.go").write_text(bench)
    (tmp_path / "go.mod").write_text("module example.com/x\n\ngo 1.21\n")
    commit(tmp_path, "v1")
    written(tmp_path, initial(tmp_path).replace('["{build}/bench"]', '["{build}/bench", "-test.benchtime=10x"]'))
    done = run("run", "experiment.toml", "-r", "2", "-o", "r", cwd=tmp_path, env={**os.environ})
    assert done.code == 0, done.err
    assert {each["benchmark"] for each in records(tmp_path / "r", "invocation")} == {"BenchmarkOne", "BenchmarkTwo"}


@pytest.mark.later
def test_a_row_of_a_shared_process_is_verified_alone(sharing, run):
    place = sharing(rounds="12")
    assert run("run", "experiment.toml", "-o", "r", cwd=place).code == 0
    (place / "made").unlink()
    done = run("run", "--verify", "r", "-o", "v", cwd=place)
    assert "stands" in done.out, done.err
    assert {(*rows,) for _, *rows in processes(place)} == {("t.py::test_b",)}


@pytest.mark.later
def test_a_row_is_verified_alone(place, run):
    text = (place / "experiment.toml").read_text().replace("rounds = 2", "rounds = 12").replace('"a", "b"', '"b", "a"')
    (place / "experiment.toml").write_text(text)
    assert run("run", "experiment.toml", "-o", "r", cwd=place).code == 0
    done = run("run", "--verify", "r", "-o", "v", cwd=place)
    assert done.code == 0, done.err
    assert {each["benchmark"] for each in records(place / "v", "invocation")} == {"BenchmarkOne"}
    assert "stands" in done.out
