"""Reference cases of the Friedman test, with Kendall's W."""

from fractions import Fraction

import mpmath
from r_calls import call, versions
from rank_cases import midranks, table, tables

from cases import number, write

R = """function(x, k) {
  test <- friedman.test(matrix(x, ncol = k, byrow = TRUE))
  c(test$statistic, test$parameter, test$p.value)
}"""


def concordance(values: list) -> Fraction | None:
    """Return Kendall's W, exactly; None if no block varies."""
    blocks, k = values.shape
    centred = [[rank - Fraction(k + 1, 2) for rank in midranks(row)] for row in values]
    everything = sum(rank**2 for row in centred for rank in row)
    between = sum(sum(column) ** 2 for column in zip(*centred, strict=True))
    return between / (blocks * everything) if everything else None


made = tables(20260222, 1, 250)
full = [table(one) for one in made]
several = [values for values in full if len(values) > 1]
answers = iter(call(R, [values.ravel() for values in several], [[values.shape[1]] for values in several]))
cases = []
for one, values in zip(made, full, strict=True):
    blocks, k = values.shape
    w, df = concordance(values), k - 1
    if blocks > 1:
        by, (statistic, _, p) = "R", next(answers)
        if w is not None and abs(statistic - w * blocks * df) > 1e-11 * statistic:
            raise SystemExit(f"R's statistic is not that of the fractions: {statistic}")
    elif w is not None:
        by, statistic = "fractions and mpmath: R takes no single block", float(w * df)
        p = mpmath.gammainc(mpmath.mpf(df) / 2, mpmath.mpf(statistic) / 2, mpmath.inf, regularized=True)
    if w is None:
        by, statistic, p, w = "definition: no block varies, R gives NaN", 0.0, 1.0, 0.0
    cases.append({"columns": one, "by": by, "statistic": number(statistic), "df": df, "p": number(p), "w": number(w)})
write(
    "friedman",
    f"mpmath {mpmath.__version__}, {versions()}: friedman.test (W by fractions), unless a case says otherwise",
    cases,
)
