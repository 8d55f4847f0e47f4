"""Files that are not what they should be: each has one decided outcome."""

import gzip
import os
import re
from pathlib import Path

import pytest

import statera
from support import compare, every, fails, go, noisy, rows_of, table, write

GOOD = go({"X": noisy(100)})


def left_out(comparison):
    return comparison.observations.left_out_by_code


def problems(comparison):
    return [str(problem) for problem in comparison.problems]


def link(path):
    path.symlink_to(path.with_name("nowhere"))


# What stands in the place of the baseline, or makes it, and what is said of it.
UNREAD = [
    *((nothing, ("no value was read for old", "empty")) for nothing in (b"", b"\n\n  \n", gzip.compress(b""))),
    (b"a text about benchmarks\n",
     ("old: the content is of none of the", "The nearest:", "[unusable-file]", "--format", "as a table: ")),
    (GOOD.encode("utf-16")[:-1], ("UTF-16",)),
    (link, ("old: there is no such file or folder",)),
    (Path.mkdir, ("old: the folder has no files",)),
]  # fmt: skip


@every("number, content, said", [(number, *row) for number, row in enumerate(UNREAD)])
def test_what_cannot_be_read_is_named(run, tmp_path, number, content, said):
    folder = tmp_path / str(number)
    folder.mkdir()
    write(folder, new=GOOD)
    (folder / "old").write_bytes(content) if isinstance(content, bytes) else content(folder / "old")
    fails(run("compare", "old", "new", cwd=folder), *said)


def test_of_two_empty_files_the_first_problem_is_shown(run, tmp_path):
    write(tmp_path, old="", new="")
    done = run("compare", "old", "new")
    fails(done, "no value was read from 2 files. The first problem: old: the file is empty [empty-file]")


def test_an_empty_file_among_others_is_a_problem(tmp_path):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", a=GOOD, b="")
    write(tmp_path, new=GOOD)
    result = statera.compare(tmp_path / "d", tmp_path / "new")
    assert left_out(result) == {"empty-file": 1}
    assert len(result.observations) == 20


FOREIGN = {
    "binary": bytes(range(256)) * 40,
    "a Git LFS pointer": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n",
    "a web page": b"<!DOCTYPE html>\n<html><body>404</body></html>\n",
    "an archive of tar": b"results.json".ljust(257, b"\0") + b"ustar\0" + bytes(249),
    "a document of an office program": b"PK\x03\x04\x14\0\x06\0[Content_Types].xml",
}


@every("what", FOREIGN)
def test_a_file_of_another_kind_is_refused_by_its_name_with_advice(run, tmp_path, what):
    write(tmp_path, old=FOREIGN[what], new=GOOD)
    result = run("compare", "old", "new")
    assert result.code == 2
    assert re.search(rf"old: is {what}[^;]*\. [A-Z].+ \[unusable-file\]\n", result.err)


def test_a_picture_in_a_folder_is_no_problem(tmp_path):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", a=GOOD, plot=b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    write(tmp_path, new=GOOD)
    result = statera.compare(tmp_path / "d", tmp_path / "new")
    assert left_out(result) == {}
    assert len(result.observations) == 20


def test_a_binary_file_in_a_folder_is_a_problem_and_the_rest_is_read(tmp_path):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", a=GOOD, b=bytes(range(256)) * 40)
    write(tmp_path, new=GOOD)
    assert left_out(statera.compare(tmp_path / "d", tmp_path / "new")) == {"unknown-format": 1}


