import dataclasses

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import statera
from rendered import tags
from support import compare, every, go, noisy, table, write


@pytest.fixture
def comparison(tmp_path):
    old = {"X": {"ns/op": noisy(100), "B/op": [48] * 10}, "Gone": {"ns/op": noisy(7)}}
    new = {"X": {"ns/op": noisy(150, seed=2), "B/op": [40] * 10}}
    texts = [go(side, config={"goos": "linux"}) for side in (old, new)]
    return compare(tmp_path, *texts, policy=statera.Policy())


def test_the_public_names_are_there_and_no_other_is():
    for name in statera.__all__:
        assert getattr(statera, name) is not None
        assert name in dir(statera)
    with pytest.raises(AttributeError, match="nonsense"):
        _ = statera.nonsense


def test_rows_are_typed_and_frozen(comparison):
    row = comparison[0]
    assert isinstance(row, statera.Row)
    assert (row.benchmark, row.metric, row.unit, row.verdict) == ("X", "sec/op", "s", "worse")
    with pytest.raises(dataclasses.FrozenInstanceError):
        row.verdict = "better"
    assert isinstance(row.warnings, tuple)
    assert hash(row) == hash(comparison[0])


def test_a_comparison_is_a_sequence_of_rows(comparison):
    assert len(comparison) == len(list(comparison)) == 3
    assert comparison[-1] == comparison[len(comparison) - 1]


@every("place", [3, -4])
def test_a_row_that_is_not_there_is_an_index_error(comparison, place):
    with pytest.raises(IndexError):
        comparison[place]


def test_rows_are_found_by_verdict(comparison):
    assert [row.benchmark for row in comparison.with_verdict("worse")] == ["X"]
    assert [row.benchmark for row in comparison.with_verdict("missing")] == ["Gone"]
    assert len(comparison.with_verdict("worse", "missing", "better")) == 3


def test_a_verdict_that_does_not_exist_is_refused(comparison):
    with pytest.raises((ValueError, statera.Stop)):
        comparison.with_verdict("wrose")


def test_repr_is_what_the_terminal_shows(comparison, run):
    assert repr(comparison) == run("compare", "old=old", "new=new").out


def test_the_texts_are_what_the_command_writes(comparison, run, tmp_path):
    arguments = [f"{side}={tmp_path / side}" for side in ("old", "new")]
    assert comparison.to_csv() == run("compare", *arguments, "-f", "csv").out
    assert comparison.to_json() == run("compare", *arguments, "-f", "json").out
    assert comparison.to_markdown() == run("compare", *arguments, "-f", "markdown").out


def test_a_result_carries_its_policy(tmp_path):
    policy = statera.Policy(alpha=0.01, correction="holm")
    result = compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(1)}), policy=policy)
    assert result.policy == policy
    assert result[0].change_level >= 0.99


def test_polars_pyarrow_pandas_and_duckdb_take_the_rows_with_equal_values(comparison):
    arrow = pa.table(comparison)
    frames = {
        "polars": pl.DataFrame(comparison).to_dicts(),
        "pyarrow": arrow.to_pylist(),
        "pandas": arrow.to_pandas().astype(object).where(lambda frame: frame.notna(), None).to_dict("records"),
        "duckdb": duckdb.sql("select * from arrow").to_arrow_table().to_pylist(),
    }
    for name, rows in frames.items():
        assert len(rows) == len(comparison), name
        for row, want in zip(rows, comparison, strict=True):
            for column in (
                "benchmark",
                "metric",
                "unit",
                "verdict",
                "change",
                "p",
                "p_corrected",
                "baseline_centre",
                "baseline_n",
            ):
                assert row[column] == getattr(want, column), (name, column)


def test_observations_are_a_table_with_every_value(tmp_path):
    (path,) = write(tmp_path, **{"x.txt": go({"X": {"ns/op": [100, 200], "B/op": [48, 64]}}, config={"goos": "linux"})})
    read = statera.read(path)
    frame = pl.DataFrame(read)
    assert len(read) == 4
    assert frame["value"].to_list() == [100e-9, 48.0, 200e-9, 64.0]
    assert frame["metric"].cast(pl.String).to_list() == ["sec/op", "B/op"] * 2
    assert frame["line"].to_list() == [2, 2, 3, 3]
    assert pa.table(read).num_rows == 4
    assert duckdb.sql("select sum(value) from frame where line = 2").fetchall() == [(48.0 + 100e-9,)]
    assert isinstance(pa.table(read).to_pandas(), pd.DataFrame)


