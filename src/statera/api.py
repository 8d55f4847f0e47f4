"""The functions of the library: ``statera.read``, ``compare``, ``inspect`` and ``report``, and what they return.

What has a wrong type is a TypeError; a value that cannot be is a Stop, as on the command line.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import TYPE_CHECKING, Any, Final, NamedTuple, ParamSpec, TypeVar

from statera.comparison import pipeline
from statera.comparison.pairing import Factors, Request, load_machine, load_manifest
from statera.comparison.pairing.variants import split_label
from statera.comparison.results.comparison import Comparison as _Compared
from statera.comparison.results.inspection import Inspection as _Inspected
from statera.output import views
from statera.output.report import questions
from statera.reading import observations
from statera.reading.frames import as_paths, is_number, is_table
from statera.reading.store.named import resolved
from statera.support.errors import Stop
from statera.support.settings import Limits, Policy, checked
from statera.support.settings.file import Settings
from statera.support.settings.policy import parse_margin

if TYPE_CHECKING:
    from collections.abc import Sequence
    from os import PathLike
    from typing import Self

    from statera.output.report.material import Material
    from statera.support.settings.policy import Margin

    Margins = float | str | Mapping[str, float | str]
    Paths = str | PathLike[str] | Sequence[str | PathLike[str]]

P = ParamSpec("P")
R = TypeVar("R")
_KINDS: Final = {str: "a text", bool: "True or False", int: "a whole number", float: "a number"}
_WHICH_PAIRS: Final = ("baseline", "all")
# The text of a longer value is not in the message that names it.
_LONG_TEXT: Final = 80


def _in_keywords(function: Callable[P, R]) -> Callable[P, R]:
    """Let the errors of a function name its parameters, and not the options of the command line."""

    @wraps(function)
    def named(*arguments: P.args, **words: P.kwargs) -> R:
        try:
            return function(*arguments, **words)
        except Stop as stop:
            stop.args = (in_keywords(str(stop)),)
            raise

    return named


@_in_keywords
def read(
    *paths: str | PathLike[str] | Iterable[object],
    format: str | None = None,
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
    given_roles, form = _roles(columns), _of_kind(format, "format", str)
    _of_kind(limits, "limits", Limits)
    with as_paths(paths, form, given_roles) as given:
        named, _ = resolved([(None, os.fspath(path)) for path in given.paths])
        texts = [path for _, path in named]
        return given.name(observations.read(texts, format=given.format, columns=given_roles, limits=limits))


@_in_keywords
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
    machine: Paths = (),
    quantiles: Sequence[float] = (),
    all_metrics: bool = False,
    apart: bool = False,
    metric: str | Sequence[str] = (),
    alpha: float | None = None,
    margin: Margins | None = None,
    policy: Policy | None = None,
    format: str | None = None,
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
        machine: what ``statera machine -o`` wrote where the builds were measured: a file, or ``label=file`` for each.
        quantiles: levels, between 0 and 1, of the quantile tables in the output; none by default.
        all_metrics: compare also the metrics that the format counts as secondary.
        apart: compare what each benchmark did apart from what all of them share.
        metric: the same as ``metrics``.
        alpha: the significance level, in place of that of the policy.
        margin: the largest change that does not matter: ``0.05``, ``"5%"``, an amount (``"1ms"``), or a dictionary of
            names of metrics or benchmarks with one each; before those of the policy.
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
    what = _asked(**{name: value for name, value in locals().items() if name != "paths"})
    found = what.read(paths)
    compared = pipeline.with_profiles(
        pipeline.compared(found.observations, found.named, what.request, what.settings), found.named
    )
    return Comparison.of(compared, lambda: questions.gathered(found, what.request, what.settings))


@_in_keywords
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
    machine: Paths = (),
    all_metrics: bool = False,
    cost_run: float | None = None,
    cost_iteration: float | None = None,
    aa: bool = False,
    splits: int = 200,
    metric: str | Sequence[str] = (),
    alpha: float | None = None,
    margin: Margins | None = None,
    policy: Policy | None = None,
    format: str | None = None,
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
        machine: what ``statera machine -o`` wrote where the builds were measured, as in ``compare``.
        all_metrics: inspect also the metrics that the format counts as secondary.
        cost_run: seconds that a run takes before its first iteration.
        cost_iteration: seconds that an iteration takes; None for its typical value if the metric is a time.
        aa: treat all variants as one build, and compare it with itself (``self_test`` of the result).
        splits: the largest number of splits of the self-test.
        metric: the same as ``metrics``.
        alpha: the significance level, in place of that of the policy.
        margin: the largest change that does not matter: ``0.05``, ``"5%"``, an amount (``"1ms"``), or a dictionary of
            names of metrics or benchmarks with one each; before those of the policy.
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
    own = {"paths", "cost_run", "cost_iteration", "aa", "splits"}
    what = _asked(**{name: value for name, value in locals().items() if name not in {*own, "own"}})
    costs = (_of_kind(cost_run, "cost_run", float, int), _of_kind(cost_iteration, "cost_iteration", float, int))
    _of_kind(splits, "splits", int)
    found = what.read(paths)
    inspected = pipeline.inspected(found, what.request, what.settings, costs, splits if aa else None)
    return Inspection.of(inspected, lambda: questions.gathered(found, what.request, what.settings, alone=True))


@_in_keywords
def report(
    sources: Comparison | Inspection | str | PathLike[str] | Iterable[object],
    to: str | PathLike[str] | Sequence[str | PathLike[str]],
    *,
    title: str = "",
    notes: str | PathLike[str] | None = None,
    atlas: bool = False,
    inspect: bool = False,
    **options: Any,
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
    what = _asked(**options)
    paths = _several(sources)

    def gather() -> Material:
        return questions.gathered(what.read(paths), what.request, what.settings, alone=inspect)

    inputs = [path for path in map(_path_of, paths) if path]
    return _write_report(gather, to, inputs=inputs, title=title, notes=notes, atlas=atlas)


def _several(sources: Any) -> tuple[Any, ...]:
    """Return each source; a table or a list of numbers is one."""
    one = isinstance(sources, str | bytes | os.PathLike | observations.Observations) or is_table(sources)
    if one or not isinstance(sources, Iterable):
        return (sources,)
    found = tuple(sources)
    return (found,) if found and all(map(is_number, found)) else found


def _path_of(source: object) -> str:
    """Return the path of a source without its label; empty for a table."""
    return split_label(os.fspath(source))[1] if isinstance(source, (str, os.PathLike)) else ""


class _Reported:
    """The method of both results that writes their report."""

    observations: observations.Observations
    _gather: Callable[[], Material] | None
    """Gathers the material of the report; None where no report shows the result."""

    def report(
        self,
        to: str | PathLike[str] | Sequence[str | PathLike[str]],
        *,
        title: str = "",
        notes: str | PathLike[str] | None = None,
        atlas: bool = False,
    ) -> list[str]:
        """Write a report of the result, and return the names of all written files.

        Args:
            to: the file to write, or several; the name of each selects the kind, as in ``statera.output.report``.
            title: the title of the report.
            notes: a Markdown file with your own text.
            atlas: add the histogram, density and Q-Q plot of every benchmark.

        Raises:
            Stop: a file cannot be written, or the result is that of a self-test.
        """
        if self._gather is None:
            raise Stop("bad-option", "a report does not show a self-test. Inspect without aa=True")
        inputs = [source.name for source in self.observations.sources]
        return _write_report(self._gather, to, inputs=inputs, title=title, notes=notes, atlas=atlas)


class Comparison(_Reported, _Compared):
    """The rows of a comparison, the data behind them, and methods that write them.

    Iteration yields a ``Row`` at a time. ``polars.DataFrame(comparison)``, ``pyarrow.table(comparison)`` and DuckDB
    read the rows as a table through the Arrow PyCapsule interface.

    Attributes:
        answer: the answer in one line (``line``), and the row that speaks for each benchmark (``leads``).
        findings: the most important results, in sentences.
        notes: footnotes and notes: ``code``, ``text``, ``number`` and ``rows``.
        labels: the variants, the baseline first.
        policy: the thresholds and methods; ``settings`` also has the file that they come from.
        observations: the values; ``problems`` lists what the readers left out.
    """

    @classmethod
    def of(cls, found: _Compared, gather: Callable[[], Material]) -> Self:
        """Add the methods that write to a result; ``gather`` gathers the material of its report."""
        made = cls(
            found.observations, found.arrangement, found.weighing, found.settings, found.notes, levels=found.levels
        )
        made.profiles = found.profiles
        made._gather = gather
        return made

    def __repr__(self) -> str:
        """Write the comparison as in the terminal."""
        return views.comparison_as(self, "terminal")

    def _repr_html_(self) -> str:
        from statera.output.report import notebook  # noqa: PLC0415

        return notebook.comparison_fragment(self)

    def to_markdown(self, *, sort: str = "worst", changed: bool = False) -> str:
        """Write the comparison for a pull request, within the length that GitHub takes.

        Args:
            sort: the order of the rows: ``worst``, ``file``, ``name``, ``effect`` or ``p``.
            changed: leave out the rows that did not change.
        """
        return views.comparison_as(self, "markdown", views.Layout(sort=sort, changed=changed))

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows as comma-separated values.

        Args:
            raw: leave names unchanged, even if a spreadsheet would read them as formulas.
        """
        return views.comparison_as(self, "csv", views.Layout(raw=raw))

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/json.md)."""
        return views.comparison_as(self, "json")


class Inspection(_Reported, _Inspected):
    """Benchmarks of each variant, inspected to decide whether they can be compared, with methods that write them.

    Iteration yields an ``Inspected`` at a time. ``polars.DataFrame(inspection)``, ``pyarrow.table(inspection)`` and
    DuckDB read the rows as a table through the Arrow PyCapsule interface.

    Attributes:
        self_test: the build compared with itself; None without ``aa``.
        findings: the most important results, in sentences.
        notes: footnotes and notes: ``code``, ``text``, ``number`` and ``rows``.
        policy: the thresholds and methods; ``settings`` also has the file that they come from.
        observations: the values; ``problems`` lists what the readers left out.
    """

    @classmethod
    def of(cls, found: _Inspected, gather: Callable[[], Material]) -> Self:
        """Add the methods that write to a result; ``gather`` gathers the material of its report."""
        made = cls(
            found.observations, found.arrangement, found.native, found.settings, found.notes, tested=found.self_test
        )
        made._gather = gather if found.self_test is None else None
        return made

    def __repr__(self) -> str:
        """Write the inspection as in the terminal."""
        return views.inspection_as(self, "terminal")

    def _repr_html_(self) -> str:
        from statera.output.report import notebook  # noqa: PLC0415

        return notebook.inspection_fragment(self)

    def to_markdown(self, *, sort: str = "defects") -> str:
        """Write the inspection for a pull request or an issue, within the length that GitHub takes.

        Args:
            sort: the order of the rows: ``defects``, ``file`` or ``name``.
        """
        return views.inspection_as(self, "markdown", views.Layout(sort=sort))

    def to_csv(self, *, raw: bool = False) -> str:
        """Write the rows, or those of the self-test, as comma-separated values.

        Args:
            raw: leave names unchanged, even if a spreadsheet would read them as formulas.
        """
        return views.inspection_as(self, "csv", views.Layout(raw=raw))

    def to_json(self) -> str:
        """Write everything as JSON (schema: docs/inspect.md)."""
        return views.inspection_as(self, "json")


def _write_report(
    gather: Callable[[], Material],
    to: Paths,
    *,
    inputs: Sequence[str] = (),
    title: str = "",
    notes: str | PathLike[str] | None = None,
    atlas: bool = False,
) -> list[str]:
    """Write a report to each file, whose name selects the kind, and return the names of all written files.

    Args:
        gather: gathers the material, after the files and the notes are checked.
        to: the files.
        inputs: the files that are read, which a report never replaces.
        title: as in ``statera.output.report``.
        notes: as in ``statera.output.report``.
        atlas: as in ``statera.output.report``.

    Raises:
        Stop: a file cannot be written, or nothing could be compared, which the written report says too.
    """
    from statera.output.report import dated, said, writers  # noqa: PLC0415 - what compares does without

    paths = [os.fspath(path) for path in ([to] if isinstance(to, (str, os.PathLike)) else to)]
    if not paths:
        raise Stop("bad-option", "name the report: report.html, report.pdf, report.md, card.svg or badge.svg")
    for path in paths:
        writers.check(path, inputs)
    options = said(title, notes)
    material = gather()
    # A library starts no process that its caller did not ask for.
    with writers.announced(map(writers.kind_of, paths), early=False):
        document = dated(material._replace(atlas=atlas), options)
        written = [name for path in paths for name in writers.write(document, path)]
    if material.reason is not None:
        raise material.reason
    return written


class _Asked(NamedTuple):
    """A request, settings, and how to read; ``files`` are those of the table of variants."""

    request: Request
    settings: Settings
    format: str | None
    roles: list[tuple[str, str]]
    files: tuple[str, ...]

    def read(self, sources: tuple[str | PathLike[str] | Iterable[object], ...]) -> pipeline.Read:
        """Read the sources, or the files of the table of variants if there are none."""
        with as_paths(sources, self.format, self.roles) as given:
            found = pipeline.read(
                given.paths or self.files, self.request, self.settings, format=given.format, columns=self.roles
            )
        given.name(found.observations)
        return found


def _asked(
    *,
    by: str | Sequence[str] = (),
    baseline: str | None = None,
    pair: str = "auto",
    benchmarks: str | Sequence[str] = (),
    metrics: str | Sequence[str] = (),
    units: str | Sequence[str] = (),
    where: Mapping[str, str] | None = None,
    pool: str | Sequence[str] = (),
    within: str | Sequence[str] = (),
    pairs: str = "baseline",
    factors: Mapping[str, Mapping[str, str]] | None = None,
    rename: Mapping[str, str] | None = None,
    manifest: str | PathLike[str] | None = None,
    name_patterns: str | Sequence[str] = (),
    machine: Paths = (),
    quantiles: Sequence[float] = (),
    all_metrics: bool = False,
    apart: bool = False,
    metric: str | Sequence[str] = (),
    alpha: float | None = None,
    margin: Margins | None = None,
    policy: Policy | None = None,
    format: str | None = None,
    columns: Mapping[str, str | Sequence[str]] | None = None,
    limits: Limits | None = None,
) -> _Asked:
    """Gather the parameters of ``compare``, which describes them.

    Raises:
        TypeError: a parameter has another type.
        Stop: a parameter has a value that cannot be.
    """
    if pairs not in _WHICH_PAIRS:
        raise Stop("bad-option", f"pairs must be {' or '.join(_WHICH_PAIRS)}, not {pairs!r}")
    variants = _path(manifest, "manifest")
    told = Factors() if variants is None else load_manifest(variants)
    request = Request(
        by=_texts(by, "by"),
        baseline=_of_kind(baseline, "baseline", str),
        pair=_of_kind(pair, "pair", str),
        benchmarks=_texts(benchmarks, "benchmarks"),
        metrics=(*_texts(metrics, "metrics"), *_texts(metric, "metric")),
        units=_texts(units, "units"),
        where=tuple(_pairs(where, "where")),
        rename=tuple("=".join(pair) for pair in _pairs(rename, "rename")),
        pool=_texts(pool, "pool"),
        within=_texts(within, "within"),
        all_metrics=_of_kind(all_metrics, "all_metrics", bool),
        own=_of_kind(apart, "apart", bool),
        pairs=pairs,
        factors=told._replace(
            of_label=(*told.of_label, *_pairs_of_labels(factors, "factors")),
            of_name=_texts(name_patterns, "name_patterns"),
            of_machine=tuple(fact for file in _paths(machine, "machine") for fact in load_machine(file)),
        ),
        quantiles=_levels(quantiles, "quantiles"),
    )
    chosen = _of_kind(policy, "policy", Policy) or Policy()
    if alpha is not None:
        chosen = chosen._replace(alpha=_of_kind(alpha, "alpha", float, int))
    chosen = chosen._replace(margins=(*_margins(margin), *chosen.margins))
    settings = Settings(checked(chosen), limits=_of_kind(limits, "limits", Limits) or Limits())
    return _Asked(request, settings, _of_kind(format, "format", str), _roles(columns), tuple(told.files))


def _paths(value: Any, name: str) -> list[str]:
    """Return a list of paths; a path alone is a list of one.

    Raises:
        TypeError: it is something else.
    """
    kinds = (str, os.PathLike)
    found = (value,) if isinstance(value, kinds) else tuple(value) if isinstance(value, Iterable) else None
    if found is None or isinstance(value, bytes | Mapping) or not all(isinstance(each, kinds) for each in found):
        raise _wrong(name, "a path or a list of paths", value)
    return [os.fspath(each) for each in found]


def _texts(value: str | Iterable[str], name: str) -> tuple[str, ...]:
    """Return a list of texts; a text alone is a list of one, and an empty one of none.

    Raises:
        TypeError: it is something else.
    """
    if isinstance(value, str):
        return (value,) if value else ()
    found = tuple(value) if isinstance(value, Iterable) and not isinstance(value, bytes | Mapping) else None
    if found is None or not all(isinstance(each, str) for each in found):
        raise _wrong(name, "a text or a list of texts", value)
    return found


def _margins(value: Margins | None) -> list[tuple[str, Margin]]:
    """Return each pattern with its margin; a margin alone is that of all metrics."""
    if value is None:
        return []
    given = value if isinstance(value, Mapping) else {"*": value}
    for pattern, margin in given.items():
        if isinstance(margin, bool) or not isinstance(margin, str | int | float) or not isinstance(pattern, str):
            raise _wrong("margin", "a number, a text such as '5%', or a dictionary of names with one each", value)
    return [(pattern, parse_margin(margin, "margin")) for pattern, margin in given.items()]


def _levels(value: Iterable[float], name: str) -> tuple[float, ...]:
    """Return a list of fractions."""
    found = tuple(value) if isinstance(value, Iterable) and not isinstance(value, str | bytes) else None
    if found is None or not all(isinstance(each, int | float) and not isinstance(each, bool) for each in found):
        raise _wrong(name, "a list of numbers", value)
    if not all(0 <= each <= 1 for each in found):
        raise Stop("bad-option", f"{name} must lie between 0 and 1, not {', '.join(map(str, found))}")
    return found


def _pairs(value: Mapping[str, str] | None, name: str) -> list[tuple[str, str]]:
    """Return each key of a dictionary with its text; a whole number is written as text."""
    return [(key, _word(each, f"{name}[{key!r}]")) for key, each in _mapping(value, name, "key").items()]


def _pairs_of_labels(value: Mapping[str, Mapping[str, str]] | None, name: str) -> list[tuple[str, str, str]]:
    """Return each label of a dictionary of dictionaries with its keys and their texts."""
    given = _mapping(value, name, "label")
    return [(label, *pair) for label, each in given.items() for pair in _pairs(each, f"{name}[{label!r}]")]


def _roles(columns: Mapping[str, str | Sequence[str]] | None) -> list[tuple[str, str]]:
    """Return each role with each of its columns."""
    given = _mapping(columns, "columns", "role")
    return [(role, name) for role, names in given.items() for name in _texts(names, f"columns[{role!r}]")]


def _of_kind(value: Any, name: str, *kinds: type) -> Any:
    """Return a value that has one of these types, or None."""
    if value is not None and not isinstance(value, kinds):
        raise _wrong(name, " or ".join(_KINDS.get(kind, kind.__name__) for kind in kinds), value)
    return value


def _path(value: str | os.PathLike[str] | None, name: str) -> str | None:
    """Return a path as text."""
    _of_kind(value, name, str, os.PathLike)
    return None if value is None else os.fspath(value)


def _wrong(name: str, wanted: str, value: object) -> TypeError:
    """Return the error that a parameter has another type."""
    text = repr(value)
    return TypeError(f"{name} must be {wanted}, not {text if len(text) < _LONG_TEXT else type(value).__name__}")


def _mapping(value: Any, name: str, key: str) -> Mapping[str, Any]:
    given = {} if value is None else value
    if not isinstance(given, Mapping) or not all(isinstance(each, str) for each in given):
        raise _wrong(name, f"a dictionary with a text for each {key}", value)
    return given


def _word(value: object, name: str) -> str:
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, str):
        raise _wrong(name, "a text", value)
    return value


# The parameter of each option, where its name is another.
_PARAMETERS: Final = {
    "--benchmark": "benchmarks",
    "--metric": "metrics",
    "--unit": "units",
    "--factor": "factors",
    "--variants": "manifest",
    "--name-pattern": "name_patterns",
    "--column": "columns",
    "--all-metrics": "all_metrics",
    "--cost-run": "cost_run",
    "--cost-iteration": "cost_iteration",
    "--unpaired": 'pair="unpaired"',
    "--correction": "the policy's correction",
    "--better": "the policy's directions",
    "--limit": "limits",
    **{
        f"--{name}": name
        for name in (
            "by", "where", "pool", "within", "pair", "pairs", "baseline", "rename", "quantiles", "apart", "format",
            "alpha", "machine", "margin", "aa", "splits",
        )
    },
}  # fmt: skip
# A command, which keeps its options, or an option.
_OPTION: Final = re.compile(r"`[^`]*`|\bstatera [a-z](?:(?!\. )[^;`])*|(?<![\w-])--[a-z]+(?:-[a-z]+)*(?![\w-])")
_FORMAT: Final = re.compile(r"--format ([a-z][a-z0-9-]*)")
_WORD: Final = r"(?:'[^']*'|[^\s'])+"
_COLUMNS: Final = re.compile(rf"--column {_WORD}(?: --column {_WORD})*")


def in_keywords(message: str) -> str:
    """Name the parameters of the library where a message names options; the words of a command stay."""
    return "\n".join(map(_of_line, message.split("\n")))


def _of_line(line: str) -> str:
    # What another program is to be told has the options of that program.
    line, export, rest = line.partition("Export them with: ")
    if not line.lstrip().startswith("statera "):
        line = _COLUMNS.sub(_columns, line)
    line = _FORMAT.sub(r'format="\1"', line)
    return _OPTION.sub(lambda option: _PARAMETERS.get(option[0], option[0]), line) + export + rest


def _columns(options: re.Match[str]) -> str:
    """Write options that name columns as the dictionary that the library takes."""
    text = options[0].rstrip(",;.")
    try:
        words = shlex.split(text)
    except ValueError:
        return options[0]
    roles: dict[str, list[str]] = {}
    for word in words:
        role, equals, name = word.partition("=")
        if equals:
            roles.setdefault(role, []).append(name)
    named = {role: names[0] if len(names) == 1 else names for role, names in roles.items()}
    return f"columns={named!r}{options[0][len(text) :]}"
