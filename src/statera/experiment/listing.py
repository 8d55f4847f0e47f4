"""The files of the tree as it is. The results of runs are not sources: a run writes them while its sources are read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.git import GitError, git

if TYPE_CHECKING:
    from pathlib import Path

_MANIFEST: Final = "/manifest.json"
# The first bytes of a manifest say what it is.
_MARK: Final = '"statera": "run/'
_HEAD: Final = 64


class Listing(NamedTuple):
    """What the tree as it is consists of.

    Attributes:
        names: the files to take from the disk: tracked ones, and new ones that are not ignored. One that is tracked
            may be gone.
        entries: results of runs that are tracked, as entries of the index: they count as they were added.

    """

    names: list[str]
    entries: list[str]


def listing(top: Path) -> Listing:
    """List the tree as it is.

    Raises:
        GitError: git cannot read the index.

    """
    # A file in conflict has several entries.
    entries = {entry.partition("\t")[2]: entry for entry in _listed(top, "--stage")}
    # A repository within this one ends with a slash: git tracks none of its files.
    new = [name for name in _listed(top, "--others", "--exclude-standard") if not name.endswith("/")]
    runs = tuple(name.removesuffix(_MANIFEST[1:]) for name in (*entries, *new) if _is_manifest(top, name))
    return Listing(
        names=sorted(name for name in {*entries, *new} if not name.startswith(runs)),
        entries=[entry for name, entry in entries.items() if name.startswith(runs)],
    )


def _listed(top: Path, *words: str) -> list[str]:
    return [line for line in git(top, "ls-files", "-z", *words).split("\0") if line]


def _is_manifest(top: Path, name: str) -> bool:
    """Return whether a file is, or was when it was added, the manifest of a run in a folder of its own."""
    if not name.endswith(_MANIFEST):
        return False
    try:
        with (top / name).open("rb") as file:
            return _MARK.encode() in file.read(_HEAD)
    except OSError:
        return _MARK in _added(top, name)[:_HEAD]


def _added(top: Path, name: str) -> str:
    try:
        return git(top, "cat-file", "blob", f":{name}")
    except GitError:
        return ""
