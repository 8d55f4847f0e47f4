"""Samples for comparing the procedures on the shape of one sample."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cases import Lcg, recipe, sample

if TYPE_CHECKING:
    import numpy as np

LARGE = (63, 64, 65, 128, 250, 499, 500, 501, 1000, 2500, 4999, 5000)


def recipes(seed: int, least: int, count: int = 220, *, constant: bool = True) -> list[dict]:
    """Return samples of sizes from `least` to 5,000, with ties and without, of huge, tiny and ordinary units."""
    lcg = Lcg(seed)
    found = []
    while len(found) < count:
        k = len(found)
        n = least + k % 50 if k < count - 40 else lcg.choice(*LARGE)
        span = lcg.choice(1, 2, 3, 5, 20, 100, 8_000_000, 8_000_000)
        low = lcg.choice(0, 1, 1, 1_000_000_000, -(span // 2))
        # Far from 0 only powers of two: another unit would round the values themselves.
        near = abs(low) < 10**8 and span < 10**6
        units = (1.0, 1.0, 1e-300, 1e300, 2.0**-30) if near else (1.0, 2.0**-1000, 2.0**960)
        made = recipe(lcg.below(1 << 20), n, low, span, lcg.choice(*units))
        if constant or len(set(sample(made))) > 1:
            found.append(made)
    return found


def whole(made: dict) -> np.ndarray:
    """Build the sample of a recipe without its unit and from 0 on: peers round or overflow less there."""
    numbers = sample({**made, "low": 0, "scale": 1.0})
    return numbers - numbers.min()
