"""One build weighed against itself: rates by their definition, dealt by runs, and what is too little said plainly."""

import csv
import io
import json
import random

import pytest
from scipy import stats

import statera
from statera import Stop
from statera.comparison.verdicts.inspection import self_test_findings
from statera.output.views.inspection import self_test_rows
from support import every, go, table, write


def chance(seed):
    return random.Random(seed)  # noqa: S311 - noise, no secret


def measured(folder, name, benchmarks):
    (path,) = write(folder, **{name: go(benchmarks)})
    return path


def quiet(dice, count, *, spread=0.01):
    return [100 * (1 + spread * dice.gauss(0, 1)) for _ in range(count)]


def wandering(dice, count):
    """A level that wanders: neighbours are alike, values far apart are not."""
    level, values = 0.0, []
    for _ in range(count):
        level = 0.95 * level + dice.gauss(0, 1)
        values.append(100 * (1 + 0.01 * level))
    return values


def by_process(groups):
    rows = [
        {"benchmark": name, "value": repr(v), "unit": "s", "process": run}
        for name, runs in groups.items()
        for run, values in enumerate(runs)
        for v in values
    ]
    return table(rows)


@pytest.fixture
def two_quiet(tmp_path):
    dice = chance(1)
    return [measured(tmp_path, name, {f"B{k}": quiet(dice, 20) for k in range(12)}) for name in ("first", "again")]


def test_independent_values_are_called_changed_as_seldom_as_the_policy_says(two_quiet):
    tested = statera.inspect(*two_quiet, aa=True).self_test
    assert (tested.dealt, tested.stretches, tested.length) == ("values", 10, 4)
    assert (tested.splits, tested.all_splits) == (126, True)
    (metric,) = tested.metrics
    assert metric.called.trials == 12 * 126
    assert metric.significant.share < 0.075
    assert metric.called.share < 0.02
    assert metric.margin is None
    assert all(row.largest >= row.floor > 0 for row in tested.rows)
    # Two halves of 20 values each: the typical change has a standard error of about 0.01 * sqrt(2/20/0.955).
    assert all(0.003 < row.floor < 0.014 for row in tested.rows)


def test_neighbours_that_are_alike_widen_the_intervals_and_raise_no_alarm(tmp_path):
    dice = chance(2)
    names = ("first", "again", "third", "fourth")
    paths = [measured(tmp_path, name, {f"B{k}": wandering(dice, 15) for k in range(10)}) for name in names]
    inspection = statera.inspect(*paths, aa=True)
    (metric,) = inspection.self_test.metrics
    assert metric.significant.share < 0.05
    assert metric.called.share < 0.05
    assert not any("resemble each other more than the test assumes" in sentence for sentence in inspection.findings)


def test_the_margin_holds_the_rate_of_processes_that_differ(tmp_path):
    dice = chance(2)
    names = ("first", "again", "third", "fourth")
    paths = []
    for name in names:
        levels = {f"B{k}": dice.gauss(100, 3) for k in range(10)}
        values = {b: [level * (1 + 0.004 * dice.gauss(0, 1)) for _ in range(15)] for b, level in levels.items()}
        paths.append(measured(tmp_path, name, values))
    (metric,) = statera.inspect(*paths, aa=True).self_test.metrics
    assert 0 < metric.gate < metric.margin

    def shares(margin):
        """Return the shares of rows called changed, over the splits and over the pairs of results as measured."""
        tested = statera.inspect(*paths, aa=True, policy=statera.Policy(margins=(("*", margin),))).self_test
        pairs = tested.as_measured
        return tested.metrics[0].called.share, sum(len(p.called) for p in pairs) / sum(p.rows for p in pairs)

    assert max(shares(metric.margin * (1 + 1e-9))) <= 0.05
    # Every pair of results is one process against another, which the sides of a split mix.
    assert max(shares(metric.margin * 0.95)) == shares(metric.margin * 0.95)[1] > 0.05
    whole = statera.Policy(margins=(("*", metric.margin_any * (1 + 1e-9)),))
    (suite,) = statera.inspect(*paths, aa=True, policy=whole).self_test.metrics
    assert suite.any.share <= 0.05


def test_results_are_compared_as_they_were_measured(two_quiet):
    inspection = statera.inspect(*two_quiet, aa=True)
    (pair,) = inspection.self_test.as_measured
    comparison = statera.compare(*two_quiet)
    assert (pair.baseline, pair.contender) == ("first", "again")
    assert pair.rows == sum(row.p is not None for row in comparison)
    assert pair.significant == sum(row.p is not None and row.p <= 0.05 for row in comparison)
    assert len(pair.called) == len(comparison.with_verdict("better", "worse", "changed"))
    assert inspection.findings[0].startswith("As measured, first against again: ")


