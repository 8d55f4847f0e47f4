"""The times of a run, or a comparison of the times of several runs, from paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cluster.compare import ClusterComparison, compare
from statera.cluster.inputs import NO_RUNS, Earlier, labelled
from statera.cluster.logs.directories import scratch_directory
from statera.cluster.logs.log_files import MOST_FILES
from statera.cluster.times import analysis
from statera.cluster.times.metrics import all_metrics
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from statera.cluster.samples import Analysed
    from statera.comparison.pairing import Request
    from statera.support.settings.provenance import Settings


def of_paths(
    words: Sequence[str],
    mapping: str,
    settings: Settings | None = None,
    request: Request | None = None,
    earlier: Earlier = NO_RUNS,
    *,
    memory: str,
    threads: int = 0,
    slowest: int = 0,
    most_files: int = MOST_FILES,
) -> analysis.Timed | ClusterComparison:
    """Time runs, each written ``[LABEL=]PATH``; several are compared, the first is the baseline.

    The ``earlier`` runs are further runs of the baseline.

    Returns:
        the times of a single path, or a comparison of several.

    Raises:
        Stop: a path holds no logs, the mapping times nothing, or all paths have one label.

    """
    plan = analysis.load(mapping)
    timed: list[analysis.Timed] = []
    with scratch_directory() as scratch:

        def load(path: Path, number: int) -> Analysed:
            place = scratch / str(number)
            timed.append(
                analysis.analyse(
                    path, place, plan, memory=memory, threads=threads, slowest=slowest, most_files=most_files
                )
            )
            return timed[-1].analysed

        variants = labelled(words, load, earlier)
    if len(timed) == 1:
        return timed[0]
    if len(variants) == 1 and not (request and request.by):
        raise Stop("nothing-to-compare", "all runs have the same label; name runs with two labels, the baseline first")
    return compare(variants, settings, request, all_metrics(plan.times))
