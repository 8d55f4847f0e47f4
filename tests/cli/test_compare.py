import csv
import io
import json
import re

import pytest

from support import ROOT, every, fails, go, noisy, rows_of, write

EXAMPLE = ("examples/go-decimal/old", "examples/go-decimal/new")


def verdict_of(result):
    return {row["benchmark"]: row["verdict"] for row in rows_of(result.out)}


def test_two_files_give_verdicts_findings_method_and_what_was_read(run, pair):
    result = run("compare", *pair, "--all-rows", "--notes", "--method")
    assert (result.code, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == "1 SLOWER (Slow +20.2%)   1 gone   1 faster   1 unchanged   1 new"
    assert lines[1] == "old → new   Go, 5 benchmarks, 10 runs per build"
    rows = {line.split()[0]: line for line in lines[4:9]}
    assert [*rows] == ["Slow", "Gone", "Fast", "Fresh", "Same"]
    assert re.search(r" 100 ns .* 120 ns .* \+20\.2% +\+18\.\d … \+22\.\d .* <\.001$", rows["Slow"])
    assert re.search(r" −20\.1% .* <\.001$", rows["Fast"])
    assert rows["Gone"].endswith(" gone")
    assert rows["Fresh"].endswith(" new")
    assert rows["Same"].endswith(" unchanged")
    assert "goos: linux · pkg: example.com/x" in lines
    assert any(line.startswith("Read 80 values from 2 files") for line in lines)
    assert re.search(r"^Method: 3 comparisons independent \(Mann-Whitney, exact\)", result.out, re.MULTILINE)


def test_what_did_not_change_is_counted_with_its_names(run, pair):
    told = run("compare", *pair).out
    assert re.findall(r"^  (\d \w+: \w+)$", told, re.MULTILINE) == ["1 gone: Gone", "1 new: Fresh", "1 unchanged: Same"]
    assert re.findall(r"^(\w+)  ", told, re.MULTILINE) == ["Slow", "Fast"]
    assert told.endswith("\n  More: --notes, --method\n")


def test_values_are_shown_in_the_unit_that_reads_best(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(1500)}), new=go({"X": noisy(1500, seed=2)}))
    assert re.search(r"X +1\.\d\d µs", run("compare", *paths, "--all-rows").out)


def test_the_same_input_gives_the_same_bytes_on_any_number_of_threads(run):
    texts = {run("compare", *EXAMPLE, "--jobs", jobs, cwd=ROOT).out for jobs in (1, 1, 2, 3)}
    assert len(texts) == 1


def test_another_seed_is_stated_and_moves_only_what_is_drawn(run):
    first, second = (json.loads(run("compare", *EXAMPLE, "--seed", s, "-f", "json", cwd=ROOT).out) for s in (1, 2))
    assert (first["policy"]["seed"], second["policy"]["seed"]) == (1, 2)
    drawn = {"p_corrected", "p_apart"}
    rows = [[{key: row[key] for key in row if key not in drawn} for row in each["rows"]] for each in (first, second)]
    assert rows[0] == rows[1]
    both = [[row["p_corrected"] for row in each["rows"] if row["p_corrected"] is not None] for each in (first, second)]
    moved = [abs(a - b) for a, b in zip(*both, strict=True)]
    assert 0 < max(moved) < 0.02
    means = [[s["geometric_mean"]["ratio"] for s in document["summaries"]] for document in (first, second)]
    assert means[0] == means[1]


@pytest.mark.parametrize(
    ("name", "start"), [("x.md", "### "), ("x.csv", "group,"), ("x.json", "{"), ("x.txt", "1 SLOWER")]
)
def test_the_ending_of_the_output_tells_its_format(run, pair, tmp_path, name, start):
    result = run("compare", *pair, "-o", tmp_path / name)
    assert (result.code, result.out) == (0, "")
    assert (tmp_path / name).read_text().startswith(start)


