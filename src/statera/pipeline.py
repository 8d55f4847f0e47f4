"""The steps of every command: files → observations → arrangement → rows → findings. Views show the result."""

from __future__ import annotations

from os.path import lexists

from statera import observations as table
from statera import pairing, stages, verdicts
from statera.errors import Stop
from statera.pairing.labels import split_label, variant_numbers
from statera.results.comparison import Comparison
from statera.settings import checked
from statera.settings.provenance import Settings
from statera.typed import TYPE_CHECKING, NamedTuple
from statera.verdicts.on_files import on_baseline, on_files
from statera.verdicts.unused import on_patterns
from statera.weighing.weigh import weigh

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike
    from typing import Final

    from statera.report.material import Material, Question
    from statera.results.inspection import Inspection
    from statera.store.named import Stored

# Errors that prevent a comparison but not a report, which states them and inspects the values.
_SAID_BY_A_REPORT: Final = ("one-variant", "nothing-to-compare", "no-shared-level")


def compare(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    settings: Settings | None = None,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]] = (),
) -> Comparison:
    """Read results, and compare each variant with the baseline.

    Args:
        arguments: ``path`` or ``label=path`` of each variant; a path is a file, a folder, a pattern or ``-``.
        request: which variants, benchmarks and metrics to compare.
        settings: thresholds, methods and limits, and their source.
        format: the format of all files; detected from the content if None.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: nothing can be compared.

    """
    request, settings = request or pairing.Request(), _checked(settings)
    found = read(arguments, request, settings, format=format, columns=columns)
    return compared(found.observations, found.named, request, settings)


def inspect(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    settings: Settings | None = None,
    *,
    costs: tuple[float | None, float | None] = (None, None),
    splits: int | None = None,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]] = (),
) -> Inspection:
    """Read results, and inspect each variant by itself; with ``splits``, compare one build with itself.

    Args:
        arguments: as in ``compare``; one is enough.
        request: which benchmarks and metrics to inspect.
        settings: thresholds, methods and limits, and their source.
        costs: seconds that a run takes before its first iteration, and seconds of an iteration; None if unknown.
        splits: treat all variants as one build, and compare it with itself in at most so many splits.
        format: the format of all files; detected from the content if None.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: nothing can be inspected.

    """
    request, settings = request or pairing.Request(), _checked(settings)
    found = read(arguments, request, settings, format=format, columns=columns)
    return inspected(found, request, settings, costs, splits)


def report(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    settings: Settings | None = None,
    *,
    alone: bool = False,
    command: str = "",
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]] = (),
) -> Material:
    """Gather the material of a report: the comparison, further comparisons by factors, and the inspection.

    Args:
        arguments: as in ``compare``; with one variant the report is an inspection.
        request: which variants, benchmarks and metrics to compare.
        settings: thresholds, methods and limits, and their source.
        alone: inspect each variant by itself, and compare nothing.
        command: the command line, which the report states.
        format: the format of all files; detected from the content if None.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: no value can be read, or an option cannot be applied. If only a comparison is impossible, the report
            states the reason.

    """
    request, settings = request or pairing.Request(), _checked(settings)
    found = read(arguments, request, settings, format=format, columns=columns)
    return gathered(found, request, settings, alone=alone, command=command)


def gathered(
    found: Read, request: pairing.Request, settings: Settings, *, alone: bool = False, command: str = ""
) -> Material:
    """Gather the material of a report from results in memory; arguments and errors as of ``report``."""
    from statera.report.material import Material, aside, every_pair, questions  # noqa: PLC0415 - a comparison does without

    settings = _checked(settings)
    reason = None
    asked: tuple[Question, ...] = ()
    secondary = matrix = None
    if not alone:

        def compare(other: pairing.Request) -> Comparison:
            return compared(found.observations, found.named, other, settings)

        try:
            asked = questions(compare(request), request, compare)
            secondary = aside(asked[0].comparison, request, compare)
            matrix = every_pair(asked, request, compare)
        except Stop as stop:
            if stop.code not in _SAID_BY_A_REPORT:
                raise
            reason = stop
    try:
        inspection = inspected(found, request, settings)
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


