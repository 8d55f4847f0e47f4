"""Reference cases of the prediction interval of one value: Student's t of two samples, one of which has one value."""

from scipy import stats

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260105)
cases = []
while len(cases) < 240:
    m, span, scale = lcg.choice(2, 3, 5, 12, 40), lcg.choice(2, 9, 1000, 8_000_000), lcg.choice(1.0, 1e-60, 1e60)
    x = recipe(lcg.below(1 << 20), m, lcg.below(span), span, scale)
    y = recipe(lcg.below(1 << 20), 1, lcg.below(span), lcg.choice(span, 2 * span, 3), scale)
    if lcg.below(2):
        x, y = y, x
    a, b = sample(x), sample(y)
    if a.std() == 0 and b.std() == 0:
        continue
    # A side of one value adds nothing to the pooled variance.
    test = stats.ttest_ind(b, a, equal_var=True)
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
write("prediction", "stats.ttest_ind(y, x, equal_var=True), one side of one value", cases)
