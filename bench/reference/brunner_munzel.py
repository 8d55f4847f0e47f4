"""Reference cases of the Brunner-Munzel test with the interval of the superiority."""

import math
import warnings

import mpmath
import numpy as np
from rank_cases import columns
from scipy import stats

from cases import Lcg, number, sample, write

mpmath.mp.dps = 40
lcg = Lcg(20260224)


def placements(own: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Count for each value the smaller ones among the others, and half of those equal to it."""
    ordered = np.sort(other)
    return (np.searchsorted(ordered, own, "left") + np.searchsorted(ordered, own, "right")) / 2


def t_tails(t: float, df: float) -> mpmath.mpf:
    """Return both tails of Student's t."""
    t, df = mpmath.mpf(float(t)), mpmath.mpf(float(df))
    return mpmath.betainc(df / 2, mpmath.mpf(1) / 2, 0, df / (df + t * t), regularized=True)


def apart(x: np.ndarray, y: np.ndarray) -> dict:
    """Describe the test of samples without overlap, or with only one value: the p of the permutation test."""
    pooled = np.sort(np.concatenate([x, y]))
    rises = x.max() < y.min()
    if pooled[0] == pooled[-1]:
        statistic, p, superiority = 0.0, 1.0, 0.5
    else:
        border = len(y) if rises else len(x)
        extreme = 2 if pooled[border - 1] < pooled[border] else 1
        statistic, superiority = (math.inf, 1.0) if rises else (-math.inf, 0.0)
        p = mpmath.mpf(extreme) / math.comb(len(pooled), len(x))
    by = "definition: no variance, SciPy gives no p"
    return {
        "by": by,
        "statistic": statistic,
        "df": math.nan,
        "p": p,
        "superiority": superiority,
        "ends": [math.nan] * 2,
    }


def overlapping(x: np.ndarray, y: np.ndarray, confidence: float) -> dict:
    """Describe the test if there is variance; the interval follows from the placements."""
    m, n = len(x), len(y)
    px, py = placements(x, y), placements(y, x)
    variances = np.array([px.var(ddof=1) / (m * n * n), py.var(ddof=1) / (n * m * m)])
    df = variances.sum() ** 2 / (variances**2 / [m - 1, n - 1]).sum()
    test = stats.brunnermunzel(x, y)
    superiority = py.mean() / m
    half = stats.t.isf((1 - confidence) / 2, df) * math.sqrt(variances.sum())
    # SciPy's tail of t loses digits when it is small.
    by, p = ("SciPy", test.pvalue) if test.pvalue > 1e-3 else ("SciPy, p by mpmath", t_tails(test.statistic, df))
    ends = [max(superiority - half, 0.0), min(superiority + half, 1.0)]
    # The sign of SciPy's statistic is that of the ranks of y over those of x, like ours.
    return {"by": by, "statistic": test.statistic, "df": df, "p": p, "superiority": superiority, "ends": ends}


cases = []
while len(cases) < 260:
    m, n = (2 + lcg.below(lcg.choice(3, 10, 60)) for _ in range(2))
    if len(cases) >= 248:
        m, n = lcg.choice(2, 50, 1000, 5000), lcg.choice(2, 700, 5000)
    x, y = columns(lcg, [m, n])
    a, b = sample(x), sample(y)
    confidence = lcg.choice(0.8, 0.95, 0.99)
    constant = a.min() == a.max() == b.min() == b.max()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        test = apart(a, b) if constant or a.max() < b.min() or b.max() < a.min() else overlapping(a, b, confidence)
    low, high = test.pop("ends")
    values = {
        name: value if name == "by" else number(value) for name, value in (test | {"low": low, "high": high}).items()
    }
    cases.append({"x": x, "y": y, "confidence": confidence} | values)
how = "stats.brunnermunzel(x, y); df and interval from the placements by stats.t"
write("brunner_munzel", f"mpmath {mpmath.__version__}, {how}", cases)
