"""Results of one build measured twice: every change reported there is a false alarm."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from calibration_tables import markdown

import statera

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path


class Called(NamedTuple):
    """The number of benchmarks compared, and how many of them each rule calls changed."""

    pairs: int = 0
    compared: int = 0
    statera: int = 0
    ranks: int = 0
    medians: int = 0


def called(pairs: Iterable[tuple[Path, Path]], metric: str) -> Called:
    total = Called()
    for old, new in pairs:
        rows = [
            row for row in statera.compare(old, new, metrics=[metric]) if row.baseline_centre and row.contender_centre
        ]
        ratios = [row.contender_centre / row.baseline_centre for row in rows]  # type: ignore[operator] # both are there
        here = Called(
            pairs=1,
            compared=len(rows),
            statera=sum(row.verdict in {"better", "worse", "changed"} for row in rows),
            ranks=sum(row.p is not None and row.p < 0.05 for row in rows),
            medians=sum(abs(ratio - 1) > 0.05 for ratio in ratios),
        )
        total = Called(*(a + b for a, b in zip(total, here, strict=True)))
    return total


def nights(folder: Path) -> list[tuple[Path, Path]]:
    """Pair all nights of one variant and commit: NIGHT/COMMIT/VARIANT.orun.summary.bench."""
    runs: dict[tuple[str, str], list[Path]] = {}
    for path in sorted(folder.rglob("*.orun.summary.bench")):
        runs.setdefault((path.parent.name, path.name), []).append(path)
    return [pair for paths in runs.values() for pair in combinations(paths, 2)]


def table(folder: Path | None, again: list[list[Path]]) -> list[str]:
    """One line per source of results; none if there are no results."""
    found = []
    if folder:
        found.append(("nights of one variant and commit, one value a benchmark", called(nights(folder), "time_secs")))
    if again:
        pairs = [(old, new) for old, new in again]
        found.append(("one Go test binary run twice, 10 values a benchmark", called(pairs, "sec/op")))
    if not found:
        return []
    rows = []
    for name, sums in found:
        shares = (f"{count} ({100 * count / sums.compared:.1f} %)" for count in sums[2:])
        rows.append([name, str(sums.pairs), str(sums.compared), *shares])
    head = ["source", "pairs", "benchmarks compared", "statera", "benchstat's p < 0.05", "±5 % rule"]
    return markdown(head, rows)
