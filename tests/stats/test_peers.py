"""Each procedure against SciPy, or against its definition where SciPy has none."""

import itertools
import math

import numpy as np
import pytest
from data import BLOCKS, TIED_X, TIED_Y, X, Y, Z
from scipy import stats as peer

from statera import stats
from support import every


def near(value):
    return pytest.approx(value, rel=1e-9)


def test_mann_whitney_without_ties():
    theirs = peer.mannwhitneyu(Y, X, method="exact")
    ours = stats.mann_whitney(X, Y)
    assert (ours.statistic, ours.p, ours.method) == (theirs.statistic, near(theirs.pvalue), "exact")
    assert ours.superiority == near(theirs.statistic / 400)


def test_mann_whitney_with_ties_is_the_permutation_test():
    x, y = [1, 1, 2, 3, 3], [2, 3, 3, 4, 5]
    every = peer.permutation_test(
        (x, y), lambda a, b: peer.mannwhitneyu(a, b).statistic, permutation_type="independent", n_resamples=np.inf
    )
    assert stats.mann_whitney(x, y).p == near(every.pvalue)


def test_mann_whitney_of_many_values_is_scipys_normal_approximation():
    x, y = np.round(np.arange(80) * 0.37) % 13, np.round(np.arange(60) * 0.53) % 11 + 1
    theirs = peer.mannwhitneyu(y, x, method="asymptotic", use_continuity=True)
    ours = stats.mann_whitney(x, y)
    assert (ours.p, ours.method) == (near(theirs.pvalue), "normal")


def test_the_shift_is_the_median_of_all_differences_and_its_interval_inverts_the_test():
    ours = stats.mann_whitney(X, Y)
    assert ours.estimate == near(np.median(np.subtract.outer(Y, X)))
    low = ours.interval.low
    assert stats.mann_whitney(X, Y - (low + 1e-9)).p > 0.05 >= stats.mann_whitney(X, Y - (low - 1e-9)).p
    assert stats.hodges_lehmann(X, Y).interval == ours.interval


def test_signed_rank():
    theirs = peer.wilcoxon(Y - X, method="exact")
    ours = stats.signed_rank(X, Y)
    assert min(ours.statistic, 210 - ours.statistic) == theirs.statistic
    assert ours.p == near(theirs.pvalue)
    walsh = [(a + b) / 2 for a, b in itertools.combinations_with_replacement(Y - X, 2)]
    assert ours.estimate == near(np.median(walsh))
    assert stats.signed_rank(Y - X) == ours


def test_signed_rank_with_pratts_zeros():
    d = np.concatenate([TIED_Y - TIED_X, np.zeros(60), np.arange(1, 70)])
    theirs = peer.wilcoxon(d, zero_method="pratt", correction=True, method="asymptotic")
    ours = stats.signed_rank(d, zeros="pratt")
    assert ours.p == near(theirs.pvalue)
    assert ours.interval is None
    assert "differences of 0 were left out of the test" in stats.signed_rank(d).warnings


def test_sign_test():
    above = int(np.sum(Y > X))
    ours = stats.sign_test(X, Y)
    assert (ours.statistic, ours.p) == (above, near(peer.binomtest(above, 20).pvalue))
    assert ours.estimate == near(np.median(Y - X))


def test_brunner_munzel():
    theirs = peer.brunnermunzel(X, Y)
    ours = stats.brunner_munzel(X, Y)
    # SciPy's statistic is that of x over y.
    assert (abs(ours.statistic), ours.p) == (near(abs(theirs.statistic)), near(theirs.pvalue))
    assert ours.estimate == near(stats.mann_whitney(X, Y).superiority)


def test_welch():
    theirs = peer.ttest_ind(Y, X, equal_var=False)
    ours = stats.welch(X, Y)
    assert (ours.statistic, ours.p) == (near(theirs.statistic), near(theirs.pvalue))
    ends = theirs.confidence_interval(0.95)
    assert (ours.interval.low, ours.interval.high) == (near(ends.low), near(ends.high))


