"""What procedures take, what they refuse and how they say it, and what too few values give."""

import dataclasses
import math
import subprocess
import sys
from array import array
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from data import CALLS, X, Y, Z

from statera import stats
from support import every

FORMS = {
    "list": list,
    "tuple": tuple,
    "generator": iter,
    "array.array": lambda values: array("d", values),
    "memoryview": lambda values: memoryview(array("d", values)),
    "strided NumPy": lambda values: np.repeat(values, 2)[::2],
    "read-only NumPy": lambda values: np.frombuffer(np.asarray(values).tobytes()),
}


def results(name, *samples):
    """The results of a procedure, on the samples that it is tested with where none are given."""
    known, options = CALLS[name]
    found = getattr(stats, name)(*(samples or known), **options)
    return found if isinstance(found, tuple) else (found,)


@every("form", FORMS.values(), ids=FORMS)
@every("name", CALLS)
def test_every_form_of_a_sample_gives_the_same(name, form):
    assert results(name, *(form(sample) for sample in CALLS[name][0])) == results(name)


@every("kind", ["float32", "int64", "uint8", "object", ">f8"])
def test_arrays_of_other_numbers_are_converted(kind):
    values = np.array([3, 1, 4, 1, 5, 9, 2, 6], dtype=kind)
    assert stats.median(values) == stats.median([3, 1, 4, 1, 5, 9, 2, 6])


def test_columns_of_other_libraries_are_samples():
    for column in (pd.Series(X), pl.Series(X), pa.array(X), pa.chunked_array([X[:3], X[3:]])):
        assert stats.median(column) == stats.median(X)


@every("name", CALLS)
@every("bad", [math.nan, math.inf, -math.inf])
def test_values_that_are_not_finite_are_refused(name, bad):
    *others, last = CALLS[name][0]
    spoiled = np.array(last)
    spoiled[3] = bad
    with pytest.raises(ValueError, match="at place 3; values must be finite: leave it out"):
        results(name, *others, spoiled)


@every("name", CALLS)
def test_a_sample_without_values_is_refused(name):
    with pytest.raises(ValueError, match="has no values; a sample needs one or more"):
        results(name, *CALLS[name][0][:-1], [])


FEW = {
    "one": [1.0],
    "two": [1.0, 2.0],
    "constant": [5.0] * 9,
    "great": [1e300, 2e300, 3e300, 5e300],
    "tiny": [1e-300, 2e-300, 4e-300],
}


@every("values", FEW.values(), ids=FEW)
@every("name", CALLS)
def test_few_values_constant_ones_and_great_and_tiny_ones_give_a_result(name, values):
    for result in results(name, *([values] * len(CALLS[name][0]))):
        p = getattr(result, "p", 1.0)
        assert result.warnings if p is None else 0 <= p <= 1


