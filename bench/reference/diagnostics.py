"""Reference cases of Spearman's correlation."""

from scipy import stats

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260107)
cases = []
while len(cases) < 200:
    n, span = lcg.choice(8, 9, 15, 40, 300), lcg.choice(3, 20, 8_000_000)
    x = recipe(lcg.below(1 << 20), n, -5, span, lcg.choice(1.0, 1e-300, 1e290))
    y = recipe(lcg.below(1 << 20), n, 5, span, 1.0)
    a, b = sample(x), sample(y)
    if len(set(a)) == 1 or len(set(b)) == 1:
        continue
    test = stats.spearmanr(a, b)
    trend = stats.spearmanr(range(n), b).statistic
    drift = 2 * stats.norm.sf(abs(trend) * (n - 1) ** 0.5)
    cases.append({"x": x, "y": y, "rho": number(test.statistic), "p": number(test.pvalue), "drift": number(drift)})
write("diagnostics", "stats.spearmanr", cases)
