"""Reference cases of variance components: R's analysis of variance, and lme4 where it estimates the same."""

import mpmath
import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

# a: confidence, 1 if lme4 estimates the same, sizes of the groups. Returns mean squares, F, p, n0, the interval of the
# ICC, and the variances by lme4.
ONE_WAY = """function(x, a) {
  sizes <- a[-(1:2)]; k <- length(sizes); n <- sum(sizes); g <- factor(rep(seq_len(k), sizes))
  table <- anova(lm(x ~ g)); ms <- table[["Mean Sq"]]; f <- table[["F value"]][1]
  n0 <- (n - sum(sizes^2) / n) / (k - 1); tail <- (1 - a[1]) / 2
  low <- f / qf(tail, k - 1, n - k, lower.tail = FALSE); high <- f * qf(tail, n - k, k - 1, lower.tail = FALSE)
  out <- c(ms, f, table[["Pr(>F)"]][1], n0, (low - 1) / (low - 1 + n0), (high - 1) / (high - 1 + n0))
  if (a[2] == 0) return(out)
  fit <- lmer(x ~ 1 + (1 | g), control = lmerControl(optCtrl = list(xtol_abs = 1e-12, ftol_abs = 1e-14)))
  c(out, as.data.frame(VarCorr(fit))$vcov)
}"""
# a: number of units per level, innermost first. Returns mean squares, innermost first.
NESTED = """function(x, a) {
  i <- seq_along(x) - 1; process <- factor(i %/% a[1])
  if (length(a) == 2) return(rev(anova(lm(x ~ process))[["Mean Sq"]]))
  run <- factor(i %/% (a[1] * a[2]))
  rev(anova(lm(x ~ run / factor((i %/% a[1]) %% a[2])))[["Mean Sq"]])
}"""


def far_tail(f: float, df1: int, df2: int) -> float:
    """Return the upper tail of F where R's loses its digits."""
    f = mpmath.mpf(f)
    with mpmath.workdps(60):
        return float(
            mpmath.betainc(mpmath.mpf(df2) / 2, mpmath.mpf(df1) / 2, 0, df2 / (df2 + df1 * f), regularized=True)
        )


def run_levels(lcg: Lcg, k: int, size: int, span: int, scale: float) -> list[dict]:
    """Describe runs, of one size or of several, on levels that are more or less far apart."""
    apart, unequal = lcg.choice(1, span // 2 + 1, 4 * span), lcg.below(2)
    sizes = [1 + lcg.below(2 * size) if unequal else size for _ in range(k)]
    return [recipe(lcg.below(1 << 20), n, span + lcg.below(apart), span, scale) for n in sizes]


lcg = Lcg(20260203)
one_way = []
while len(one_way) < 240:
    k, size = lcg.choice((2, 2), (3, 5), (4, 4), (5, 20), (10, 10), (30, 7), (20, 200), (2, 2500))
    span, scale = lcg.choice(2, 9, 1000, 8_000_000), lcg.choice(1.0, 1e-60, 1e60, 2.0**-20)
    runs = run_levels(lcg, k, size, span, scale)
    values = [sample(run) for run in runs]
    if sum(map(len, values)) == k or all(len(set(v)) == 1 for v in values):
        continue
    one_way.append(({"runs": runs, "confidence": lcg.choice(0.8, 0.95, 0.99), "scale": scale}, values))

# Both estimate the same if all runs have one size and vary more than by chance; lme4 needs moderate numbers.
arguments, samples = [], []
for case, values in one_way:
    sizes = [len(v) for v in values]
    moderate = len(set(sizes)) == 1 and sizes[0] > 1 and sum(sizes) <= 500
    scaled = [v / case["scale"] for v in values]
    between = sizes[0] * np.var([v.mean() for v in scaled], ddof=1) if moderate else 0
    within = np.mean([np.var(v, ddof=1) for v in scaled]) if moderate else 1
    arguments.append([case["confidence"], float(between > 1.5 * within), *sizes])
    samples.append(np.concatenate(scaled))
cases, by_lme4 = [], 0
for (case, _), row in zip(one_way, call(ONE_WAY, samples, arguments, "library(lme4)"), strict=True):
    names = ("between_square", "within", "f", "p", "size", "icc_low", "icc_high")
    scale, between = case.pop("scale"), max((row[0] - row[1]) / row[4], 0)
    if len(row) > 7:
        by_lme4 += 1
        if abs(row[7] - between) > 1e-4 * between or abs(row[8] - row[1]) > 1e-4 * row[1]:
            raise SystemExit(f"{case}: lme4 has {row[7:]}, not {between} and {row[1]}")
    if row[3] < 1e-280:
        row[3] = far_tail(row[2], len(case["runs"]) - 1, sum(run["n"] for run in case["runs"]) - len(case["runs"]))
    row[:2] *= scale**2
    icc = between / (between + row[1] / scale**2)
    found = dict(zip(names, map(number, row[:7]), strict=True))
    cases.append({"kind": "one-way", **case, **found, "between": number(between * scale**2), "icc": number(icc)})
print(by_lme4, "by lme4 too")

nested = []
while len(nested) < 220:
    counts = lcg.choice([5, 3], [10, 30], [2, 2], [4, 3, 2], [10, 5, 4], [2, 2, 2], [50, 3, 5], [7, 6, 3], [100, 10, 5])
    span = lcg.choice(3, 1000, 8_000_000)
    made = recipe(lcg.below(1 << 20), int(np.prod(counts)), span, span, lcg.choice(1.0, 1e-60, 1e60))
    step = span * lcg.choice(0, 1, 3)
    shifts = [
        [lcg.below(step + 1) * made["scale"] for _ in range(int(np.prod(counts[i:])))] for i in range(1, len(counts))
    ]
    values = sample(made)
    for level, shift in enumerate(shifts):
        values = values + np.repeat(shift, int(np.prod(counts[: level + 1])))
    if np.ptp(values) > 0:
        nested.append(({"kind": "nested", "values": made, "shifts": shifts, "counts": counts}, values))
rows = call(NESTED, [v / c["values"]["scale"] for c, v in nested], [c["counts"] for c, _ in nested])
for (case, _), row in zip(nested, rows, strict=True):
    # The mean square of a level estimates its component times the number of values below it, plus all components below.
    below = np.cumprod([1, *case["counts"][:-1]])
    differences = np.append(row[0], np.diff(row)) / below
    components = np.maximum(differences, 0) * case["values"]["scale"] ** 2
    squares = row / below * case["values"]["scale"] ** 2
    found = {"components": [number(v) for v in components], "squares": [number(v) for v in squares]}
    cases.append(case | found)
how = "mean squares of anova(lm(x ~ group)) and anova(lm(x ~ run / process)), qf; lmer agrees on "
write(
    "variance_components",
    f"{versions('lme4')}: {how}{by_lme4} of the cases to 1e-4, as far as it converges; mpmath below p = 1e-280",
    cases,
)
