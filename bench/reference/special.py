"""Reference cases of the distribution functions, to full precision by mpmath where SciPy is not good to 1e-12."""

import mpmath

from cases import Lcg, number, write

mpmath.mp.dps = 60
lcg = Lcg(20260106)


def t_sf(t: float, df: float) -> mpmath.mpf:
    """Return the upper tail of Student's t."""
    t, df = mpmath.mpf(t), mpmath.mpf(df)
    tail = mpmath.betainc(df / 2, mpmath.mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return 1 - tail if t < 0 else tail


def binomial_cdf(k: int, n: int, p: float) -> mpmath.mpf:
    """Sum the probabilities."""
    p = mpmath.mpf(p)
    term, total = (1 - p) ** n, mpmath.mpf(0)
    for j in range(k + 1):
        total += term
        term *= mpmath.mpf(n - j) / (j + 1) * p / (1 - p)
    return total


def t_quantile(p: float, df: float) -> mpmath.mpf:
    """Invert the upper tail, starting from SciPy's solution."""
    from scipy import stats

    p = mpmath.mpf(p)
    return mpmath.findroot(lambda t: t_sf(t, df) - (1 - p), mpmath.mpf(float(stats.t.ppf(float(p), df))))


cases = []
for i in range(-76, 77):
    cases.append({"f": "norm_cdf", "a": [i / 2], "value": number(mpmath.ncdf(mpmath.mpf(i / 2)))})
for i in range(200):
    p = 10.0 ** -(i * 1.5) if i < 100 else (i - 99) / 101
    value = mpmath.sqrt(2) * mpmath.erfinv(2 * mpmath.mpf(p) - 1) if p > 1e-40 else None
    if value is not None:
        cases.append({"f": "norm_quantile", "a": [p], "value": number(value)})
for df in (1, 1.5, 2, 3.7, 5, 10, 30.25, 61, 100, 999.5, 12345, 1e6):
    for t in (-4, -1, -1e-5, 1e-3, 0.3, 1, 1.4, 1.9, 2.7, 5, 12, 40, 1e4):
        cases.append({"f": "t_sf", "a": [t, df], "value": number(t_sf(t, df))})
for df in (1, 1.5, 2, 3.7, 5, 10, 30.25, 61, 999.5, 12345):
    for p in (0.001, 0.025, 0.1, 0.4, 0.499, 0.6, 0.9, 0.975, 0.995, 0.99995):
        cases.append({"f": "t_quantile", "a": [p, df], "value": number(t_quantile(p, df))})
for _ in range(200):
    n = lcg.choice(1, 2, 7, 20, 60, 500, 1000, 3000)
    k, p = lcg.below(n + 1), lcg.choice(0.5, 0.5, 0.5, 0.01, 0.3, 0.97)
    cases.append({"f": "binomial_cdf", "a": [k, n, p], "value": number(binomial_cdf(k, n, p))})
for _ in range(120):
    n = lcg.choice(1, 5, 30, 98, 1000, 100_000, 8_000_000)
    k = lcg.choice(lcg.below(n + 1), lcg.below(min(n + 1, 40)))
    value = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
    cases.append({"f": "ln_choose", "a": [n, k], "value": number(value)})
write("special", f"mpmath {mpmath.__version__} with 60 digits", cases)
