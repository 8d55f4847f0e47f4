"""Reference cases of change points: partitions by R's strucchange, or by dynamic programming without pruning."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, recipe, sample, write

# The least squares of partitions into 1, 2, 3 and so on segments, each with its breaks, as one row of R's output.
BREAKPOINTS = """function(x, a) {
  most <- min(8, floor(length(x) / a[1]) - 1)
  if (most < 1) return(c(sum((x - mean(x))^2)))
  fit <- breakpoints(x ~ 1, h = a[1], breaks = most)
  out <- sum((x - mean(x))^2)
  for (k in seq_len(most)) {
    at <- breakpoints(fit, breaks = k)
    out <- c(out, at$RSS, at$breakpoints)
  }
  out
}"""


def standardised(values: np.ndarray) -> np.ndarray:
    """Scale to the noise, with outliers pulled in, as the kernel documents."""
    return standard(values)[0]


def standard(values: np.ndarray) -> tuple[np.ndarray, float]:
    """Return the scaled series, and the dependence of neighbours that its differences show."""
    values = values / np.abs(values).max()
    values = values - np.median(values)
    one = np.quantile(np.abs(np.diff(values)), 0.9)
    noise = one / 2.326174307353347 if one > 0 else np.std(np.diff(values), ddof=1) / np.sqrt(2)
    noise = max(noise, 1e-6 * np.abs(values).max())
    near = [np.median(values[max(i - 5, 0) : i + 6]) for i in range(len(values))]
    drawn = np.clip(values, np.array(near) - 3 * noise, np.array(near) + 3 * noise) / noise
    if len(values) < 3 or one == 0:
        return drawn, 0.0
    phi = (np.quantile(np.abs(values[2:] - values[:-2]), 0.9) / one) ** 2 - 1
    return drawn, min(max(phi, 0.0), 0.9)


def innovations(values: np.ndarray, changes: list[int]) -> tuple[float, float]:
    """Return n ln(variance of the innovations) of an autoregression around the levels, and its coefficient."""
    around = np.concatenate([part - part.mean() for part in np.split(values, changes)])
    square = around @ around
    phi = min(max(around[1:] @ around[:-1] / square, 0.0), 0.98) if square > 0 else 0.0
    left = (1 - phi**2) * around[0] ** 2 + np.sum((around[1:] - phi * around[:-1]) ** 2)
    n = len(values)
    return n * np.log(max(left / n, 1e-12)), phi


def beside_dependence(values: np.ndarray, least: int) -> list[int]:
    """Return the partition that explains the series best beside an autoregression."""
    scaled, phi = standard(values)
    n = len(scaled)
    penalty = max(3 * np.log(n) + 4, 13)
    _, whole = innovations(scaled, [])
    longs = [1.0, (1 + phi) / (1 - phi) ** 2, np.mean(scaled**2) * (1 + whole) / (1 - whole)]
    tried = [programme(scaled, penalty * long, least)[1] for long in longs if long >= 1]
    if not tried[0]:
        return []
    price = 0.8 * penalty * min(n / 50, 1)
    return min([*tried, []], key=lambda changes: innovations(scaled, changes)[0] + price * len(changes))


def programme(values: np.ndarray, penalty: float, least: int) -> tuple[float, list[int]]:
    """Return the smallest cost of all partitions, and the change points."""
    n = len(values)
    sums, squares = np.append(0, np.cumsum(values)), np.append(0, np.cumsum(values**2))
    best, last = np.full(n + 1, np.inf), np.zeros(n + 1, int)
    best[0] = -penalty
    for end in range(least, n + 1):
        start = np.arange(end - least + 1)
        costs = best[start] + squares[end] - squares[start] - (sums[end] - sums[start]) ** 2 / (end - start) + penalty
        last[end] = np.argmin(costs)
        best[end] = costs[last[end]]
    changes, end = [], last[n]
    while end > 0:
        changes.append(int(end))
        end = last[end]
    return float(best[n]), changes[::-1]


def series(lcg: Lcg, n: int) -> tuple[dict, np.ndarray]:
    """Describe noise with added steps: a recipe, and for each step its start and size."""
    span = lcg.choice(1, 2, 3, 10, 1000, 8_000_000, 8_000_000)
    made = recipe(lcg.below(1 << 20), n, span, span, lcg.choice(1.0, 1.0, 1e-300, 1e290, 2.0**-20))
    count = lcg.choice(0, 1, 2, 4)
    steps = [[lcg.below(n), (lcg.below(7) - 3) * max(span // 2, 1) * made["scale"]] for _ in range(count)]
    values = sample(made)
    for start, size in steps:
        values[start:] = values[start:] + size
    return {"noise": made, "steps": steps}, values


def unpruned(values: np.ndarray, penalty: float | None, least: int) -> list[int]:
    """Return the change points of a case, none if all values are equal."""
    if np.ptp(values) == 0:
        return []
    return beside_dependence(values, least) if penalty is None else programme(standardised(values), penalty, least)[1]


def from_r(rows: np.ndarray, penalty: float) -> tuple[float, list[int]]:
    """Choose the number of breaks by the penalty, from R's best partition into each number of segments."""
    found, at, breaks = [(rows[0], [])], 1, 1
    while at < len(rows):
        found.append((rows[at] + penalty * breaks, [int(v) for v in rows[at + 1 : at + 1 + breaks]]))
        at, breaks = at + 1 + breaks, breaks + 1
    return min(found, key=lambda pair: pair[0])


lcg = Lcg(20260201)
cases, asked = [], []
while len(cases) < 260:
    by_r = len(cases) < 130
    n = 8 + lcg.below(60) if by_r else lcg.choice(1, 2, 3, 12, 80, 150, 400, 1000, 5000)
    described, values = series(lcg, n)
    least = lcg.choice(2, 2, 3, 5)
    penalty = lcg.choice(None, None, 4.0, 25.0)
    changes = unpruned(values, penalty, least) if n > 1 else []
    if by_r and penalty and np.ptp(values) > 0:
        asked.append((len(cases), standardised(values), least, penalty))
    cases.append({**described, "penalty": penalty, "min_segment": least, "changes": changes, "by": "programme"})
answers = call(BREAKPOINTS, [a[1] for a in asked], [[a[2]] for a in asked], "library(strucchange)")
for (at, scaled, least, penalty), rows in zip(asked, answers, strict=True):
    cost, changes = from_r(rows, penalty)
    mine, _ = programme(scaled, penalty, least)
    # R tries up to eight breaks; the programme may need more.
    if len(cases[at]["changes"]) <= 8:
        if abs(cost - mine) > 1e-7 * max(mine, 1):
            raise SystemExit(f"{cases[at]}: {cost} is not {mine}")
        cases[at] |= {"changes": changes, "by": "strucchange"}
print(sum(case["by"] == "strucchange" for case in cases), "by strucchange")
how = "breakpoints(x ~ 1, h = min_segment) of the standardised series, the number of breaks chosen by the penalty, or "
write("pelt", f"{versions('strucchange')}: {how}dynamic programming over all partitions", cases)
