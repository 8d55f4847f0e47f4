"""Archives of backups: a tar file whose first member, the manifest, states all others in their order."""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from sqlalchemy.exc import StatementError

from statera import __version__
from statera.server.database import is_away
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

FORMAT: Final = "statera backup 1"
MANIFEST: Final = "manifest.json"
# A member is read at once; this is more than any has.
_MOST: Final = 1 << 31
_DAMAGED: Final = (tarfile.TarError, EOFError, ValueError, OverflowError)


class Member(NamedTuple):
    """A file of an archive: its name, its size in bytes, and the SHA-256 of its content."""

    name: str
    size: int
    sha256: str


def manifest(members: Sequence[Member]) -> bytes:
    """Write a manifest."""
    about = {"format": FORMAT, "statera": __version__, "members": [each._asdict() for each in members]}
    return json.dumps(about, indent=1).encode()


def put(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a file to an archive."""
    about = tarfile.TarInfo(name)
    about.size = len(content)
    about.mode = 0o600
    archive.addfile(about, io.BytesIO(content))


def sha256(content: bytes) -> str:
    """Return the SHA-256 of a content, as a manifest states it."""
    return hashlib.sha256(content).hexdigest()


class Reading:
    """An archive that is read in the order of its manifest; whatever differs from it is refused by its name."""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        """Take the name of a file for messages, and the file."""
        self.path = path
        try:
            self._archive = tarfile.open(fileobj=file, mode="r:")  # noqa: SIM115 - the caller closes the file
        except _DAMAGED as error:
            raise bad(path, "the archive", f"it is not a tar file ({error})") from None
        # Read as the others are, but nothing states its size and hash.
        about = self._next()
        if about is None or about.name != MANIFEST or not about.isreg() or about.size > _MOST:
            raise bad(path, about.name if about else "the archive", f"a backup begins with the file {MANIFEST}")
        self._members = iter(self._manifest(self._content(about)))

    def lines(self, wanted: str) -> list[bytes]:
        """Return the lines of the next member, which has to be this one."""
        member, content = next(self.rest(), (None, b""))
        if member is None or member.name != wanted:
            raise bad(self.path, member.name if member else "the archive", f"{wanted} is missing before it")
        return content.splitlines()

    def rest(self) -> Iterator[tuple[Member, bytes]]:
        """Yield the other members with their content."""
        for member in self._members:
            found = self._next()
            if found is None or found.name != member.name:
                raise bad(self.path, found.name if found else member.name, f"{member.name} is missing at its place")
            # Not every regular file is as long as it says: of one with holes, a few bytes may become very many.
            if not found.isreg() or found.issparse() or found.size != member.size or member.size > _MOST:
                raise bad(self.path, member.name, f"it is not a plain file of {member.size} bytes")
            content = self._content(found)
            if sha256(content) != member.sha256:
                raise bad(self.path, member.name, "its content is not what the manifest says")
            yield member, content
        if found := self._next():
            raise bad(self.path, found.name, "the manifest does not name it")

    @contextmanager
    def blaming(self, name: str) -> Iterator[None]:
        """Refuse a member for what goes wrong within the block."""
        try:
            yield
        except StatementError as error:
            if is_away(error):
                raise
            # A database quotes the statement with all values; the cause is enough.
            raise bad(self.path, name, str(error.orig)) from None
        except Stop as stop:
            raise bad(self.path, name, str(stop)) from None
        except (ValueError, OverflowError, RecursionError, TypeError, KeyError) as error:
            raise bad(self.path, name, f"it has another form ({error})") from None

    def _next(self) -> tarfile.TarInfo | None:
        try:
            return self._archive.next()
        except _DAMAGED as error:
            raise bad(self.path, "the archive", f"it is damaged ({error})") from None

    def _content(self, about: tarfile.TarInfo) -> bytes:
        try:
            file = self._archive.extractfile(about)
            return file.read() if file else b""
        except _DAMAGED as error:
            raise bad(self.path, about.name, f"it is damaged ({error})") from None

    def _manifest(self, content: bytes) -> list[Member]:
        try:
            stated = json.loads(content)
            if stated["format"] != FORMAT:
                raise bad(
                    self.path, MANIFEST, f"its format is {stated['format']!r}; this version of statera reads {FORMAT!r}"
                )
            members = [Member(**each) for each in stated["members"]]
        except (ValueError, RecursionError, TypeError, KeyError):
            raise bad(self.path, MANIFEST, "it is not a manifest") from None
        if not all(isinstance(each.name, str) and isinstance(each.size, int) for each in members):
            raise bad(self.path, MANIFEST, "it is not a manifest")
        return members


def bad(path: str, member: str, why: str) -> Stop:
    """Return the error of a damaged archive."""
    return Stop("bad-backup", f"{path}: {member}: {why}; nothing was restored, take another copy of the backup")