def test_a_real_difference_between_the_results_is_named(tmp_path):
    dice = chance(4)
    first = measured(tmp_path, "first", {"Same": quiet(dice, 20), "Moved": quiet(dice, 20)})
    moved = [1.2 * v for v in quiet(dice, 20)]
    again = measured(tmp_path, "again", {"Same": quiet(dice, 20), "Moved": moved})
    inspection = statera.inspect(first, again, aa=True)
    (pair,) = inspection.self_test.as_measured
    assert [row.benchmark for row in pair.called] == ["Moved"]
    assert pair.called[0].verdict == "worse"
    assert "1 of 2 comparisons called changed (Moved sec/op +" in inspection.findings[0]
    rates = {row.benchmark: row for row in inspection.self_test.rows}
    assert rates["Moved"].floor > 5 * rates["Same"].floor
    [metric] = inspection.self_test.metrics
    tables = {sort: self_test_rows(inspection, metric, sort)[1:] for sort in ("file", "defects", "name")}
    assert {sort: [row[0] for row in rows] for sort, rows in tables.items()} == {
        "file": ["Same", "Moved"],
        "defects": ["Moved", "Same"],
        "name": ["Moved", "Same"],
    }
    assert "\ngeometric mean: within ±" in repr(inspection)


def test_runs_are_dealt_whole(tmp_path):
    dice = chance(5)
    levels = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7]
    groups = {"B": [[level * (1 + 0.001 * dice.gauss(0, 1)) for _ in range(5)] for level in levels]}
    (path,) = write(tmp_path, data=by_process(groups))
    inspection = statera.inspect(path, aa=True)
    tested = inspection.self_test
    # A single row is its own mean.
    assert "geometric mean" not in repr(inspection)
    assert (tested.dealt, tested.stretches, tested.length) == ("runs", 8, 1)
    assert (tested.splits, tested.all_splits) == (35, True)
    (row,) = tested.rows
    # The most unequal split puts the four lowest runs on one side: the test on runs finds it, as 1 of 35.
    assert row.significant == 1
    assert row.called.count == 1
    assert row.largest == pytest.approx(1.55 / 1.15 - 1, rel=0.03)
    assert tested.as_measured == ()


def test_files_of_one_label_are_runs(tmp_path):
    dice = chance(6)
    paths = [measured(tmp_path, f"run{k}", {"B": quiet(dice, 5)}) for k in range(6)]
    tested = statera.inspect(*(f"A={path}" for path in paths), aa=True).self_test
    assert (tested.dealt, tested.stretches, tested.splits) == ("runs", 6, 10)


def test_many_results_are_dealt_whole_and_sampled_with_the_seed(tmp_path):
    dice = chance(7)
    paths = [measured(tmp_path, f"night{k}", {"B": quiet(dice, 10)}) for k in range(12)]
    tested = statera.inspect(*paths, aa=True, splits=50).self_test
    assert (tested.stretches, tested.length) == (12, 10)
    assert (tested.splits, tested.all_splits) == (50, False)
    assert len(tested.as_measured) == 50
    again = statera.inspect(*paths, aa=True, splits=50).self_test
    assert again == tested
    other = statera.inspect(*paths, aa=True, splits=50, policy=statera.Policy(seed=7)).self_test
    assert other.rows != tested.rows


@every(("values", "said"), [(1, "Fewer than 8 values"), (3, "Fewer than 8 values"), (7, "Fewer than 8 values")])
def test_too_few_values_to_split_are_said_plainly(tmp_path, values, said):
    path = measured(tmp_path, "A", {"B": quiet(chance(8), values)})
    inspection = statera.inspect(path, aa=True)
    assert inspection.self_test.splits == 0
    assert inspection.self_test.suite.share is None
    (note,) = [note for note in inspection.notes if note.code == "too-few-to-split"]
    assert said in note.text
    text = repr(inspection)
    assert "There are too few runs or values to split them into two halves." in text
    assert "[too-few-to-split]" in text
    assert statera.inspect(measured(tmp_path, "A", {"B": quiet(chance(8), 8)}), aa=True).self_test.splits == 3


def test_too_few_runs_to_split_are_said_plainly(tmp_path):
    (path,) = write(tmp_path, data=by_process({"B": [quiet(chance(k), 20) for k in range(3)]}))
    inspection = statera.inspect(path, aa=True)
    assert inspection.self_test.splits == 0
    assert any("Fewer than 4 runs" in note.text for note in inspection.notes)
    # Two results of one run each are compared as they were measured all the same.
    one = [write(tmp_path, **{name: by_process({"B": [quiet(chance(9), 20)]})})[0] for name in ("A", "A2")]
    inspection = statera.inspect(*one, aa=True)
    assert inspection.self_test.splits == 0
    assert len(inspection.self_test.as_measured) == 1
    assert "As measured, A against A2: 0 of 1 comparison called changed." in repr(inspection)


