"""Reference cases of the interval of a median: ranks and levels by R's binomial distribution."""

from r_calls import call, versions

from cases import Lcg, number, write

# a: confidence. Returns the rank from 0 of the lower end, -1 if there is none, and the attained level.
RANK = """function(x, a) {
  n <- x[1]; alpha <- round(1 - a[1], 12); r <- 0:(ceiling(n / 2) - 1)
  fits <- which(2 * pbinom(r, n, 0.5) <= alpha)
  if (!length(fits)) return(c(-1, NaN))
  c(max(fits) - 1, 1 - 2 * pbinom(max(fits) - 1, n, 0.5))
}"""
lcg = Lcg(20260209)
sizes = [*range(1, 41), 50, 99, 100, 101, 500, 999, 1000, 1001, 1002, 2000, 4999, 5000]
sizes += [1 + lcg.below(5000) for _ in range(8)]
asked = [(n, confidence) for n in sizes for confidence in (0.8, 0.9, 0.95, 0.99)]
rows = call(RANK, [[n] for n, _ in asked], [[confidence] for _, confidence in asked])
cases = [
    {"n": n, "confidence": confidence, "rank": int(rank), "level": number(level)}
    for (n, confidence), (rank, level) in zip(asked, rows, strict=True)
]
write("median_interval", f"{versions()}: the largest rank with 2 pbinom(rank, n, 1/2) at most alpha", cases)