def test_documents_and_programs_beside_results_are_counted_apart(run, tmp_path):
    (tmp_path / "d").mkdir()
    about = {
        "README.md": GOOD,
        "a.md": "goos: linux\n",
        "b.html": "<p>",
        "run.sh": "ls",
        "c.py": "",
        "p.png": b"\x89PNG",
    }
    for name, content in (
        about | {"asv.conf.json": '{"version": 1}', "Makefile": "all:\n", "results.txt": GOOD}
    ).items():
        write(tmp_path / "d", **{name: content})
    write(tmp_path, new=GOOD)
    result = run("compare", "d", "new", "--strict", "--notes")
    assert "Read 20 values from 2 files; nothing was left out; counted apart: 8 companion files without results." in (
        result.out
    )
    # A file that is named is read, whatever its name.
    assert "Read 20 values from 2 files; nothing was left out." in run("compare", "d/README.md", "new", "--notes").out
    assert "d/run.sh: the content is of none of" in run("compare", "d/run.sh", "new").err


def test_a_folder_without_results_names_the_first_loss_not_a_document(run, tmp_path):
    (tmp_path / "d").mkdir()
    write(tmp_path / "d", **{"README.md": "# A", "b.log": "building"})
    write(tmp_path, new=GOOD)
    assert "The first problem: d/b.log: the content is of no known format" in run("compare", "d", "new").err


