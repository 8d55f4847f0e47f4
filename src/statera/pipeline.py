"""The whole program: bytes → observations → arrangement → rows → findings. Views stand on its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera import observations as table
from statera import pairing, stats, verdicts
from statera.comparison import Comparison
from statera.errors import Stop
from statera.pairing.labels import split_label
from statera.settings import Policy, checked

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from statera.inspection import Inspection


def compare(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    policy: Policy | None = None,
    *,
    format: str | None = None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]] = (),
) -> Comparison:
    """Weigh variants against the first: read, arrange, weigh, find.

    Args:
        arguments: ``path`` or ``label=path`` of each variant; a path is a file, a folder, a pattern or ``-``.
        request: what is compared with what.
        policy: thresholds and methods.
        format: the format of all files; told by content where absent.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: when nothing can be compared.

    """
    request, policy = request or pairing.Request(), checked(policy or Policy())
    read, arrangement = _arranged(arguments, request, policy, format, columns)
    weighing = stats.weigh(read, arrangement.layout, arrangement.labels, arrangement.groups, policy)
    if len(weighing) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to compare")
    notes = verdicts.notes(read, arrangement, weighing, policy, request)
    return Comparison(read, arrangement, weighing, policy, notes, levels=request.quantiles)


def inspect(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request | None = None,
    policy: Policy | None = None,
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
        policy: thresholds and methods.
        costs: seconds that a run costs before its first iteration, and an iteration; None where unknown.
        splits: take all variants for results of one build, and weigh it against itself in at most so many ways.
        format: the format of all files; told by content where absent.
        columns: for plain tables, (role, column) pairs.

    Raises:
        Stop: when nothing can be inspected.

    """
    from statera.inspection import Inspection  # noqa: PLC0415 - a comparison does without
    from statera.stats import inspect as inspecting  # noqa: PLC0415
    from statera.verdicts.inspection import notes  # noqa: PLC0415

    request, policy = (request or pairing.Request())._replace(alone=True), checked(policy or Policy())
    read, arrangement = _arranged(arguments, request, policy, format, columns)
    native = inspecting.inspect(read, arrangement, policy, costs)
    if len(native) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to inspect")
    tested = None if splits is None else inspecting.self_test(read, arrangement, policy, splits)
    return Inspection(read, arrangement, native, policy, notes(read, arrangement, tested), tested=tested)


def _arranged(
    arguments: Iterable[str | PathLike[str]],
    request: pairing.Request,
    policy: Policy,
    format: str | None,  # noqa: A002 - the word that users know
    columns: Iterable[tuple[str, str]],
) -> tuple[table.Observations, pairing.Arrangement]:
    named = [split_label(str(argument)) for argument in arguments]
    read = table.read([path for _, path in named], format=format, columns=columns)
    if len(read) == 0:
        first = f" The first problem: {read.problems[0]}" if read.problems else ""
        raise Stop("nothing-to-compare", f"no value was read from {len(read.sources)} file(s).{first}")
    return read, pairing.arrange(read, named, request, policy)