def test_kruskal_wallis_friedman_and_quade():
    samples = BLOCKS.T
    ours, theirs = stats.kruskal_wallis(*samples), peer.kruskal(*samples)
    assert (ours.statistic, ours.p, ours.n) == (near(theirs.statistic), near(theirs.pvalue), (20, 20, 20))
    ours, theirs = stats.friedman(*samples), peer.friedmanchisquare(*samples)
    assert (ours.statistic, ours.p, ours.n) == (near(theirs.statistic), near(theirs.pvalue), 20)
    assert ours.estimate == near(theirs.statistic / 40)
    ranks = peer.rankdata(BLOCKS, axis=1) - 2
    weights = peer.rankdata(np.ptp(BLOCKS, axis=1))
    weighted = weights[:, None] * ranks
    between = np.sum(weighted.sum(axis=0) ** 2) / 20
    f = 19 * between / (np.sum(weighted**2) - between)
    ours = stats.quade(*samples)
    assert (ours.statistic, ours.p, ours.df) == (near(f), near(peer.f.sf(f, 2, 38)), (2, 38))


def test_normality():
    theirs = peer.shapiro(Z)
    ours = stats.shapiro_wilk(Z)
    assert (ours.statistic, ours.p) == (near(theirs.statistic), pytest.approx(theirs.pvalue, 1e-7))
    standard = np.sort((Z - Z.mean()) / Z.std(ddof=1))
    places = 2 * np.arange(1, 26) - 1
    tails = peer.norm.logcdf(standard) + peer.norm.logsf(standard[::-1])
    assert stats.anderson_darling(Z).statistic == near(-25 - np.sum(places * tails) / 25)
    many = peer.norm.ppf((np.arange(5001) + 0.5) / 5001)
    assert stats.normality(many) == stats.anderson_darling(many)
    assert stats.normality(Z) == ours


def test_centres():
    n, mean, sd = 25, Z.mean(), Z.std(ddof=1)
    half = peer.t.ppf(0.975, n - 1) * sd / math.sqrt(n)
    ours = stats.mean(Z)
    assert (ours.estimate, ours.interval.low, ours.interval.high) == (near(mean), near(mean - half), near(mean + half))
    logs = stats.mean(np.log(Z))
    ours = stats.geometric_mean(Z)
    assert (ours.estimate, ours.interval.high) == (near(peer.gmean(Z)), near(math.exp(logs.interval.high)))
    ours = stats.trimmed_mean(Z, share=0.2)
    assert ours.estimate == near(peer.trim_mean(Z, 0.2))
    drawn = np.asarray(peer.mstats.winsorize(Z, (0.2, 0.2)))
    error = math.sqrt(np.var(drawn, ddof=1) * 24 / (15 * 14))
    assert ours.interval.high == near(ours.estimate + peer.t.ppf(0.975, 14) * error)


def test_the_interval_of_a_quantile_covers_by_the_binomial_distribution():
    found = stats.quantiles(Z, levels=(0.25, 0.5, 0.99))
    ordered = np.sort(Z)
    assert [one.estimate for one in found] == [near(v) for v in np.quantile(Z, [0.25, 0.5, 0.99])]
    for one in found[:2]:
        low, high = np.searchsorted(ordered, [one.interval.low, one.interval.high])
        covered = peer.binom.cdf(high, 25, one.quantile) - peer.binom.cdf(low, 25, one.quantile)
        assert one.interval.level == near(covered)
        assert one.interval.level >= 0.95
    assert found[2].interval is None
    assert found[2].warnings
    assert stats.quantile(Z, 0.5).interval == stats.median(Z).interval


def test_harrell_davis():
    ours = stats.harrell_davis(Z, levels=(0.1, 0.5))
    theirs = peer.mstats.hdquantiles(Z, prob=[0.1, 0.5])
    assert [one.estimate for one in ours] == [near(value) for value in theirs]


def test_the_bootstrap_of_a_mean_lies_where_scipys_does():
    ours = stats.bootstrap(Z, resamples=9999, withhold=False)
    theirs = peer.bootstrap((Z,), np.mean, n_resamples=9999, rng=1).confidence_interval
    width = theirs.high - theirs.low
    assert ours.interval.low == pytest.approx(theirs.low, abs=0.05 * width)
    assert ours.interval.high == pytest.approx(theirs.high, abs=0.05 * width)
    assert ours.bias_correction is not None


