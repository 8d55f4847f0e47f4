"""Reference cases of the dip test."""

import numpy as np
from r_calls import call, versions
from shape_cases import recipes, whole

from cases import Lcg, number, recipe, sample, write

lcg = Lcg(20260205)
made = [{"values": m, "second": None} for m in recipes(20260206, 1)]
# Samples of two clusters, so that small p occur as well.
for k in range(120):
    n = 4 + k % 40 if k < 100 else lcg.choice(100, 250, 1000, 2500)
    span = lcg.choice(5, 100, 1_000_000)
    first = recipe(lcg.below(1 << 20), n, 0, span, 1.0)
    second = recipe(lcg.below(1 << 20), lcg.choice(n, 1 + n // 3), lcg.choice(span, span * 2), span, 1.0)
    made.append({"values": first, "second": second})


def joined(case: dict) -> np.ndarray:
    """Return the clusters of a case as one sample."""
    if case["second"] is None:
        return whole(case["values"])
    return np.concatenate([sample(case["values"]), sample(case["second"])])


answers = call(
    "function(x, a) c(dip(x), dip.test(x)$p.value)",
    [joined(case) for case in made],
    setup="library(diptest)",
)
write(
    "dip",
    f"{versions('diptest')}: dip and dip.test of the values less their least, without their unit. The p comes from"
    " another simulation than ours",
    [{**case, "dip": number(d), "p": number(p)} for case, (d, p) in zip(made, answers, strict=True)],
)
