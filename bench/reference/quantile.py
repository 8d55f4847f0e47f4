"""Reference cases of quantiles, location and spread."""

import numpy as np
from scipy import stats

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260103)
cases = []
for k in range(240):
    n = 1 + k % 40 if k < 160 else lcg.choice(63, 64, 65, 66, 100, 1001, 5000)
    span = lcg.choice(1, 3, 50, 8_000_000)
    scale = lcg.choice(1.0, 1e-300, 1e290, 2.0**-30)
    made = recipe(lcg.below(1 << 20), n, lcg.choice(1, 1, 1_000_000_000, -span), span, scale)
    v = sample(made)
    positive = bool((v > 0).all())
    unit = max(float(np.abs(v).max()), 1e-300)
    cases.append(
        {
            "values": made,
            "p": [0.0, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99, 1.0],
            "quantiles": [number(q) for q in np.quantile(v, [0.0, 0.05, 0.1, 0.25, 0.5, 0.9, 0.99, 1.0])],
            "median": number(np.median(v)),
            "iqr": number(stats.iqr(v)),
            "mad": number(stats.median_abs_deviation(v)),
            "mean": number(np.mean(v / unit) * unit),
            "sd": number(np.std((v - v[0]) / unit, ddof=1) * unit) if n > 1 else "NaN",
            "geometric_mean": number(np.exp(np.mean(np.log(v)))) if positive else "NaN",
        },
    )
write(
    "quantile",
    "np.quantile, np.median, stats.iqr, stats.median_abs_deviation, np.mean, np.std, exp of mean log",
    cases,
)
