"""Reference cases of the Shapiro-Wilk test."""

import numpy as np
from r_calls import call, versions
from shape_cases import recipes, whole

from cases import number, write

made = recipes(20260201, 3, constant=False)
made += recipes(20260202, 2, 6)
answers = call(
    "function(x, a) if (length(x) < 3 || min(x) == max(x)) c(NaN, NaN)"
    " else { test <- shapiro.test(x); c(test$statistic, test$p.value) }",
    [whole(m) for m in made],
)
cases = [{"values": m, "w": number(w), "p": number(p)} for m, (w, p) in zip(made, answers, strict=True)]
# A sample of three has an exact p: R computes a difference of two arcs, which loses digits when it is small.
for case in cases:
    if case["values"]["n"] == 3 and case["w"] != "NaN":
        low, middle, high = np.sort(whole(case["values"]))
        near = min(middle - low, high - middle) / (high - low)
        exact = 6 / np.pi * np.arctan(np.sqrt(3) * near / (2 - near))
        if abs(exact - case["p"]) > 1e-14:
            raise SystemExit(f"R gives {case['p']}, the exact p is {exact}")
        case["p"] = number(exact)
write(
    "shapiro_wilk",
    f"{versions()}: shapiro.test of the values less their least, without their unit; NaN where it refuses."
    " For n = 3 the exact p in closed form, within 1e-14 of R's",
    cases,
)
