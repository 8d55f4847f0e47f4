"""Reference cases of the upper tails of the chi-squared and the F distribution, by mpmath."""

import mpmath

from cases import Lcg, number, write

mpmath.mp.dps = 60
lcg = Lcg(20260226)


def chi_squared_sf(x: float, df: float) -> mpmath.mpf:
    """Return the upper tail of chi-squared."""
    return mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(x) / 2, mpmath.inf, regularized=True)


def f_sf(f: float, df1: float, df2: float) -> mpmath.mpf:
    """Return the upper tail of F."""
    f, df1, df2 = mpmath.mpf(f), mpmath.mpf(df1), mpmath.mpf(df2)
    return mpmath.betainc(df2 / 2, df1 / 2, 0, df2 / (df2 + df1 * f), regularized=True)


cases = []
for df in (1, 2, 3, 4, 5, 7, 10, 19, 39, 40, 41, 60, 101, 500, 2000, 10_000, 1.5, 3.7, 41.25, 777.7):
    for share in (1e-6, 0.01, 0.3, 0.8, 0.97, 1, 1.03, 1.2, 1.5, 2, 3, 5, 10, 30, 100, 300, 1000):
        x = df * share
        p = chi_squared_sf(x, df)
        if p > 1e-300:
            cases.append({"f": "chi_squared_sf", "a": [x, df], "value": number(p)})
    for x in (600, 1300, 1370):
        if chi_squared_sf(x, df) > 1e-300:
            cases.append({"f": "chi_squared_sf", "a": [x, df], "value": number(chi_squared_sf(x, df))})
while len(cases) < 1000:
    df1, df2 = (lcg.choice(1, 2, 3, 5, 9, 19, 100, 1.5, 2.75) for _ in range(2))
    df2 *= lcg.choice(1, 4, 19, 49, 999, 4999)
    f = lcg.choice(1e-6, 0.1, 0.5, 0.9, 0.999, 1, 1.001, 1.1, 1.5, 2, 4, 9, 25, 100, 1e3, 1e5, 1e9, 1e30)
    p = f_sf(f, df1, df2)
    if p > 1e-300:
        cases.append({"f": "f_sf", "a": [f, df1, df2], "value": number(p)})
write("tails", f"mpmath {mpmath.__version__} with 60 digits, tails down to 1e-300", cases)