def test_a_format_that_is_named_wins_over_the_ending(run, pair, tmp_path):
    run("compare", *pair, "-o", tmp_path / "x.csv", "-f", "json")
    assert json.loads((tmp_path / "x.csv").read_text())["schema"] == "statera.comparison/2"


def test_an_ending_that_no_output_has_is_refused_before_anything_is_read(run, pair, tmp_path):
    fails(run("compare", *pair, "-o", "x.pdf"), "x.pdf", ".md")
    assert not (tmp_path / "x.pdf").exists()
    assert run("compare", *pair, "-o", "x.pdf", "-f", "csv").code == 0


def test_json_says_everything_that_the_terminal_says(run, pair):
    document = json.loads(run("compare", *pair, "-f", "json").out)
    assert document["labels"] == ["old", "new"]
    assert document["policy"]["alpha"] == 0.05
    assert document["values"] == 80
    assert document["family"] == 3
    assert document["left_out"] == {}
    assert {row["verdict"] for row in document["rows"]} >= {"worse", "better", "missing", "new"}
    assert document["summaries"][0]["verdicts"]["worse"] == 1
    slow = next(row for row in document["rows"] if row["benchmark"] == "Slow")
    assert slow["change_low"] < slow["change"] < slow["change_high"]
    assert slow["p"] == pytest.approx(2 / 184756)
    gone = next(row for row in document["rows"] if row["benchmark"] == "Gone")
    assert (gone["contender_n"], gone["contender_centre"], gone["p"]) == (0, None, None)


def test_csv_and_json_hold_the_same_numbers(run, pair):
    table = rows_of(run("compare", *pair, "-f", "csv").out)
    rows = rows_of(run("compare", *pair, "-f", "json").out)
    for line, row in zip(table, rows, strict=True):
        assert (line["benchmark"], line["verdict"]) == (row["benchmark"], row["verdict"])
        for column, value in [
            ("change", row["change"]),
            ("change_low", row["change_low"]),
            ("p", row["p"]),
            ("p_corrected", row["p_corrected"]),
            ("baseline_centre", row["baseline_centre"]),
        ]:
            assert (float(line[column]) if line[column] else None) == value


def test_markdown_puts_what_changed_first_and_counts_the_rest(run, pair):
    text = run("compare", *pair, "-f", "markdown", "--sort", "worst").out
    assert text.startswith("### 🔴 1 of 5 benchmarks slower (Slow +20.2%), 1 gone, 1 faster, 1 unchanged, 1 new\n")
    assert "\nold → new · Go, 5 benchmarks, 10 runs per build\n" in text
    assert re.search(r"^\| `Slow` \| 100.ns.→.120.ns \| \*\*\+20\.2%\*\* \|", text, re.MULTILINE)
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == ["Slow", "Fast"]
    assert "\n1 gone: Gone · 1 new · 1 unchanged  \n" in text


def test_benchmarks_are_selected_by_patterns(run, pair):
    options = ("--benchmark", "S*", "--benchmark", "!*low")
    assert set(verdict_of(run("compare", *pair, *options, "-f", "csv"))) == {"Same"}


def two_units(tmp_path):
    old = {"X": {"ns/op": noisy(100), "B/op": [48] * 10, "MB/s": noisy(7)}}
    new = {"X": {"ns/op": noisy(100, seed=2), "B/op": [40] * 10, "MB/s": noisy(7, seed=3)}}
    return write(tmp_path, old=go(old), new=go(new))


def test_a_metric_is_selected_by_the_unit_that_go_printed(run, tmp_path):
    rows = rows_of(run("compare", *two_units(tmp_path), "--metric", "ns/op", "-f", "csv").out)
    assert [row["metric"] for row in rows] == ["sec/op"]


def test_units_are_selected_and_what_was_not_compared_is_said(run, tmp_path):
    paths = two_units(tmp_path)
    assert {row["metric"] for row in rows_of(run("compare", *paths, "--unit", "s", "-f", "csv").out)} == {"sec/op"}
    result = run("compare", *paths, "--unit", "s", "--notes")
    assert re.search(r"Not compared: B/op, B/s\. .*\[metrics-not-compared\]", result.out)


