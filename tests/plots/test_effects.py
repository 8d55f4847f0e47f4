"""What holds of every picture of changes."""

from itertools import product

import numpy as np
import pytest
from looks import HOSTILE, compared, data, fits_the_schema, is_drawn, is_harmless, write

import statera
from statera.comparison.codes import JUDGED
from statera.output import plots
from statera.output.plots import COMPARES
from statera.output.plots.changes import ratio_ticks
from statera.support.errors import Stop
from support import noisy

# Pictures of rows; those of blocks need paired ones, which tests/plots/test_pairs.py has.
KINDS = sorted(COMPARES - {"pairs"})


@pytest.fixture(scope="module")
def comparison(tmp_path_factory):
    sizes = (1, 2, 4, 8)
    tables = {
        label: {f"f/n={n}": noisy(n * (1 + i / 3), 25, seed=10 * i + n) for n in sizes}
        for i, label in enumerate(("old", "new", "newer"))
    }
    return compared(tmp_path_factory.mktemp("sizes"), **tables)


@pytest.mark.parametrize("kind", KINDS)
def test_it_fits_the_schema_and_is_drawn_at_any_width(comparison, kind):
    for width, theme in ((360, "dark"), (900, "light")):
        picture = plots.draw(kind, comparison, width=width)
        fits_the_schema(picture)
        is_drawn(picture, [theme])
        assert "NaN" not in picture.json(), width
        assert picture.kind == kind
        assert picture.title
        assert picture.alt.startswith(picture.title)


def test_what_was_not_compared_is_refused(tmp_path, comparison):
    inspected = statera.inspect(write(tmp_path, "old", [("a", value) for value in (1, 2, 3)]))
    for kind in COMPARES:
        with pytest.raises(Stop, match="compares variants"):
            plots.draw(kind, inspected)
        with pytest.raises(Stop, match="the request"):
            plots.draw(kind, comparison, benchmarks=[999])


def test_one_benchmark_that_is_asked_for_is_drawn_alone(comparison):
    for kind in ("forest", "heatmap", "scatter", "suite"):
        spec = plots.draw(kind, comparison, benchmarks=[2]).spec
        assert {row["benchmark"] for row in data(spec) if "benchmark" in row} == {"f/n=4"}, kind


def test_the_title_counts_the_verdicts(comparison):
    counts = {verdict: len(comparison.with_verdict(verdict)) for verdict in JUDGED}
    for kind, (verdict, count) in product(("forest", "heatmap"), counts.items()):
        word = comparison.word(comparison.weighing.with_verdict([verdict])) if count else verdict
        assert (f"{count} {word}" in plots.draw(kind, comparison).title) == (count > 0), (kind, verdict)


def test_the_title_of_one_change_is_a_sentence(tmp_path):
    found = compared(tmp_path, old={"A": noisy(1), "B": noisy(1)}, new={"A": noisy(1.3), "B": noisy(1)})
    assert plots.draw("forest", found).title == "A is 30.0% slower"
    assert (
        plots.draw("forest", compared(tmp_path, old={"A": noisy(1)}, new={"A": noisy(20)})).title
        == "A is slower: ×20.0"
    )


def test_a_change_has_the_same_colour_in_any_heat_map(tmp_path):
    def tones(*factors):
        new = {f"B{place}": noisy(factor, seed=place) for place, factor in enumerate(factors)}
        found = compared(tmp_path, old={name: noisy(1, seed=99) for name in new}, new=new)
        return {row["benchmark"]: row["tone"] for row in data(plots.draw("heatmap", found).spec) if "held" in row}

    assert tones(1.3)["B0"] == pytest.approx(tones(1.3, 9.0)["B0"], abs=0.02)
    assert tones(1.3, 9.0)["B1"] == 1


# What each kind counts of benchmarks of two variants.
ROWS = {"forest": "rows", "heatmap": "rows", "scatter": "points", "shift": "panels", "speedup": "panels"}
ROWS["suite"] = "benchmarks"


