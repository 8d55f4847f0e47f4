"""Reference cases of the sign test."""

from r_calls import call, versions

from cases import Lcg, number, recipe, sample, write

R = """function(x, a) {
  if (all(x == 0)) return(c(0, 1))
  test <- binom.test(sum(x > 0), sum(x != 0))
  c(test$statistic, test$p.value)
}"""

lcg = Lcg(20260225)
made = []
while len(made) < 260:
    n = 1 + lcg.below(lcg.choice(4, 12, 60, 400))
    if len(made) >= 250:
        n = lcg.choice(1000, 4999, 5000)
    span, scale = lcg.choice(1, 2, 5, 30, 8_000_000), lcg.choice(1.0, 1e-300, 1e290, 2.0**-20)
    made.append(recipe(lcg.below(1 << 20), n, -lcg.choice(0, 1, span // 2, span // 2, span // 5, span), span, scale))
answers = call(R, [sample(one) for one in made])
cases = [
    {"d": one, "statistic": number(statistic), "p": number(p)}
    for one, (statistic, p) in zip(made, answers, strict=True)
]
write("sign_test", f"{versions()}: binom.test of the positive among those not 0; all 0: p = 1 by definition", cases)