@every(
    ("call", "words"),
    [
        (lambda: stats.median("12"), "is text"),
        (lambda: stats.median([1.0, None]), "without gaps"),
        (lambda: stats.median(np.zeros((2, 3))), "x has 2 dimensions, and a sample has one; statera.stats.grid"),
        (lambda: stats.median([[1, 2], [3]]), "sequence of numbers"),
        (lambda: stats.median(5), "sequence of numbers"),
        (lambda: stats.median(np.array(5.0)), "0 dimensions"),
        (lambda: stats.median(np.array([1j])), "complex numbers"),
        (lambda: stats.median(np.ma.masked_array([1.0, 2.0], [True, False])), "compressed"),
        (lambda: stats.median(np.array(["2020-01-01"], dtype="M8[s]")), "sequence of numbers"),
        (lambda: stats.signed_rank([1, 2, 3], [1, 2]), "x has 3 values and y has 2"),
        (lambda: stats.friedman([1, 2, 3], [1, 2]), "sample 1 has 3 values and sample 2 has 2"),
        (lambda: stats.friedman([1, 2, 3]), "two samples or more"),
        (stats.kruskal_wallis, "two samples or more"),
        (lambda: stats.geometric_mean([1, 0]), "must be positive"),
        (lambda: stats.shift_function([1, 0], [1, 2], ratio=True), "must be positive"),
        (lambda: stats.shapiro_wilk(np.arange(5001.0)), "anderson_darling"),
        (lambda: stats.median(X, confidence=95), "Write 0.95 for 95 %"),
        (lambda: stats.median(X, confidence=None), "between 0 and 1"),
        (lambda: stats.quantile(X, 50), "between 0 and 1, but one is 50"),
        (lambda: stats.quantiles(X, levels=()), "list of numbers"),
        (lambda: stats.trimmed_mean(X, share=0.5), "below 0.5"),
        (lambda: stats.signed_rank(X, zeros="keep"), "one of drop, pratt"),
        (lambda: stats.bootstrap(X, resamples=0), "whole number of at least 1"),
        (lambda: stats.bootstrap(X, seed=-1), "whole number of at least 0"),
        (lambda: stats.bootstrap(X, Y, statistic=np.mean), "one sample"),
        (lambda: stats.bootstrap(X, statistic="mode"), "mean, median, trimmed-mean"),
        (lambda: stats.bootstrap(X, statistic=np.mean, method="t"), "bca, percentile"),
        (lambda: stats.bootstrap([], statistic=np.mean), "no values"),
        (lambda: stats.tost(X, Y, low=1, high=-1), "from low up to high"),
        (lambda: stats.adjust([]), "no p-values"),
        (lambda: stats.adjust([1.5]), "between 0 and 1"),
        (lambda: stats.adjust([0.5], correction="sidak"), "one of benjamini-hochberg"),
        (lambda: stats.westfall_young([[1, 2], [1, 2, 3]]), r"x\[1\] has 3 runs"),
        (lambda: stats.westfall_young([[1, 2]], [[1, 2], [3, 4]]), "x has 1 rows and y has 2"),
        (lambda: stats.westfall_young([]), "needs"),
        (lambda: stats.density([1.0]), "two values"),
        (lambda: stats.density(X, width=0.0), "positive width"),
        (lambda: stats.density(X, points=1), "points must be"),
        (lambda: stats.segments([]), "no values"),
        (lambda: stats.segments(X, least=0), "least must be"),
        (lambda: stats.segments(X, penalty=-1), "penalty must be"),
        (lambda: stats.detectable(-1, 5), "sd must be"),
        (lambda: stats.detectable(1, 0), "one run"),
        (lambda: stats.runs_for(1, 0), "positive"),
        (lambda: stats.runs_for(1, 1, power=1), "power must lie"),
        (lambda: stats.least_runs(rows=0), "one row"),
    ],
)
def test_what_cannot_be_computed_is_refused_with_what_to_do(call, words):
    with pytest.raises(ValueError, match=words):
        call()


def test_too_few_values_give_no_p_and_say_so():
    for found in (
        stats.shapiro_wilk([1.0, 2.0]),
        stats.anderson_darling([1.0, 2.0]),
        stats.welch([1.0], [1.0, 2.0]),
        stats.brunner_munzel([1.0], [1.0, 2.0]),
        stats.autocorrelation([1.0, 2.0]),
        stats.drift([1.0, 2.0]),
        stats.quade([1.0], [2.0]),
        stats.variance_components([1.0], [2.0]),
    ):
        assert found.p is None
        assert "there are too few values for a result" in found.warnings


def test_an_interval_below_its_level_says_what_it_attains():
    found = stats.mann_whitney([1, 2, 3], [4, 5, 6])
    assert found.interval.level == pytest.approx(0.9)
    assert any("attain" in warning for warning in found.warnings)
    assert any("significant" in warning for warning in found.warnings)
    assert stats.mann_whitney(X, Y).warnings == ()


