"""`statera inspect` on the command line: options, outputs, exit codes."""

import json
import re
from itertools import product

import pytest

import statera
from statera.output.views import Layout
from statera.output.views import inspection as view
from support import ROOT, every, fails, go, noisy, write

NEW = ROOT / "examples/go-decimal/new"
AGAIN = ROOT / "examples/go-decimal/new-again"
RUNS = ROOT / "examples/hyperfine-hexyl/new"
SUITE = ("inspect", NEW, "--no-config")


@pytest.fixture
def drifting(tmp_path):
    """The words that inspect a file in which two of four benchmarks drift."""
    late = {name: noisy(100, spread=0.05, seed=7) + noisy(150, spread=0.05, seed=8) for name in ("Long", "Short")}
    text = go({"Calm": noisy(100, 20, spread=0.1), **late, "Noisy": noisy(200, 20, spread=0.2)})
    return "inspect", *write(tmp_path, drifting=text), "--no-config"


def test_a_suite_has_one_line_a_benchmark_and_a_closing_share_of_normality(run):
    result = run(*SUITE, "--metric", "sec/op")
    assert result.code == 0
    assert result.err == ""
    table = result.out.split("\n\n")[1].splitlines()
    assert table[0].startswith("sec/op")
    assert len([line for line in table if " ns " in line or " µs " in line]) == 20
    assert "11 of 20 (55%) pass Shapiro-Wilk at 0.05 (1 failure is expected by chance)" in result.out


def test_few_rows_are_shown_in_full(run):
    result = run(*SUITE, "--metric", "sec/op", "--benchmark", "Cmp-2")
    assert "Cmp-2, sec/op: noisy\n" in result.out
    for label in ("median", "spread", "normality", "shape", "order", "over time", "clock", "detects"):
        assert f"\n  {label} " in result.out
    assert "→ Cannot detect changes under" in result.out
    assert "[noisy]" in result.out


def test_exact_metrics_take_one_line(run):
    result = run(*SUITE)
    assert "allocs/op: all 20 are exact: all values are equal, so any difference is real" in result.out
    assert "40 samples are fit to be compared." in result.out


@pytest.fixture(scope="module")
def inspected():
    """A suite, several variants, and a self-test."""
    return [
        statera.inspect(NEW, metrics=["sec/op"]),
        statera.inspect(RUNS, NEW),
        statera.inspect(NEW, AGAIN, aa=True, splits=20),
    ]


def test_no_line_of_the_table_is_wider_than_the_terminal(inspected):
    for inspection, width in product(inspected, (40, 60, 80, 100, 120, 160)):
        tables = view.page(inspection, Layout(width=width, sort="defects")).split("\n\n")[1:]
        tables = [block for block in tables if block.startswith(("sec/op", "time")) and "\n" in block]
        assert tables
        assert not [line for block in tables for line in block.splitlines() if len(line) > width]


def test_a_narrow_terminal_gives_up_advice_and_says_it_below(run, drifting):
    wide, narrow = (run(*drifting, "--width", width).out for width in (200, 80))
    assert ". Warm up first, and alternate the builds (also several modes, noisy)" in wide
    assert "(statera explain CODE)" in wide
    assert "drift (2): Values drift over time." in narrow
    assert "(statera explain CODE)" not in narrow
    assert re.search(r"doubtful: drifts \+\d\d\.\d%\n", narrow)


def test_colour_tells_defects(run, drifting):
    result = run(*drifting, "--colour", "always")
    assert "\x1b[33mLong" in result.out
    assert "\x1b[2mCalm" in result.out
    assert "\x1b[" not in run(*SUITE, "--colour", "never").out
    assert (
        "\x1b[1mCmp-2, sec/op\x1b[0m: "
        in run(*SUITE, "--metric", "sec/op", "--benchmark", "Cmp-2", "--colour", "always").out
    )


