"""Reference cases of the Mann-Whitney test by R: exact without ties, exact with ties by coin, and normal."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

# a: number of values of x. W of y over x, and p.
WILCOX = """function(x, a) {
  test <- wilcox.test(x[-seq_len(a[1])], x[seq_len(a[1])], exact = EXACT, correct = TRUE)
  c(test$statistic, test$p.value)
}"""
COIN = """function(x, a) {
  side <- factor(rep(c("x", "y"), c(a[1], length(x) - a[1])))
  ranks <- rank(x)
  w <- sum(ranks[-seq_len(a[1])]) - (length(x) - a[1]) * (length(x) - a[1] + 1) / 2
  c(w, pvalue(wilcox_test(x ~ side, distribution = exact())))
}"""
FUNCTIONS = {
    "wilcox.test, exact": WILCOX.replace("EXACT", "TRUE"),
    "wilcox.test, normal": WILCOX.replace("EXACT", "FALSE"),
    "coin::wilcox_test, exact": COIN,
}


def described(lcg: Lcg, how: str) -> tuple[dict, np.ndarray, list[float]] | None:
    """Describe a case that the peer accepts: R's exact test takes no ties, coin no samples of one value."""
    large = "normal" in how
    most = 24 if "coin" in how else 49
    m, n = (
        ((50 + lcg.below(lcg.choice(10, 200, 4951)), 1 + lcg.below(lcg.choice(20, 300, 5000))))
        if large
        else (
            1 + lcg.below(most),
            1 + lcg.below(most),
        )
    )
    span = (
        lcg.choice(1, 2, 5, 30, 1000, 8_000_000) if large else lcg.choice(2, 3, 6, 20) if "coin" in how else 8_000_000
    )
    scale = lcg.choice(1.0, 1e-300, 1e290, 2.0**-20)
    x, y = (recipe(lcg.below(1 << 20), size, -lcg.below(span + 1) // 2, span, scale) for size in (m, n))
    pooled = np.append(sample(x), sample(y))
    distinct = len(set(pooled))
    if distinct == 1 or ("coin" not in how and not large and distinct < m + n):
        return None
    return {"x": x, "y": y, "exact": not large, "by": how}, pooled / scale, [m]


lcg = Lcg(20260204)
cases = []
for how, function in FUNCTIONS.items():
    found = []
    while len(found) < 200:
        case = described(lcg, how)
        if case:
            found.append(case)
    rows = call(function, [v for _, v, _ in found], [a for *_, a in found], "library(coin)")
    for (case, _, _), (statistic, p) in zip(found, rows, strict=True):
        cases.append(case | {"statistic": number(statistic), "p": number(p)})
write("mann_whitney_r", f"{versions('coin')}: {'; '.join(FUNCTIONS)}", cases)
