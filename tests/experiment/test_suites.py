"""Suites: each benchmark that a harness lists is one of the plan, which is decided by itself."""

import json
import os
import shutil
import sys

import pytest
from repositories import commit, written
from starting import records

from statera.experiment.harnesses import HARNESSES, choosing, rows_of, selecting
from statera.experiment.initial_file import initial
from statera.experiment.placeholders import filled
from support import every

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
    done = run("run", "experiment.toml", "-o", "r", cwd=place)
    assert (done.code, why in done.err, "[no-suite]" in done.err) == (2, True, True), done.err
    assert not (place / "r").exists()


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
def test_a_row_is_verified_alone(place, run):
    text = (place / "experiment.toml").read_text().replace("rounds = 2", "rounds = 12").replace('"a", "b"', '"b", "a"')
    (place / "experiment.toml").write_text(text)
    assert run("run", "experiment.toml", "-o", "r", cwd=place).code == 0
    done = run("run", "--verify", "r", "-o", "v", cwd=place)
    assert done.code == 0, done.err
    assert {each["benchmark"] for each in records(place / "v", "invocation")} == {"BenchmarkOne"}
    assert "stands" in done.out
