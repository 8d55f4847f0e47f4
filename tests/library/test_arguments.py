"""Arguments of the library's functions: what is taken, and what is refused clearly."""

import pytest

import statera
from statera.api import in_keywords
from support import every, go, noisy, write

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


def test_files_of_machines_tell_what_the_results_do_not(tmp_path):
    paths = write(tmp_path, old=go({"X": noisy(100)}), new=go({"X": noisy(100)}))
    for name, cores in (("here", "0-7"), ("there", "0-3")):
        (tmp_path / f"{name}.json").write_text(f'{{"machine": {{"cores": "{cores}"}}}}')
    one = statera.compare(*paths, machine=tmp_path / "here.json")
    assert one.observations.contexts[-1].keys == {}
    assert "machine-differs" not in {note.code for note in one.notes}
    each = [f"old={tmp_path / 'here.json'}", f"new={tmp_path / 'there.json'}"]
    two = statera.compare(*paths, machine=each)
    assert "machine-differs" in {note.code for note in two.notes}
    statera.report(paths, tmp_path / "a.md", machine=each)
    assert "0-3" in (tmp_path / "a.md").read_text()
    assert len(statera.inspect(*paths, machine=each)) == 2


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
        ({"machine": 1}, "machine must be a path or a list of paths, not 1"),
        ({"machine": {"old": "m.json"}}, "machine must be a path or a list of paths, not {'old': 'm.json'}"),
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


def test_one_row_of_a_benchmark_and_those_of_a_slice():
    comparison = statera.compare(DATA, by="build")
    assert benchmarks(comparison["Decode"]) == ["Decode"]
    assert benchmarks(comparison[:1]) == benchmarks([comparison[0]])
    assert benchmarks(statera.inspect(DATA, by="build")["parse"]) == ["parse", "parse"]
    with pytest.raises(KeyError, match="no benchmark is named 'pasre'; the nearest are: parse"):
        comparison["pasre"]


def test_threads_at_the_end_of_a_name_may_be_left_out(tmp_path):
    paths = write(
        tmp_path, old=go({"Div-8": noisy(100), "Div": noisy(9)}), new=go({"Div-8": noisy(101), "Div": noisy(9)})
    )
    assert benchmarks(statera.compare(*paths)["Div"]) == ["Div"]
    assert benchmarks(statera.compare(*paths, benchmarks="Div-8")["Div"]) == ["Div-8"]


def test_a_row_is_shown_in_a_line():
    comparison = statera.compare(DATA, by="build")
    line = repr(comparison["Decode"][0])
    assert line == "Row(size: 2, Decode time: old 100.0 ms → new 149.6 ms, +50.0% [+49.2%, +50.6%], worse)"
    shown = repr(statera.inspect(DATA, by="build")[0])
    assert shown.startswith("Inspected(")
    assert "n 10" in shown
    gone = statera.compare({**DATA, "build": ["old"] * 20 + ["old"] * 10 + ["new"] * 10}, by="build")["parse"][0]
    assert repr(gone).endswith("→ new no value, missing)")


def test_alpha_margin_and_metric_are_parameters():
    comparison = statera.compare(
        DATA, by="build", alpha=0.01, margin="5%", metric="time", policy=statera.Policy(seed=7)
    )
    assert (comparison.policy.alpha, comparison.policy.margins, comparison.policy.seed) == (0.01, (("*", 0.05),), 7)
    for margin in (0.6, "60%", "60ms", {"*": "60ms"}, {"Decode": 0.6, "parse": "60ms"}):
        assert {row.verdict for row in statera.compare(DATA, by="build", margin=margin)} == {"equivalent"}
    assert statera.inspect(DATA, by="build", alpha=0.1, metric="time").policy.alpha == 0.1


@every(
    ("options", "error", "said"),
    [
        ({"margin": [1]}, TypeError, "margin must be a number, a text such as '5%'"),
        ({"margin": True}, TypeError, "margin must be a number"),
        ({"alpha": "5%"}, TypeError, "alpha must be a number"),
        ({"margin": "5q"}, statera.StateraError, "^margin: '5q' is no margin"),
        ({"margin": 5}, statera.StateraError, "^margin: 5 could be per cent"),
        ({"alpha": 0.7}, statera.StateraError, "^alpha must be from"),
        ({"metric": "nope"}, statera.StateraError, "no metric matches"),
        ({"benchmarks": "nope"}, statera.StateraError, "^benchmarks nope: no benchmark has such a name"),
        ({"within": "nope"}, statera.StateraError, "^within nope: no result states this key"),
        ({"where": {"size": "9"}}, statera.StateraError, "^where size=9: leaves no value"),
        ({"baseline": "nope"}, statera.StateraError, "^baseline nope: no variant has this label"),
        ({"by": "nope"}, statera.StateraError, "^by nope: no result states this key"),
    ],
)
def test_errors_name_the_parameter(options, error, said):
    with pytest.raises(error, match=said) as caught:
        statera.compare(DATA, **{"by": "build", **options})
    assert "--" not in str(caught.value)


def test_the_error_has_a_name_of_its_own():
    assert statera.Stop is statera.StateraError
    assert (statera.StateraError.__module__, statera.StateraError.__name__) == ("statera", "StateraError")
    with pytest.raises(statera.StateraError) as caught:
        statera.read("absent")
    assert caught.value.code == "missing-file"


def test_words_of_a_command_keep_their_options():
    assert in_keywords("--by k: no. Read it with:\n  statera compare a --by k --metric x") == (
        "by k: no. Read it with:\n  statera compare a --by k --metric x"
    )
    assert in_keywords("--column 'setting=my widgets' --column repetition='*'.") == (
        "columns={'setting': 'my widgets', 'repetition': '*'}."
    )
    assert in_keywords("--column setting=widgets, or --column a=x --column a=y") == (
        "columns={'setting': 'widgets'}, or columns={'a': ['x', 'y']}"
    )
    command = "measure them with `statera inspect --aa FILES`, or statera inspect --aa FILE; --aa is no option"
    assert in_keywords(command).endswith(
        "with `statera inspect --aa FILES`, or statera inspect --aa FILE; aa is no option"
    )
    assert in_keywords("with --strict, --accept-one-process") == "with --strict, --accept-one-process"
