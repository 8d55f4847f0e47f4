"""The library's three calls."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from statera import observations, pipeline
from statera.api.comparison import Comparison
from statera.api.inspection import Inspection
from statera.pairing import Factors, Request, load_manifest
from statera.settings import Limits, Policy
from statera.settings.provenance import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike


def read(
    *paths: str | PathLike[str],
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> observations.Observations:
    """Read results: files, folders, patterns, or ``-`` for standard input.

    Args:
        paths: what to read; a folder means all files below it.
        format: the name of the format; told by content where absent.
        columns: for plain tables, which column plays which role: ``{"value": "elapsed"}``.
        limits: how much may be read.

    Returns:
        The observations; polars, pyarrow, pandas (by pyarrow) and DuckDB take them as a table.

    Raises:
        Stop: when a path names nothing, or a file named outright cannot be used.

    """
    return observations.read(paths, format=format, columns=list((columns or {}).items()), limits=limits)


def compare(
    *paths: str | PathLike[str],
    by: str | Sequence[str] = (),
    baseline: str | None = None,
    pair: str = "auto",
    benchmarks: Sequence[str] = (),
    metrics: Sequence[str] = (),
    units: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: Sequence[str] = (),
    within: Sequence[str] = (),
    pairs: str = "baseline",
    factors: Mapping[str, Mapping[str, str]] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: Sequence[str] = (),
    quantiles: Sequence[float] = (),
    all_metrics: bool = False,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Weigh variants against the first.

    Args:
        paths: ``path`` or ``label=path`` of each variant, the baseline first.
        by: the configuration key or factor whose values are the variants (of several, their combinations); then all
            paths are read together.
        baseline: the label of the baseline.
        pair: ``auto``, ``order``, ``unpaired``, ``block`` or the name of a configuration key.
        benchmarks: patterns of names, ``*link*`` or ``/regex/``, with a leading ``!`` to exclude.
        metrics: the same for metrics.
        units: the same for units.
        where: for configuration keys, the pattern that their value must fit.
        pool: configuration keys to pool over.
        within: configuration keys or factors at each level of which is compared apart.
        pairs: ``baseline`` (each variant with the baseline) or ``all``.
        factors: for labels, the factors of their files: ``{"new": {"ghc": "9.6.2"}}``.
        manifest: a table (CSV or TOML) of files or labels and their factors.
        name_patterns: patterns of file names with factors in braces: ``{rev}-{ghc}-from``.
        quantiles: levels between 0 and 1 of the quantile table that outputs then show.
        all_metrics: compare also what the format counts as secondary.
        policy: thresholds and methods.
        format: the format of all files; told by content where absent.
        columns: for plain tables, which column plays which role.
        limits: how much may be read.

    Raises:
        Stop: when nothing can be compared.

    """
    told = _told(factors, manifest, name_patterns)
    request = Request(
        by=(by,) if isinstance(by, str) else tuple(by),
        baseline=baseline,
        pair=pair,
        benchmarks=tuple(benchmarks),
        metrics=tuple(metrics),
        units=tuple(units),
        where=tuple((where or {}).items()),
        pool=tuple(pool),
        within=tuple(within),
        all_metrics=all_metrics,
        pairs=pairs,
        factors=told,
        quantiles=tuple(quantiles),
    )
    found = pipeline.compare(
        paths or told.files,
        request,
        Settings(policy or Policy(), limits=limits or Limits()),
        format=format,
        columns=list((columns or {}).items()),
    )
    return Comparison.of(found)


def inspect(
    *paths: str | PathLike[str],
    by: str | Sequence[str] = (),
    pair: str = "auto",
    benchmarks: Sequence[str] = (),
    metrics: Sequence[str] = (),
    units: Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: Sequence[str] = (),
    within: Sequence[str] = (),
    factors: Mapping[str, Mapping[str, str]] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: Sequence[str] = (),
    all_metrics: bool = False,
    cost_run: float | None = None,
    cost_iteration: float | None = None,
    aa: bool = False,
    splits: int = 200,
    policy: Policy | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str] | None = None,
    limits: Limits | None = None,
) -> Inspection:
    """Look at benchmarks one variant at a time, to tell whether they are fit to be compared.

    Args:
        paths: ``path`` or ``label=path`` of each variant; one is enough.
        by: as of ``compare``, like all that is not explained here.
        pair: as the self-test is to pair.
        benchmarks: patterns of names.
        metrics: the same for metrics.
        units: the same for units.
        where: for configuration keys, the pattern that their value must fit.
        pool: configuration keys to pool over.
        within: configuration keys or factors at each level of which is inspected apart.
        factors: for labels, the factors of their files.
        manifest: a table of files or labels and their factors.
        name_patterns: patterns of file names with factors in braces.
        all_metrics: inspect also what the format counts as secondary.
        cost_run: seconds that a run costs before its first iteration.
        cost_iteration: seconds that an iteration costs; its typical value where the metric is a time.
        aa: take all variants for results of one build, and weigh it against itself (``self_test`` of the result).
        splits: weigh it in at most so many ways.
        policy: thresholds and methods.
        format: the format of all files; told by content where absent.
        columns: for plain tables, which column plays which role.
        limits: how much may be read.

    Raises:
        Stop: when nothing can be inspected.

    """
    told = _told(factors, manifest, name_patterns)
    request = Request(
        by=(by,) if isinstance(by, str) and by else tuple(by),
        pair=pair,
        benchmarks=tuple(benchmarks),
        metrics=tuple(metrics),
        units=tuple(units),
        where=tuple((where or {}).items()),
        pool=tuple(pool),
        within=tuple(within),
        all_metrics=all_metrics,
        factors=told,
    )
    found = pipeline.inspect(
        paths or told.files,
        request,
        Settings(policy or Policy(), limits=limits or Limits()),
        costs=(cost_run, cost_iteration),
        splits=splits if aa else None,
        format=format,
        columns=list((columns or {}).items()),
    )
    return Inspection.of(found)


def _told(
    factors: Mapping[str, Mapping[str, str]] | None,
    manifest: str | PathLike[str] | None,
    name_patterns: Sequence[str],
) -> Factors:
    told = load_manifest(os.fspath(manifest)) if manifest is not None else Factors()
    given = [(label, key, value) for label, pairs_of in (factors or {}).items() for key, value in pairs_of.items()]
    return told._replace(of_label=(*told.of_label, *given), of_name=tuple(name_patterns))
