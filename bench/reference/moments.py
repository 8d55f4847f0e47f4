"""Reference cases of skewness, kurtosis, trimmed mean and coefficient of variation."""

import warnings

import numpy as np
from scipy import stats
from shape_cases import recipes, whole

from cases import number, sample, write

SHARES = [0.0, 0.1, 0.2, 0.25, 0.49]
warnings.simplefilter("ignore")
cases = []
for made in recipes(20260209, 1, 240):
    values = sample({**made, "scale": 1.0})
    if values.min() < 0:
        # A mean near 0 is a difference of larger numbers.
        made["low"] = 1
        values = sample({**made, "scale": 1.0})
    shape, varies = whole(made), len(set(values)) > 1
    n, unit = len(values), made["scale"]
    cases.append(
        {
            "values": made,
            "skewness": number(stats.skew(shape, bias=False)) if n > 2 and varies else "NaN",
            "excess_kurtosis": number(stats.kurtosis(shape, bias=False)) if n > 3 and varies else "NaN",
            "shares": SHARES,
            "trimmed_means": [number(stats.trim_mean(values, share) * unit) for share in SHARES],
            "variation": number(np.std(shape, ddof=1) / np.mean(values)) if n > 1 and values.any() else "NaN",
        },
    )
write(
    "moments",
    "stats.skew and stats.kurtosis with bias=False of the values less their least, stats.trim_mean, and"
    " np.std(ddof=1) / np.mean; without the unit",
    cases,
)