def test_exact_rows_are_not_counted_as_chances_of_an_alarm(tmp_path):
    path = measured(tmp_path, "A", {"B": {"ns/op": quiet(chance(10), 20), "allocs/op": [3] * 20}})
    inspection = statera.inspect(path, aa=True)
    rates = {metric.metric: metric for metric in inspection.self_test.metrics}
    assert rates["allocs/op"].rows == 0
    assert rates["allocs/op"].called.trials == 0
    assert rates["sec/op"].called.trials == inspection.self_test.splits == 126
    assert "allocs/op: exact, or one value per half: no test and no false alarm" in repr(inspection)


def test_the_intervals_are_those_of_clopper_and_pearson_for_the_independent_splits(tmp_path):
    dice = chance(11)
    paths = [measured(tmp_path, n, {f"B{k}": wandering(dice, 20) for k in range(4)}) for n in ("A", "B")]
    tested = statera.inspect(*paths, aa=True).self_test
    assert (tested.stretches, tested.splits) == (10, 126)
    for rate in (*(row.called for row in tested.rows), tested.metrics[0].any):
        # Contrasts of ten stretches have nine dimensions.
        assert rate.independent == 9
        count = rate.share * 9
        assert rate.low == pytest.approx(stats.beta.ppf(0.025, count, 10 - count) if count else 0.0, rel=1e-9)
        assert rate.high == pytest.approx(stats.beta.ppf(0.975, count + 1, 9 - count), rel=1e-9)


@pytest.mark.later
def test_rows_that_move_together_count_as_one(tmp_path):
    dice = chance(12)
    one = wandering(dice, 40)
    alike, apart = ({f"B{k}": one if same else wandering(dice, 40) for k in range(10)} for same in (True, False))
    rates = {}
    for name, values in (("alike", alike), ("apart", apart)):
        paths = [measured(tmp_path, f"{name}{side}", values) for side in "AB"]
        (metric,) = statera.inspect(*paths, aa=True).self_test.metrics
        rates[name] = metric.significant.independent
    assert rates["alike"] == pytest.approx(9)
    assert 20 < rates["apart"] <= 9 * 10


@every("results", [1, 2, 3])
def test_no_margin_is_advised_from_fewer_than_four_processes(tmp_path, results):
    dice = chance(13)
    paths = []
    for result in range(results):
        level = 1 + 0.05 * result
        values = {f"B{k}": [level * v for v in wandering(dice, 30)] for k in range(6)}
        paths.append(measured(tmp_path, f"result{result}", values))
    inspection = statera.inspect(*paths, aa=True)
    tested = inspection.self_test
    assert (tested.processes, tested.advises) == (results, False)
    (metric,) = tested.metrics
    assert (metric.margin, metric.gate, metric.margin_any, metric.gate_any) == (None, None, None, None)
    said = " ".join(inspection.findings)
    assert "No margin is advised" in said
    assert "four or more processes" in said
    assert "--margin" not in said
    assert "limits this rate" not in said


def test_processes_that_are_known_count_over_all_results(tmp_path):
    dice = chance(14)
    groups = {f"B{k}": [quiet(dice, 5) for _ in range(3)] for k in range(3)}
    paths = write(tmp_path, first=by_process(groups), again=by_process(groups))
    tested = statera.inspect(*paths, aa=True).self_test
    assert (tested.dealt, tested.processes, tested.advises) == ("runs", 6, True)


def test_paired_replays_are_dealt_whole(tmp_path):
    dice = chance(12)
    rows = [
        {"benchmark": "B", "value": repr(10 ** (block % 4) * (1 + 0.01 * dice.gauss(0, 1))), "unit": "s"}
        | {"block": block, "process": run}
        for run in range(4)
        for block in range(15)
    ]
    (path,) = write(tmp_path, data=table(rows))
    tested = statera.inspect(path, aa=True).self_test
    assert (tested.dealt, tested.stretches, tested.splits) == ("runs", 4, 3)
    (row,) = tested.rows
    assert row.floor < 0.02


def test_a_pairing_that_cannot_hold_stops(tmp_path):
    path = measured(tmp_path, "A", {"B": quiet(chance(13), 9)})
    with pytest.raises(Stop, match="cannot be paired by order") as stop:
        statera.inspect(path, aa=True, pair="order")
    assert stop.value.code == "cannot-pair"


def test_csv_and_json_hold_the_rates(two_quiet):
    inspection = statera.inspect(*two_quiet, aa=True)
    tested = inspection.self_test
    lines = list(csv.DictReader(io.StringIO(inspection.to_csv())))
    document = json.loads(inspection.to_json())["self_test"]
    assert document["splits"] == 126
    assert document["suite"]["trials"] == 126
    for row, line, found in zip(tested.rows, lines, document["rows"], strict=True):
        assert (line["benchmark"], int(line["called"]), int(line["trials"])) == (row.benchmark, row.called.count, 126)
        assert float(line["floor"]) == found["floor"] == row.floor
        assert found["called"]["count"] == row.called.count
    markdown = inspection.to_markdown()
    assert "<summary><b>sec/op</b>" in markdown
    assert "| noise floor |" in markdown
    assert self_test_findings(tested, inspection.policy) == inspection.findings
