"""One run that lies in a folder twice, as a copy or as another export, counts once."""

import gzip
import json
import shutil

import pytest

import statera
from support import go, noisy, write


def hyperfine(centre, seed):
    times = [value / 1000 for value in noisy(centre, seed=seed)]
    mean = sum(times) / len(times)
    shape = {"command": "job", "mean": mean, "stddev": 0.001, "median": mean, "user": 0.01, "system": 0.001}
    return json.dumps({"results": [{**shape, "min": min(times), "max": max(times), "times": times}]})


def table(centre, seed):
    row = json.loads(hyperfine(centre, seed))["results"][0]
    names = ["command", "mean", "stddev", "median", "user", "system", "min", "max"]
    return f"{','.join(names)}\n{','.join(str(row[name]) for name in names)}\n"


@pytest.fixture
def sides(tmp_path):
    for side, centre in (("old", 100), ("new", 110)):
        (tmp_path / side).mkdir()
        for run in range(3):
            (tmp_path / side / f"run{run}.json").write_text(hyperfine(centre, seed=10 * run + centre))
    return tmp_path / "old", tmp_path / "new"


def test_a_copy_of_a_run_is_no_run(sides, run):
    before = run("compare", "old", "new", "--fail-on", "worse")
    for side in sides:
        shutil.copy(side / "run2.json", side / "latest.json")
        (side / "run1.json.gz").write_bytes(gzip.compress((side / "run1.json").read_bytes()))
    after = run("compare", "old", "new", "--fail-on", "worse")
    assert (before.code, after.code) == (2, 2)
    assert before.out.splitlines()[:5] == after.out.splitlines()[:5]
    assert (
        "4 files are not counted, as others have the values: old/run1.json has the values of old/run1.json.gz"
        in after.out
    )


@pytest.mark.parametrize("backwards", [False, True])
def test_results_before_more_were_appended_count_once(tmp_path, backwards, run):
    one, two = go({"A": noisy(100, 8, seed=1)}), go({"A": noisy(150, 8, seed=2)})
    both = two + one if backwards else one + two
    old, new = write(tmp_path, old=one, new=both)
    found = run("compare", old, new, "--fail-on", "worse")
    assert (found.code, "new has the values of " in found.err) == (2, True)
    (tmp_path / "base").mkdir()
    write(tmp_path / "base", early=one, late=both)
    (row,) = statera.compare(tmp_path / "base", *write(tmp_path, other=go({"A": noisy(100, 8, seed=3)})))
    assert row.baseline_n == 16


def test_equal_runs_of_other_variants_or_factors_stay(sides):
    old, _ = sides
    shutil.copy(old / "run0.json", old / "run9.json")
    found = statera.compare(old, by="run", name_patterns="run{run}")
    assert {row.contender for row in found} == {"1", "2", "9"}
    (row,) = found = statera.compare(old / "run0.json", old / "run9.json")
    assert (row.baseline_n, row.contender_n) == (10, 10)
    assert "copies-across" in {note.code for note in found.notes}


@pytest.mark.parametrize("how", ["integers", "of one table", "converted", "one run as several"])
def test_values_of_one_build_under_the_name_of_another_are_no_pass(tmp_path, how, run):
    times = [int(value) for value in noisy(1000, 10, spread=0.01)]
    old, new = write(tmp_path, old=go({"A": times}), new=go({"A": times}))
    words = [old, new]
    if how == "of one table":
        rows = [f"A,{side},{value}" for side in ("old", "new") for value in times]
        words = [*write(tmp_path, **{"t.csv": "\n".join(["benchmark,build,time_ms", *rows])}), "--by", "build"]
    elif how == "converted":
        run("convert", old, "-o", tmp_path / "t.csv")
        words = [old, tmp_path / "t.csv"]
    elif how == "one run as several":
        for side in ("runs", "copies"):
            (tmp_path / side).mkdir()
            for number, value in enumerate(times[:6]):
                one = {
                    name: [(value if side == "runs" else times[0]) + 0.37 * way] for way, name in enumerate("ABCDEF", 1)
                }
                write(tmp_path / side, **{f"{number}.txt": go(one)})
        words = [tmp_path / "runs", tmp_path / "copies"]
    done = run("compare", *words, "--fail-on", "missing")
    assert (done.code, "has the values of" in done.err) == (2, True), done.err


