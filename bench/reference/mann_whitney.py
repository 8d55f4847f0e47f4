"""Reference cases of the Mann-Whitney test: exact without ties, normal with and without."""

from scipy import stats

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260101)
cases = []
while len(cases) < 320:
    exact = len(cases) < 140
    m, n = (1 + lcg.below(49), 1 + lcg.below(49)) if exact else (lcg.choice(50, 60, 77, 200, 1000), 1 + lcg.below(300))
    if len(cases) >= 315:
        m, n = 5000, lcg.choice(1, 50, 4999, 5000)
    span = 8_000_000 if exact else lcg.choice(1, 2, 5, 30, 1000, 8_000_000)
    scale = lcg.choice(1.0, 1.0, 1e-300, 1e290, 2.0**-20)
    x = recipe(lcg.below(1 << 20), m, -lcg.below(span + 1) // 2, span, scale)
    y = recipe(lcg.below(1 << 20), n, -lcg.below(span + 1) // 2, span, scale)
    a, b = sample(x), sample(y)
    if exact and len({*a, *b}) < m + n:
        continue
    if len({*a, *b}) == 1:
        statistic, p = m * n / 2, 1.0
    else:
        test = stats.mannwhitneyu(b, a, method="exact" if exact else "asymptotic", use_continuity=True)
        statistic, p = test.statistic, test.pvalue
    cases.append({"x": x, "y": y, "exact": exact, "statistic": number(statistic), "p": number(p)})
write("mann_whitney", "stats.mannwhitneyu(y, x), exact where untied and below 50, else asymptotic", cases)
