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

from statera.reading.store import run_folder
from statera.support.errors import Stop
from statera.support.files import outputs
from statera.support.git import GitError, git, without_filters
from statera.support.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

_MANIFEST: Final = f"/{run_folder.NAME}"
# Files that a message names.
_FEW: Final = 5
# The entries of the trees as they were when this process planned an experiment, by their hash.
_SNAPSHOTS: Final[dict[str, frozenset[str]]] = {}
AS_IT_IS: Final = "."
"""The revision that is the tree as it is."""


def _listing(top: Path) -> tuple[list[str], list[str]]:
    """List the tree as it is.

    Returns:
        the files to take from the disk: tracked ones, of which one may be gone, and new ones that are not ignored; and
        the results of runs that are tracked, and submodules that are not checked out, as entries of the index: they
        count as they were added.
    """
    # A file in conflict has several entries.
    entries = {entry.partition("\t")[2]: entry for entry in _listed(top, "--stage")}
    # A repository within this one ends with a slash: git tracks none of its files.
    new = [name for name in _listed(top, "--others", "--exclude-standard") if not name.endswith("/")]
    runs = tuple(name.removesuffix(_MANIFEST[1:]) for name in (*entries, *new) if _is_manifest(top, name))
    # A submodule that is not checked out has no files to look at.
    kept = {name for name, entry in entries.items() if name.startswith(runs) or _is_empty(top, entry)}
    names = sorted(name for name in {*entries, *new} - kept if not name.startswith(runs))
    return names, [entries[name] for name in entries if name in kept]


def _is_empty(top: Path, entry: str) -> bool:
    """Return whether an entry is a submodule that is not checked out."""
    name = _linked(entry)
    return bool(name) and not (top / name / ".git").exists()


def _listed(top: Path, *words: str) -> list[str]:
    return [line for line in git(top, "ls-files", "-z", *words).split("\0") if line]


def _is_manifest(top: Path, name: str) -> bool:
    """Return whether a file is, or was when it was added, the manifest of a run in a folder of its own."""
    if not name.endswith(_MANIFEST):
        return False
    if (top / name).exists():
        return run_folder.is_manifest(top / name)
    return run_folder.begins(os.fsencode(_maybe(top, "cat-file", "blob", f":{name}")))


class Source(NamedTuple):
    """A revision that exists."""

    repository: str  # the top folder of the repository
    inside: str  # the folder that was named, relative to it
    revision: str | None  # the commit in full; None: the tree as it is
    content: str  # the hash of the tree, which identifies the content of all files


class Described(NamedTuple):
    """What the manifest says of a source."""

    revision: str  # the commit; of the tree as it is, the one that it is based on, or ``none``
    describe: str  # the same in the words of ``git describe``
    dirty: bool  # whether the tree differs from that commit


def resolved(folder: Path, revision: str) -> Source:
    """Find a revision in the repository that holds a folder.

    Raises ``Stop`` if there is no git, no repository or no such revision; the text says what to do.
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

    Raises ``Stop`` if the tree is no longer as it was, an object is missing, or the folder cannot be written.
    """
    top = Path(source.repository)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".partial-", dir=folder.parent) as partial, _borrowing(top) as own:
            if source.revision is None and own.snapshot() != source.content:
                raise Stop("bad-source", f"{top}: {_changed(own, source.content)}")
            files = Path(partial) / "tree"
            files.mkdir()
            own.write(source.content, files)
            for module in _modules(source):
                _write_module(top, module, files)
            remove_folder(folder)
            files.rename(folder)
    except OSError as error:
        raise outputs.failure(folder, error) from None


def left_out(source: Source) -> list[str]:
    """Name the submodules whose files a source lacks, and those of which changes are left out."""
    return [each.lacks for each in _modules(source) if each.lacks]


class _Module(NamedTuple):
    """A submodule of a source."""

    path: str  # its folder, relative to that of the source
    commit: str  # which is checked out
    lacks: str  # what it lacks of its files; empty if nothing


