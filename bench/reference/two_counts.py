"""Reference cases of the exact test of two counts: the binomial given their sum, with both tails doubled."""

from scipy.stats import binom

from cases import Lcg, number, write

lcg = Lcg(20261129)
cases = []
while len(cases) < 200:
    most = lcg.choice(3, 20, 300, 5_000, 1_000_000)
    one = lcg.below(1 + most)
    other = lcg.below(1 + most) if lcg.below(2) else max(0, one + lcg.below(41) - 20)
    p = min(1.0, 2.0 * float(binom(one + other, 0.5).cdf(min(one, other)))) if one + other else 1.0
    cases.append({"k": [one, other], "p": number(p)})
write("two_counts", "binom, twice the smaller tail", cases)
