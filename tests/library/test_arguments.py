"""Arguments of the library's functions: what is taken, and what is refused clearly."""

import pytest

import statera
from support import every, noisy

DATA = {
    "benchmark": ["parse"] * 20 + ["Decode"] * 20,
    "build": (["old"] * 10 + ["new"] * 10) * 2,
    "size": ["1"] * 20 + ["2"] * 20,
    "time_ms": [*noisy(100), *noisy(150, seed=2)] * 2,
}


def benchmarks(rows):
    return [row.benchmark for row in rows]


@every("pattern", ["Decode", "!parse", "/^Dec/"])
def test_a_text_is_one_pattern_of_names(tmp_path, pattern):
    assert benchmarks(statera.compare(DATA, by="build", benchmarks=pattern)) == ["Decode"]
    assert set(benchmarks(statera.inspect(DATA, by="build", benchmarks=pattern))) == {"Decode"}
    statera.report([DATA], tmp_path / "a.md", by="build", benchmarks=pattern)
    assert "parse" not in (tmp_path / "a.md").read_text()


@every("options", [{"metrics": "*nope*"}, {"units": "B/s"}])
def test_a_text_is_one_pattern_of_metrics_or_units(options):
    with pytest.raises(statera.Stop, match="no metric matches"):
        statera.compare(DATA, by="build", **options)


def test_a_text_is_one_key():
    assert {row.group for row in statera.compare(DATA, by="build", within="size")} == {"size: 1", "size: 2"}
    assert len(statera.compare(DATA, by="build", pool="size")) == 2


def test_a_text_is_one_pattern_of_files(tmp_path):
    for rev in ("a", "b"):
        (tmp_path / f"{rev}-x.csv").write_text("benchmark,time_ms\nX,1\nX,2\n")
    paths = sorted(tmp_path.iterdir())
    assert statera.compare(*paths, by="rev", name_patterns="{rev}-x").labels == ["a", "b"]


def test_whole_numbers_are_texts_of_keys():
    assert benchmarks(statera.compare(DATA, by="build", where={"size": 2})) == ["Decode"]
    comparison = statera.compare(noisy(100), noisy(150), by="k", factors={"table 1": {"k": 1}, "table 2": {"k": 2}})
    assert comparison.labels == ["1", "2"]


@every(
    ("options", "said"),
    [
        ({"by": 1}, "by must be a text or a list of texts, not 1"),
        ({"benchmarks": [1]}, r"benchmarks must be a text or a list of texts, not \[1\]"),
        ({"where": ["size=1"]}, "where must be a dictionary with a text for each key"),
        ({"where": {"size": ["1"]}}, r"where\['size'\] must be a text, not \['1'\]"),
        ({"where": {"size": True}}, r"where\['size'\] must be a text, not True"),
        ({"columns": ["x"]}, "columns must be a dictionary with a text for each role"),
        ({"columns": {"value": 1}}, r"columns\['value'\] must be a text or a list of texts, not 1"),
        ({"factors": {"a": ["k"]}}, r"factors\['a'\] must be a dictionary"),
        ({"policy": {"alpha": 0.1}}, "policy must be Policy, not {'alpha': 0.1}"),
        ({"limits": 5}, "limits must be Limits, not 5"),
        ({"baseline": 0}, "baseline must be a text, not 0"),
        ({"all_metrics": "no"}, "all_metrics must be True or False, not 'no'"),
        ({"quantiles": "50"}, "quantiles must be a list of numbers, not '50'"),
        ({"format": 1}, "format must be a text, not 1"),
    ],
)
def test_another_type_is_refused(tmp_path, options, said):
    with pytest.raises(TypeError, match=said):
        statera.compare(DATA, **{"by": "build", **options})
    with pytest.raises(TypeError, match=said):
        statera.report(DATA, tmp_path / "a.md", **{"by": "build", **options})


def test_costs_are_numbers():
    with pytest.raises(TypeError, match="cost_run must be a number"):
        statera.inspect(DATA, by="build", cost_run="1")


@every(
    ("options", "said"),
    [
        ({"pairs": "nope"}, "pairs must be baseline or all, not 'nope'"),
        ({"quantiles": [50]}, "quantiles must lie between 0 and 1, not 50"),
        ({"policy": statera.Policy(alpha="x")}, "alpha must be a number, not 'x'"),
        ({"policy": statera.Policy(resamples=1.5)}, "resamples must be a whole number, not 1.5"),
        (
            {"policy": statera.Policy(directions={"time": "higher"})},
            "directions must be pairs of a pattern and a value",
        ),
        ({"policy": statera.Policy(margins=("time", 0.1))}, "margins must be pairs of a pattern and a value"),
    ],
)
def test_a_value_that_cannot_be_stops(options, said):
    with pytest.raises(statera.Stop, match=said) as stop:
        statera.compare(DATA, by="build", **options)
    assert stop.value.code == "bad-option"
