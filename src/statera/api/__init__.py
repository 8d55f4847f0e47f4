"""The functions of the library: read, compare, inspect and report."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from statera.api import reporting
from statera.api.arguments import of_kind, roles
from statera.api.asking import asked
from statera.api.columns import is_number, is_table
from statera.api.comparison import Comparison
from statera.api.inspection import Inspection
from statera.api.tables import as_paths
from statera.comparison import pipeline
from statera.output.report import questions
from statera.reading import observations
from statera.reading.store.named import resolved
from statera.support.settings import Limits

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from os import PathLike

    from statera.output.report.material import Material
    from statera.support.settings import Policy


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
    given_roles, form = roles(columns), of_kind(format, "format", str)
    of_kind(limits, "limits", Limits)
    with as_paths(paths, form, given_roles) as given:
        named, _ = resolved([(None, os.fspath(path)) for path in given.paths])
        texts = [path for _, path in named]
        return given.name(observations.read(texts, format=given.format, columns=given_roles, limits=limits))


def compare(
    *paths: str | PathLike[str] | Iterable[object],
    by: str | Sequence[str] = (),
    baseline: str | None = None,
    pair: str = "auto",
    benchmarks: str | Sequence[str] = (),
    metrics: str | Sequence[str] = (),
    units: str | Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    rename: Mapping[str, str] | None = None,
    pool: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    pairs: str = "baseline",
    factors: Mapping[str, Mapping[str, str]] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: str | Sequence[str] = (),
    quantiles: Sequence[float] = (),
    all_metrics: bool = False,
    apart: bool = False,
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
        benchmarks: a pattern of names or several, ``*link*`` or ``/regex/``, with a leading ``!`` to exclude.
        metrics: the same for metrics.
        units: the same for units.
        where: for each configuration key, the pattern that its value must match.
        rename: names of benchmarks, each with the name that the same benchmark has in another build.
        pool: configuration keys to pool over.
        within: configuration keys or factors whose levels are compared separately.
        pairs: ``baseline`` (each variant with the baseline) or ``all``.
        factors: for each label, the factors of its files: ``{"new": {"ghc": "9.6.2"}}``.
        manifest: a table (CSV or TOML) of files or labels and their factors.
        name_patterns: patterns of file names with factors in braces: ``{rev}-{ghc}-from``.
        quantiles: levels, between 0 and 1, of the quantile tables in the output; none by default.
        all_metrics: compare also the metrics that the format counts as secondary.
        apart: compare what each benchmark did apart from what all of them share.
        policy: thresholds and methods.
        format: the format of all files; detected from the content if None.
        columns: for plain tables, the column or columns of each role.
        limits: limits on the amount of input.

    Returns:
        The comparison, a sequence of ``Row``: each compares a contender with the baseline for one benchmark and metric.
        Values are in base units (s, B, B/s, 1/s, 1); a change is in the row's ``change_unit``.

    Raises:
        Stop: nothing can be compared; its ``code`` is one that ``statera explain`` explains.

    """
    what = asked(
        by=by,
        baseline=baseline,
        pair=pair,
        benchmarks=benchmarks,
        metrics=metrics,
        units=units,
        where=where,
        rename=rename,
        pool=pool,
        within=within,
        pairs=pairs,
        factors=factors,
        manifest=manifest,
        name_patterns=name_patterns,
        quantiles=quantiles,
        all_metrics=all_metrics,
        apart=apart,
        policy=policy,
        format=format,
        columns=columns,
        limits=limits,
    )
    found = what.read(paths)
    compared = pipeline.compared(found.observations, found.named, what.request, what.settings)
    return Comparison.of(compared, lambda: questions.gathered(found, what.request, what.settings))