def test_metrics_of_one_name_and_two_units_are_named_once(run):
    folder = ROOT / "tests/formats/cases/criterion/real/version-0.8"
    assert "Not inspected: throughput. " in run("inspect", folder).out


def test_where_keeps_values_of_a_configuration_and_says_what_it_left_out(run, tmp_path):
    text = go({"X": noisy(100)}, config={"cpu": "a"}) + go({"X": noisy(900)}, config={"cpu": "b"})
    paths = write(tmp_path, old=text, new=text)
    result = run("compare", *paths, "--where", "cpu=b", "-f", "json")
    document = json.loads(result.out)
    assert [row["baseline_values"] for row in document["rows"]] == [10]
    assert document["rows"][0]["baseline_centre"] == pytest.approx(900e-9, rel=0.02)
    assert any(note["code"] == "values-unused" and note["text"].startswith("20 ") for note in document["notes"])


@pytest.fixture
def by_key(tmp_path):
    text = "".join(
        go({"X": noisy(centre, seed=seed)}, config={"toolchain": name})
        for seed, (name, centre) in enumerate([("a", 100), ("b", 120), ("c", 80)])
    )
    return write(tmp_path, all=text)


def test_variants_are_the_values_of_a_key(run, by_key):
    rows = rows_of(run("compare", *by_key, "--by", "toolchain", "-f", "csv").out)
    found = [(row["baseline"], row["contender"], row["verdict"]) for row in rows]
    assert found == [("a", "b", "worse"), ("a", "c", "better")]


def test_another_baseline_turns_the_verdicts(run, by_key):
    rows = rows_of(run("compare", *by_key, "--by", "toolchain", "--baseline", "b", "-f", "csv").out)
    found = {(row["baseline"], row["contender"]): row["verdict"] for row in rows}
    assert found == {("b", "a"): "better", ("b", "c"): "better"}


@every(
    ("options", "said"),
    [
        ((), "--by KEY"),
        ((), "toolchain (3)"),
        ((), "[one-variant]"),
        (("--by", "toolchain", "--baseline", "z"), "there are a, b, c [no-baseline]"),
        (("--by", "colour"), "--by colour: no result states this key; there are: "),
    ],
)
def test_keys_and_variants_are_named_where_none_or_another_is_stated(run, by_key, options, said):
    fails(run("compare", *by_key, *options), said)


def test_several_files_of_one_label_are_runs_of_one_variant(run, tmp_path):
    names = {f"{side}{i}": go({"X": noisy(100 if side == "a" else 130, 3, seed=i)}) for side in "ab" for i in range(4)}
    write(tmp_path, **names)
    arguments = [f"{'before' if name[0] == 'a' else 'after'}={name}" for name in names]
    rows = rows_of(run("compare", *arguments, "-f", "csv").out)
    assert [(r["baseline"], r["contender"], r["design"], r["baseline_n"], r["baseline_values"]) for r in rows] == [
        ("before", "after", "nested", "4", "12")
    ]


def test_a_folder_and_a_quoted_pattern_are_variants(run, tmp_path):
    for side, centre in (("a", 100), ("b", 130)):
        (tmp_path / side).mkdir()
        write(tmp_path / side, **{f"{i}.txt": go({"X": noisy(centre, 5, seed=i)}) for i in range(4)})
    by_folder = rows_of(run("compare", "a", "b", "-f", "csv").out)
    by_pattern = rows_of(run("compare", "a=a/*.txt", "b=b/*.txt", "-f", "csv").out)
    assert by_folder == by_pattern
    assert by_folder[0]["verdict"] == "worse"