def test_a_truncated_gzip_gives_what_came_before_and_says_so(tmp_path):
    chance = [round(100 + (i * 7919 % 10007) / 7, 4) for i in range(4000)]
    packed = gzip.compress(go({"X": chance}).encode())
    result = compare(tmp_path, packed[: len(packed) // 2], go({"X": chance}))
    assert left_out(result) == {"truncated": 1}
    assert "cut short or damaged" in problems(result)[0]
    assert 0 < result[0].baseline_values < 4000


def test_a_damaged_gzip_is_never_taken_for_whole(tmp_path):
    packed = bytearray(gzip.compress(GOOD.encode()))
    packed[-6] ^= 0xFF
    result = compare(tmp_path, bytes(packed), GOOD)
    assert left_out(result) == {"truncated": 1}


def test_a_whole_gzip_and_a_file_with_its_own_ending_are_read(tmp_path):
    result = compare(tmp_path, gzip.compress(GOOD.encode()), GOOD)
    assert result[0].baseline_values == 10
    assert left_out(result) == {}


@every("cut", ["BenchmarkX 100", "BenchmarkX 100 ", "BenchmarkX 100 12", "BenchmarkX 100 12 n"])
def test_a_go_file_that_ends_in_mid_line_loses_that_line(tmp_path, cut):
    result = compare(tmp_path, GOOD + cut, GOOD)
    assert left_out(result) == {"truncated": 1}
    assert result[0].baseline_values == 10
    assert problems(result)[0].startswith(f"{tmp_path / 'old'}:11: ")


def test_a_table_that_ends_in_mid_line_loses_that_line(tmp_path):
    text = table([{"benchmark": "X", "value": v, "unit": "s"} for v in noisy(1)])
    result = compare(tmp_path, text + "X,1", text)
    assert left_out(result) == {"truncated": 1}
    assert result[0].baseline_values == 10


def test_a_json_file_that_was_cut_is_said_to_be(tmp_path):
    text = '{"results": [{"command": "x", "times": [1, 2, 3'
    whole = '{"results": [{"command": "x", "times": [1, 2, 3]}]}'
    with pytest.raises(statera.Stop, match=r"no value was read for old"):
        compare(tmp_path, text, whole)
    assert statera.read(tmp_path / "old").left_out_by_code == {"truncated": 1}


def test_two_formats_in_one_folder_are_both_read(tmp_path):
    for side in ("old", "new"):
        (tmp_path / side).mkdir()
        write(tmp_path / side, **{"a.txt": GOOD, "b.json": '{"results": [{"command": "x", "times": [1, 2, 3]}]}'})
    result = statera.compare(tmp_path / "old", tmp_path / "new")
    assert {(row.benchmark, row.metric, row.unit) for row in result} == {("X", "sec/op", "s"), ("x", "time", "s")}
    assert {source.format for source in result.observations.sources} == {"go", "hyperfine"}


def test_a_line_of_ten_megabytes_is_left_out_and_the_rest_is_read(tmp_path):
    long = "BenchmarkX 1 " + "9" * 10_000_000 + " ns/op\n"
    result = compare(tmp_path, GOOD + long + GOOD, GOOD)
    assert left_out(result) == {"line-too-long": 1}
    assert result[0].baseline_values == 20
    assert "a line of 10000019 bytes" in problems(result)[0]
    assert len(problems(result)[0]) < 500


def test_a_name_of_ten_megabytes_in_a_table_does_not_flood_the_output(tmp_path):
    text = f"benchmark,value,unit\n{'n' * 10_000_000},1,s\nX,1,s\n"
    result = compare(tmp_path, text, "benchmark,value,unit\nX,1,s\n")
    assert len(repr(result)) < 100_000


def test_names_that_occur_twice_are_samples_of_one_benchmark(tmp_path):
    result = compare(tmp_path, go({"X": [1, 2, 3]}) + go({"X": [4, 5]}), GOOD)
    assert [(row.benchmark, row.baseline_values) for row in result] == [("X", 5)]


def test_a_benchmark_on_one_side_is_missing_or_new(run, tmp_path):
    write(tmp_path, old=go({"X": noisy(1), "Gone": noisy(1)}), new=go({"X": noisy(1), "Fresh": noisy(1)}))
    result = run("compare", "old", "new", "-f", "csv")
    assert result.code == 0
    assert {row["benchmark"]: row["verdict"] for row in rows_of(result.out)} == {
        "X": "equivalent",
        "Gone": "missing",
        "Fresh": "new",
    }
    failed = run("compare", "old", "new", "--fail-on", "missing")
    assert failed.code == 1
    assert "Gone" in failed.err
    assert "Fresh" not in failed.err


@every(
    ("old", "new", "verdict"),
    [([1], [2], "one-value"), ([1], [2, 3, 4], "inconclusive"), ([1], noisy(2), "inconclusive")],
)
def test_one_sample_never_gives_a_verdict(tmp_path, old, new, verdict):
    row = compare(tmp_path, go({"X": old}), go({"X": new}))[0]
    assert row.verdict == verdict


@every("values", [[0] * 8, [0, 0, 0, 1, 2, 3, 0, 0]])
def test_zeros_are_values(tmp_path, values):
    row = compare(tmp_path, go({"X": values}), go({"X": values}))[0]
    assert (row.baseline_values, row.scale) == (8, "difference")
    assert row.verdict in {"equivalent", "inconclusive"}


@every(
    ("word", "code"),
    [("NaN", "not-finite"), ("Inf", "not-finite"), ("-Inf", "not-finite"), ("1e999", "not-finite"), ("-5", "negative")],
)
def test_what_cannot_be_is_a_problem_with_its_line_and_never_data(tmp_path, word, code):
    result = compare(tmp_path, GOOD + f"BenchmarkX 100 {word} ns/op\n", GOOD)
    assert left_out(result) == {code: 1}
    assert problems(result)[0].startswith(f"{tmp_path / 'old'}:11: ")
    assert result[0].baseline_values == 10
    assert result[0].change == 0


def test_a_negative_value_of_an_unknown_unit_is_data(tmp_path):
    result = compare(tmp_path, go({"X": [-5] * 4}, unit="score"), go({"X": [-5] * 4}, unit="score"))
    assert left_out(result) == {}
    assert result[0].baseline_centre == -5


def test_nan_in_json_and_tables_is_a_problem_too(tmp_path):
    bad = '{"results": [{"command": "x", "times": [1, NaN, 3, -1]}]}'
    read = statera.read(*write(tmp_path, j=bad))
    assert (len(read), read.left_out_by_code) == (2, {"not-finite": 1, "negative": 1})
    read = statera.read(*write(tmp_path, t="benchmark,value,unit\nX,nan,s\nX,-1,s\nX,,s\nX,1\nX,2,s\n"))
    assert read.left_out_by_code == {"not-finite": 1, "negative": 1, "malformed-number": 1, "malformed-record": 1}
    assert [problem.line for problem in read.problems] == [2, 3, 4, 5]
    assert len(read) == 1


@every("encoding", ["utf-16-le", "utf-16-be", "utf-16", "utf-8-sig"])
def test_text_as_windows_writes_it_is_read(tmp_path, encoding):
    result = compare(tmp_path, go({"Größe": noisy(1)}).replace("\n", "\r\n").encode(encoding), go({"Größe": noisy(1)}))
    assert [(row.benchmark, row.baseline_values, row.contender_values) for row in result] == [("Größe", 10, 10)]


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission_is_named(run, tmp_path):
    old, _ = write(tmp_path, old=GOOD, new=GOOD)
    Path(old).chmod(0)
    fails(run("compare", "old", "new"), "old: Permission denied")


def test_a_dangling_link_in_a_folder_is_a_problem(tmp_path):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "b").symlink_to(tmp_path / "nowhere")
    write(tmp_path / "d", a=GOOD)
    write(tmp_path, new=GOOD)
    assert left_out(statera.compare(tmp_path / "d", tmp_path / "new")) == {"unreadable-file": 1}


def test_results_in_a_hidden_folder_are_pointed_at(run, tmp_path):
    hidden = tmp_path / "old" / ".benchmarks"
    hidden.mkdir(parents=True)
    write(hidden, good=GOOD)
    write(tmp_path, new=GOOD)
    fails(run("compare", "old", "new"), "old: the folder has only hidden entries, which must be named: .benchmarks")
    assert run("compare", "old/.benchmarks", "new").code == 0


def test_a_missing_file_and_a_pattern_that_matches_nothing_are_told_apart(run, tmp_path):
    write(tmp_path, new=GOOD)
    assert "absent: there is no such file or folder" in run("compare", "absent", "new").err
    assert "x*.txt: the pattern matches no file" in run("compare", "x*.txt", "new").err


def test_the_format_that_is_named_is_taken_without_asking_the_content(run, tmp_path):
    text = "name,value\nX,1\n"
    write(tmp_path, old=text, new=text)
    fails(run("compare", "old", "new", "--format", "go"), "no value was read")
    assert run("compare", "old", "new", "--format", "csv").code == 0


def test_a_format_that_does_not_exist_is_refused(run, tmp_path):
    write(tmp_path, old=GOOD, new=GOOD)
    done = run("compare", "old", "new", "--format", "zzz")
    fails(done, "no format is named 'zzz'; statera formats lists all", "[no-such-format]")
    for name, meant in (("json", "-f json"), ("html", "statera report -o FILE.html")):
        fails(
            run("compare", "old", "new", "--format", name),
            f"--format {name}: no results",
            f"did you mean {meant}? [no-such",
        )


def test_a_file_of_a_known_format_without_results_is_a_problem(tmp_path):
    read = statera.read(*write(tmp_path, x="goos: linux\nPASS\n"))
    assert read.left_out_by_code == {"no-results": 1}


def test_standard_input_is_a_variant(run, tmp_path):
    write(tmp_path, new=GOOD)
    result = run("compare", "-", "new", stdin=GOOD)
    assert result.code == 0
    assert result.out.splitlines()[1] == "standard input → new   Go, X, 10 runs per build"
    labelled = run("compare", "main=-", "new", stdin=gzip.compress(GOOD.encode()))
    assert labelled.out.splitlines()[1] == "main → new   Go, X, 10 runs per build"


def test_log_text_between_results_is_no_problem(tmp_path):
    noise = "=== RUN TestX\n--- BENCH: BenchmarkX-8\n    x_test.go:7: hi\nPASS\nok  \texample.com/x\t1.2s\nBenchmarkX\n"
    assert left_out(compare(tmp_path, noise + GOOD + noise, GOOD)) == {}
