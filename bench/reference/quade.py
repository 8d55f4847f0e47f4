"""Reference cases of Quade's test."""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
from r_calls import call, versions
from rank_cases import midranks, table, tables

from cases import number, write

R = """function(x, k) {
  test <- quade.test(matrix(x, ncol = k, byrow = TRUE))
  c(test$statistic, test$parameter, test$p.value)
}"""


def squares(values: np.ndarray) -> tuple[Fraction, Fraction]:
    """Return A and B of the test, exactly."""
    blocks, k = values.shape
    weights = midranks(values.max(axis=1) - values.min(axis=1))
    scores = [[q * (r - Fraction(k + 1, 2)) for r in midranks(row)] for q, row in zip(weights, values, strict=True)]
    everything = sum((score**2 for row in scores for score in row), Fraction(0))
    return everything, sum(sum(column) ** 2 for column in zip(*scores, strict=True)) / blocks


made = tables(20260223, 2, 250)
full = [table(one) for one in made]
answers = call(R, [values.ravel() for values in full], [[values.shape[1]] for values in full])
cases = []
for one, values, answer in zip(made, full, answers, strict=True):
    by, (statistic, _, _, p) = "R", answer
    blocks, k = values.shape
    df1, df2 = k - 1, (blocks - 1) * (k - 1)
    a, b = squares(values)
    if a == 0:
        by, statistic, p = "definition: no block varies, R gives a p as if all blocks agreed", 0.0, 1.0
    elif a == b:
        ties = math.prod(math.factorial(size) for size in Counter(values[0]).values())
        by = "R, whose F is NaN" if ties == 1 else "count of the orders of a block with ties, which R takes to be k!"
        statistic, p = math.inf, p if ties == 1 else Fraction(ties, math.factorial(k)) ** (blocks - 1)
    else:
        exact = (blocks - 1) * b / (a - b)
        if not abs(statistic - exact) <= 1e-11 * exact:
            raise SystemExit(f"R's F is not that of the fractions: {statistic}")
    cases.append({"columns": one, "by": by, "statistic": number(statistic), "df1": df1, "df2": df2, "p": number(p)})
write("quade", f"{versions()}: quade.test, unless a case says otherwise", cases)
