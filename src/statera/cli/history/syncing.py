"""``statera history sync``: a history in a branch, here and in the remote repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

from statera.cli import options as common
from statera.cli.history import shared
from statera.support.errors import Stop

if TYPE_CHECKING:
    import argparse

    from statera.history.branch import Branch
    from statera.support.settings.limits import Limits


def add(verbs: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the verb."""
    parser = verbs.add_parser(
        "sync",
        help="fetch and push a history in a branch",
        description="Fetch what others added to the branch of a history, and push what was added here. Nothing is "
        "checked out. If somebody else pushed first, statera pushes again on top of their commit.",
    )
    shared.add_place(parser)
    parser.set_defaults(run=_sync)


def branch_of(place: str) -> Branch:
    """Return the branch of a history.

    Raises:
        Stop: the place is a folder.

    """
    from statera.history import branch  # noqa: PLC0415 - --help does without

    if found := branch.found(place):
        return found
    raise Stop("bad-option", f"{place}: is a folder, and only a history in a branch is pushed; name one as git:BRANCH")


def synced(branch: Branch, limits: Limits) -> None:
    """Fetch and push, and report it.

    Raises:
        Stop: fetching or pushing fails.

    """
    from statera.history import sync  # noqa: PLC0415 - --help does without

    done = sync.sync(branch, limits)
    for problem in done.refused:
        common.say(f"statera: refused: {problem}")
    common.say(f"statera: {branch.place}: {sync.words(done)}")


def _sync(options: argparse.Namespace) -> int:
    settings = common.reading(options)
    synced(branch_of(shared.place(options, settings)), settings.limits)
    return 0
