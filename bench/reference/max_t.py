"""Reference cases of step-down maxT over all relabelings, with Student's t as the statistic."""

from __future__ import annotations

from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

# The arguments are the number of rows, of the baseline's runs and of the contender's; no baseline for paired
# differences.
R = """function(x, a) {
  values <- matrix(x, nrow = a[1], byrow = TRUE)
  if (a[2] == 0) {
    labels <- rep(0:1, a[3])
    values <- matrix(t(cbind(0, as.vector(t(values)))), nrow = a[1], byrow = TRUE)
    test <- "pairt"
  } else {
    labels <- rep(0:1, a[2:3])
    test <- "t.equalvar"
  }
  capture.output(found <- mt.maxT(values, labels, test = test, side = "abs", B = 0))
  found$adjp[order(found$index)]
}"""

lcg = Lcg(20260302)
made = []
while len(made) < 240:
    rows = 1 + lcg.below(12)
    m = lcg.choice(0, 0, 1, 2, 3, 4, 5, 6)
    n = 3 + lcg.below(7) if m == 0 else 2 + lcg.below(5)
    span = lcg.choice(4, 12, 1000, 8_000_000)
    low = lcg.choice(0, 1, 100, -(span // 3))
    values = recipe(lcg.below(1 << 20), rows * (m + n), low, span, 1.0)
    table = sample(values).reshape(rows, m + n)
    # Without spread within groups R has no statistic.
    least = min(len(set(abs(row))) if m == 0 else len(set(row)) for row in table)
    if least > (1 if m == 0 else 2):
        # R treats small variances as zero, so only we receive the unit.
        unit = lcg.choice(1.0, 1.0, 2.0**-900, 2.0**900)
        made.append({"rows": rows, "m": m, "n": n, "values": values, "unit": unit})

samples = [sample(one["values"]) for one in made]
answers = call(R, samples, [[one["rows"], one["m"], one["n"]] for one in made], "library(multtest)")
cases = [{**one, "p": [number(p) for p in answer]} for one, answer in zip(made, answers, strict=True)]
write("max_t", f"{versions('multtest')}: mt.maxT(test = 't.equalvar' or 'pairt', side = 'abs', B = 0)", cases)