def test_the_bootstrap_of_a_function_of_python_is_that_of_the_word():
    word = stats.bootstrap(Z, statistic="mean", method="percentile", resamples=9999, withhold=False)
    for values, function in ((Z, np.mean), (Z.tolist(), lambda v: sum(v) / len(v))):
        ours = stats.bootstrap(values, statistic=function, method="percentile", resamples=9999)
        assert ours.estimate == near(word.estimate)
        assert ours.interval.low == pytest.approx(word.interval.low, rel=0.01)
        assert ours.resamples == 9999


def test_what_a_function_raises_comes_out():
    with pytest.raises(ZeroDivisionError):
        stats.bootstrap([1, 2, 3, 4], statistic=lambda _: 1 / 0)


def test_block_bootstrap_of_blocks_of_one_is_the_plain_one():
    blocks = stats.block_bootstrap(Z, length=1, withhold=False)
    plain = stats.bootstrap(Z, method="percentile", withhold=False)
    assert blocks.interval.low == pytest.approx(plain.interval.low, rel=0.01)
    assert blocks.length == 1
    series = np.convolve(np.random.default_rng(3).normal(size=300), np.ones(8), "valid")
    assert stats.block_bootstrap(series).length > 3


def test_the_shift_function_moves_with_the_sample():
    x = np.concatenate([X, Z])
    for point in stats.shift_function(x, x + 3.0, levels=(0.3, 0.5), resamples=500):
        assert point.estimate == near(3.0)
        assert point.interval.low <= 3.0 <= point.interval.high
    doubled = stats.shift_function(x, 2 * x, ratio=True, paired=True, levels=(0.5,), resamples=500)[0]
    assert (doubled.estimate, doubled.interval.low) == (near(1.0), near(1.0))
    few = stats.shift_function(X, Y, levels=(0.05,))[0]
    assert few.interval is None
    assert few.warnings


def test_shape():
    ours = stats.moments(Z)
    assert ours.estimate == near(Z.mean())
    assert ours.skewness == near(peer.skew(Z, bias=False))
    assert ours.excess_kurtosis == near(peer.kurtosis(Z, bias=False))
    assert ours.coefficient_of_variation == near(peer.variation(Z, ddof=1))
    # The dip of equal steps is the least there is.
    assert stats.dip(np.linspace(0, 1, 101)).statistic == near(1 / 202)
    two = np.concatenate([peer.norm.ppf(np.linspace(0.02, 0.98, 60)), 9 + peer.norm.ppf(np.linspace(0.02, 0.98, 40))])
    assert stats.modes(two).estimate == 2
    assert stats.modes(two[:60]).estimate == 1


def test_density_is_the_mean_of_normal_densities():
    ours = stats.density(Z, width=0.7, low=0.0, high=20.0, points=41)
    theirs = peer.norm.pdf(np.asarray(ours.at)[:, None], Z, 0.7).mean(axis=1)
    assert ours.density == pytest.approx(theirs, rel=1e-9, abs=1e-12)
    nrd0 = 0.9 * min(Z.std(ddof=1), peer.iqr(Z) / 1.34) * 25**-0.2
    assert stats.bandwidth(Z, rule="nrd0").estimate == near(nrd0)
    chosen = stats.density(Z)
    assert chosen.estimate == stats.bandwidth(Z).estimate
    assert np.trapezoid(chosen.density, chosen.at) == pytest.approx(1.0, abs=0.005)


def test_corrections():
    p = [0.001, 0.02, 0.03, 0.2, 0.9]
    assert stats.adjust(p).p == near(tuple(peer.false_discovery_control(p)))
    theirs = peer.false_discovery_control(p, method="by")
    assert stats.adjust(p, correction="benjamini-yekutieli").p == near(tuple(theirs))
    assert stats.adjust([0.01, None, 0.02], correction="bonferroni").p == (0.02, None, 0.04)


def test_westfall_young_of_one_row_is_the_permutation_test():
    x, y = X[:5], Y[:5]
    ours = stats.westfall_young([x], [y])
    every = peer.permutation_test(
        (x, y), lambda a, b: abs(np.mean(a) - np.mean(b)), alternative="greater", n_resamples=np.inf
    )
    assert (ours.p[0], ours.exact, ours.relabelings) == (near(every.pvalue), True, 252)


