"""Reference cases of the corrections: Benjamini-Hochberg and -Yekutieli by SciPy, the others by their definitions."""

import numpy as np
from scipy import stats

from cases import Lcg, number, write


def holm(p: np.ndarray) -> np.ndarray:
    """Adjust p(i) to the largest of (n - j + 1) p(j), j up to i."""
    n = len(p)
    sorted_p = np.sort(p)
    return np.array([min(1, max((n - j) * sorted_p[j] for j in range(n) if sorted_p[j] <= q)) for q in p])


def hochberg(p: np.ndarray) -> np.ndarray:
    """Adjust p(i) to the smallest of (n - j + 1) p(j), j from i on."""
    n = len(p)
    sorted_p = np.sort(p)
    return np.array([min([1, *((n - j) * sorted_p[j] for j in range(n) if sorted_p[j] >= q)]) for q in p])


lcg = Lcg(20260105)
cases = []
for k in range(210):
    n = k % 30 if k < 200 else 200
    top = lcg.choice(5, 100, 1_000_000)
    p = np.array([(lcg.below(top) / top) ** lcg.choice(1, 4) for _ in range(n)])
    cases.append(
        {
            "p": [number(v) for v in p],
            "bonferroni": [number(v) for v in np.minimum(1, p * n)],
            "holm": [number(v) for v in holm(p)],
            "hochberg": [number(v) for v in hochberg(p)],
            "benjamini_hochberg": [number(v) for v in (stats.false_discovery_control(p) if n else p)],
            "benjamini_yekutieli": [number(v) for v in (stats.false_discovery_control(p, method="by") if n else p)],
        },
    )
write("correction", "stats.false_discovery_control; Holm and Hochberg by definition", cases)
