"""Reference cases of the corrections by R's p.adjust."""

import numpy as np
from r_calls import call, versions

from cases import Lcg, number, write

METHODS = ("bonferroni", "holm", "hochberg", "BH", "BY")
lcg = Lcg(20260208)
families = []
for k in range(210):
    n = 1 + k % 40 if k < 200 else lcg.choice(100, 300)
    top = lcg.choice(3, 100, 1_000_000)
    p = np.array([(lcg.below(top + 1) / top) ** lcg.choice(1, 1, 4, 30) for _ in range(n)])
    families.append(p)
adjust = 'function(x, a) unlist(lapply(c("' + '", "'.join(METHODS) + '"), function(m) p.adjust(x, m)))'
cases = []
for p, row in zip(families, call(adjust, families), strict=True):
    adjusted = {method: [number(v) for v in part] for method, part in zip(METHODS, row.reshape(5, -1), strict=True)}
    cases.append({"p": [number(v) for v in p], **adjusted})
write("correction_r", f"{versions()}: p.adjust", cases)
