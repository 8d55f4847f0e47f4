"""A branch of a remote repository that holds the files of a history, reached without a checkout.

Git runs in a repository of statera's own, so that neither hooks nor programs that the configuration of the user's
repository names are run. Of that configuration it takes the address of the remote and what concerns HTTP, such as the
header by which CI authenticates.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple
from urllib.parse import quote

from statera.support.errors import Stop
from statera.support.git import GitError, conversation, git

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

PREFIX: Final = "git:"
ORIGIN: Final = "origin"
_FOLDER: Final = "statera/histories"
# The branch as it was fetched last.
_TIP: Final = "refs/statera/tip"
_LONGEST_NAME: Final = 200
_LONGEST_MESSAGE: Final = 600
_PIECE: Final = 1 << 20
# From so many loose objects on they are packed.
_LOOSE: Final = 2000


class Entry(NamedTuple):
    """A file of a branch: mode, kind and name of the object, and its size in bytes; None if it has none."""

    mode: str
    kind: str
    object: str
    size: int | None


class RejectedError(Exception):
    """A push that the remote repository did not take, mostly because somebody else pushed first."""


class Branch:
    """A branch of a remote of the repository that a folder is in."""

    def __init__(self, place: str, remote: str, name: str, top: Path, common: Path) -> None:
        self.place = place  # how the user names it
        self.remote = remote  # the name of the remote
        self.name = name  # the name of the branch
        # Where git resolves the relative path of a remote.
        self._top = top
        key = quote(name if remote == ORIGIN else f"{remote}:{name}", safe="")
        if len(key) > _LONGEST_NAME:
            key = hashlib.sha256(key.encode()).hexdigest()
        self.lock = common / _FOLDER / key  # a folder to lock while the branch is fetched and pushed
        self.folder = self.lock / "history"  # where the files of the history stand on this machine
        self._own = self.lock / "repository"

    @property
    def has_remote(self) -> bool:
        """Return whether the repository has this remote."""
        return bool(self._user("remote", "get-url", self.remote))

    def fetch(self) -> str | None:
        """Fetch the branch; return the name of its newest commit, or None if the remote has no such branch."""
        address = self._address()
        ref = f"refs/heads/{self.name}"
        listed = self._reach("ls-remote", "--heads", "--", address, ref)
        # The pattern of the call also fits longer names that end so.
        tip = next((line.partition("\t")[0] for line in listed.splitlines() if line.endswith(f"\t{ref}")), None)
        if tip is not None and tip != self._known():
            # Who fetches between two pushes may get a newer one.
            words = ("--quiet", "--no-tags", "--no-write-fetch-head", "--depth=1", "--no-recurse-submodules")
            self._reach("fetch", *words, "--", address, f"+{ref}:{_TIP}")
            return self._known()
        return tip

    def entries(self, tip: str) -> dict[str, Entry]:
        """Return the files of a commit by their paths."""
        found = {}
        for line in self._git("ls-tree", "-r", "-z", "--long", "--full-tree", tip).split("\0"):
            about, tab, path = line.partition("\t")
            if tab:
                mode, kind, name, size = about.split()
                found[path] = Entry(mode, kind, name, int(size) if size.isdigit() else None)
        return found

    @contextmanager
    def reading(self) -> Iterator[Callable[[str, Path], str]]:
        """Yield a function that writes the content of an object into a file and returns its SHA-256.

        The function raises OSError if the file cannot be written, or if git has no such object.
        """
        with conversation(self._top, f"--git-dir={self._own}", "cat-file", "--batch") as (asked, answers):
            yield partial(_copy, asked, answers)

    def commit(self, tip: str | None, added: list[str], removed: list[str], message: str) -> str:
        """Make a commit of the files of the tip, with some added from the folder and some removed; return its name."""
        names = self._git(
            *("hash-object", "-w", "--no-filters", "--stdin-paths"),
            folder=self.folder,
            standard_input="".join(f"{path}\n" for path in added).encode(),
        ).split()
        index = self.lock / f"index-{os.getpid()}"
        environment = {"GIT_INDEX_FILE": os.fspath(index)}
        try:
            self._git("read-tree", *((tip,) if tip else ("--empty",)), environment=environment)
            lines = [f"100644 {name}\t{path}\0" for name, path in zip(names, added, strict=True)]
            lines += [f"0 {'0' * len(tip or '')}\t{path}\0" for path in removed]
            self._git(
                "update-index", "-z", "--index-info", environment=environment, standard_input="".join(lines).encode()
            )
            tree = self._git("write-tree", environment=environment)
        finally:
            index.unlink(missing_ok=True)
        parents = ("-p", tip) if tip else ()
        return self._git("commit-tree", "--no-gpg-sign", *parents, "-m", message, tree, environment=self._identity())

    def push(self, commit: str) -> None:
        """Make a commit the newest of the branch.

        Raises ``RejectedError`` if the remote repository does not take it, and ``Stop`` if it cannot be reached.
        """
        words = ("--quiet", "--no-verify", "--no-signed", "--no-follow-tags", "--recurse-submodules=no")
        address = self._address("--push")
        try:
            self._reaching("push", *words, "--", address, f"{commit}:refs/heads/{self.name}")
        except GitError as error:
            said = _masked(str(error))
            if "rejected]" in said:
                raise RejectedError(said) from None
            raise self._unreachable(said) from None
        self._git("update-ref", _TIP, commit)
        packing = ("-c", f"gc.auto={_LOOSE}", "-c", "gc.autoDetach=false", "gc", "--auto", "--quiet", "--prune=now")
        self._git(*packing)

    def prepare(self) -> None:
        """Make the repository of statera's own, and remove what killed commands left in it.

        Whoever calls this holds the lock.

        Raises ``GitError`` if it cannot be made.
        """
        for left in (*self._own.glob("*.lock"), *(self._own / "refs").rglob("*.lock"), *self.lock.glob("index-*")):
            left.unlink(missing_ok=True)
        kind = self._user("rev-parse", "--show-object-format") or "sha1"
        words = ("--bare", "--quiet", "--template=", f"--object-format={kind}")
        git(self._top, "init", *words, "--", os.fspath(self._own))

    def _known(self) -> str | None:
        try:
            return self._git("rev-parse", "--verify", "--quiet", f"{_TIP}^{{commit}}")
        except GitError:
            return None

    def _address(self, *words: str) -> str:
        if found := self._user("remote", "get-url", *words, self.remote):
            return found
        raise Stop(
            "no-remote",
            f"{self.place}: the repository has no remote {self.remote}; git remote add {self.remote} URL adds one",
        )

    def _identity(self) -> dict[str, str]:
        name = self._user("config", "--get", "user.name") or "statera"
        mail = self._user("config", "--get", "user.email") or "statera@localhost"
        who = {"NAME": name, "EMAIL": mail}
        return {f"GIT_{role}_{what}": text for role in ("AUTHOR", "COMMITTER") for what, text in who.items()}

    def _user(self, *words: str) -> str:
        """Ask the user's repository; return an empty text if it refuses."""
        try:
            return git(self._top, *words)
        except GitError:
            return ""

    def _git(
        self,
        *words: str,
        folder: Path | None = None,
        environment: dict[str, str] | None = None,
        standard_input: bytes | None = None,
    ) -> str:
        own = f"--git-dir={self._own}"
        return git(folder or self._top, own, *words, environment=environment, standard_input=standard_input)

    def _reach(self, *words: str) -> str:
        try:
            return self._reaching(*words)
        except GitError as error:
            raise self._unreachable(_masked(str(error))) from None

    def _reaching(self, *words: str) -> str:
        return git(self._top, f"--git-dir={self._own}", *words, environment=self._http(), remote=True)

    def _http(self) -> dict[str, str]:
        """Return the user's configuration of HTTP as variables, because arguments can be seen by others."""
        listed = self._user("config", "--local", "--includes", "-z", "--get-regexp", r"^http\.")
        pairs = [pair.partition("\n") for pair in listed.split("\0") if pair]
        variables = {"GIT_CONFIG_COUNT": str(len(pairs))}
        for number, (key, _, value) in enumerate(pairs):
            variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
        return variables

    def _unreachable(self, said: str) -> Stop:
        return Stop(
            "remote-failed",
            f"{self.place}: git cannot reach the remote {self.remote}: {said}. Check the address and the permission; "
            "what was added stays on this machine",
        )


