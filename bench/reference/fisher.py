"""Reference cases of Fisher's exact test of two counts, with both tails doubled."""

from scipy.stats import hypergeom

from cases import Lcg, number, write

lcg = Lcg(20261122)
cases = []
while len(cases) < 260:
    n = [1 + lcg.below(lcg.choice(4, 12, 60, 400, 20_000)) for _ in range(2)]
    k = [lcg.below(1 + size // lcg.choice(1, 3, 12)) for size in n]
    law = hypergeom(sum(n), sum(k), n[0])
    least, most = max(0, sum(k) - n[1]), min(sum(k), n[0])
    p = min(1.0, 2.0 * min(law.cdf(k[0]), law.sf(k[0] - 1)))
    least_p = min(1.0, 2.0 * min(law.pmf(least), law.pmf(most)))
    cases.append({"k": k, "n": n, "p": number(p), "least_p": number(least_p)})
write("fisher", "hypergeom, twice the smaller tail", cases)
