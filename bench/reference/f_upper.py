"""Reference cases of the F distribution by R's pf and qf, checked with mpmath."""

import mpmath
import numpy as np
from r_calls import call, versions

from cases import Lcg, number, write

mpmath.mp.dps = 60


def tail(f: float, df1: float, df2: float) -> mpmath.mpf:
    """Return the upper tail of F."""
    f, df1, df2 = mpmath.mpf(f), mpmath.mpf(df1), mpmath.mpf(df2)
    return mpmath.betainc(df2 / 2, df1 / 2, 0, df2 / (df2 + df1 * f), regularized=True)


lcg = Lcg(20260211)
asked = []
for df1 in (1, 2, 3, 5, 9, 29, 400, 4999):
    for df2 in (1, 2, 4, 11, 60, 900, 4990):
        asked += [[lcg.choice(0.005, 0.025, 0.1, 0.3, 0.5, 0.9, 0.995, 1e-9), df1, df2] for _ in range(4)]
quantiles = call("function(x, a) qf(x[1], x[2], x[3], lower.tail = FALSE)", [np.array(a) for a in asked])
cases = []
for (p, df1, df2), (f,) in zip(asked, quantiles, strict=True):
    # A Newton step from R's quantile to the full precision of a float.
    slope = mpmath.diff(lambda v, d1=df1, d2=df2: mpmath.log(tail(v, d1, d2)), f)
    precise = f - (mpmath.log(tail(f, df1, df2)) - mpmath.log(mpmath.mpf(p))) / slope
    if abs(precise - f) > 1e-8 * f:
        raise SystemExit(f"{p} {df1} {df2}: R has {f}, mpmath {precise}")
    cases.append({"tail": p, "df1": df1, "df2": df2, "f": number(precise)})
write("f_upper", f"{versions()}: qf(lower.tail = FALSE), to full precision by mpmath {mpmath.__version__}", cases)
