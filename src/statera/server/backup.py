"""A backup: what cannot be made again, in one file that SQLite and PostgreSQL read alike.

It is a tar file. ``manifest.json`` stands first and states the name, the size and the SHA-256 of all others, in their
order: a file of rows for each table, and the uploads, each as it arrived. Jobs, series, values and all that an analysis
finds are made again from these.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import func, insert, inspect, select, update
from sqlalchemy.exc import StatementError

from statera import __version__
from statera.server import histories, migrations, projects, tables
from statera.server.database import add_many, is_away
from statera.support.errors import Stop, unreadable
from statera.support.files import outputs

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from sqlalchemy import Connection, Table

    from statera.server.database import Database
    from statera.support.settings.limits import Limits

_FORMAT: Final = "statera backup 1"
_MANIFEST: Final = "manifest.json"
# A member is read at once; this is more than any has.
_MOST: Final = 1 << 31
_DAMAGED: Final = (tarfile.TarError, EOFError, ValueError, OverflowError)
# In this order, because rows name those before them.
_TABLES: Final = (tables.project, tables.token, tables.upload, tables.event, tables.hook, tables.audit, tables.trust)
# Backups of an older statera lack them.
_LATER: Final = frozenset({tables.trust.name})


class Held(NamedTuple):
    """How many projects and uploads a backup holds."""

    projects: int
    uploads: int


def write(database: Database, path: str) -> Held:
    """Write a backup, as a whole or not at all: one state of the database, while others go on to write.

    Raises ``Stop`` if the file cannot be written, or an upload is damaged in the database.
    """
    with database.reading() as connection, outputs.writing(path) as part, tarfile.open(part, "w") as archive:
        # It holds the secrets of hooks.
        Path(part).chmod(0o600)
        rows = {f"{table.name}.jsonl": _rows(connection, table) for table in _TABLES}
        held = _uploads(connection)
        members = [_Member(name, len(content), _sha256(content)) for name, content in rows.items()]
        members += [_Member(_name(hash_), size, hash_) for hash_, size in held.items()]
        for name, content in {_MANIFEST: _manifest(members), **rows}.items():
            _put(archive, name, content)
        for hash_ in held:
            wanted = select(tables.upload.c.content).where(tables.upload.c.hash == hash_).limit(1)
            content = connection.execute(wanted).scalar_one()
            if _sha256(content) != hash_:
                raise Stop("bad-database", f"{database.url}: the upload {hash_} is damaged. Restore an older backup")
            _put(archive, _name(hash_), content)
        return Held(rows["project.jsonl"].count(b"\n"), len(held))


def restore(database: Database, path: str, limits: Limits) -> Held:
    """Read a backup into an empty database, as a whole or not at all; tables that it lacks are made.

    Raises ``Stop`` if the database is not empty, or the file is not a backup, damaged, or not what its manifest says.
    """
    if not inspect(database.engine).get_table_names():
        migrations.upgrade(database)
    migrations.check(database)
    with _opened(path) as file, database.writing() as connection:
        for table in _TABLES:
            if connection.execute(select(table.c.id).limit(1)).first():
                raise Stop(
                    "bad-database",
                    f"{database.url}: it is not empty, and a backup replaces nothing. Name a new database",
                )
        return _restore(connection, _Archive(path, file), limits)


def _opened(path: str) -> IO[bytes]:
    try:
        return Path(path).open("rb")
    except OSError as error:
        raise Stop("missing-file", unreadable(path, error)) from None


def _restore(connection: Connection, archive: _Archive, limits: Limits) -> Held:
    rows: dict[str, list[dict[str, Any]]] = {}
    for table in _TABLES:
        name = f"{table.name}.jsonl"
        lines = archive.lines(name) if table.name not in _LATER or archive.names(name) else []
        with archive.blaming(name):
            rows[table.name] = [_row(table, json.loads(line)) for line in lines]
            if "id" in _columns(table):
                counts = {"changed": 0, "analysed": 0} if table is tables.project else {}
                added = [list({**row, **counts}.values()) for row in rows[table.name]]
                add_many(connection, table, [*_columns(table), *counts], added)
                _count_on(connection, table)
    with archive.blaming("project.jsonl"):
        names = {each.id: each.name for each in projects.listed(connection)}
        for each in names.values():
            projects.check_name(each)
    awaited = {row["hash"]: row for row in rows["upload"]}
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder, "upload")
        for member, content in archive.rest():
            part.write_bytes(content)
            with archive.blaming(member.name):
                if member.name != _name(member.sha256):
                    raise ValueError("its name is not that of its content")
                row = awaited.pop(member.sha256)
                prepared = histories.prepare(part, names[row["project_id"]], limits)
                histories.store(connection, row["project_id"], [(prepared, row["token_id"])])
                own = tables.upload.c.hash == member.sha256
                connection.execute(update(tables.upload).where(own).values(received=row["received"]))
    if awaited:
        raise _bad(archive.path, _name(next(iter(awaited))), "it is missing")
    with archive.blaming("event.jsonl"):
        for row in rows["event"]:
            _add_event(connection, row)
    return Held(len(names), len(rows["upload"]))


def _add_event(connection: Connection, row: dict[str, Any]) -> None:
    if _sha256(row["content"].encode()) != row["hash"] or not isinstance(json.loads(row["content"]), dict):
        raise ValueError(f"the event {row['hash']} is not what its hash says")
    connection.execute(insert(tables.event).values(**row))
    projects.touch(connection, row["project_id"])


def _rows(connection: Connection, table: Table) -> bytes:
    """Write the rows of a table, one a line, in their order."""
    names = _columns(table)
    found = connection.execute(select(*(table.c[name] for name in names)).order_by(table.c.id))
    lines = [json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in found]
    return "".join(lines).encode()


def _row(table: Table, stated: object) -> dict[str, Any]:
    names = _columns(table)
    if not isinstance(stated, dict) or list(stated) != names:
        raise ValueError(f"its keys are not {', '.join(names)}")
    for name, value in stated.items():
        column = table.c[name]
        fits = column.nullable if value is None else type(value) is column.type.python_type
        if not fits:
            raise ValueError(f"{name} is {value!r}")
    return stated


def _columns(table: Table) -> list[str]:
    """Return the columns that a backup has: without the counts and numbers that the new database makes itself."""
    left_out = {tables.project: {"changed", "analysed"}, tables.upload: {"id", "content"}, tables.event: {"id"}}.get(
        table, set()
    )
    return [column.name for column in table.c if column.name not in left_out]


def _uploads(connection: Connection) -> dict[str, int]:
    """Return the sizes of all uploads by their hashes, in the order in which they arrived."""
    columns = tables.upload.c
    wanted = select(columns.hash, func.length(columns.content)).order_by(columns.id)
    return dict(map(tuple, connection.execute(wanted)))


def _count_on(connection: Connection, table: Table) -> None:
    """Let PostgreSQL number new rows after those that are there; SQLite does so by itself."""
    if connection.dialect.name != "sqlite":
        last = func.max(table.c.id)
        sequence = func.pg_get_serial_sequence(table.name, "id")
        connection.execute(select(func.setval(sequence, last)).having(last > 0))


def _name(hash_: str) -> str:
    return f"uploads/{hash_}.parquet"


class _Member(NamedTuple):
    """A file of an archive: its name, its size in bytes, and the SHA-256 of its content."""

    name: str
    size: int
    sha256: str


def _manifest(members: Sequence[_Member]) -> bytes:
    """Write a manifest."""
    about = {"format": _FORMAT, "statera": __version__, "members": [each._asdict() for each in members]}
    return json.dumps(about, indent=1).encode()


def _put(archive: tarfile.TarFile, name: str, content: bytes) -> None:
    """Add a file to an archive."""
    about = tarfile.TarInfo(name)
    about.size = len(content)
    about.mode = 0o600
    archive.addfile(about, io.BytesIO(content))


def _sha256(content: bytes) -> str:
    """Return the SHA-256 of a content, as a manifest states it."""
    return hashlib.sha256(content).hexdigest()


class _Archive:
    """An archive that is read in the order of its manifest; whatever differs from it is refused by its name."""

    def __init__(self, path: str, file: IO[bytes]) -> None:
        """Take the name of a file for messages, and the file."""
        self.path = path
        self._archive = _archive(path, file)
        # Read as the others are, but nothing states its size and hash.
        about = self._next()
        if about is None or about.name != _MANIFEST or not about.isreg() or about.size > _MOST:
            raise _bad(path, about.name if about else "the archive", f"a backup begins with the file {_MANIFEST}")
        listed = self._members_of(self._content(about))
        self._names = {each.name for each in listed}
        self._members = iter(listed)

    def names(self, member: str) -> bool:
        """Return whether the manifest names a member."""
        return member in self._names

    def lines(self, wanted: str) -> list[bytes]:
        """Return the lines of the next member, which has to be this one."""
        member, content = next(self.rest(), (None, b""))
        if member is None or member.name != wanted:
            raise _bad(self.path, member.name if member else "the archive", f"{wanted} is missing before it")
        return content.splitlines()

    def rest(self) -> Iterator[tuple[_Member, bytes]]:
        """Yield the other members with their content."""
        for member in self._members:
            found = self._next()
            if found is None or found.name != member.name:
                raise _bad(self.path, found.name if found else member.name, f"{member.name} is missing at its place")
            # Not every regular file is as long as it says: of one with holes, a few bytes may become very many.
            if not found.isreg() or found.issparse() or found.size != member.size or member.size > _MOST:
                raise _bad(self.path, member.name, f"it is not a plain file of {member.size} bytes")
            content = self._content(found)
            if _sha256(content) != member.sha256:
                raise _bad(self.path, member.name, "its content is not what the manifest says")
            yield member, content
        if found := self._next():
            raise _bad(self.path, found.name, "the manifest does not name it")

    @contextmanager
    def blaming(self, name: str) -> Iterator[None]:
        """Refuse a member for what goes wrong within the block."""
        try:
            yield
        except StatementError as error:
            if is_away(error):
                raise
            # A database quotes the statement with all values; the cause is enough.
            raise _bad(self.path, name, str(error.orig)) from None
        except Stop as stop:
            raise _bad(self.path, name, str(stop)) from None
        except (ValueError, OverflowError, RecursionError, TypeError, KeyError) as error:
            raise _bad(self.path, name, f"it has another form ({error})") from None

    def _next(self) -> tarfile.TarInfo | None:
        try:
            return self._archive.next()
        except _DAMAGED as error:
            raise _bad(self.path, "the archive", f"it is damaged ({error})") from None

    def _content(self, about: tarfile.TarInfo) -> bytes:
        try:
            file = self._archive.extractfile(about)
            return file.read() if file else b""
        except _DAMAGED as error:
            raise _bad(self.path, about.name, f"it is damaged ({error})") from None

    def _members_of(self, content: bytes) -> list[_Member]:
        try:
            stated = json.loads(content)
            if stated["format"] != _FORMAT:
                raise _bad(
                    self.path,
                    _MANIFEST,
                    f"its format is {stated['format']!r}; this version of statera reads {_FORMAT!r}",
                )
            members = [_Member(**each) for each in stated["members"]]
        except (ValueError, RecursionError, TypeError, KeyError):
            raise _bad(self.path, _MANIFEST, "it is not a manifest") from None
        if not all(isinstance(each.name, str) and isinstance(each.size, int) for each in members):
            raise _bad(self.path, _MANIFEST, "it is not a manifest")
        return members


def _archive(path: str, file: IO[bytes]) -> tarfile.TarFile:
    try:
        return tarfile.open(fileobj=file, mode="r:")
    except _DAMAGED as error:
        raise _bad(path, "the archive", f"it is not a tar file ({error})") from None


def _bad(path: str, member: str, why: str) -> Stop:
    """Return the error of a damaged archive."""
    return Stop("bad-backup", f"{path}: {member}: {why}; nothing was restored, take another copy of the backup")
