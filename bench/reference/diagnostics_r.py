"""Reference cases of correlations over the order of measurement by R."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

# x followed by y: Spearman's correlation with p by Student's t; p of the trend of y; correlation of y with itself at
# lag one.
ALL = """function(x, a) {
  n <- length(x) / 2; y <- x[-seq_len(n)]; x <- x[seq_len(n)]; order <- seq_len(n)
  test <- cor.test(x, y, method = "spearman", exact = FALSE)
  trend <- pvalue(spearman_test(y ~ order, distribution = "asymptotic"))
  c(test$estimate, test$p.value, trend, acf(y, lag.max = 1, plot = FALSE)$acf[2])
}"""
lcg = Lcg(20260210)
found = []
while len(found) < 240:
    n, span = lcg.choice(8, 9, 15, 40, 300, 1300, 5000), lcg.choice(2, 3, 20, 8_000_000)
    x, y = (recipe(lcg.below(1 << 20), n, -5, span, lcg.choice(1.0, 1e-60, 1e60)) for _ in range(2))
    a, b = sample(x), sample(y)
    if len(set(a)) > 1 and len(set(b)) > 1:
        found.append(({"x": x, "y": y}, np.append(a, b)))
names = ("rho", "p", "drift", "lag_one")
rows = call(ALL, [v for _, v in found], None, "library(coin)")
cases = [case | dict(zip(names, map(number, row), strict=True)) for (case, _), row in zip(found, rows, strict=True)]
write("diagnostics_r", f"{versions('coin')}: cor.test(exact = FALSE), spearman_test, acf", cases)
