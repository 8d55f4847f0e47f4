"""Reference cases of the number of runs that detect a change, by R's power.t.test, which is exact for normal data."""

from r_calls import call, versions

from cases import Lcg, number, write

POWER = "function(x, a) power.t.test(delta = x[1], sd = x[2], power = x[3], sig.level = 1 - x[4])$n"
lcg = Lcg(20260213)
asked = []
while len(asked) < 220:
    within, between = lcg.below(50) / 10, (1 + lcg.below(50)) / 10
    iterations, change = 1 + lcg.below(50), (2 + lcg.below(30)) / 10
    sd = (between + within / iterations) ** 0.5
    # With less than this R finds fewer than two runs per side, and no root.
    if change < 1.5 * sd:
        asked.append((within, between, iterations, change, sd, lcg.choice(0.5, 0.8, 0.9), lcg.choice(0.9, 0.95, 0.99)))
cases = []
for (within, between, iterations, change, _, power, confidence), (n,) in zip(
    asked,
    call(POWER, [[change, sd, power, confidence] for *_, change, sd, power, confidence in asked]),
    strict=True,
):
    case = {"within": within, "between": between, "iterations": iterations, "change": change, "power": power}
    cases.append({**case, "confidence": confidence, "runs": number(n)})
write("planning", f"{versions()}: power.t.test; runs_for is its normal approximation, within 1 % and 0.3 runs", cases)
