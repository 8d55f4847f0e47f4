"""The choice of benchmarks for a picture that cannot show all."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from statera.output.plots.raw_values import Samples, Source


def heaviest(source: Source, samples: Samples, metric: int, most: int) -> list[int]:
    """Return the first benchmarks in the order of the tables: the worst, or in an inspection the most defective."""
    weighed = getattr(source, "weighing", None)
    native = getattr(source, "native", None)
    if weighed is not None:
        rows = [row for _, of, _, _, rows in weighed.sections() if of == metric for row in rows]
        order = weighed.order(rows, "worst", changed=False)
        kept = weighed
    elif native is not None:
        rows = [row for _, of, rows in native.sections() if of == metric for row in rows]
        order = native.order(rows, "defects")
        kept = native
    else:
        return []
    number = {benchmark: place for place, benchmark in enumerate(samples.benchmarks)}
    found: dict[int, None] = {}
    for row in order:
        found[number[kept.row_dict(row)["benchmark"]]] = None
        if len(found) == most:
            break
    return list(found)
