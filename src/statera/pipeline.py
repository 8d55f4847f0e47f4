"""The whole program: bytes → observations → arrangement → rows → findings. Views stand on its result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera import observations as table
from statera import pairing, verdicts
from statera.errors import Stop
from statera.pairing.labels import split_label, variant_numbers
from statera.results.comparison import Comparison
from statera.settings import checked
from statera.settings.provenance import Settings
from statera.weighing.weigh import weigh

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from statera.report.material import Material, Question
    from statera.results.inspection import Inspection

# What leaves nothing to compare, where the values can still be looked at: a report says so.
_SAID_BY_A_REPORT: Final = ("one-variant", "nothing-to-compare", "no-shared-level")


def compare(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    settings: Settings | None = None,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]] = (),
) -> Comparison:
    """Weigh variants against the first: read, arrange, weigh, find.

    Args:
        arguments: ``path`` or ``label=path`` of each variant; a path is a file, a folder, a pattern or ``-``.
        request: what is compared with what.
        settings: thresholds, methods and limits, and where they come from.
        format: the format of all files; told by content where absent.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: when nothing can be compared.

    """
    request, settings = request or pairing.Request(), _checked(settings)
    read = _read(arguments, request, settings, format, columns)
    return compared(read.observations, read.named, request, settings)


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
    """Look at each variant alone: read, arrange, inspect, and where asked for weigh it against itself.

    Args:
        arguments: as of ``compare``; one is enough.
        request: which rows.
        settings: thresholds, methods and limits, and where they come from.
        costs: seconds that a run costs before its first iteration, and an iteration; None where unknown.
        splits: take all variants for results of one build, and weigh it against itself in at most so many ways.
        format: the format of all files; told by content where absent.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: when nothing can be inspected.

    """
    request, settings = request or pairing.Request(), _checked(settings)
    return _inspected(_read(arguments, request, settings, format, columns), request, settings, costs, splits)


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
    """Gather what a report is made from: the comparison, the other ways that factors can be asked, the inspection.

    Args:
        arguments: as of ``compare``; of one variant the report is an inspection.
        request: what is compared with what.
        settings: thresholds, methods and limits, and where they come from.
        alone: compare nothing, look at each variant by itself.
        command: that made the report, as typed; the report states it.
        format: the format of all files; told by content where absent.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: when no value can be read, or an option cannot be followed. That nothing can be compared does not stop:
            the report says so.

    """
    from statera.report.material import Material, questions  # noqa: PLC0415 - a comparison does without

    request, settings = request or pairing.Request(), _checked(settings)
    read = _read(arguments, request, settings, format, columns)
    reason = None
    asked: tuple[Question, ...] = ()
    if not alone:
        try:
            asked = questions(
                compared(read.observations, read.named, request, settings),
                request,
                lambda other: compared(read.observations, read.named, other, settings),
            )
        except Stop as stop:
            if stop.code not in _SAID_BY_A_REPORT:
                raise
            reason = stop
    try:
        inspection = _inspected(read, request, settings)
    except Stop as stop:
        if asked or stop.code not in _SAID_BY_A_REPORT:
            raise
        inspection, reason = None, reason or stop
    if inspection is not None and reason is not None and reason.code == "one-variant" and not request.by:
        # One argument was all that was given: to look at it is what was asked for.
        reason = None
    return Material(read.observations, asked, inspection, reason, command, settings)


def _checked(settings: Settings | None) -> Settings:
    given = settings or Settings()
    return given._replace(policy=checked(given.policy))


class _Read(NamedTuple):
    """What was read, and the label and text of each argument."""

    observations: table.Observations
    named: list[tuple[str | None, str]]


def _read(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request,
    settings: Settings,
    format: str | None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]],
) -> _Read:
    named = [split_label(str(argument)) for argument in arguments]
    variants = variant_numbers(named, together=bool(request.by))
    read = table.read(
        [path for _, path in named], format=format, columns=columns, limits=settings.limits, variants=variants
    )
    if len(read) == 0:
        raise table.nothing_read(read)
    return _Read(read, named)


def compared(
    observations: table.Observations,
    named: list[tuple[str | None, str]],
    request: pairing.Request,
    settings: Settings,
) -> Comparison:
    """Weigh what was read or measured: arrange, weigh, find.

    Args:
        observations: the values.
        named: label or None, and text, of each argument that they belong to.
        request: what is compared with what.
        settings: thresholds, methods and limits, and where they come from.

    Raises:
        Stop: when nothing can be compared.

    """
    policy = settings.policy
    arrangement = pairing.arrange(observations, named, request, policy)
    weighing = weigh(observations, arrangement.assignment, arrangement.labels, arrangement.groups, policy)
    if len(weighing) == 0 and weighing.elsewhere():
        raise Stop("no-shared-level", verdicts.elsewhere_words(arrangement, weighing.elsewhere()))
    if len(weighing) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to compare")
    notes = verdicts.notes(observations, arrangement, weighing, policy, request)
    return Comparison(observations, arrangement, weighing, settings, notes, levels=request.quantiles)


def _inspected(
    read: _Read,
    request: pairing.Request,
    settings: Settings,
    costs: tuple[float | None, float | None] = (None, None),
    splits: int | None = None,
) -> Inspection:
    from statera.results.inspection import Inspection  # noqa: PLC0415 - a comparison does without
    from statera.verdicts.inspection import notes  # noqa: PLC0415
    from statera.weighing import inspect as inspecting  # noqa: PLC0415

    observations, policy = read.observations, settings.policy
    arrangement = pairing.arrange(observations, read.named, request._replace(alone=True), policy)
    named = {"labels": arrangement.labels, "groups": arrangement.groups}
    native = inspecting.inspect(observations, arrangement.assignment, policy, costs, **named)
    if len(native) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to inspect")
    tested = (
        None if splits is None else inspecting.self_test(observations, arrangement.assignment, policy, splits, **named)
    )
    return Inspection(
        observations, arrangement, native, settings, notes(observations, arrangement, tested), tested=tested
    )
