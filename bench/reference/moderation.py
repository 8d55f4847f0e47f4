"""Reference cases of moderated variances: what the variances of many rows have in common."""

from __future__ import annotations

import mpmath
import numpy as np
from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

R = """function(x, df) {
  fit <- suppressWarnings(squeezeVar(x, df))
  c(fit$df.prior, fit$var.prior, fit$var.post[1])
}"""

mpmath.mp.dps = 60


def by_definition(variances: np.ndarray, df: float) -> tuple[list, float]:
    """Compute the estimator with 60 digits, and how close the excess of spread is to 0, relative to that by chance."""
    exact = [mpmath.mpf(v) for v in variances]
    median = np.median(variances) or np.median(variances[variances > 0])
    raised = [max(v, mpmath.mpf("1e-5") * mpmath.mpf(median)) for v in exact]
    half = mpmath.mpf(df) / 2
    logs = [mpmath.log(v) - mpmath.digamma(half) + mpmath.log(half) for v in raised]
    mean = mpmath.fsum(logs) / len(logs)
    noise = mpmath.psi(1, half)
    spread = mpmath.fsum((z - mean) ** 2 for z in logs) / (len(logs) - 1) - noise
    if spread <= 0:
        common = mpmath.fsum(raised) / len(raised)
        return [mpmath.inf, common, common], float(abs(spread) / noise)
    start = 1 / spread if spread < 1 else 1 / mpmath.sqrt(spread)
    own = mpmath.findroot(lambda x: mpmath.log(mpmath.psi(1, x) / spread), start)
    common = mpmath.exp(mean + mpmath.digamma(own) - mpmath.log(own))
    return [2 * own, common, (half * exact[0] + own * common) / (half + own)], float(spread / noise)


lcg = Lcg(20260301)
made = []
while len(made) < 260:
    n = 3 + len(made) % 50 if len(made) < 225 else lcg.choice(100, 500, 1000, 5000)
    span = lcg.choice(1, 2, 3, 30, 1000, 8_000_000)
    one = {
        "variances": recipe(lcg.below(1 << 20), n, lcg.choice(0, 0, 1, 100, 10_000_000), span, 1.0),
        # Powers of integers spread more than these, and a power of two as the unit rounds nothing.
        "power": lcg.choice(1, 1, 2, 3),
        "unit": lcg.choice(1.0, 1.0, 2.0**-300, 2.0**300),
        "df": lcg.choice(1, 2, 3, 4, 8, 18, 98, 1000),
    }
    if sample(one["variances"]).any():
        made.append(one)

plain = [sample(one["variances"]) ** one["power"] for one in made]
answers = call(R, plain, [[one["df"]] for one in made], "library(limma)")
cases = []
for one, variances, answer in zip(made, plain, answers, strict=True):
    exact, near = by_definition(variances, one["df"])
    # If the spread equals that of chance to this many digits, d0 is determined by rounding.
    if near < 1e-6:
        continue
    if any(a != b and abs(a - b) > 1e-10 * abs(b) for a, b in zip(answer, map(float, exact), strict=True)):
        raise SystemExit(f"limma differs from the definition: {one} {answer} {exact}")
    df, common, first = answer
    values = {"prior_df": number(df), "prior": number(common * one["unit"]), "first": number(first * one["unit"])}
    cases.append({**one, **values})
write("moderation", f"{versions('limma')}: squeezeVar; mpmath {mpmath.__version__} with 60 digits agrees", cases)
