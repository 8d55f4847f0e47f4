"""Names are text from strangers: they must not move a cursor, break a table or run in a browser."""

import csv
import functools
import io
import json
import re
import tempfile
from pathlib import Path

import pytest

import statera
from rendered import tags
from support import cells, compare, every, go, noisy, table, write

NAMES = {
    "ansi": "a\x1b[31mred\x1b]0;title\x07",
    "markdown": "a|b`c``d*e*_f_[g](http://h)~~i~~#1@user",
    "backtick": "`",
    "pipe": "\\|",
    "html": "<script>alert('x')</script><img src=x onerror=1>&amp;",
    "newline": "a\nb\r\nc",
    "comma": 'a,b;c"d""e',
    "tab": "a\tb",
    "bidi": "a\u202eb\u200bc\ufeffd",
    "formula": "=1+1",
    "guard": "'=1+1",
    "blank": " a  b ",
    "runner": "::add-mask::secret",
    "old runner": "x ##[group]y",
    "empty": "",
    "details": "</details></summary>",
    "unicode": "größe/漢字/🦀",
}


@functools.cache
def comparison_of(name):
    """A comparison whose first benchmark has this name, and one of its two files."""

    def side(centre):
        return table([{"benchmark": n, "value": v, "unit": "s"} for n in (name, "Plain") for v in noisy(centre)])

    with tempfile.TemporaryDirectory() as folder:
        return compare(Path(folder), side(1), side(2)), side(1)


any_name = every("name", NAMES.values(), NAMES)


@any_name
def test_the_terminal_obeys_no_name(name):
    comparison, _ = comparison_of(name)
    text = repr(comparison)
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ufeff]", text)
    # The name neither breaks its line nor adds one.
    head, *rows = text.split("\n\n")[1].splitlines()
    assert head.split()[:1] == ["old"]
    assert len([row for row in rows if re.search(r" \+100% .* <\.001$", row)]) == 2


@any_name
def test_the_markdown_table_keeps_its_columns_and_its_rows(name):
    comparison, _ = comparison_of(name)
    text = comparison.to_markdown()
    lines = [line for line in text.splitlines() if line.startswith("|")]
    assert {len(cells(line)) for line in lines} == {4}
    assert sum(cells(line)[2] == "**+100%**" for line in lines) == 2
    # What Markdown would make of it without code spans and escapes.
    outside = re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", "", text)
    assert "<script" not in outside
    assert "<img" not in outside
    assert "</details></summary>" not in outside
    assert not re.search(r"(?<!\\)\]\(http", outside)
    assert "@user" not in outside


@any_name
def test_csv_gives_the_very_name_back(name):
    comparison, _ = comparison_of(name)
    rows = list(csv.DictReader(io.StringIO(comparison.to_csv(raw=True), newline="")))
    assert [row["benchmark"] for row in rows] == [name, "Plain"]


@any_name
def test_json_gives_the_very_name_back(name):
    comparison, _ = comparison_of(name)
    assert [row["benchmark"] for row in json.loads(comparison.to_json())["rows"]] == [name, "Plain"]


@any_name
def test_the_notebook_has_no_tag_of_a_name(name):
    comparison, _ = comparison_of(name)
    html = comparison._repr_html_()
    assert tags(html) <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert "\x1b" not in html


@any_name
def test_converted_tables_give_the_very_name_back(name, tmp_path):
    (path,) = write(tmp_path, old=comparison_of(name)[1])
    for ending in ("csv", "ndjson", "parquet"):
        statera.read(path).write(tmp_path / f"again.{ending}", ending)
        assert statera.read(tmp_path / f"again.{ending}").benchmarks == [name, "Plain"]


def test_bytes_that_are_no_text_stay_visible_and_distinct(tmp_path):
    def side(centre):
        text = go({"A1": noisy(centre), "A2": noisy(centre)}).encode()
        return text.replace(b"A1", b"A\xff").replace(b"A2", b"A\xfe")

    result = compare(tmp_path, side(1), side(2))
    names = ["A\\xFF", "A\\xFE"]
    assert [row.benchmark for row in result] == names
    assert all(name in repr(result) for name in names)
    assert [row["benchmark"] for row in json.loads(result.to_json())["rows"]] == names
    assert [row["benchmark"] for row in csv.DictReader(io.StringIO(result.to_csv()))] == names
    assert all(f"`{name}`" in result.to_markdown() for name in names)
    assert all(name in result._repr_html_() for name in names)


def test_labels_groups_and_metrics_are_strangers_too(tmp_path):
    evil = "\x1b[31m<b>|`x`"
    for side, centre in (("o", 1), ("n", 2)):
        rows = [
            {"benchmark": "X", "metric": evil, "value": v, "unit": evil, "config": c}
            for c in (evil, "other")
            for v in noisy(centre)
        ]
        (tmp_path / side).write_text(table(rows))
    result = statera.compare(f"{evil.replace('/', '')}={tmp_path / 'o'}", f"new={tmp_path / 'n'}", within=["config"])
    assert "\x1b" not in repr(result)
    assert "<b>" not in result._repr_html_()
    assert "\x1b" not in result._repr_html_()
    rows = [cells(line) for line in result.to_markdown().splitlines() if line.startswith("|")]
    assert [len(row) for row in rows] == [6] * 4
    assert json.loads(result.to_json())["rows"][0]["metric"] == evil


def test_error_messages_obey_no_name(run, tmp_path):
    evil = "\x1b[31mred\n\x07"
    (tmp_path / "new").write_text(go({"X": noisy(1)}) + f"Benchmark{evil[:8]} 1 \x1b[31m ns/op\n")
    (tmp_path / evil).write_text("nothing known here")
    for words in (["compare", evil, "new"], ["compare", "new", "absent\x1b[31m"], ["convert", "new", "-o", "y.csv"]):
        assert "\x1b" not in run(*words).err


@every("option", ["--benchmark", "--by", "--pair", "--baseline", "--config", "--fail-on", "--format"])
def test_error_messages_obey_no_option(run, tmp_path, option):
    (tmp_path / "x").write_text(go({"X": noisy(1)}))
    (tmp_path / "y").write_text(go({"X": noisy(1)}))
    result = run("compare", "x", "y", option, "\x1b[31m")
    assert result.code == 2
    assert "\x1b" not in result.err


COMMAND = re.compile(r"^\s*::|##\[", re.MULTILINE)


@pytest.mark.parametrize("words", [(), ("-f", "markdown"), ("-f", "json"), ("-f", "csv"), ("--quantiles",)])
def test_no_line_of_output_is_a_command_of_a_runner_of_ci(run, tmp_path, words):
    names = ["::set-output name=a::b", "  ::error file=a.c,line=1::x", "x ::add-mask::y"]
    # CSV has no escape for what the oldest runners look for inside of a line.
    names += ["##[add-mask]x"] if words != ("-f", "csv") else []

    def side(centre):
        return table([{"benchmark": n, "value": v, "unit": "s"} for n in names for v in noisy(centre, 9)])

    paths = write(tmp_path, **{"old.csv": side(1), "::new.csv": side(2)})
    for verb in ("compare", "inspect"):
        gate = ["--fail-on", "worse"] if verb == "compare" else []
        if verb == "compare" or words in {(), ("-f", "json")}:
            done = run(verb, *paths, *gate, *words)
            assert done.code == len(gate) // 2, done.err
            assert not COMMAND.findall(done.out + "\n" + done.err)