def _modules(source: Source) -> list[_Module]:
    """Return the submodules of a source."""
    top = Path(source.repository)
    if source.revision is None:
        entries = [(name, entry.split()[1]) for entry in _listed(top, "--stage") if (name := _linked(entry))]
        # The tree as it is has the commits that are checked out.
        entries = [(name, _maybe_in(top / name, "rev-parse", "HEAD") or commit) for name, commit in entries]
    else:
        listing = git(top, "ls-tree", "-r", "-z", source.revision).split("\0")
        entries = [(name, entry.split()[2]) for entry in listing if (name := _linked(entry))]
    return [_Module(name, commit, _lack(top / name, name, commit, source.revision)) for name, commit in entries]


def _linked(entry: str) -> str:
    """Return the path of an entry of an index or a tree if it is a submodule, otherwise nothing."""
    about, _, name = entry.partition("\t")
    return name if about.startswith("160000 ") else ""


def _lack(folder: Path, name: str, commit: str, revision: str | None) -> str:
    if not _maybe_in(folder, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}"):
        return (
            f"the submodule {name} is left out: its commit {commit[:12]} is not here. "
            f"git submodule update --init {name} gets it"
        )
    changed = [] if revision else _changed_in(folder)
    if not changed:
        return ""
    return (
        f"the submodule {name} is built as of its commit {commit[:12]}: changes there that are not committed are left "
        f"out ({listed(changed, _FEW)}). Commit them to build them"
    )


def _maybe_in(folder: Path, *words: str) -> str:
    """Ask the repository of a submodule; nothing if it is not checked out, so that another one would answer."""
    return _maybe(folder, *words) if (folder / ".git").exists() else ""


def _changed_in(folder: Path) -> list[str]:
    try:
        return git(folder, "ls-files", "-z", "--modified", environment=without_filters(folder)).split("\0")[:-1]
    except GitError:
        return []


def _write_module(top: Path, module: _Module, files: Path) -> None:
    """Write the files of a submodule, and of those within it, into its folder."""
    folder = top / module.path
    if not _maybe_in(folder, "rev-parse", "--verify", "--quiet", f"{module.commit}^{{commit}}"):
        return
    to = files / module.path
    to.mkdir(parents=True, exist_ok=True)
    with _borrowing(folder) as own:
        own.write(git(folder, "rev-parse", f"{module.commit}^{{tree}}"), to)
    for inner in _modules(Source(str(folder), ".", module.commit, "")):
        _write_module(folder, inner, to)


def _changed(own: _Borrowing, before: str) -> str:
    """Say which files have changed since a snapshot; those that changed last if another process took it."""
    now, known = own.entries(), _SNAPSHOTS.get(before)
    if known is not None:
        names = sorted({entry.partition("\t")[2] for entry in known ^ now})
    else:
        names = sorted((entry.partition("\t")[2] for entry in now), key=lambda name: -_changed_at(own.top / name))[:1]
    which = listed(names, _FEW)
    verb = "has" if len(names) == 1 else "have"
    return (
        f"{which} {verb} changed since the experiment was planned. Start a new run. If the run itself writes there, "
        "name a place outside of the repository, or ignore it in .gitignore"
    )


def _changed_at(path: Path) -> float:
    try:
        return path.lstat().st_mtime
    except OSError:
        return 0.0


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
            content, known = self.git("write-tree", tree=self.top), self.entries()
        except GitError as error:
            raise Stop("bad-source", f"{self.top}: git cannot read the tree as it is: {error}") from None
        _SNAPSHOTS.setdefault(content, known)
        return content

    def entries(self) -> frozenset[str]:
        """Return the files of the last snapshot: mode, hash and path of each."""
        return frozenset(self.git("ls-files", "-z", "--stage", tree=self.top).split("\0")[:-1])

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

    Raises ``OSError`` if it cannot be removed.
    """
    for place, names, _ in os.walk(folder):
        for name in names:
            inner = Path(place) / name
            if not inner.is_symlink():
                inner.chmod(0o700)
    with suppress(FileNotFoundError):
        shutil.rmtree(folder)