def test_the_ending_of_the_file_tells_the_format(run, tmp_path):
    for name, start in (("a.md", "### ⚪ 20 samples are noisy"), ("a.csv", "group,benchmark,"), ("a.json", "{\n")):
        assert run(*SUITE, "-o", tmp_path / name).code == 0
        assert (tmp_path / name).read_text().startswith(start)
    assert json.loads((tmp_path / "a.json").read_text())["schema"] == "statera.inspection/2"
    fails(run(*SUITE, "-o", tmp_path / "a.xlsx"), "no output format has this extension")
    assert "cannot-write" in run(*SUITE, "-o", tmp_path / "no" / "a.csv").err


def test_the_same_input_gives_the_same_digits_on_any_number_of_threads(run):
    """JSON has every number of the other outputs."""
    for words in (SUITE, ("inspect", NEW, AGAIN, "--aa", "--splits", "20")):
        outputs = {run(*words, "-f", "json", "--jobs", jobs).out for jobs in (1, 2, 3)}
        assert len(outputs) == 1


def test_order_is_by_defects_by_name_or_as_in_the_file(run, drifting):
    def names(sort):
        out = run(*drifting, "-f", "csv", "--sort", sort).out
        return [line.split(",")[1] for line in out.splitlines()[1:]]

    assert names("file") == ["Calm", "Long", "Short", "Noisy"]
    assert names("name") == sorted(names("file"))
    assert set(names("defects")[:2]) == {"Long", "Short"}


@every(
    ("words", "said"),
    [
        ([], "nothing to read: name result files"),
        ([NEW, "--cost-run", "-1"], "--cost-run takes a number of seconds of at least 0, not -1.0"),
        ([NEW, "--cost-iteration", "nan"], "--cost-iteration takes a number of seconds of at least 0, not nan"),
        ([NEW, "--aa", "--splits", "0"], "--splits takes a number from 1 to 1000000, not 0"),
        ([NEW, "--width", "0"], "--width takes a number of columns, at least 1"),
        ([NEW, "--metric", "nothing"], "no metric matches"),
        ([NEW, "--benchmark", "nothing"], "no benchmark has such a name; the nearest are: String-2, "),
        ([NEW, "--by", "nothing"], "no result states this key"),
        ([NEW, "--where", "goos"], "write KEY=PATTERN"),
        (["no-such-file.txt"], "no-such-file.txt"),
    ],
)
def test_what_cannot_be_done_is_2_and_says_why(run, words, said):
    fails(run("inspect", *words), "statera: ", said)


def test_strict_refuses_what_was_left_out(run, tmp_path):
    (path,) = write(tmp_path, data=go({"B": noisy(100)}) + "BenchmarkB\t100\tInf ns/op\n")
    assert run("inspect", path).code == 0
    fails(run("inspect", path, "--strict", "-f", "csv"), "left out: 1 (not-finite 1)", "[left-out]")


def test_costs_reach_the_plan(run):
    free = run("inspect", RUNS, "--benchmark", "text", "--no-config").out
    assert "unless a start costs as much as" in free
    assert "--cost-run SECONDS computes the best number" in free
    paid = run("inspect", RUNS, "--benchmark", "text", "--cost-run", "0.5", "--no-config").out
    assert " 9 iterations per run are worth their cost: " in paid


def test_standard_input_and_folders_are_read_like_in_a_comparison(run):
    text = b"".join(path.read_bytes() for path in sorted(NEW.iterdir()))
    piped = run("inspect", "-", "--metric", "sec/op", "--no-config", stdin=text)
    assert "\ninspected: standard input\n" in piped.out
    table = run(*SUITE, "--metric", "sec/op").out.split("\n\n")[1]
    assert piped.out.split("\n\n")[1] == table


def test_variants_inside_the_files_are_told_by_a_key(run):
    both = [ROOT / f"examples/go-popcount/table-amd64v{v}.txt" for v in (1, 3)]
    result = run("inspect", *both, "--metric", "sec/op", "-f", "json", "--no-config")
    document = json.loads(result.out)
    assert {row["variant"] for row in document["rows"]} == {"table-amd64v1", "table-amd64v3"}