@every("name", CALLS)
def test_results_are_complete_and_cannot_be_changed(name):
    for result in results(name):
        assert result.method
        assert result.n
        assert not hasattr(result, "__dict__")
        with pytest.raises(dataclasses.FrozenInstanceError):
            result.estimate = 0.0
        assert hash(result) == hash(results(name)[results(name).index(result)])


@every("name", CALLS)
def test_samples_are_left_as_they_are(name):
    samples = [np.array(sample) for sample in CALLS[name][0]]
    results(name, *samples)
    for sample, kept in zip(samples, CALLS[name][0], strict=True):
        assert np.array_equal(sample, kept)


def test_every_public_name_is_there():
    for name in stats.__all__:
        assert callable(getattr(stats, name))
    assert set(stats.__all__) <= set(dir(stats))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = stats.nothing


def test_importing_the_statistics_imports_nothing_that_a_comparison_does_without():
    code = "import sys, statera.stats; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    ours = {name for name in loaded if name.startswith("statera")}
    assert ours == {"statera", "statera.stats"}
    assert not loaded & {"dataclasses", "numpy", "array"}


def test_the_trimmed_share_and_the_seed_matter():
    assert stats.trimmed_mean(Z, share=0.1) != stats.trimmed_mean(Z, share=0.3)
    assert stats.bootstrap(Z, seed=1, withhold=False) != stats.bootstrap(Z, seed=2, withhold=False)
    assert stats.bootstrap(Z, seed=1, withhold=False) == stats.bootstrap(Z, seed=1, withhold=False)


HOLDS_FROM = [
    ("mean", "percentile", 100, 30),
    ("mean", "bca", 200, 200),
    ("trimmed-mean", "percentile", 50, 5),
    ("trimmed-mean", "bca", 50, 200),
    ("median", "percentile", 50, 30),
    ("median", "bca", 30, 5),
]


@every(("statistic", "method", "alone", "difference"), HOLDS_FROM)
def test_bootstrap_intervals_are_withheld_below_the_size_at_which_they_hold(statistic, method, alone, difference):
    values = np.random.default_rng(5).lognormal(size=400)
    asked = {"statistic": statistic, "method": method, "resamples": 99}
    for least, samples in ((alone, lambda n: (values[:n],)), (difference, lambda n: (values[:n], values[200:]))):
        few = stats.bootstrap(*samples(least - 1), **asked)
        assert few.interval is None
        assert "is withheld" in few.warnings[0]
        assert few.estimate == stats.bootstrap(*samples(least - 1), **asked, withhold=False).estimate
        assert stats.bootstrap(*samples(least), **asked).interval is not None
        shown = stats.bootstrap(*samples(least - 1), **asked, withhold=False)
        assert shown.interval is not None
        assert "covers less often" in shown.warnings[0]


def test_the_sizes_are_those_of_the_calibration():
    page = (Path(__file__).parents[2] / "docs" / "calibration-tables.md").read_text()
    table = page.split("<!-- bootstrap: begin -->")[1].split("<!-- bootstrap: end -->")[0]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in table.splitlines() if line.startswith("| ")]
    found = {row[0].lower(): row[-1] for row in rows}
    for statistic, method, alone, difference in HOLDS_FROM:
        word = statistic.replace("-", " ")
        assert found[f"{word}, {method}"] == str(alone)
        assert found[f"difference of {word}s, {method}"] == str(difference)
    series = page.split("<!-- series: begin -->")[1].split("<!-- series: end -->")[0]
    assert all(line.endswith("| 1000 |") for line in series.splitlines() if line.startswith(("| mean", "| median")))


def test_intervals_by_blocks_are_withheld_of_short_series():
    series = np.random.default_rng(6).normal(size=1000)
    assert stats.block_bootstrap(series, resamples=99).interval is not None
    short = stats.block_bootstrap(series[:999], resamples=99)
    assert (short.interval, short.length) == (None, stats.block_bootstrap(series[:999], resamples=9).length)
    assert stats.block_bootstrap(series[:999], resamples=99, withhold=False).interval is not None
    assert stats.block_bootstrap([3.0] * 9).interval is not None
