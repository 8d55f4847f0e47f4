"""Reference cases of bootstrap intervals: the ends that follow from given replicates, and those from many resamples."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from r_calls import call, versions
from scipy import stats

from cases import Lcg, number, recipe, sample, write

# Values, then replicates; the ends of boot.ci for a mean. It interpolates between replicates in its own way.
R = """function(x, a) {
  n <- a[2]
  values <- x[1:n]
  found <- list(t0 = mean(values), t = matrix(x[-(1:n)]), R = length(x) - n, data = values, sim = "ordinary",
                stype = "i", statistic = function(d, i) mean(d[i]), call = quote(boot()), strata = rep(1, n),
                weights = rep(1 / n, n), seed = 1)
  class(found) <- "boot"
  boot.ci(found, conf = a[1], type = "bca", L = values - mean(values))$bca[4:5]
}"""


def mean(values: np.ndarray, axis: int = -1) -> np.ndarray:
    """Return the mean of integers: the sum is exact, so ties remain ties."""
    return np.sum(values, axis=axis) / values.shape[axis]


STATISTICS = {"mean": mean, "median": np.median}


def replicates(samples: list[np.ndarray], statistic: str, count: int, seed: int) -> np.ndarray:
    """Draw resamples like the Rust test."""
    lcg = Lcg(seed)
    drawn = [[values[[lcg.below(len(values)) for _ in values]] for values in samples] for _ in range(count)]
    return np.array([combined(statistic)(*one) for one in drawn])


def combined(statistic: str) -> object:
    """Return the statistic of one sample, or its difference between two."""
    of = STATISTICS[statistic]
    return lambda *samples, axis=-1: of(samples[-1], axis=axis) - (of(samples[0], axis=axis) if samples[1:] else 0)


def ends(samples: list[np.ndarray], statistic: str, drawn: np.ndarray, method: str, confidence: float) -> tuple:
    """Return SciPy's ends for the given replicates."""
    earlier = SimpleNamespace(bootstrap_distribution=drawn, standard_error=0.0)
    found = stats.bootstrap(
        samples,
        combined(statistic),
        n_resamples=0,
        bootstrap_result=earlier,
        method=method,
        confidence_level=confidence,
        vectorized=True,
    ).confidence_interval
    return found.low, found.high


def given() -> None:
    """Write the ends for replicates that both sides draw in the same way."""
    lcg = Lcg(20260303)
    cases, asked = [], []
    while len(cases) < 260:
        span = lcg.choice(2, 5, 40, 1000, 8_000_000)
        sizes = [lcg.choice(2, 3, 5, 8, 20, 20, 51, 200) for _ in range(lcg.choice(1, 1, 2))]
        count = lcg.choice(19, 99, 400, 999)
        if len(cases) % 20 == 19:
            sizes, count = [lcg.choice(1000, 2000, 5000)], 19
        made = [recipe(lcg.below(1 << 20), n, lcg.below(100), span, 1.0) for n in sizes]
        samples = [sample(one) for one in made]
        if max(len(set(values)) for values in samples) == 1:
            continue
        case = {
            "samples": made,
            "statistic": "mean" if sizes[0] > 200 else lcg.choice("mean", "median"),
            "resamples": count,
            "seed": lcg.below(1 << 20),
            "confidence": lcg.choice(0.8, 0.9, 0.95, 0.99),
            "unit": lcg.choice(1.0, 1.0, 2.0**-900, 2.0**900),
        }
        drawn = replicates(samples, case["statistic"], count, case["seed"])
        for method in ("percentile", "bca"):
            with np.errstate(all="ignore"):
                low, high = ends(samples, case["statistic"], drawn, method, case["confidence"])
            case[method] = [number(low * case["unit"]), number(high * case["unit"])]
        case["r"] = None
        if len(samples) == 1 and case["statistic"] == "mean" and len(set(drawn) | {samples[0].mean()}) > count:
            asked.append((case, np.concatenate([samples[0], drawn])))
        cases.append(case)
    numbers = [values for _, values in asked]
    arguments = [[case["confidence"], case["samples"][0]["n"]] for case, _ in asked]
    for (case, _), answer in zip(asked, call(R, numbers, arguments, "library(boot)"), strict=True):
        case["r"] = [number(end * case["unit"]) for end in answer]
    how = (
        f"stats.bootstrap(bootstrap_result=replicates); {versions('boot')}: boot.ci(type = 'bca') in {len(asked)} cases"
    )
    write("bootstrap", how, cases)


def many() -> None:
    """Write intervals from 99,999 resamples at confidence levels on both sides of 0.9."""
    lcg = Lcg(20260304)
    cases = []
    for k in range(56):
        span = lcg.choice(20, 1000, 8_000_000)
        sizes = [lcg.choice(6, 13, 20, 41, 100) for _ in range(1 + k % 2)]
        made = [recipe(lcg.below(1 << 20), n, 100, span, 1.0) for n in sizes]
        case = {
            "samples": made,
            "statistic": "median" if k // 2 % 2 else "mean",
            "method": ("percentile", "bca")[k // 4 % 2],
        }
        samples = [sample(one) for one in made]
        rng = np.random.default_rng(k)
        found = stats.bootstrap(
            samples,
            combined(case["statistic"]),
            n_resamples=99_999,
            method=case["method"],
            rng=rng,
            vectorized=True,
            batch=5000,
        )
        drawn = found.bootstrap_distribution
        wide, narrow = (ends(samples, case["statistic"], drawn, case["method"], level) for level in (0.912, 0.888))
        # SciPy has no acceleration if no value matters when left out.
        if not np.isnan(wide[0]):
            cases.append({**case, "wide": list(map(number, wide)), "narrow": list(map(number, narrow))})
    write("bootstrap_many", "stats.bootstrap of 99,999 resamples; ends at confidence 0.912 and 0.888", cases)


given()
many()
