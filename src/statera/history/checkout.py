"""What the git repository of a project says about commits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.support.errors import Stop
from statera.support.git import GitError, git, without_filters

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# A name of a commit that git can be given without being understood as anything else.
FULL: Final = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
# The beginning of a name, of as many digits as tools show.
ABBREVIATED: Final = re.compile(r"[0-9a-f]{7,64}")
_FIELDS: Final = "%H%x00%P%x00%cI%x00%an%x00%s%x00%(trailers:key=Statera-Expect,valueonly,unfold,separator=%x01)"


class Commit(NamedTuple):
    """A commit: its name, parents, time (ISO 8601), author, subject, and trailers ``Statera-Expect``."""

    sha: str
    parents: tuple[str, ...]
    committed: str
    author: str
    subject: str
    expects: tuple[str, ...]


class Checkout:
    """A git repository with the history of the program that is measured."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def resolve(self, name: str) -> str | None:
        """Return the full name of a commit that a name stands for; None if there is none."""
        try:
            return (
                git(self.folder, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}") or None
            )
        except GitError:
            return None

    @property
    def branch(self) -> str:
        """Return the branch that is checked out; empty if none is."""
        try:
            return git(self.folder, "symbolic-ref", "--quiet", "--short", "HEAD")
        except GitError:
            return ""

    @property
    def is_shallow(self) -> bool:
        """Return whether it lacks the commits before some."""
        return git(self.folder, "rev-parse", "--is-shallow-repository") == "true"

    @property
    def is_dirty(self) -> bool:
        """Return whether files that git knows differ from the commit."""
        # A submodule has a configuration of its own, and its commit says enough.
        words = ("status", "--porcelain", "--untracked-files=no", "--ignore-submodules=dirty")
        return bool(git(self.folder, *words, environment=without_filters(self.folder)))

    @property
    def project(self) -> str:
        """Return a name for the project: that of its remote ``origin``, or of its folder."""
        try:
            remote = git(self.folder, "config", "--get", "remote.origin.url")
        except GitError:
            remote = ""
        path = re.sub(r"^[\w+.-]+://[^/]*/|^[^/:]*@[^/:]*:", "", remote.strip()).removesuffix("/").removesuffix(".git")
        if path and not path.startswith(("/", ".")):
            return path
        return (path.rpartition("/")[2] if path else "") or self.folder.resolve().name or "project"

    def line(self, commit: str, most: int | None = None) -> list[Commit]:
        """Return a commit and its first parents, newest first, as far as the repository knows them."""
        count = () if most is None else (f"--max-count={most}",)
        words = ("log", "-z", "--first-parent", "--no-show-signature", *count, f"--format={_FIELDS}", commit, "--")
        return _commits(git(self.folder, *words))

    def full_names(self, names: Iterable[str]) -> dict[str, str]:
        """Return the full name of each commit that the repository has, of names or beginnings of at least 7 digits."""
        return self._commits([name for name in names if ABBREVIATED.fullmatch(name)], "^{commit}")

    def described(self, commits: Iterable[str]) -> dict[str, Commit]:
        """Return what is known of commits that the repository has, by their full names."""
        words = ("log", "-z", "--no-walk=unsorted", "--no-show-signature", f"--format={_FIELDS}", "--stdin", "--")
        asked = "\n".join(name for name in commits if FULL.fullmatch(name))
        if not asked:
            return {}
        return {each.sha: each for each in _commits(git(self.folder, *words, standard_input=asked.encode()))}

    def first_parents(self, commits: Iterable[str]) -> dict[str, str | None]:
        """Return the first parent of each commit on the lines of some commits, as far as the repository knows them."""
        known = self._commits([name for name in commits if FULL.fullmatch(name)])
        if not known or self.is_shallow:
            return {}
        words = ("rev-list", "--first-parent", "--parents", "--stdin")
        found: dict[str, str | None] = {}
        for line in git(self.folder, *words, standard_input="\n".join(known.values()).encode()).splitlines():
            commit, *parents = line.split()
            found[commit] = parents[0] if parents else None
        return found

    def _commits(self, names: Sequence[str], suffix: str = "") -> dict[str, str]:
        """Return the full names of those that are commits."""
        asked = "".join(f"{name}{suffix}\n" for name in names).encode()
        # A line for each name: the object and its kind, or the name and why there is none.
        said = git(self.folder, "cat-file", "--batch-check=%(objectname) %(objecttype)", standard_input=asked)
        found = zip(names, said.split("\n"), strict=False)
        return {name: line.removesuffix(" commit") for name, line in found if line.endswith(" commit")}


def here() -> Checkout | None:
    """Return the repository of the current folder."""
    return found(Path())


def found(folder: Path) -> Checkout | None:
    """Return the repository that a folder is in; None if it is in none."""
    try:
        git(folder, "rev-parse", "--git-dir")
    except (GitError, Stop):
        return None
    return Checkout(folder)


def _commits(text: str) -> list[Commit]:
    # No text of a commit contains the character that ends each field.
    fields = text.split("\x00")
    return [_commit(fields[at : at + 6]) for at in range(0, len(fields) - 5, 6)]


def _commit(fields: Sequence[str]) -> Commit:
    sha, parents, committed, author, subject, trailers = fields
    expects = tuple(text for text in trailers.strip().split("\x01") if text)
    return Commit(sha, tuple(parents.split()), committed, author, subject, expects)
