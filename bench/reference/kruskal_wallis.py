"""Reference cases of the Kruskal-Wallis test."""

import numpy as np
from r_calls import call, versions
from rank_cases import columns, explained, midranks

from cases import Lcg, number, sample, write

R = """function(x, sizes) {
  test <- kruskal.test(x, rep(seq_along(sizes), sizes))
  c(test$statistic, test$parameter, test$p.value)
}"""

lcg = Lcg(20260221)
made = []
while len(made) < 260:
    k = lcg.choice(2, 2, 3, 3, 4, 6, 12)
    top = lcg.choice(2, 4, 12, 50, 150)
    sizes = [lcg.below(top + 1) for _ in range(k)]
    if len(made) >= 245:
        sizes = [lcg.choice(1, 30, 499, 1000, 5000) for _ in range(k)]
    if sum(size > 0 for size in sizes) > 1:
        made.append(columns(lcg, sizes))

pooled = [np.concatenate([sample(one) for one in samples]) for samples in made]
answers = call(R, pooled, [[one["n"] for one in samples if one["n"]] for samples in made])
cases = []
for samples, values, answer in zip(made, pooled, answers, strict=True):
    by, (statistic, df, p) = "R", answer
    share = explained(midranks(values), [one["n"] for one in samples])
    if share is None:
        by, statistic, p = "definition: nothing varies, R gives NaN", 0.0, 1.0
    elif abs(statistic - share * (len(values) - 1)) > 1e-11 * statistic:
        raise SystemExit(f"R's H is not that of the fractions: {statistic}")
    cases.append({"samples": samples, "by": by, "statistic": number(statistic), "df": df, "p": number(p)})
write("kruskal_wallis", f"{versions()}: kruskal.test, unless a case says otherwise", cases)