def inspect(
    *paths: str | PathLike[str] | Iterable[object],
    by: str | Sequence[str] = (),
    pair: str = "auto",
    benchmarks: str | Sequence[str] = (),
    metrics: str | Sequence[str] = (),
    units: str | Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    factors: Mapping[str, Mapping[str, str]] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: str | Sequence[str] = (),
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

    Returns:
        The inspection, a sequence of ``Inspected``: each describes one benchmark and metric of one variant. Values are
        in base units (s, B, B/s, 1/s, 1). ``self_test`` holds the result of ``aa``, and is None without it.

    Raises:
        Stop: nothing can be inspected; its ``code`` is one that ``statera explain`` explains.

    """
    what = asked(
        by=by,
        pair=pair,
        benchmarks=benchmarks,
        metrics=metrics,
        units=units,
        where=where,
        pool=pool,
        within=within,
        factors=factors,
        manifest=manifest,
        name_patterns=name_patterns,
        all_metrics=all_metrics,
        policy=policy,
        format=format,
        columns=columns,
        limits=limits,
    )
    costs = (of_kind(cost_run, "cost_run", float, int), of_kind(cost_iteration, "cost_iteration", float, int))
    of_kind(splits, "splits", int)
    found = what.read(paths)
    inspected = pipeline.inspected(found, what.request, what.settings, costs, splits if aa else None)
    return Inspection.of(inspected, lambda: questions.gathered(found, what.request, what.settings, alone=True))


def report(
    sources: Comparison | Inspection | str | PathLike[str] | Iterable[object],
    to: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    title: str = "",
    notes: str | PathLike[str] | None = None,
    atlas: bool = False,
    inspect: bool = False,
    **options: Any,  # noqa: ANN401 - those of compare, which checks them
) -> list[str]:
    """Write a report; ``report(["old.txt", "new.txt"], "report.html")``.

    Args:
        sources: a comparison or an inspection, or the paths or tables of the variants as in ``compare``. With one path
            or table, or with ``inspect``, the report is an inspection, unless ``by`` names variants inside.
        to: the file to write, or several: the name of each ends in ``.html``, ``.pdf`` or ``.md``, or is ``card.svg``,
            ``card-light.svg``, ``card-dark.svg`` or ``badge.svg``.
        title: the title of the report; by default it is made of the variants.
        notes: a Markdown file with your own text, whose headings ``# summary``, ``# method`` … place it.
        atlas: add the histogram, density and Q-Q plot of every benchmark.
        inspect: compare nothing, and inspect each variant.
        options: for paths, the parameters of ``compare``.

    Returns:
        The names of all written files; a report as Markdown has pictures beside it.

    Raises:
        Stop: a file cannot be read or written. If nothing can be compared, the report is written and says so, and then
            its reason is raised.

    """
    if isinstance(sources, (Comparison, Inspection)):
        if options or inspect:
            given = ", ".join([*options, *(["inspect"] if inspect else [])])
            raise TypeError(f"these parameters are for paths, and the report is of a result: {given}")
        return sources.report(to, title=title, notes=notes, atlas=atlas)
    what = asked(**options)
    paths = _several(sources)

    def gather() -> Material:
        return questions.gathered(what.read(paths), what.request, what.settings, alone=inspect)

    inputs = [path for path in map(_path, paths) if path]
    return reporting.write(gather, to, inputs=inputs, title=title, notes=notes, atlas=atlas)


def _several(sources: Any) -> tuple[Any, ...]:  # noqa: ANN401 - anything may be given
    """Return each source; a table or a list of numbers is one."""
    one = isinstance(sources, str | bytes | os.PathLike | observations.Observations) or is_table(sources)
    if one or not isinstance(sources, Iterable):
        return (sources,)
    found = tuple(sources)
    return (found,) if found and all(map(is_number, found)) else found


def _path(source: object) -> str:
    """Return the path of a source without its label; empty for a table."""
    from statera.comparison.pairing.variants import split_label  # noqa: PLC0415 - for reports only

    return split_label(os.fspath(source))[1] if isinstance(source, (str, os.PathLike)) else ""
