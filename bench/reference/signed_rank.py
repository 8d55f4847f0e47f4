"""Reference cases of the signed-rank test: exact without ties and zeros, normal with both rules for zeros."""

import numpy as np
from scipy import stats

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260102)
cases = []
while len(cases) < 420:
    exact = len(cases) < 140
    zeros = "wilcox" if exact else lcg.choice("wilcox", "pratt")
    n = 1 + lcg.below(49) if exact else lcg.choice(50, 61, 90, 200, 500)
    if len(cases) >= 415:
        n = 5000
    span = 8_000_000 if exact else lcg.choice(3, 9, 40, 1000, 8_000_000)
    made = recipe(lcg.below(1 << 20), n, -(span * (30 + lcg.below(40))) // 100, span, lcg.choice(1.0, 1e-300, 1e290))
    d = sample(made)
    nonzero = d[d != 0]
    if exact and (len(nonzero) < n or len(set(np.abs(d))) < n):
        continue
    if not exact and len(nonzero) < 50:
        continue
    test = stats.wilcoxon(d, zero_method=zeros, correction=not exact, method="exact" if exact else "asymptotic")
    size = np.abs(nonzero if zeros == "wilcox" else d)
    ranks = stats.rankdata(size)
    statistic = ranks[(nonzero if zeros == "wilcox" else d) > 0].sum()
    cases.append({"d": made, "zeros": zeros, "exact": exact, "statistic": number(statistic), "p": number(test.pvalue)})
write("signed_rank", "stats.wilcoxon, exact where untied and below 50, else asymptotic with correction", cases)
