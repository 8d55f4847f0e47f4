"""Reference cases of Welch's t with its interval."""

from scipy import stats

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260104)
cases = []
while len(cases) < 240:
    m, n = lcg.choice(2, 3, 5, 12, 40, 5000), lcg.choice(2, 3, 5, 12, 40, 700)
    span, scale = lcg.choice(2, 9, 1000, 8_000_000), lcg.choice(1.0, 1e-60, 1e60, 2.0**-20)
    x = recipe(lcg.below(1 << 20), m, lcg.below(span), span, scale)
    y = recipe(lcg.below(1 << 20), n, lcg.below(span), lcg.choice(span, 2 * span, 3), scale)
    a, b = sample(x), sample(y)
    if a.std() == 0 and b.std() == 0:
        continue
    test = stats.ttest_ind(b, a, equal_var=False)
    confidence = lcg.choice(0.8, 0.95, 0.99)
    interval = test.confidence_interval(confidence)
    cases.append(
        {
            "x": x,
            "y": y,
            "confidence": confidence,
            "statistic": number(test.statistic),
            "p": number(test.pvalue),
            "low": number(interval.low),
            "high": number(interval.high),
        },
    )
write("welch", "stats.ttest_ind(y, x, equal_var=False)", cases)