def test_names_are_text(tmp_path):
    tables = {label: {n: [i + 1 + p, 2, 3] for p, n in enumerate(HOSTILE)} for i, label in enumerate(("old", "new"))}
    comparison = compared(tmp_path, **tables)
    for kind, marks in ROWS.items():
        picture = plots.draw(kind, comparison)
        assert picture.marks[marks] == len(HOSTILE), kind
        is_harmless(picture, HOSTILE)
        is_drawn(picture)


@pytest.mark.parametrize("values", [[3.0], [3.0, 3.0, 3.0], [0.0, 0.0, 0.0], [-1.0, -2.0]])
def test_few_and_odd_values_are_drawn(tmp_path, values):
    comparison = compared(tmp_path, old={"a": values}, new={"a": values})
    for kind in ("forest", "scatter"):
        picture = plots.draw(kind, comparison)
        assert picture.marks[ROWS[kind]] == 1, kind
        is_drawn(picture)


def test_ticks_of_ratios_are_round_and_few():
    for low, high, most, ticks in (
        (0.97, 1.05, 5, [0.98, 1.0, 1.02, 1.04]),
        (0.5, 4.0, 6, [0.5, 0.7, 1.0, 1.5, 2.0, 3.0]),
        (0.001, 1000.0, 7, [0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0]),
        (0.001, 1000.0, 3, [0.01, 1.0, 100.0]),
    ):
        found = ratio_ticks(low, high, most)
        assert len(found) <= most
        assert 1.0 in found
        assert len(ticks) != len(found) or found == ticks
    for low, high, most in product((1e-12, 1e-3, 0.5, 0.9999), (1.0001, 1.7, 30.0, 1e12), (3, 5, 9)):
        found = ratio_ticks(low, high, most)
        assert 1 <= len(found) <= most, (low, high, most)
        assert all(low <= tick <= high for tick in found), (low, high, most)


MANY = {"a": np.random.default_rng(5).normal(10, 1, 500)}
FEW = {"n=1": [1, 2, 3], "n=2": [2, 3, 4], "n=4": [4, 5, 6]}
ABOUT_ZERO = {f"n={n}": [n, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, -n] for n in (1, 2, 4)}


def test_what_is_not_drawn_is_said_in_remarks_and_below_the_title(tmp_path):
    for kind, old, options, remark in (
        ("ridgeline", MANY, {}, "of more than 300 values 300 are drawn, evenly"),
        ("qq", MANY, {}, "of more than 400 values 400 are drawn, and all near the ends"),
        ("atlas", MANY, {}, "Q-Q plots of more than 120 values have 120 points, and all near the ends"),
        ("scaling", {**FEW, "plain": [1, 2]}, {}, "1 benchmark without a number left out"),
        ("scaling", ABOUT_ZERO, {"log": True}, "6 intervals down to zero or below end with a logarithmic axis"),
        ("suite", ABOUT_ZERO, {"log": True}, "6 intervals down to zero or below end with a logarithmic axis"),
        ("shift", {**FEW, "one": [1]}, {}, "1 benchmark without a shift function left out"),
    ):
        new = {name: np.where(np.asarray(own) < 0, own, np.asarray(own) + 0.5) for name, own in old.items()}
        picture = plots.draw(kind, compared(tmp_path, old=old, new=new), **options)
        assert remark in picture.remarks
        assert remark.lower() in " ".join(picture.spec["title"]["subtitle"]).lower()


def test_a_suite_says_which_changes_it_has_no_bars_for(tmp_path):
    tables = {label: {"a": [10 + i, 11 + i, 12 + i]} for i, label in enumerate(("one", "two", "three"))}
    compared(tmp_path, **tables)
    source = statera.compare(*[f"{label}={tmp_path / f'{label}.csv'}" for label in tables], pairs="all")
    assert "1 change against other variants left out" in plots.draw("suite", source).remarks


def test_a_long_name_does_not_take_the_counts_out_of_a_title(tmp_path):
    names = [f"com.example.{'Component' * 12}.method(size={size})" for size in (1, 2)]
    old = {name: noisy(10, seed=seed) for seed, name in enumerate(names)}
    picture = plots.draw(
        "forest", compared(tmp_path, old=old, new={name: [2 * v for v in old[name]] for name in names})
    )
    assert picture.title.startswith("2 slower (worst com.example.")
    assert len(picture.title) < 100
