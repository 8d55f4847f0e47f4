"""The library's two calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import observations, pipeline
from statera.pairing import Request
from statera.settings import Policy

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from statera.comparison import Comparison


def read(
    *paths: str | PathLike[str],
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
) -> observations.Observations:
    """Read results: files, folders, patterns, or ``-`` for standard input.

    Args:
        paths: what to read; a folder means all files below it.
        format: the name of the format; told by content where absent.
        columns: for plain tables, which column plays which role: ``{"value": "elapsed"}``.

    Returns:
        The observations; polars, pyarrow, pandas (by pyarrow) and DuckDB take them as a table.

    Raises:
        Stop: when a path names nothing, or a file named outright cannot be used.

    """
    return observations.read(paths, format=format, columns=list((columns or {}).items()))


def compare(
    *paths: str | PathLike[str],
    by: str | None = None,
    baseline: str | None = None,
    pair: str = "auto",
    benchmarks: Sequence[str] = (),
    metrics: Sequence[str] = (),
    units: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: Sequence[str] = (),
    group: Sequence[str] = (),
    all_metrics: bool = False,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
) -> Comparison:
    """Weigh variants against the first.

    Args:
        paths: ``path`` or ``label=path`` of each variant, the baseline first.
        by: the configuration key whose values are the variants; then all paths are read together.
        baseline: the label of the baseline.
        pair: ``auto``, ``order``, ``unpaired``, ``block`` or the name of a configuration key.
        benchmarks: patterns of names, ``*link*`` or ``/regex/``, with a leading ``!`` to exclude.
        metrics: the same for metrics.
        units: the same for units.
        where: for configuration keys, the pattern that their value must fit.
        pool: configuration keys to pool over.
        group: configuration keys to compare apart.
        all_metrics: compare also what the format counts as secondary.
        policy: thresholds and methods.
        format: the format of all files; told by content where absent.
        columns: for plain tables, which column plays which role.

    Raises:
        Stop: when nothing can be compared.

    """
    request = Request(
        by=by,
        baseline=baseline,
        pair=pair,
        benchmarks=tuple(benchmarks),
        metrics=tuple(metrics),
        units=tuple(units),
        where=tuple((where or {}).items()),
        pool=tuple(pool),
        group=tuple(group),
        all_metrics=all_metrics,
    )
    return pipeline.compare(paths, request, policy or Policy(), format=format, columns=list((columns or {}).items()))