def test_runs_that_agree_in_few_digits_are_no_copies(tmp_path):
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        for run in range(3):
            write(tmp_path / side, **{f"{run}.txt": "real 0.51\nuser 0.50\nsys 0.01\n"})
    (row,) = statera.compare(tmp_path / "old", tmp_path / "new", metrics="time")
    assert row.baseline_n == 3
    counts = go({"A": [7, 7]}).replace("ns/op", "allocs/op")
    for side in ("old", "new"):
        for run in range(3):
            write(tmp_path / side, **{f"{run}.txt": counts})
    (row,) = statera.compare(tmp_path / "old", tmp_path / "new")
    assert (row.design, row.baseline_n) == ("exact", 6)


def test_of_several_exports_of_one_run_the_samples_are_read(sides, run):
    before = run("compare", "old", "new", "--strict", "--notes")
    for side, centre in zip(sides, (100, 110), strict=True):
        for number in range(3):
            (side / f"run{number}.csv").write_text(table(centre, 10 * number + centre))
            (side / f"run{number}.md").write_text(
                "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n"
                "| `job` | 100.1 ± 0.9 | 98.0 | 103.0 | 1.00 |\n"
            )
    after = run("compare", "old", "new", "--strict", "--notes")
    assert after.code == 0
    assert before.out.splitlines()[:5] == after.out.splitlines()[:5]
    assert "from 6 files; nothing was left out; counted apart: 12 companion files without results." in after.out
    # A file that is named is read.
    assert "Read 3 values from 1 file" in run("inspect", "old/run0.csv").out


def test_the_measurements_of_benchmarkdotnet_are_those_of_its_json(tmp_path):
    stage = {"IterationMode": "Workload", "IterationStage": "Result", "LaunchIndex": 1}
    times = [{**stage, "IterationIndex": number, "Operations": 4, "Nanoseconds": 40 + number} for number in (1, 2)]
    benchmark = {"Type": "Codec", "Method": "Encode", "MethodTitle": "'To text'", "Measurements": times}
    document = {"HostEnvironmentInfo": {"OsVersion": "Debian 12"}, "Benchmarks": [benchmark]}
    (tmp_path / "My.Codec-report-full.json").write_text(json.dumps(document))
    header = ["Target_Type", "Target_Method", *(f"Measurement_{key}" for key in times[0])]
    # The CSV has the description of a method in the place of its name.
    rows = [["Codec", "'To text'", *map(str, each.values())] for each in times]
    table = "".join(",".join(row) + "\n" for row in [header, *rows])
    (tmp_path / "My.Codec-measurements.csv").write_text(table)
    assert len(statera.read(tmp_path).native) == 2
    (tmp_path / "My.Other-measurements.csv").write_text(table)
    assert len(statera.read(tmp_path).native) == 4


def test_an_export_that_is_cut_stays_a_problem(sides, run):
    for side, centre in zip(sides, (100, 110), strict=True):
        text = (side / "run0.json").read_text()
        (side / "run0.json").write_text(text[: len(text) // 2])
        (side / "run0.csv").write_text(table(centre, centre))
    done = run("compare", "old", "new", "--strict")
    assert done.code == 2
    assert "old/run0.json" in done.out


def test_exports_of_other_runs_stay(tmp_path):
    for name, centre in (("a", 100), ("b", 110)):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run1.json").write_text(hyperfine(centre, seed=1))
        (tmp_path / name / "run2.csv").write_text(table(centre, seed=2))
    assert len(statera.compare(tmp_path / "a", tmp_path / "b").observations) == 12 + 3 + 12 + 3


def test_files_of_a_harness_that_writes_one_output_at_a_time_are_runs(tmp_path):
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        event = {"Time": "2024-05-01T10:00:00Z", "Action": "output", "Package": "p"}
        lines = go({"X": noisy(100, seed=1)}).splitlines(keepends=True)
        as_json = "".join(json.dumps({**event, "Output": line}) + "\n" for line in lines)
        write(tmp_path / side, **{"run.txt": go({"X": noisy(100, seed=2)}), "run.json": as_json})
    assert len(statera.compare(tmp_path / "old", tmp_path / "new").observations) == 4 * 10


def test_criterion_copies_its_samples_to_base(tmp_path):
    sample = json.dumps({"sampling_mode": "Linear", "iters": [1.0, 2.0, 3.0], "times": [101.5, 203.25, 302.75]})
    about = json.dumps({"group_id": "g", "function_id": "f", "value_str": None, "throughput": None, "full_id": "g/f"})
    for name in ("base", "new"):
        folder = tmp_path / "target" / "criterion" / "g" / "f" / name
        folder.mkdir(parents=True)
        (folder / "sample.json").write_text(sample)
        (folder / "benchmark.json").write_text(about)
    assert len(statera.read(tmp_path).native) == 3
    (folder / "sample.json").write_text(sample.replace("101.5", "101.25"))
    assert len(statera.read(tmp_path).native) == 6
