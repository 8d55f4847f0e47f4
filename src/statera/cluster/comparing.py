"""From paths to a comparison: runs are analysed where they are not yet."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from statera.cluster.analysis import analyse
from statera.cluster.compare import ClusterComparison, Variant, compare
from statera.cluster.samples import Analysed, is_analysed, load
from statera.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from statera.cluster.analysis import Options
    from statera.settings import Policy

_LEAST = 2


def compare_paths(words: Sequence[str], options: Options, policy: Policy) -> ClusterComparison:
    """Compare runs, the baseline first; each is written ``[LABEL=]PATH``, and is named after its directory of logs.

    Raises:
        Stop: there is nothing to compare, or a path is neither a run nor an analysis.

    """
    found: dict[str, list[Analysed]] = {}
    with tempfile.TemporaryDirectory(prefix="statera-cluster-") as scratch:
        for number, word in enumerate(words):
            label, path = _split(word)
            run = _load(path, Path(scratch) / str(number), options)
            name = label or _free(str(run.summary.get("run") or path.resolve().name), found)
            found.setdefault(name, []).append(run)
    if len(found) < _LEAST:
        raise Stop("nothing-to-compare", "give two runs or more, the baseline first; runs of one label are one side")
    return compare([Variant(label, tuple(runs)) for label, runs in found.items()], policy)


def _split(word: str) -> tuple[str, Path]:
    """Part a label from a path; a path that exists as it is written has none."""
    label, equals, rest = word.partition("=")
    if equals and label and not Path(word).exists():
        return label, Path(rest)
    return "", Path(word)


def _free(name: str, taken: dict[str, list[Analysed]]) -> str:
    """Give a name that no other run has."""
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}-{number}"
    return free


def _load(path: Path, scratch: Path, options: Options) -> Analysed:
    if is_analysed(path):
        return load(path)
    analyse(path, scratch, options)
    return load(scratch)
