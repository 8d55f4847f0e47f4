"""Reference cases of Welch's t by R."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

# a: number of values of x, confidence.
WELCH = """function(x, a) {
  test <- t.test(x[-seq_len(a[1])], x[seq_len(a[1])], conf.level = a[2])
  c(test$statistic, test$p.value, test$conf.int)
}"""
lcg = Lcg(20260206)
found = []
while len(found) < 240:
    m, n = lcg.choice(2, 3, 4, 7, 20, 100, 5000), lcg.choice(2, 3, 4, 9, 30, 1500)
    span, scale = lcg.choice(1, 2, 9, 1000, 8_000_000), lcg.choice(1.0, 1e-60, 1e60, 2.0**-20)
    x, y = (recipe(lcg.below(1 << 20), size, lcg.below(span), lcg.choice(span, 3), scale) for size in (m, n))
    a, b = sample(x), sample(y)
    if len(set(a)) == 1 and len(set(b)) == 1:
        continue
    found.append(({"x": x, "y": y, "confidence": lcg.choice(0.8, 0.95, 0.99)}, np.append(a, b), m))
rows = call(WELCH, [v for _, v, _ in found], [[m, case["confidence"]] for case, _, m in found])
names = ("statistic", "p", "low", "high")
cases = [case | dict(zip(names, map(number, row), strict=True)) for (case, _, _), row in zip(found, rows, strict=True)]
write("welch_r", f"{versions()}: t.test(y, x)", cases)
