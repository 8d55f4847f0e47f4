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
    named = [split_label(str(argument)) for argument in arguments]
    read = table.read([path for _, path in named], format=format, columns=columns)
    if len(read) == 0:
        first = f" The first problem: {read.problems[0]}" if read.problems else ""
        raise Stop("nothing-to-compare", f"no value was read from {len(read.sources)} file(s).{first}")
    arrangement = pairing.arrange(read, named, request, policy)
    weighing = stats.weigh(read, arrangement.layout, arrangement.labels, arrangement.groups, policy)
    if len(weighing) == 0:
        raise Stop("nothing-to-compare", "the filters leave nothing to compare")
    notes = verdicts.notes(read, arrangement, weighing, policy, request)
    return Comparison(read, arrangement, weighing, policy, notes, levels=request.quantiles)
