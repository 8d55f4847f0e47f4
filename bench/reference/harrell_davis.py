"""Reference cases of the Harrell-Davis estimator."""

from r_calls import call, versions
from shape_cases import recipes

from cases import number, sample, write

LEVELS = [0.0, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0]
made = recipes(20260207, 2)
answers = call(
    "function(x, a) hdquantile(x, a, names = FALSE)",
    [sample({**m, "scale": 1.0}) for m in made],
    [LEVELS] * len(made),
    setup="library(Hmisc)",
)
write(
    "harrell_davis",
    f"{versions('Hmisc')}: hdquantile of the whole numbers, times the unit",
    [
        {"values": m, "p": LEVELS, "quantiles": [number(q * m["scale"]) for q in row]}
        for m, row in zip(made, answers, strict=True)
    ],
)
