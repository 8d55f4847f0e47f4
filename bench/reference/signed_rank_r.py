"""Reference cases of the signed-rank test by R: exact without ties, exact with ties and zeros by coin, and normal."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

WILCOX = """function(x, a) {
  test <- wilcox.test(x, exact = EXACT, correct = TRUE)
  c(test$statistic, test$p.value)
}"""
COIN = """function(x, a) {
  zero <- rep(0, length(x)); kept <- if ("ZEROS" == "Pratt") x else x[x != 0]
  v <- sum(rank(abs(kept))[kept > 0])
  c(v, pvalue(wilcoxsign_test(x ~ zero, distribution = exact(), zero.method = "ZEROS")))
}"""
FUNCTIONS = {
    "wilcox.test, exact": WILCOX.replace("EXACT", "TRUE"),
    "wilcox.test, normal": WILCOX.replace("EXACT", "FALSE"),
    "coin::wilcoxsign_test, exact, zeros dropped": COIN.replace("ZEROS", "Wilcoxon"),
    "coin::wilcoxsign_test, exact, Pratt": COIN.replace("ZEROS", "Pratt"),
}


def described(lcg: Lcg, how: str) -> tuple[dict, np.ndarray] | None:
    """Describe a case that the peer accepts: R's exact test takes no ties and no zeros, coin needs one non-zero."""
    large = "normal" in how
    n = 50 + lcg.below(lcg.choice(10, 200, 4951)) if large else 1 + lcg.below(49)
    span = lcg.choice(3, 9, 40, 1000, 8_000_000) if large else lcg.choice(3, 4, 9, 30) if "coin" in how else 8_000_000
    scale = lcg.choice(1.0, 1e-300, 1e290, 2.0**-20)
    made = recipe(lcg.below(1 << 20), n, -(span * (30 + lcg.below(40))) // 100, span, scale)
    d = sample(made) / scale
    kept = d[d != 0]
    if len(kept) == 0 or (large and len(kept) < 50):
        return None
    if how == "wilcox.test, exact" and len(set(np.abs(kept))) < n:
        return None
    return {"d": made, "zeros": "pratt" if "Pratt" in how else "drop", "exact": not large, "by": how}, d


lcg = Lcg(20260205)
cases = []
for how, function in FUNCTIONS.items():
    found = []
    while len(found) < 200:
        case = described(lcg, how)
        if case:
            found.append(case)
    for (case, _), (statistic, p) in zip(
        found, call(function, [v for _, v in found], None, "library(coin)"), strict=True
    ):
        cases.append(case | {"statistic": number(statistic), "p": number(p)})
write("signed_rank_r", f"{versions('coin')}: {'; '.join(FUNCTIONS)}", cases)
