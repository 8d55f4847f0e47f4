"""A backup: what cannot be made again, in one file that SQLite and PostgreSQL read alike.

It is a tar file. ``manifest.json`` stands first and states the name, the size and the SHA-256 of all others, in their
order: a file of rows for each table, and the uploads, each as it arrived. Jobs, series, values and all that an analysis
finds are made again from these.
"""

from __future__ import annotations

import json
import os
import tarfile
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import func, insert, inspect, select, update

from statera.server import migrations, projects, tables, uploads
from statera.server.archives import MANIFEST, Member, Reading, bad, manifest, put, sha256
from statera.support.errors import Stop
from statera.support.files import outputs

if TYPE_CHECKING:
    from sqlalchemy import Connection, Table

    from statera.server.database import Database
    from statera.support.settings.limits import Limits

# In this order, because rows name those before them.
_TABLES: Final = (tables.project, tables.token, tables.upload, tables.event, tables.hook, tables.audit)


class Held(NamedTuple):
    """How many projects and uploads a backup holds."""

    projects: int
    uploads: int


def write(database: Database, path: str) -> Held:
    """Write a backup: one state of the database, while others go on to write.

    Args:
        database: the database.
        path: the file, which is written as a whole or not at all.

    Raises:
        Stop: the file cannot be written, or an upload is damaged in the database.

    """
    with database.reading() as connection, outputs.writing(path) as part, tarfile.open(part, "w") as archive:
        # It holds the secrets of hooks.
        os.chmod(part, 0o600)  # noqa: PTH101 - of a text
        rows = {f"{table.name}.jsonl": _rows(connection, table) for table in _TABLES}
        held = _uploads(connection)
        members = [Member(name, len(content), sha256(content)) for name, content in rows.items()]
        members += [Member(_name(hash_), size, hash_) for hash_, size in held.items()]
        for name, content in {MANIFEST: manifest(members), **rows}.items():
            put(archive, name, content)
        for hash_ in held:
            wanted = select(tables.upload.c.content).where(tables.upload.c.hash == hash_).limit(1)
            content = connection.execute(wanted).scalar_one()
            if sha256(content) != hash_:
                raise Stop("bad-database", f"{database.url}: the upload {hash_} is damaged; restore an older backup")
            put(archive, _name(hash_), content)
        return Held(rows["project.jsonl"].count(b"\n"), len(held))


def restore(database: Database, path: str, limits: Limits) -> Held:
    """Read a backup into an empty database, as a whole or not at all.

    Args:
        database: the database; tables that it lacks are made.
        path: the file.
        limits: how much is read of an upload.

    Raises:
        Stop: the database is not empty, or the file is not a backup, damaged, or not what its manifest says.

    """
    if not inspect(database.engine).get_table_names():
        migrations.upgrade(database)
    migrations.check(database)
    try:
        file = open(path, "rb")  # noqa: PTH123, SIM115 - of a text; it is closed below
    except OSError as error:
        raise Stop("missing-file", f"{path}: {error.strerror}") from None
    with file, database.writing() as connection:
        for table in _TABLES:
            if connection.execute(select(table.c.id).limit(1)).first():
                raise Stop(
                    "bad-database",
                    f"{database.url}: it is not empty, and a backup replaces nothing; name a new database",
                )
        return _restore(database, connection, Reading(path, file), limits)


def _restore(database: Database, connection: Connection, reading: Reading, limits: Limits) -> Held:
    rows: dict[str, list[dict[str, Any]]] = {}
    for table in _TABLES:
        lines = reading.lines(f"{table.name}.jsonl")
        with reading.blaming(f"{table.name}.jsonl"):
            rows[table.name] = [_row(table, json.loads(line)) for line in lines]
            if "id" in _columns(table):
                counts = {"changed": 0, "analysed": 0} if table is tables.project else {}
                added = [list({**row, **counts}.values()) for row in rows[table.name]]
                database.add(connection, table, [*_columns(table), *counts], added)
                _count_on(database, connection, table)
    with reading.blaming("project.jsonl"):
        names = {each.id: each.name for each in projects.listed(connection)}
        for name in names.values():
            projects.check_name(name)
    awaited = {row["hash"]: row for row in rows["upload"]}
    with tempfile.TemporaryDirectory() as folder:
        part = Path(folder, "upload")
        for member, content in reading.rest():
            part.write_bytes(content)
            with reading.blaming(member.name):
                if member.name != _name(member.sha256):
                    raise ValueError("its name is not that of its content")
                row = awaited.pop(member.sha256)
                prepared = uploads.prepare(part, names[row["project_id"]], limits)
                uploads.store(database, connection, row["project_id"], [(prepared, row["token_id"])])
                own = tables.upload.c.hash == member.sha256
                connection.execute(update(tables.upload).where(own).values(received=row["received"]))
    if awaited:
        raise bad(reading.path, _name(next(iter(awaited))), "it is missing")
    with reading.blaming("event.jsonl"):
        for row in rows["event"]:
            _add_event(connection, row)
    return Held(len(names), len(rows["upload"]))


def _add_event(connection: Connection, row: dict[str, Any]) -> None:
    if sha256(row["content"].encode()) != row["hash"] or not isinstance(json.loads(row["content"]), dict):
        raise ValueError(f"the event {row['hash']} is not what its hash says")
    connection.execute(insert(tables.event).values(**row))
    projects.touch(connection, row["project_id"])


def _rows(connection: Connection, table: Table) -> bytes:
    """Write the rows of a table, one a line, in their order."""
    names = _columns(table)
    found = connection.execute(select(*(table.c[name] for name in names)).order_by(table.c.id))
    lines = [json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in found]
    return "".join(lines).encode()


def _row(table: Table, stated: Any) -> dict[str, Any]:  # noqa: ANN401 - whatever a file says
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


def _count_on(database: Database, connection: Connection, table: Table) -> None:
    """Let PostgreSQL number new rows after those that are there; SQLite does so by itself."""
    if not database.is_sqlite:
        last = func.max(table.c.id)
        sequence = func.pg_get_serial_sequence(table.name, "id")
        connection.execute(select(func.setval(sequence, last)).having(last > 0))


def _name(hash_: str) -> str:
    return f"uploads/{hash_}.parquet"