def test_rows_are_sorted_as_asked(run, pair):
    def names(order):
        return [row["benchmark"] for row in rows_of(run("compare", *pair, "--sort", order, "-f", "csv").out)]

    assert names("file") == ["Slow", "Fast", "Same", "Gone", "Fresh"]
    assert names("name") == ["Fast", "Fresh", "Gone", "Same", "Slow"]
    assert names("worst")[:4] == ["Slow", "Gone", "Fast", "Fresh"]
    assert names("effect")[0] == "Slow"
    assert names("effect")[-1] == "Fast"
    assert set(names("p")[:2]) == {"Slow", "Fast"}


def test_what_is_shown_never_changes_verdicts(run, pair):
    whole = rows_of(run("compare", *pair, "-f", "csv").out)
    part = rows_of(run("compare", *pair, "-f", "csv", "--changed", "--sort", "p").out)
    assert {row["benchmark"] for row in part} == {"Slow", "Fast", "Gone", "Fresh"}
    for row in part:
        assert row in whole


def test_rows_that_are_not_shown_are_counted(run, pair):
    text = run("compare", *pair, "--changed").out
    assert "\n  1 unchanged: Same\n" in text
    assert not re.search(r"^Same ", text, re.MULTILINE)


def test_colour_only_where_asked(run, pair):
    assert "\x1b" not in run("compare", *pair).out
    coloured = run("compare", *pair, "--colour", "always").out
    assert re.search("^Slow .*\x1b\\[1;31m\\+20.2%\x1b\\[0m", coloured, re.MULTILINE)
    assert coloured.startswith("\x1b[1;31m1 SLOWER (Slow +20.2%)\x1b[0m   1 gone   \x1b[32m1 faster\x1b[0m ")
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == run("compare", *pair, "--color", "never").out


@pytest.mark.parametrize("width", [60, 80, 100, 120])
def test_the_table_keeps_within_the_width(run, width):
    text = run("compare", *EXAMPLE, "--width", width, "--all-rows", cwd=ROOT).out
    assert max(map(len, text.splitlines())) <= width
    head, *rows = text.split("\n\n")[1].splitlines()[:21]
    assert {"old", "new", "change"} <= {*head.split()}
    assert all(re.match(r"[A-Z]\S+ +[\d.]+ [nµ]s .* (×[\d.]+|[+−][\d.]+%|~)( |$)", row) for row in rows)


def test_alpha_margin_and_correction_change_the_verdict_as_they_should(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(103, seed=2)}))
    (settings,) = write(tmp_path, **{"statera.toml": "session = 0.0\n"})

    def verdict(*options):
        return verdict_of(run("compare", *paths, "-f", "csv", "--config", settings, *options))["X"]

    assert verdict() == "worse"
    assert verdict("--margin", "5%") == "equivalent"
    assert verdict("--margin", "ns/op=5%") == "equivalent"
    assert verdict("--margin", "B/op=5%") == "worse"
    assert verdict("--margin", "0.05") == "equivalent"
    # 10 + 10 runs attain no such p by ranks.
    assert verdict("--alpha", "0.000001") == "differs"
    assert verdict("--better", "ns/op=higher") == "better"
    assert verdict("--better", "sec/op=none") == "changed"
    assert verdict("--correction", "none") == "worse"


def test_corrections_order_as_theory_says(run):
    def p(name):
        rows = rows_of(run("compare", *EXAMPLE, "--correction", name, "-f", "csv", cwd=ROOT).out)
        return [float(row["p_corrected"]) for row in rows if row["p_corrected"]]

    raw, bh, by, holm, hochberg, bonferroni = map(
        p, ("none", "benjamini-hochberg", "benjamini-yekutieli", "holm", "hochberg", "bonferroni")
    )
    for some in zip(raw, bh, hochberg, holm, bonferroni, strict=True):
        assert list(some) == sorted(some)
    assert all(a <= b for a, b in zip(bh, by, strict=True))


