"""The baseline a second time: where it stands in a plan, and what its rows say; and drift over the rounds."""

import pytest
from plans import plan

from statera.comparison import pairing, pipeline
from statera.comparison.verdicts.catalogue import CATALOGUE
from statera.experiment import drift, self_test
from statera.experiment.looks import examined
from statera.experiment.plan import Rounds, Variant
from statera.experiment.self_test import with_self_test
from support import noisy, table, write


def test_the_baseline_is_the_last_variant_again_in_each_benchmark():
    tested = with_self_test(plan("main", "new", benchmarks=("sort", "hash")))
    assert [variant.name for variant in tested.variants] == ["main", "new", "main (again)"]
    assert [(cell.benchmark, cell.variant) for cell in tested.cells] == [(0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2)]
    assert [cell.command for cell in tested.cells if cell.variant == 2] == [
        cell.command for cell in tested.cells if cell.variant == 0
    ]
    assert tested.self_test
    assert with_self_test(tested) == tested


def test_no_factor_pools_the_baseline_with_itself():
    tested = with_self_test(plan(Variant("rev=main gogc=1", (("rev", "main"), ("gogc", "1"))), "new"))
    assert tested.variants[-1] == Variant("rev=main gogc=1 (again)", (("rev", "main (again)"), ("gogc", "1")))


def test_a_name_that_is_taken_is_counted_up():
    tested = with_self_test(plan("main", "main (again)"))
    assert tested.variants[-1].name == "main (again 2)"


@pytest.fixture
def results(tmp_path):
    def of(**values):
        rows = [
            {"benchmark": "sort", "metric": "time", "unit": "s", "value": value, "block": block, "variant": name}
            for name, series in values.items()
            for block, value in enumerate(series)
        ]
        return write(tmp_path, **{"a.csv": table(rows)})

    return of


def after(results, **values):
    names = [name.replace("again", "main (again)") for name in values]
    paths = results(**dict(zip(names, values.values(), strict=True)))
    comparison = pipeline.compare(paths, pairing.Request(by=("variant",)))
    return self_test.notes(comparison, with_self_test(plan(*names[:-1])))


def test_a_machine_that_agrees_with_itself_is_told(results):
    (note,) = after(results, main=noisy(1, 20), new=noisy(2, 20, seed=2), again=noisy(1, 20, seed=3))
    assert note.code == "self-test-agrees"
    assert note.text.startswith(
        "main does not differ from itself in 1 comparison, as it should. The largest change: sort, time "
    )
    assert note.text.count("%") == 3
    assert note.code in CATALOGUE


def test_a_machine_that_differs_from_itself_is_told(results):
    (note,) = after(results, main=noisy(1, 20), new=noisy(1, 20, seed=2), again=noisy(1.1, 20, seed=3))
    assert note.code == "self-test-differs"
    assert note.text.startswith("main differs from itself in 1 comparison: sort, time +")
    assert "may come from this machine" in note.text
    assert note.code in CATALOGUE


def test_without_a_self_test_there_is_nothing_to_say(results):
    paths = results(a=noisy(1, 20), b=noisy(2, 20))
    comparison = pipeline.compare(paths, pairing.Request(by=("variant",)))
    assert self_test.notes(comparison, plan("a", "b")) == []


def test_drift_over_the_rounds_is_told_with_what_the_order_makes_of_it(results):
    rising = [value * (1 + 0.01 * at) for at, value in enumerate(noisy(1, 20))]
    inspection = pipeline.inspect(results(a=rising, b=noisy(1, 20)), pairing.Request(by=("variant",)))
    (note,) = drift.notes(inspection, "random")
    assert note.code == "drifted"
    assert note.code in CATALOGUE
    assert note.text.startswith("Values drifted over the rounds: sort, a, time +")
    assert "Rounds alternate the builds" in note.text
    (note,) = drift.notes(inspection, "sequential")
    assert "looks like a difference" in note.text


def test_steady_values_have_no_note(results):
    inspection = pipeline.inspect(results(a=noisy(1, 20), b=noisy(1, 20)), pairing.Request(by=("variant",)))
    assert drift.notes(inspection, "random") == []


def test_no_benchmark_waits_for_the_baseline_to_equal_itself(results):
    again = noisy(1, 20, seed=3, spread=0.1)
    paths = results(**{"main": noisy(1, 20, spread=0.1), "new": noisy(9, 20, seed=2), "main (again)": again})
    comparison = pipeline.compare(paths, pairing.Request(by=("variant",)))
    tested = with_self_test(plan("main", "new", rounds=Rounds(until="decided", looks=(20, 40), shares=(0.1, 0.9))))
    without = self_test.again(tested)
    assert without == "main (again)"
    assert examined(comparison, ["sort"], tested.rounds, 1).undecided == ("sort",)
    assert examined(comparison, ["sort"], tested.rounds, 1, without=without).undecided == ()


def test_without_other_variants_the_baseline_against_itself_is_the_question():
    assert self_test.again(with_self_test(plan("main"))) is None
    assert self_test.again(plan("main", "new", "other")) is None
