"""The way of a comparison: files → observations → arrangement → rows → notes. Views show what comes out of it."""

from __future__ import annotations

from os.path import isfile, lexists

from statera.comparison import pairing, verdicts
from statera.comparison.pairing.keys import HOST, HOSTS
from statera.comparison.pairing.variants import split_label, variant_numbers
from statera.comparison.results.comparison import Comparison
from statera.comparison.verdicts.notes import hosts_disagree
from statera.comparison.weighing.weigh import inspect as inspect_values
from statera.comparison.weighing.weigh import weigh
from statera.reading import PROFILES
from statera.reading import observations as table
from statera.support import stages
from statera.support.errors import Stop
from statera.support.settings import checked
from statera.support.settings.file import Settings
from statera.support.typed import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from statera import _native
    from statera.comparison.results.inspection import Inspection
    from statera.reading.store.named import Stored
    from statera.support.settings import Policy


def compare(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    settings: Settings | None = None,
    *,
    format: str | None = None,
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
    request, settings = request or pairing.Request(), checked_settings(settings)
    found = read(arguments, request, settings, format=format, columns=columns)
    return with_profiles(compared(found.observations, found.named, request, settings), found.named)


def with_profiles(comparison: Comparison, named: list[tuple[str | None, str]]) -> Comparison:
    """Return a comparison with what differs between the profiles that the arguments hold.

    Raises:
        Stop: a profile is damaged.
    """
    of_callgrind = any(source.format == "callgrind" for source in comparison.observations.sources)
    if of_callgrind or any(isfile(f"{path}/{PROFILES}") for _, path in named):
        from statera.comparison import profiles  # noqa: PLC0415 - few comparisons have profiles

        limits = comparison.settings.limits
        comparison.profiles = profiles.of_arguments(named, comparison.labels, limits)
        comparison.notes += profiles.notes(comparison.profiles)
    return comparison


def compared(
    observations: table.Observations,
    named: list[tuple[str | None, str]],
    request: pairing.Request,
    settings: Settings,
) -> Comparison:
    """Compare observations that are in memory; ``named`` has the label (or None) and the text of each argument.

    Raises:
        Stop: nothing can be compared.
    """
    stages.enter("weighing")
    policy = settings.policy
    pairing.refuse_overlaps(observations, named, request)
    observations = pairing.prepared(observations, request)
    arrangement = pairing.arrange(observations, named, request, policy)
    if request.own:
        observations, arrangement = pairing.own_part(observations, arrangement)
    weighing = _weighed(observations, arrangement, policy)
    notes = verdicts.notes(observations, arrangement, weighing, settings, request)
    found = Comparison(
        observations, arrangement, weighing, settings, notes, levels=request.quantiles, blocks=request.blocks
    )
    if HOST in arrangement.pooled and HOSTS in arrangement.common:
        _tell_hosts_apart(found, named, request)
    return found


def _tell_hosts_apart(found: Comparison, named: list[tuple[str | None, str]], request: pairing.Request) -> None:
    """Add the comparison of each host by itself, and a note, if a change differs between the hosts of a run."""
    observations, settings = found.observations, found.settings
    alone = request._replace(by=request.by or found.arrangement.by, within=(*request.within, HOST), own=False)
    arrangement = pairing.arrange(observations, named, alone, settings.policy)
    weighing = weigh(observations, arrangement.assignment, arrangement.labels, arrangement.groups, settings.policy)
    note = hosts_disagree(weighing, arrangement.labels, settings.policy.alpha)
    if note is not None:
        found.apart = Comparison(observations, arrangement, weighing, settings, [])
        found.notes.append(note)


def _weighed(observations: table.Observations, arrangement: pairing.Arrangement, policy: Policy) -> _native.Weighing:
    """Have the rows computed; there must be one."""
    weighing = weigh(observations, arrangement.assignment, arrangement.labels, arrangement.groups, policy)
    if len(weighing) == 0 and weighing.elsewhere():
        raise Stop("no-shared-level", verdicts.elsewhere_words(arrangement, weighing.elsewhere()))
    if len(weighing) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to compare")
    return weighing


class Read(NamedTuple):
    """The observations, and the label (or None) and text of each argument."""

    observations: table.Observations
    named: list[tuple[str | None, str]]


def read(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request,
    settings: Settings,
    *,
    format: str | None = None,
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
    from statera.reading.store.named import resolved  # noqa: PLC0415 - the store costs a comparison of files a tenth of its time

    return resolved(named)


def checked_settings(settings: Settings | None) -> Settings:
    """Return settings whose policy is possible; the defaults if there are none."""
    given = settings or Settings()
    return given._replace(policy=checked(given.policy))


def inspect(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    settings: Settings | None = None,
    *,
    costs: tuple[float | None, float | None] = (None, None),
    splits: int | None = None,
    format: str | None = None,
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
    request, settings = request or pairing.Request(), checked_settings(settings)
    found = read(arguments, request, settings, format=format, columns=columns)
    return inspected(found, request, settings, costs, splits)


def inspected(
    found: Read,
    request: pairing.Request,
    settings: Settings,
    costs: tuple[float | None, float | None] = (None, None),
    splits: int | None = None,
) -> Inspection:
    """Inspect results in memory; arguments and errors as of ``inspect``."""
    from statera.comparison.results.inspection import Inspection  # noqa: PLC0415 - a comparison does without
    from statera.comparison.verdicts.inspection import notes  # noqa: PLC0415

    stages.enter("inspecting")
    observations, policy = pairing.prepared(found.observations, request), settings.policy
    arrangement = pairing.arrange(observations, found.named, request._replace(alone=True), policy)
    named = {"labels": arrangement.labels, "groups": arrangement.groups}
    native = inspect_values(observations, arrangement.assignment, policy, costs, **named)
    if len(native) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to inspect")
    tested = None
    if splits is not None:
        from statera.comparison.weighing.self_test import self_test  # noqa: PLC0415 - an inspection does without

        tested = self_test(observations, arrangement.assignment, policy, splits, **named)
    return Inspection(
        observations, arrangement, native, settings, notes(observations, arrangement, tested), tested=tested
    )
