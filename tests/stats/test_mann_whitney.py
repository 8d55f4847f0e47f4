"""The batch of exact tests against SciPy, and what it refuses."""

import numpy as np
import pytest
from scipy import stats

from statera.stats import mann_whitney


def test_groups_without_ties_have_scipys_p():
    draw = np.random.default_rng(3)
    x, y = draw.normal(size=(50, 7)), draw.normal(0.5, 1, size=(50, 9))
    ours = mann_whitney(x, y)
    theirs = stats.mannwhitneyu(y, x, axis=1, method="exact")
    assert ours.method == "exact"
    assert np.asarray(ours.p) == pytest.approx(theirs.pvalue, rel=1e-9)
    assert list(ours.statistic) == list(theirs.statistic)


def test_ties_are_exact_where_a_permutation_test_is():
    x, y = [1, 1, 2, 3, 3], [2, 3, 3, 4, 5]
    every = stats.permutation_test(
        (x, y),
        lambda a, b: stats.mannwhitneyu(a, b).statistic,
        permutation_type="independent",
        n_resamples=np.inf,
    )
    assert mann_whitney(x, y).p[0] == pytest.approx(every.pvalue, rel=1e-9)


def test_plain_numbers_make_one_group():
    tests = mann_whitney([1, 2, 3], [4, 5, 6])
    assert list(tests.p) == pytest.approx([0.1])
    assert tests.least_p == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("x", "y", "words"),
    [
        (np.zeros((2, 3)), np.zeros((3, 3)), "2 groups"),
        (np.zeros((1, 1, 1)), np.zeros((1, 1, 1)), "dimension"),
        ([1.0, float("nan")], [1.0], "finite"),
    ],
)
def test_what_cannot_be_tested_is_refused(x, y, words):
    with pytest.raises(ValueError, match=words):
        mann_whitney(x, y)