def found(place: str) -> Branch | None:
    """Return the branch that a place names, in the repository of the current folder; None if it names a folder."""
    if not place.startswith(PREFIX):
        return None
    remote, _, name = place.removeprefix(PREFIX).rpartition(":")
    here = Path()
    try:
        common = Path(git(here, "rev-parse", "--git-common-dir")).absolute()
        has_tree = git(here, "rev-parse", "--is-inside-work-tree") == "true"
        top = git(here, "rev-parse", "--show-toplevel") if has_tree else ""
    except GitError:
        raise Stop("no-history", f"{place}: the current folder is in no git repository. Name a folder") from None
    remote = remote or ORIGIN
    try:
        git(here, "check-ref-format", f"refs/heads/{name}")
        git(here, "check-ref-format", f"refs/remotes/{remote}/branch")
    except GitError:
        remote = "-"
    if remote.startswith("-") or name.startswith("-"):
        raise Stop("bad-option", f"--history {place}: write git:BRANCH, git:REMOTE:BRANCH, or the path of a folder")
    return Branch(place, remote, name, Path(top) if top else common, common)


def _copy(asked: IO[bytes], answers: IO[bytes], name: str, path: Path) -> str:
    asked.write(name.encode() + b"\n")
    asked.flush()
    words = answers.readline().split()
    try:
        _, _, size = words
    except ValueError:
        raise OSError(errno.EIO, f"git cannot read its object {name}") from None
    left, hash_ = int(size), hashlib.sha256()
    with path.open("wb") as file:
        while left and (piece := answers.read(min(left, _PIECE))):
            hash_.update(piece)
            file.write(piece)
            left -= len(piece)
    answers.read(1)
    return hash_.hexdigest()


def _masked(said: str) -> str:
    """Return what git said without the names and passwords of addresses."""
    text = re.sub(r"(?<=://)[^\s'\"]*@", "***@", said)
    return text if len(text) <= _LONGEST_MESSAGE else f"{text[:_LONGEST_MESSAGE]}…"
