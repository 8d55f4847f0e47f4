"""The three functions of the library: read, compare and inspect."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from statera import observations, pipeline
from statera.api.comparison import Comparison
from statera.api.inspection import Inspection
from statera.api.tables import as_paths
from statera.pairing import Factors, Request, load_manifest
from statera.settings import Limits, Policy
from statera.settings.provenance import Settings
from statera.store.named import resolved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from os import PathLike


def read(
    *paths: str | PathLike[str] | Iterable[object],
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Mapping[str, str | Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> observations.Observations:
    """Read results: files, folders, patterns, names of stored runs, or ``-`` for standard input.

    Args:
        paths: what to read; a folder stands for all files below it. In place of a path: a data frame, an Arrow table,
            a dictionary of columns, or a list of numbers.
        format: the name of the format; detected from the content if None.
        columns: for plain tables, the column or columns of each role: ``{"value": "elapsed", "ignore": ["id"]}``.
        limits: limits on the amount of input.

    Returns:
        The observations; polars, pyarrow, pandas (by pyarrow) and DuckDB read them as a table.

    Raises:
        Stop: a path does not exist, or a file that is named explicitly cannot be used.

    """
    with as_paths(paths) as read_from:
        named, _ = resolved([(None, os.fspath(path)) for path in read_from])
        return observations.read([path for _, path in named], format=format, columns=_roles(columns), limits=limits)


def compare(
    *paths: str | PathLike[str] | Iterable[object],
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
    columns: Mapping[str, str | Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> Comparison:
    """Compare each variant with the baseline.

    Args:
        paths: ``path`` or ``label=path`` of each variant, the baseline first; or a table, as in ``read``.
        by: the configuration keys or factors whose values (or combinations of values) are the variants; all paths
            are then read together.
        baseline: the label of the baseline; None for the first variant.
        pair: ``auto``, ``order``, ``unpaired``, ``block`` or the name of a configuration key.
        benchmarks: patterns of names, ``*link*`` or ``/regex/``, with a leading ``!`` to exclude.
        metrics: the same for metrics.
        units: the same for units.
        where: for each configuration key, the pattern that its value must match.
        pool: configuration keys to pool over.
        within: configuration keys or factors whose levels are compared separately.
        pairs: ``baseline`` (each variant with the baseline) or ``all``.
        factors: for each label, the factors of its files: ``{"new": {"ghc": "9.6.2"}}``.
        manifest: a table (CSV or TOML) of files or labels and their factors.
        name_patterns: patterns of file names with factors in braces: ``{rev}-{ghc}-from``.
        quantiles: levels, between 0 and 1, of the quantile tables in the output; none by default.
        all_metrics: compare also the metrics that the format counts as secondary.
        policy: thresholds and methods.
        format: the format of all files; detected from the content if None.
        columns: for plain tables, the column or columns of each role.
        limits: limits on the amount of input.

    Raises:
        Stop: nothing can be compared.

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
    with as_paths(paths) as read_from:
        found = pipeline.compare(
            read_from or told.files,
            request,
            Settings(policy or Policy(), limits=limits or Limits()),
            format=format,
            columns=_roles(columns),
        )
    return Comparison.of(found)


def inspect(
    *paths: str | PathLike[str] | Iterable[object],
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
    columns: Mapping[str, str | Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> Inspection:
    """Inspect each variant by itself, to decide whether its benchmarks are fit to be compared.

    Args:
        paths: ``path`` or ``label=path`` of each variant, or a table, as in ``read``; one is enough.
        by: as in ``compare``.
        pair: how the self-test pairs values, as in ``compare``.
        benchmarks: patterns of names.
        metrics: the same for metrics.
        units: the same for units.
        where: for each configuration key, the pattern that its value must match.
        pool: configuration keys to pool over.
        within: configuration keys or factors whose levels are inspected separately.
        factors: for each label, the factors of its files.
        manifest: a table of files or labels and their factors.
        name_patterns: patterns of file names with factors in braces.
        all_metrics: inspect also the metrics that the format counts as secondary.
        cost_run: seconds that a run takes before its first iteration.
        cost_iteration: seconds that an iteration takes; None for its typical value if the metric is a time.
        aa: treat all variants as one build, and compare it with itself (``self_test`` of the result).
        splits: the largest number of splits of the self-test.
        policy: thresholds and methods.
        format: the format of all files; detected from the content if None.
        columns: for plain tables, the column or columns of each role.
        limits: limits on the amount of input.

    Raises:
        Stop: nothing can be inspected.

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
    with as_paths(paths) as read_from:
        found = pipeline.inspect(
            read_from or told.files,
            request,
            Settings(policy or Policy(), limits=limits or Limits()),
            costs=(cost_run, cost_iteration),
            splits=splits if aa else None,
            format=format,
            columns=_roles(columns),
        )
    return Inspection.of(found)


def _roles(columns: Mapping[str, str | Sequence[str]] | None) -> list[tuple[str, str]]:
    """Return each role with each of its columns."""
    named = ((role, (names,) if isinstance(names, str) else names) for role, names in (columns or {}).items())
    return [(role, name) for role, names in named for name in names]


def _told(
    factors: Mapping[str, Mapping[str, str]] | None,
    manifest: str | PathLike[str] | None,
    name_patterns: Sequence[str],
) -> Factors:
    told = load_manifest(os.fspath(manifest)) if manifest is not None else Factors()
    given = [(label, key, value) for label, pairs_of in (factors or {}).items() for key, value in pairs_of.items()]
    return told._replace(of_label=(*told.of_label, *given), of_name=tuple(name_patterns))
