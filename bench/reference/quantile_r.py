"""Reference cases of quantiles, location and spread by R."""

from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

PLACES = [0.0, 0.01, 0.05, 0.25, 1 / 3, 0.5, 0.75, 0.95, 0.999, 1.0]
# R warns of values that are not positive and returns NaN for their logarithm, as intended.
ALL = """function(x, a) suppressWarnings(c(
  quantile(x, a, type = 7, names = FALSE), median(x), IQR(x), mad(x, constant = 1), mean(x), sd(x),
  if (all(x > 0)) exp(mean(log(x))) else NaN))"""
NAMES = ("median", "iqr", "mad", "mean", "sd", "geometric_mean")
lcg = Lcg(20260207)
found = []
for k in range(240):
    n = 1 + k % 60 if k < 180 else lcg.choice(64, 65, 128, 999, 5000)
    span, scale = lcg.choice(1, 3, 50, 8_000_000), lcg.choice(1.0, 1e-140, 1e140, 2.0**-30)
    found.append(recipe(lcg.below(1 << 20), n, lcg.choice(1, 1, 1_000_000_000, -span), span, scale))
cases = []
for made, row in zip(found, call(ALL, [sample(made) for made in found], [PLACES] * len(found)), strict=True):
    values = [number(v) for v in row]
    cases.append({"values": made, "p": PLACES, "quantiles": values[: len(PLACES)]})
    cases[-1] |= dict(zip(NAMES, values[len(PLACES) :], strict=True))
write(
    "quantile_r", f"{versions()}: quantile(type = 7), median, IQR, mad(constant = 1), mean, sd, exp(mean(log))", cases
)
