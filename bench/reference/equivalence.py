"""Reference cases of equivalence: pairs of one-sided tests by R."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

# The two p-values, and the interval at level 1 - 2 alpha. The first number of `a` is the size of x.
WELCH = """function(x, a) {
  first <- x[seq_len(a[1])]; second <- x[-seq_len(a[1])]
  p <- c(t.test(second, first, mu = a[2], alternative = "greater")$p.value,
         t.test(second, first, mu = a[3], alternative = "less")$p.value)
  c(p, t.test(second, first, conf.level = 1 - 2 * a[4])$conf.int)
}"""
PAIRED = """function(x, a) c(
  t.test(x, mu = a[2], alternative = "greater")$p.value,
  t.test(x, mu = a[3], alternative = "less")$p.value,
  t.test(x, conf.level = 1 - 2 * a[4])$conf.int)"""
# Exact below 50 values per side, otherwise with the continuity correction, like the kernels; only one-sided p-values.
RANK = """function(x, a) {
  first <- x[seq_len(a[1])]; second <- x[-seq_len(a[1])]
  exact <- max(length(first), length(second)) < 50
  p <- function(mu, side) wilcox.test(second, first, mu = mu, alternative = side, exact = exact)$p.value
  c(p(a[2], "greater"), p(a[3], "less"))
}"""
SIGNED = """function(x, a) {
  p <- function(mu, side) wilcox.test(x, mu = mu, alternative = side, exact = length(x) < 50)$p.value
  c(p(a[2], "greater"), p(a[3], "less"))
}"""


def margin(lcg: Lcg, span: float, scale: float) -> tuple[float, float]:
    """Choose a margin around 0, off the grid of the values."""
    low, high = (span * (1 + lcg.below(60)) / 100 + 0.2503 for _ in range(2))
    return -low * scale, high * scale


def means(lcg: Lcg, kind: str, count: int) -> list[tuple[dict, np.ndarray, list[float]]]:
    """Describe cases of the tests of means: samples and arguments."""
    found = []
    while len(found) < count:
        m = lcg.choice(2, 3, 5, 12, 40, 700) if kind == "welch" else 0
        n = lcg.choice(2, 3, 5, 12, 40, 5000)
        span, scale = lcg.choice(2, 9, 1000, 8_000_000), lcg.choice(1.0, 1e-60, 1e60, 2.0**-20)
        x, y = (recipe(lcg.below(1 << 20), size, lcg.below(span) // 4, span, scale) for size in (m, n))
        a, b = sample(x), sample(y)
        if not (len(set(a)) > 1 or len(set(b)) > 1):
            continue
        low, high = margin(lcg, span, scale)
        if kind != "welch":
            y["low"] -= span // 2
            b = sample(y)
        case = {"kind": kind, "x": x, "y": y, "margin": [low, high], "alpha": lcg.choice(0.01, 0.05, 0.1)}
        found.append((case, np.append(a, b), [m, low, high, case["alpha"]]))
    return found


def ranks(lcg: Lcg, kind: str, count: int) -> list[tuple[dict, np.ndarray, list[float]]]:
    """Describe cases of the rank tests: untied if p is exact, because R is exact only then."""
    found = []
    while len(found) < count:
        large = len(found) >= count // 2
        sizes = (50, 80, 300, 1000) if large else (1, 2, 4, 9, 20, 49)
        m, n = lcg.choice(*sizes) if kind == "rank" else 0, lcg.choice(*sizes)
        span = lcg.choice(5, 40, 1_000_000) if large else 1_000_000
        x, y = (recipe(lcg.below(1 << 20), size, 0, span, 1.0) for size in (m, n))
        if kind != "rank":
            y["low"] = -(span // 2)
        a, b = sample(x), sample(y)
        low, high = margin(lcg, span, 1.0)
        moved = [np.append(a, b - end) if kind == "rank" else np.abs(b - end) for end in (low, high)]
        if not large and any(len(set(values)) < m + n for values in moved):
            continue
        case = {"kind": kind, "x": x, "y": y, "margin": [low, high], "alpha": lcg.choice(0.01, 0.05, 0.1)}
        found.append((case, np.append(a, b), [m, low, high, case["alpha"]]))
    return found


lcg = Lcg(20260202)
cases = []
for kind, make, function in (
    ("welch", means, WELCH),
    ("paired", means, PAIRED),
    ("rank", ranks, RANK),
    ("signed_rank", ranks, SIGNED),
):
    made = make(lcg, kind, 220)
    for (case, _, _), row in zip(made, call(function, [v for _, v, _ in made], [a for *_, a in made]), strict=True):
        names = ("p_low", "p_high", "low", "high")
        cases.append(case | {name: number(v) for name, v in zip(names, row, strict=False)})
how = "t.test and wilcox.test with alternative = greater at the lower end of the margin and less at the upper"
write("equivalence", f"{versions()}: {how}; t.test(conf.level = 1 - 2 alpha)", cases)
