"""From results to the material of a report: the comparison, what factors allow to ask further, and the inspection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from statera.comparison import pipeline
from statera.comparison.pairing import Request
from statera.output.report.material import Material, Question, by_metric
from statera.output.report.sections import results, suite
from statera.output.report.sections.rows import index_of
from statera.support.errors import Stop
from statera.support.patterns import exactly

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from os import PathLike

    from statera.comparison.results.comparison import Comparison
    from statera.support.settings.file import Settings

# Errors that prevent a comparison but not a report, which states them and inspects the values.
_SAID_BY_A_REPORT: Final = ("one-variant", "nothing-to-compare", "no-shared-level")


def gather(
    arguments: Iterable[str | PathLike[str]],
    request: Request | None = None,
    settings: Settings | None = None,
    *,
    alone: bool = False,
    command: str = "",
    format: str | None = None,
    columns: Iterable[tuple[str, str]] = (),
) -> Material:
    """Gather the material of a report: the comparison, further comparisons by factors, and the inspection.

    Arguments, ``format`` and ``columns`` are those of ``pipeline.compare``; with one variant, or with ``alone``, the
    report is an inspection, which compares nothing. It states the ``command``.

    Raises ``Stop`` if no value can be read, or an option cannot be applied. If only a comparison is impossible, the
    report states the reason.
    """
    request, settings = request or Request(), pipeline.checked_settings(settings)
    found = pipeline.read(arguments, request, settings, format=format, columns=columns)
    return gathered(found, request, settings, alone=alone, command=command)


def gathered(
    found: pipeline.Read, request: Request, settings: Settings, *, alone: bool = False, command: str = ""
) -> Material:
    """Gather the material of a report from results in memory; arguments and errors as of ``report``."""
    settings = pipeline.checked_settings(settings)
    reason = None
    asked: tuple[Question, ...] = ()
    secondary = matrix = None
    if not alone:

        def compare(other: Request) -> Comparison:
            return pipeline.compared(found.observations, found.named, other, settings)

        try:
            asked = _questions(pipeline.with_profiles(compare(request), found.named), request, compare)
            secondary = _aside(asked[0].comparison, request, compare)
            matrix = _every_pair(asked, request, compare)
        except Stop as stop:
            if stop.code not in _SAID_BY_A_REPORT:
                raise
            reason = stop
    try:
        inspection = pipeline.inspected(found, request, settings)
    except Stop as stop:
        if asked or stop.code not in _SAID_BY_A_REPORT:
            raise
        inspection, reason = None, reason or stop
    if inspection is not None and reason is not None and reason.code == "one-variant" and not request.by:
        # With a single argument, the inspection is what the user wants.
        reason = None
    return Material(
        found.observations, asked, inspection, reason, command, settings, aside=secondary, every_pair=matrix
    )


def _questions(
    comparison: Comparison, request: Request, compare: Callable[[Request], Comparison]
) -> tuple[Question, ...]:
    """Return the requested comparison and the others that factors allow; ``compare`` makes them of the same values.

    If variants are compared at each level of other factors, the factors swap roles (compilers are compared for each
    branch instead of branches for each compiler), and every combination is compared with one baseline. Combinations
    that cannot be compared are left out.
    """
    factors = tuple(comparison.arrangement.factors)
    by = comparison.arrangement.by
    if not factors or not by:
        return (Question("", comparison),)
    found = [Question(f"By {_listed(by)}, at each {_listed(factors)}", comparison)]
    try:
        other = compare(request._replace(by=factors, within=by, baseline=None))
        found.append(Question(f"By {_listed(factors)}, at each {_listed(by)}", other))
        base = f"{comparison.labels[0]}/{other.labels[0]}"
        whole = compare(request._replace(by=(*by, *factors), within=(), baseline=base, pairs="baseline"))
        found.append(Question(f"Every combination of {_listed((*by, *factors))} against {base}", whole))
    except Stop:
        # A combination was not measured, or has no partner: it is left out.
        pass
    return tuple(found)


def _aside(comparison: Comparison, request: Request, compare: Callable[[Request], Comparison]) -> Comparison | None:
    """Compare the benchmarks that became worse in all metrics, if some were not compared and none was named."""
    chosen = request.metrics or request.units or request.all_metrics
    if chosen or not comparison.arrangement.unused_metrics:
        return None
    names = _wanted(comparison)
    if not names:
        return None
    try:
        return compare(request._replace(all_metrics=True, benchmarks=tuple(map(exactly, names))))
    except Stop:
        return None


def _wanted(comparison: Comparison) -> list[str]:
    """Return the benchmarks whose secondary metrics are worth looking up: those of cards, and the worst of a suite."""
    index, weighing = index_of(comparison), comparison.weighing
    single = weighing.order(weighing.harmed(weighing.with_verdict(["one-value"])), "effect", changed=False)
    return list(dict.fromkeys(index.fields(row)["benchmark"] for row in (*index.suspects, *single[: suite.NAMED])))


def _every_pair(
    asked: tuple[Question, ...], request: Request, compare: Callable[[Request], Comparison]
) -> Comparison | None:
    """Compare each variant with each other in the first metric; of factors, each combination with each other.

    The last of the questions ``asked`` has every combination, and ``request`` is that of the first.
    """
    whole = asked[-1].comparison
    rows = whole.weighing.distinct_benchmarks([*range(len(whole))]) * len(whole.arrangement.groups)
    if not results.LEAST_VARIANTS <= len(whole.labels) <= results.MOST_VARIANTS or rows > results.MOST_TABLES:
        return None
    if len(asked) > 1:
        request = request._replace(by=tuple(whole.arrangement.by), within=(), baseline=whole.labels[0])
    metric = whole.observations.metrics[next(iter(by_metric(whole)))].name
    try:
        return compare(request._replace(pairs="all", metrics=(exactly(metric),)))
    except Stop:
        return None


def _listed(words: tuple[str, ...]) -> str:
    return " and ".join(words)