def _checked(settings: Settings | None) -> Settings:
    given = settings or Settings()
    return given._replace(policy=checked(given.policy))


class Read(NamedTuple):
    """The observations, and the label (or None) and text of each argument."""

    observations: table.Observations
    named: list[tuple[str | None, str]]


def read(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request,
    settings: Settings,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]] = (),
) -> Read:
    """Read the results of the arguments as far as a request needs them; arguments and errors as of ``compare``."""
    stages.enter("reading")
    named, stored = _with_stored([split_label(str(argument)) for argument in arguments])
    variants = variant_numbers(named, together=bool(request.by))
    found = table.read(
        [path for _, path in named],
        format=format,
        columns=columns,
        keys=request.keys(),
        limits=settings.limits,
        variants=variants,
    )
    found.stored = [(each.name, each.place) for each in stored]
    if len(found) == 0:
        raise table.nothing_read(found)
    return Read(found, named)


def _with_stored(named: list[tuple[str | None, str]]) -> tuple[list[tuple[str | None, str]], list[Stored]]:
    """Replace the names of stored runs by their folders; what is a file or a folder is no such name."""
    if all(text == "-" or lexists(text) for _, text in named):
        return named, []
    from statera.store.named import resolved  # noqa: PLC0415 - the store costs a comparison of files a tenth of its time

    return resolved(named)


def compared(
    observations: table.Observations,
    named: list[tuple[str | None, str]],
    request: pairing.Request,
    settings: Settings,
) -> Comparison:
    """Compare observations that are in memory.

    Args:
        observations: the values.
        named: the label (or None) and the text of each argument.
        request: which variants, benchmarks and metrics to compare.
        settings: thresholds, methods and limits, and their source.

    Raises:
        Stop: nothing can be compared.

    """
    stages.enter("weighing")
    policy = settings.policy
    observations = pairing.prepared(observations, request)
    arrangement = pairing.arrange(observations, named, request, policy)
    if request.own:
        from statera.pairing.own_part import own_part  # noqa: PLC0415 - most comparisons do without

        observations, arrangement = own_part(observations, arrangement)
    weighing = weigh(observations, arrangement.assignment, arrangement.labels, arrangement.groups, policy)
    if len(weighing) == 0 and weighing.elsewhere():
        raise Stop("no-shared-level", verdicts.elsewhere_words(arrangement, weighing.elsewhere()))
    if len(weighing) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to compare")
    notes = verdicts.notes(observations, arrangement, weighing, policy, request)
    notes += [*on_files(observations, arrangement), *on_baseline(arrangement, request)]
    notes += on_patterns(observations, request, settings)
    return Comparison(observations, arrangement, weighing, settings, notes, levels=request.quantiles)


def inspected(
    found: Read,
    request: pairing.Request,
    settings: Settings,
    costs: tuple[float | None, float | None] = (None, None),
    splits: int | None = None,
) -> Inspection:
    """Inspect results in memory; arguments and errors as of ``inspect``."""
    from statera.results.inspection import Inspection  # noqa: PLC0415 - a comparison does without
    from statera.verdicts.inspection import notes  # noqa: PLC0415
    from statera.weighing import inspect as inspecting  # noqa: PLC0415

    stages.enter("inspecting")
    observations, policy = pairing.prepared(found.observations, request), settings.policy
    arrangement = pairing.arrange(observations, found.named, request._replace(alone=True), policy)
    named = {"labels": arrangement.labels, "groups": arrangement.groups}
    native = inspecting.inspect(observations, arrangement.assignment, policy, costs, **named)
    if len(native) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to inspect")
    tested = (
        None if splits is None else inspecting.self_test(observations, arrangement.assignment, policy, splits, **named)
    )
    found_notes = [*notes(observations, arrangement, tested), *on_files(observations, arrangement)]
    return Inspection(observations, arrangement, native, settings, found_notes, tested=tested)
