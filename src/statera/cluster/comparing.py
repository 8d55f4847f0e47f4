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
    from collections.abc import Callable, Sequence

    from statera.cluster.analysis import Options
    from statera.settings import Policy

_LEAST = 2


def compare_paths(words: Sequence[str], options: Options, policy: Policy) -> ClusterComparison:
    """Compare runs, the baseline first; each is written ``[LABEL=]PATH``, and is named after its directory of logs.

    Raises:
        Stop: there is nothing to compare, or a path is neither a run nor an analysis.

    """
    with tempfile.TemporaryDirectory(prefix="statera-cluster-") as scratch:
        variants = labelled(words, lambda path, number: _load(path, Path(scratch) / str(number), options))
    if len(variants) < _LEAST:
        raise Stop("nothing-to-compare", "give two runs or more, the baseline first; runs of one label are one side")
    return compare(variants, policy)


def labelled(words: Sequence[str], load_one: Callable[[Path, int], Analysed]) -> list[Variant]:
    """Load runs, each written ``[LABEL=]PATH``, and put those of one label together; each is given its number too."""
    found: dict[str, list[Analysed]] = {}
    for number, word in enumerate(words):
        label, path = _split(word)
        run = load_one(path, number)
        name = label or _free(str(run.summary.get("run") or path.resolve().name), found)
        found.setdefault(name, []).append(run)
    return [Variant(label, tuple(runs)) for label, runs in found.items()]


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
