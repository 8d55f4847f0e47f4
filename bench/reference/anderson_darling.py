"""Reference cases of the Anderson-Darling test of normality."""

from r_calls import call, versions
from shape_cases import recipes, whole

from cases import number, write

made = recipes(20260203, 8, constant=False) + recipes(20260204, 6, 8)
answers = call(
    "function(x, a) if (length(x) < 8 || min(x) == max(x)) c(NaN, NaN)"
    " else { test <- nortest::ad.test(x); c(test$statistic, test$p.value) }",
    [whole(m) for m in made],
)
write(
    "anderson_darling",
    f"{versions('nortest')}: ad.test of the values less their least, without their unit; NaN where it refuses",
    [{"values": m, "a": number(a), "p": number(p)} for m, (a, p) in zip(made, answers, strict=True)],
)
