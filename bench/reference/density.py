"""Reference cases of the kernel density and its bandwidths."""

import math

import numpy as np
from r_calls import call, versions
from shape_cases import recipes

from cases import number, sample, write


def density(values: np.ndarray, bandwidth: float, at: float) -> float:
    """Sum the definition in extended precision."""
    distances = (np.longdouble(at) - values) / np.longdouble(bandwidth)
    total = np.exp(-distances * distances / 2).sum()
    return float(total / (len(values) * np.longdouble(bandwidth) * np.sqrt(2 * np.longdouble(math.pi))))


# The unit is applied afterwards: R's bandwidth takes seventh powers.
made = recipes(20260208, 2, 240)
for m in made:
    # Bins are counted from 0 and R's are 32-bit: the values stay close to 0.
    m["low"] = min(m["low"], 1000)
plain = [sample({**m, "scale": 1.0}) for m in made]
answers = call(
    "function(x, a) c(bw.nrd0(x), tryCatch(bw.SJ(x, tol = 1e-14 * diff(range(x))), error = function(e) NaN))",
    plain,
)
cases = []
for m, values, (nrd0, sj) in zip(made, plain, answers, strict=True):
    unit = m["scale"]
    h = nrd0 if math.isnan(sj) else sj
    # Integers and few bits, so that the places and the bandwidth are the same everywhere.
    h = 2.0 ** round(math.log2(h))
    start, stop, points = float(values.min()) - 4 * h, float(values.max()) + 4 * h, 17
    places = [start + (stop - start) * (k / (points - 1)) for k in range(points)]
    cases.append(
        {
            "values": m,
            # For a sample of zeros the rule of thumb ignores the unit.
            "nrd0": number(nrd0 * unit) if np.any(values != 0) else 0.9 * len(values) ** -0.2,
            "sj": number(sj * unit),
            "bandwidth": h,
            "from": start,
            "to": stop,
            "density": [number(density(values, h, place)) for place in places],
        },
    )
write(
    "density",
    f"{versions()}: bw.nrd0; bw.SJ with tol at the last digits, NaN where it refuses; both of the whole numbers, times"
    " the unit. The density of the whole numbers is the sum of its definition in extended precision",
    cases,
)
