"""Names of commits, as people write them → commits that a history has jobs of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterable

    from statera.history.checkout import Checkout
    from statera.history.job import Stored


def measured(name: str, jobs: Iterable[Stored], checkout: Checkout | None = None) -> str:
    """Return the full name of a commit that has jobs.

    Args:
        name: the beginning of its name, or any name that git understands where there is a repository.
        jobs: the jobs.
        checkout: the repository of the program.

    Raises:
        Stop: no commit of this name was measured, or several begin so.

    """
    known = {each.job.commit for each in jobs}
    full = checkout.resolve(name) if checkout and name else None
    for wanted in (name, full):
        if wanted in known:
            return str(wanted)
    found = [commit for commit in known if name and commit.startswith(name)]
    if len(found) == 1:
        return found[0]
    if found:
        raise Stop("no-commit", f"{name}: {len(found)} commits begin with this; write more of the name")
    what = f"{full} was not measured" if full else "the history has no jobs of such a commit"
    raise Stop("no-commit", f"{name}: {what}; name one that was")


def both(text: str) -> tuple[str, str]:
    """Return the names that ``A..B`` states.

    Raises:
        Stop: it states anything else.

    """
    first, dots, last = text.partition("..")
    if not dots or not first or not last or last.startswith("."):
        raise Stop("bad-option", f"{text}: write OLD..NEW, two commits with two dots between them")
    return first, last