@every(
    ("options", "said"),
    [
        (["-o", "no/such/folder/x.csv"], "no/such/folder/x.csv"),
        (["--benchmark", "/(/"], "/(/"),
        (["--where", "cpu"], "KEY=PATTERN"),
        (["--pair", "order", "--unpaired"], "--unpaired"),
        (["--jobs", "-1"], "--jobs"),
        (["--alpha", "0.7"], "alpha"),
        (["--alpha", "0"], "alpha"),
        (["--alpha", "1e-300"], "1e-12"),
        (["--jobs", "99999999999999999999"], "--jobs"),
        (["--alpha", "nan"], "alpha"),
        (["--margin", "5"], "5%"),
        (["--margin", "x"], "--margin"),
        (["--margin", "-1%"], "--margin"),
        (["--margin", "nan"], "--margin"),
        (["--better", "ns/op"], "--better"),
        (["--better", "ns/op=up"], "lower, higher or none"),
        (["--column", "value"], "ROLE=COLUMN"),
        (["--seed", "-1"], "seed"),
        (["--format", "cobol"], "cobol"),
        (["--fail-on", "better"], "--fail-on"),
        (["--width", "-5"], "--width"),
    ],
)
def test_an_option_that_cannot_be_is_refused_by_name(run, pair, options, said):
    result = run("compare", *pair, *options)
    fails(result, said)
    assert "Traceback" not in result.err


def test_help_shows_no_format_signs(run):
    text = run("compare", "--help").out
    assert "%%" not in text


def test_strict_stops_a_pipeline_when_something_was_left_out(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}) + "BenchmarkY 1 x ns/op\n", new=go({"X": noisy(100)}))
    assert run("compare", *paths).code == 0
    fails(run("compare", *paths, "--strict"), "1 left out")


def test_outputs_for_machines_stay_clean_and_what_was_left_out_is_said_beside(run, tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}) + "BenchmarkY 1 x ns/op\n", new=go({"X": noisy(100)}))
    result = run("compare", *paths, "-f", "csv")
    assert len(list(csv.reader(io.StringIO(result.out)))) == 2
    assert "left out: 1 (malformed-number 1)" in result.err
    assert "old:11: `x` is not a number" in result.err


def test_the_terminal_without_utf8_gets_escapes_and_no_traceback(run, pair):
    result = run("compare", *pair, env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C", "PYTHONUTF8": "0"})
    assert result.code == 0
    assert "Slow" in result.out
    assert "Traceback" not in result.err


def test_an_unlabelled_path_with_an_equals_sign_is_a_path(run, tmp_path):
    write(tmp_path, **{"a=b.txt": go({"X": noisy(100)}), "c.txt": go({"X": noisy(100)})})
    result = run("compare", "a=b.txt", "c.txt")
    assert result.code == 0
    assert result.out.splitlines()[1] == "a=b → c   Go, X, 10 runs per build"


def test_paths_may_stand_on_both_sides_of_options(run, tmp_path):
    write(tmp_path, old=go({"A": noisy(100)}), new=go({"A": noisy(110)}))
    apart = run("compare", "old", "--alpha", "0.01", "new")
    assert apart.out == run("compare", "old", "new", "--alpha", "0.01").out
    assert run("compare", "old", "--sort", "name", "-", stdin=(tmp_path / "new").read_bytes()).code == 0
    fails(run("compare", "old", "--no-such-option", "new"), "unrecognized arguments: --no-such-option new")


def test_an_unknown_option_is_refused_in_two_lines_with_the_nearest(run):
    refused = run("compare", "old", "--alhpa=0.01", "new")
    first, second, *others = refused.err.splitlines()
    assert first.startswith(
        "statera compare: error: unrecognized arguments: --alhpa=0.01 new; the nearest options: --alpha,"
    )
    assert (second, others) == ("statera compare --help shows what it takes.", [])


def test_bytes_are_written_in_thousands_on_request(run, tmp_path):
    pair = write(tmp_path, **{f"{name}.txt": go({"X": [2048.0] * 6}, unit="B/op") for name in ("old", "new")})
    assert "2 KiB" in run("compare", *pair, "--all-rows").out
    assert "2.05 kB" in run("compare", *pair, "--all-rows", "--si").out
    assert run("compare", *pair, "--si", "-f", "json").out == run("compare", *pair, "-f", "json").out
