"""Where a history is: a folder of this machine, a branch of a remote repository with a copy here, or a server."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Final

from statera.history import branch, checkout, remote, sync
from statera.history.folder import About, Folder, create, exists, open_folder, remove_empty
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.settings.limits import Limits

if TYPE_CHECKING:
    from collections.abc import Iterator

    from statera.history.upload import Receiver
    from statera.support.settings.file import History

# The history of whoever names none, in a repository.
DEFAULT: Final = f"{branch.PREFIX}statera-history"


def place_of(stated: str | None, settings: History) -> str:
    """Return the place that the caller states, otherwise the settings, otherwise a branch of the current repository."""
    if place := stated or settings.place:
        return place
    if checkout.here():
        return DEFAULT
    raise Stop(
        "no-history",
        "the place of the history is unknown. Name its folder with --history, or set place in the table [history] of "
        "statera.toml; in a git repository it is a branch by default",
    )


def opened(place: str) -> Folder:
    """Open a history. That of a branch which is not on this machine yet is fetched."""
    if of := branch.found(place):
        if exists(of.folder) or _fetched(of):
            return open_folder(of.folder, place)
        raise Stop(
            "no-history",
            f"{place}: {of.remote} has no branch {of.name}; statera history add FILES… --push makes one",
        )
    remote.refuse(place)
    outputs.refuse_scheme(place)
    return open_folder(Path(place))


def opened_or_made(place: str, project: str) -> tuple[Folder, bool]:
    """Open a history, or make one for a project; return it, and whether it is new."""
    if of := branch.found(place):
        if exists(of.folder) or (of.has_remote and _fetched(of)):
            return open_folder(of.folder, place), False
        return create(of.folder, About(project), place), True
    remote.refuse(place)
    outputs.refuse_scheme(place)
    folder = Path(place)
    # Another command may make one at the same time: its unfinished files are hidden.
    others = folder.is_dir() and any(not each.name.startswith(".") for each in folder.iterdir())
    if others and not exists(folder):
        raise Stop("no-history", f"{place}: this folder holds other files and no history. Name another one")
    if exists(folder):
        return open_folder(folder), False
    return create(folder, About(project)), True


def receiver(place: str, project: str) -> tuple[Receiver, bool]:
    """Open a history that takes uploads, or make one for a project; return it, and whether it is new."""
    if remote.is_remote(place):
        return remote.Remote(place), False
    return opened_or_made(place, project)


@contextmanager
def used(folder: Receiver, *, new: bool) -> Iterator[None]:
    """Remove a history that was made for what then failed: an empty one would hide that nothing was kept."""
    try:
        yield
    except BaseException:
        if new and isinstance(folder, Folder):
            remove_empty(folder)
        raise


def _fetched(of: branch.Branch) -> bool:
    return sync.fetch(of, Limits())
