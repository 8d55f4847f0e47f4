"""Reference cases of Welch's t with its interval from means, standard deviations and numbers of samples."""

from scipy import stats

from cases import Lcg, number, write

lcg = Lcg(20260105)
cases = []
while len(cases) < 240:
    scale = lcg.choice(1.0, 1e-9, 1e9, 2.0**-20)
    sides = []
    for _ in range(2):
        mean, deviation = (1 + lcg.below(1000)) * scale, lcg.below(500) * scale
        sides.append((mean, deviation, lcg.choice(2, 3, 5, 12, 40, 700, 100_000)))
    (old, old_sd, m), (new, new_sd, n) = sides
    if old_sd == new_sd == 0:
        continue
    test = stats.ttest_ind_from_stats(new, new_sd, n, old, old_sd, m, equal_var=False)
    cases.append(
        {"old": list(sides[0]), "new": list(sides[1]), "statistic": number(test.statistic), "p": number(test.pvalue)}
    )
write("welch_of_means", "stats.ttest_ind_from_stats(new, old, equal_var=False)", cases)