def test_westfall_young_of_pairs_and_pools():
    ours = stats.westfall_young([[1.0, 2.0, 1.5, 3.0], [0.0, 0.0, 0.0, 0.0], [1.0, -2.0, 1.5, 0.5]])
    assert ours.p[0] == 0.125
    assert ours.p[1] is None
    apart = stats.westfall_young([X, Y, Z[:20]], pools=[0, 1, 1], relabelings=99)
    assert not apart.exact
    with pytest.raises(ValueError, match="3 rows and 1 pools"):
        stats.westfall_young([X, Y, Z[:20]], pools=[0])


def test_equivalence_by_welch_is_two_one_sided_tests():
    ours = stats.tost(X, Y, low=-2.0, high=2.0, method="welch")
    below = peer.ttest_ind(Y, X - 2.0, equal_var=False, alternative="greater").pvalue
    above = peer.ttest_ind(Y, X + 2.0, equal_var=False, alternative="less").pvalue
    assert (ours.p_low, ours.p_high, ours.p) == (near(below), near(above), near(max(below, above)))
    assert ours.interval.level == near(0.9)


@every("method", ["rank", "welch", "signed-rank", "t"])
def test_what_is_equivalent_lies_within_its_margin(method):
    y = X + np.linspace(-0.1, 0.1, 20)
    ours = stats.tost(X, y, low=-1.5, high=1.5, method=method)
    assert ours.equivalent
    assert -1.5 <= ours.interval.low <= ours.estimate <= ours.interval.high <= 1.5
    assert not stats.tost(X, y + 1.5, low=-1.5, high=1.5, method=method).equivalent


def test_with_ties_a_one_sided_p_is_not_half_of_a_two_sided_one():
    x, y, margin = [2, 1, 0, 2], [0, 3, 3, 5, 2, 0], 3
    ours = stats.tost(x, y, low=-margin, high=margin)
    ranks = peer.rankdata([*x, *(value - margin for value in y)])
    sums = [sum(ranks[list(places)]) for places in itertools.combinations(range(10), 6)]
    below = sum(total <= sum(ranks[4:]) for total in sums) / len(sums)
    far = abs(sum(ranks[4:]) - 33)
    two_sided = sum(abs(total - 33) >= far for total in sums) / len(sums)
    assert ours.p == ours.p_high == near(below) == near(14 / 210)
    assert two_sided / 2 < 0.9 * below


def test_order():
    ours = stats.drift(X)
    assert ours.estimate == near(peer.spearmanr(X, np.arange(20)).statistic)
    centred = X - X.mean()
    assert stats.autocorrelation(X).estimate == near(np.sum(centred[1:] * centred[:-1]) / np.sum(centred**2))
    assert stats.outliers([*X, 1000.0]).estimate == stats.outliers(X).estimate + 1
    assert stats.timer_resolution([0.003, 0.007, 0.0045, 0.0105]).estimate == near(0.0005)
    found = stats.segments(np.concatenate([X, X + 20.0, X]))
    assert (found.starts, found.estimate) == ((20, 40), 2)
    assert found.means == near((X.mean(), X.mean() + 20.0, X.mean()))
    warm = stats.warm_up(np.concatenate([X[:6] + 20.0, X, X]))
    assert (warm.estimate, warm.level_after) == (6, near(np.median(np.concatenate([X, X]))))


def test_variance_components():
    runs = np.array([[1.0, 2.0, 3.0], [4.0, 4.5, 5.0], [2.0, 3.0, 7.0]])
    theirs = peer.f_oneway(*runs)
    ours = stats.variance_components(*runs)
    within = np.var(runs, axis=1, ddof=1).mean()
    between = np.var(runs.mean(axis=1), ddof=1) - within / 3
    assert (ours.statistic, ours.p) == (near(theirs.statistic), near(theirs.pvalue))
    assert (ours.within, ours.between) == (near(within), near(between))
    assert ours.estimate == near(between / (between + within))


def test_power():
    runs = stats.runs_for(0.02, math.log(1.01)).estimate
    assert stats.detectable(0.02, int(runs)).estimate <= math.log(1.01)
    assert stats.detectable(0.02, int(runs) - 1).estimate > math.log(1.01)
    assert stats.least_runs(rows=1).estimate == 4
    assert stats.least_runs(rows=50).estimate == 7
    assert stats.detectable(0.02, 3).estimate is None
