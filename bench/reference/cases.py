"""What the generators of reference cases share: samples by recipe and the file format."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import scipy

REFERENCE = Path(__file__).parents[2] / "tests" / "reference"


class Lcg:
    """x <- (1103515245 x + 12345) mod 2^31; the Rust tests use the same, so that large samples need not be stored."""

    def __init__(self, seed: int) -> None:
        """Start from a seed."""
        self.x = seed

    def below(self, n: int) -> int:
        """Return an integer below n."""
        self.x = (1103515245 * self.x + 12345) % (1 << 31)
        return (self.x >> 8) % n

    def choice(self, *options: object) -> object:
        """Return one of the options."""
        return options[self.below(len(options))]


def recipe(seed: int, n: int, low: int, span: int, scale: float) -> dict:
    """Describe n integers in low..low + span, times scale."""
    return {"seed": seed, "n": n, "low": low, "span": span, "scale": scale}


def sample(made: dict) -> np.ndarray:
    """Make the sample of a recipe."""
    lcg = Lcg(made["seed"])
    whole = [made["low"] + lcg.below(made["span"]) for _ in range(made["n"])]
    return np.array([float(w) * made["scale"] for w in whole])


def number(value: float) -> float | str:
    """Write a number; JSON has no NaN and no infinity."""
    value = float(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "inf" if value > 0 else "-inf"
    return value


def write(name: str, how: str, cases: list[dict]) -> None:
    """Write tests/reference/<name>.json."""
    source = f"SciPy {scipy.__version__}, NumPy {np.__version__}: {how}"
    body = ",\n".join(json.dumps(case) for case in cases)
    REFERENCE.mkdir(parents=True, exist_ok=True)
    path = REFERENCE / f"{name}.json"
    path.write_text(f'{{"source": {json.dumps(source)},\n"cases": [\n{body}\n]}}\n')
    print(path.name, len(cases), path.stat().st_size)
