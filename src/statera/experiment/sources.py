"""Sources: from a revision to its files, in a folder of their own below the cache.

Files are written by a repository of statera's own that borrows the objects of the user's: hooks, filters and other
programs of a stranger's configuration cannot run, and the user's repository is only read. The tree as it is becomes a
git tree too: its hash identifies the content, whatever is committed. The results of runs are not sources: a run writes
them while its sources are read.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from statera.reading.store import manifest
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.git import GitError, git

if TYPE_CHECKING:
    from collections.abc import Iterator

_MANIFEST: Final = f"/{manifest.NAME}"
AS_IT_IS: Final = "."
"""The revision that is the tree as it is."""


def _listing(top: Path) -> tuple[list[str], list[str]]:
    """List the tree as it is.

    Returns:
        the files to take from the disk: tracked ones, of which one may be gone, and new ones that are not ignored; and
        the results of runs that are tracked, as entries of the index: they count as they were added.

    """
    # A file in conflict has several entries.
    entries = {entry.partition("\t")[2]: entry for entry in _listed(top, "--stage")}
    # A repository within this one ends with a slash: git tracks none of its files.
    new = [name for name in _listed(top, "--others", "--exclude-standard") if not name.endswith("/")]
    runs = tuple(name.removesuffix(_MANIFEST[1:]) for name in (*entries, *new) if _is_manifest(top, name))
    names = sorted(name for name in {*entries, *new} if not name.startswith(runs))
    return names, [entry for name, entry in entries.items() if name.startswith(runs)]


def _listed(top: Path, *words: str) -> list[str]:
    return [line for line in git(top, "ls-files", "-z", *words).split("\0") if line]


def _is_manifest(top: Path, name: str) -> bool:
    """Return whether a file is, or was when it was added, the manifest of a run in a folder of its own."""
    if not name.endswith(_MANIFEST):
        return False
    if (top / name).exists():
        return manifest.is_manifest(top / name)
    return manifest.begins(os.fsencode(_maybe(top, "cat-file", "blob", f":{name}")))


class Source(NamedTuple):
    """A revision that exists.

    Attributes:
        repository: the top folder of the repository. inside: the folder that was named, relative to it.
        revision: the commit in full; None: the tree as it is.
        content: the hash of the tree, which identifies the content of all files.

    """

    repository: str
    inside: str
    revision: str | None
    content: str


class Described(NamedTuple):
    """What the manifest says of a source.

    Attributes:
        revision: the commit; of the tree as it is, the one that it is based on, or ``none``.
        describe: the same in the words of ``git describe``.
        dirty: whether the tree differs from that commit.

    """

    revision: str
    describe: str
    dirty: bool


def resolved(folder: Path, revision: str) -> Source:
    """Find a revision in the repository that holds a folder.

    Raises:
        Stop: there is no git, no repository or no such revision; the text says what to do.

    """
    top = _top(folder)
    inside = os.path.relpath(folder.resolve(), top)
    if revision == AS_IT_IS:
        with _borrowing(top) as own:
            return Source(str(top), inside, None, own.snapshot())
    try:
        # The hash of the tree of a commit follows that of the commit.
        commit = git(top, "rev-parse", "--verify", "--quiet", "--end-of-options", f"{revision}^{{commit}}")
        return Source(str(top), inside, commit, git(top, "rev-parse", "--verify", f"{commit}^{{tree}}"))
    except GitError:
        raise Stop("bad-source", f"{folder}: {_no_such(top, revision)}") from None


def extract(source: Source, folder: Path) -> None:
    """Write the files of a source to a folder, which is complete or absent.

    Raises:
        Stop: the tree is no longer as it was, an object is missing, or the folder cannot be written.

    """
    top = Path(source.repository)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".partial-", dir=folder.parent) as partial, _borrowing(top) as own:
            if source.revision is None and own.snapshot() != source.content:
                raise Stop("bad-source", f"{top}: files have changed since the experiment was planned. Start a new one")
            files = Path(partial) / "tree"
            files.mkdir()
            own.write(source.content, files)
            remove_folder(folder)
            files.rename(folder)
    except OSError as error:
        raise outputs.failure(folder, error) from None


def described(source: Source) -> Described:
    """Describe a source for people who read the results."""
    top = Path(source.repository)
    commit = source.revision or _maybe(top, "rev-parse", "--verify", "--quiet", "HEAD")
    if not commit:
        return Described("none", "no commit", dirty=True)
    dirty = _maybe(top, "rev-parse", f"{commit}^{{tree}}") != source.content
    name = _maybe(top, "describe", "--always", "--tags", commit) or commit
    return Described(commit, f"{name}-dirty" if dirty else name, dirty)


class _Borrowing(NamedTuple):
    """A repository of our own, without objects but those of another one."""

    top: Path
    own: Path
    objects: str

    def git(self, *words: str, tree: Path, standard_input: bytes | None = None) -> str:
        environment = {
            "GIT_DIR": str(self.own),
            "GIT_WORK_TREE": str(tree),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(self.objects),
            "GIT_NO_LAZY_FETCH": "1",
        }
        return git(tree, *words, environment=environment, standard_input=standard_input)

    def snapshot(self) -> str:
        """Return the hash of the tree as it is: tracked files, and new ones that are not ignored."""
        try:
            names, entries = _listing(self.top)
            self._update("--add", "--remove", "--stdin", lines=names)
            self._update("--index-info", lines=entries)
            return self.git("write-tree", tree=self.top)
        except GitError as error:
            raise Stop("bad-source", f"{self.top}: git cannot read the tree as it is: {error}") from None

    def _update(self, *words: str, lines: list[str]) -> None:
        given = os.fsencode("".join(f"{line}\0" for line in lines))
        self.git("update-index", "-z", *words, tree=self.top, standard_input=given)

    def write(self, content: str, folder: Path) -> None:
        """Write the files of a tree to an empty folder."""
        try:
            self.git("read-tree", "--empty", tree=folder)
            self.git("read-tree", "--reset", "-u", content, tree=folder)
        except GitError as error:
            raise Stop("bad-source", f"{self.top}: git cannot write the files of {content}: {error}") from None


@contextmanager
def _borrowing(top: Path) -> Iterator[_Borrowing]:
    with tempfile.TemporaryDirectory(prefix="statera-git-") as folder:
        own = Path(folder) / "git"
        try:
            kind = git(top, "rev-parse", "--show-object-format")
            objects = str(top / git(top, "rev-parse", "--git-path", "objects"))
            git(top, "init", "--quiet", "--bare", "--template=", f"--object-format={kind}", str(own))
        except GitError as error:
            raise Stop("bad-source", f"{top}: {error}") from None
        yield _Borrowing(top, own, objects)


def _top(folder: Path) -> Path:
    try:
        top = git(folder, "rev-parse", "--show-toplevel")
    except GitError as error:
        raise Stop("bad-source", f"{folder}: {_no_repository(str(error))}") from None
    return Path(top)


def _no_repository(said: str) -> str:
    if "not a git repository" in said:
        return (
            "is in no git repository. Name one with git in [source], or make one: git init && git add . && git commit"
        )
    if "must be run in a work tree" in said:
        return "is a bare repository. Name a clone that has files"
    # Among others, that the folder belongs to somebody else, and how to trust it.
    return f"git refuses this repository: {said}"


def _no_such(top: Path, revision: str) -> str:
    known = _maybe(top, "for-each-ref", "--count=8", "--sort=-creatordate", "--format=%(refname:short)").split()
    there = f"; there are, for instance, {', '.join(known)}" if known else "; nothing is committed yet"
    if _maybe(top, "rev-parse", "--is-shallow-repository") == "true":
        there += "; this clone is shallow: git fetch --unshallow gets the rest"
    return f"there is no revision {revision!r}{there}"


def _maybe(top: Path, *words: str) -> str:
    try:
        return git(top, *words)
    except GitError:
        return ""


def _quoted(path: str) -> str:
    """Write a path as an element of a list that git splits at colons."""
    special = any(each in path for each in ':"\n\\')
    return '"' + path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"' if special else path


def remove_folder(folder: Path) -> None:
    """Remove a folder, also one with folders that may not be written, as Go makes them.

    Raises:
        OSError: it cannot be removed.

    """
    for place, names, _ in os.walk(folder):
        for name in names:
            inner = Path(place) / name
            if not inner.is_symlink():
                inner.chmod(0o700)
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)
