"""Reference cases of the Hodges-Lehmann estimates and their intervals.

R computes the cases where it is exact (fewer than 50 values, no ties). Otherwise R finds the ends as roots, accurate to
about 1e-4 of the unit; there the reference is the definition: p at every pairwise difference (or average of two) and in
every gap between them.
"""

import numpy as np
from r_calls import call, versions
from scipy import stats

from cases import Lcg, number, recipe, sample, write

# a: number of values of x (0: one sample), confidence.
WILCOX = """function(x, a) {
  m <- a[1]; n <- length(x) - m; first <- if (m) x[seq_len(m)]
  test <- wilcox.test(x[m + seq_len(n)], first, exact = TRUE, conf.int = TRUE, conf.level = a[2])
  c(test$estimate, test$conf.int)
}"""
CONFIDENCES = (0.8, 0.9, 0.95, 0.99)


def pairs(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Return all differences, or all averages of two if there is no x, in order."""
    if len(x):
        return np.sort(np.subtract.outer(y, x), axis=None)
    upper = np.triu_indices(len(y))
    return np.sort((y[upper[0]] + y[upper[1]]) / 2)


def p_of(x: np.ndarray, y: np.ndarray, shift: float) -> float:
    """Return the normal p with tie and continuity correction at a shift."""
    if len(x):
        if len({*x, *(y - shift)}) == 1:
            return 1.0
        return stats.mannwhitneyu(y - shift, x, method="asymptotic", use_continuity=True).pvalue
    d = (y - shift)[y != shift]
    if len(d) < 50:
        raise SystemExit("the kernel is exact here")
    return stats.wilcoxon(d, correction=True, method="asymptotic").pvalue


def hull(x: np.ndarray, y: np.ndarray, alpha: float) -> tuple[float, float]:
    """Return the ends of the hull of all shifts with p above alpha."""
    places = np.unique(pairs(x, y))
    at = np.array([p_of(x, y, place) for place in places]) > alpha
    between = np.array([p_of(x, y, gap) for gap in (places[1:] + places[:-1]) / 2]) > alpha
    kept_low, kept_high = at | np.append(between, False), at | np.append(False, between)
    # No shift can be placed beyond the outermost pairs, so these replace it.
    outside = p_of(x, y, places[0] - 1) > alpha
    return places[0 if outside else np.argmax(kept_low)], places[
        -1 if outside else len(places) - 1 - np.argmax(kept_high[::-1])
    ]


def by_r(lcg: Lcg, *, two: bool) -> list[dict]:
    """Return cases with R's estimate and interval, without ties."""
    found = []
    while len(found) < 200:
        m, n = 1 + lcg.below(49) if two else 0, 1 + lcg.below(49)
        scale = lcg.choice(1.0, 1.0, 2.0**-900, 2.0**900)
        x = recipe(lcg.below(1 << 20), m, 0, 8_000_000, scale)
        y = recipe(lcg.below(1 << 20), n, lcg.below(4_000_000) - (0 if two else 5_000_000), 8_000_000, scale)
        values = np.append(sample(x), sample(y)) / scale
        if len(set(np.abs(values))) < m + n or 0 in values:
            continue
        found.append(({"x": x, "y": y, "confidence": lcg.choice(*CONFIDENCES), "by": "R"}, values))
    rows = call(WILCOX, [v for _, v in found], [[case["x"]["n"], case["confidence"]] for case, _ in found])
    names = ("estimate", "low", "high")
    return [
        case | {name: number(v * case["y"]["scale"]) for name, v in zip(names, row, strict=True)}
        for (case, _), row in zip(found, rows, strict=True)
    ]


def by_definition(lcg: Lcg, *, two: bool) -> list[dict]:
    """Return cases with ties, whose samples are tested by the normal approximation."""
    found = []
    while len(found) < 110:
        m, n = (50 + lcg.below(20), 2 + lcg.below(30)) if two else (0, 60 + lcg.below(25))
        span = lcg.choice(2, 5, 12, 40, 300)
        x = recipe(lcg.below(1 << 20), m, 0, span, 1.0)
        y = recipe(lcg.below(1 << 20), n, lcg.below(span) - (0 if two else span // 2 + 3), 4 * span, 1.0)
        confidence = lcg.choice(*CONFIDENCES)
        a, b = sample(x), sample(y)
        if not two and np.unique(b, return_counts=True)[1].max() > n - 50:
            continue
        low, high = hull(a, b, round(1 - confidence, 12))
        case = {
            "x": x,
            "y": y,
            "confidence": confidence,
            "by": "definition",
            "estimate": number(np.median(pairs(a, b))),
        }
        found.append(case | {"low": number(low), "high": number(high)})
    return found


def estimates(lcg: Lcg, *, two: bool) -> list[dict]:
    """Return cases of all sizes with only the median of all pairs."""
    found = []
    for k in range(100):
        m, n = (lcg.choice(1, 7, 64, 65, 300, 1000) if two else 0, lcg.choice(1, 2, 33, 90, 91, 800))
        if k >= 98:
            m, n = (5000 if two else 0, 5000)
        span, scale = lcg.choice(1, 2, 9, 1000, 8_000_000), lcg.choice(1.0, 1e-300, 1e290)
        x = recipe(lcg.below(1 << 20), m, 0, span, scale)
        y = recipe(lcg.below(1 << 20), n, lcg.below(span) - span // 3, span, scale)
        estimate = number(np.median(pairs(sample(x) / scale, sample(y) / scale)) * scale)
        found.append({"x": x, "y": y, "confidence": 0.95, "by": "all pairs", "estimate": estimate})
    return found


lcg = Lcg(20260212)
cases = []
for two in (True, False):
    cases += by_r(lcg, two=two) + by_definition(lcg, two=two) + estimates(lcg, two=two)
how = (
    "wilcox.test(conf.int = TRUE, exact = TRUE) without ties; p of mannwhitneyu and wilcoxon at every shift; all pairs"
)
write("hodges_lehmann", f"{versions()}: {how}", cases)