def test_duckdb_takes_observations_and_comparisons_directly(comparison):
    observations = comparison.observations
    assert duckdb.sql("select count(*) from observations").fetchall() == [(len(observations),)]
    assert duckdb.sql("select count(*) from comparison").fetchall() == [(len(comparison),)]


def test_what_was_read_is_told(tmp_path):
    (path,) = write(tmp_path, **{"x.txt": go({"X": noisy(1)}, config={"goos": "linux"}) + "BenchmarkY 1 z ns/op\n"})
    read = statera.read(path)
    assert read.benchmarks == ["X"]
    assert [metric.name for metric in read.metrics] == ["sec/op"]
    assert read.sources == [(path, 0, "go", 10)]
    assert read.contexts[-1].keys == {"goos": "linux"}
    assert (read.left_out, read.left_out_by_code) == (1, {"malformed-number": 1})
    problem = read.problems[0]
    assert (problem.code, problem.source, problem.line) == ("malformed-number", path, 12)
    assert str(problem).startswith(f"{path}:12: `z` is not a number [malformed-number]. ")
    assert "1 left out" in repr(read)


def test_columns_of_a_plain_table_are_mapped(tmp_path):
    (path,) = write(tmp_path, **{"x.csv": table([{"case": "X", "elapsed": 5, "n": 3}])})
    read = statera.read(path, columns={"benchmark": "case", "value": "elapsed"})
    assert read.benchmarks == ["X"]
    assert pl.DataFrame(read)["value"].to_list() == [5.0]


def test_a_stop_has_a_code_and_says_why():
    with pytest.raises(statera.Stop, match="absent: there is no such file or folder") as stop:
        statera.read("absent")
    assert stop.value.code == "missing-file"


@pytest.mark.parametrize(
    "options", [{"alpha": 2}, {"correction": "x"}, {"scale": "x"}, {"power": 3}, {"resamples": -1}]
)
def test_a_policy_that_cannot_be_stops(tmp_path, options):
    with pytest.raises(statera.Stop):
        compare(tmp_path, go({"X": noisy(1)}), go({"X": noisy(1)}), policy=statera.Policy(**options))


def test_paths_may_be_path_objects_strings_and_labelled(tmp_path):
    write(tmp_path, a=go({"X": noisy(1)}), b=go({"X": noisy(1)}))
    assert statera.compare(tmp_path / "a", str(tmp_path / "b")).labels == ["a", "b"]
    assert statera.compare(f"x={tmp_path / 'a'}", tmp_path / "b").labels == ["x", "b"]


def test_the_notebook_shows_tables_and_escapes_names(tmp_path):
    rows = [{"benchmark": "<script>alert(1)</script>&\"'", "value": v, "unit": "s"} for v in noisy(1)]
    html = compare(tmp_path, table(rows), table(rows))._repr_html_()
    assert tags(html) <= {"div", "p", "strong", "table", "thead", "tbody", "tr", "th", "td"}
    assert "&lt;script&gt;alert(1)&lt;/script&gt;&amp;&quot;&#x27;" in html
    assert html.count("<table>") == html.count("</table>") == 1


def test_labels_in_the_notebook_are_escaped_too(tmp_path):
    write(tmp_path, a=go({"X": noisy(1)}), b=go({"X": noisy(1)}))
    html = statera.compare(f"<b>a={tmp_path / 'a'}", f"<i>={tmp_path / 'b'}")._repr_html_()
    assert tags(html).isdisjoint({"b", "i"})


def test_a_notebook_holds_at_most_200_rows_and_says_how_many_more(tmp_path):
    text = go({f"B{i}": [1] for i in range(205)})
    html = compare(tmp_path, text, text)._repr_html_()
    assert html.count("<tr") == 201
    assert "and 5 more rows" in html
