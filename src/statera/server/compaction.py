"""The uploads of past months of a project → one for each month, as ``statera.history.compact`` does with a folder.

A copy of the history in a folder of its own is compacted; what became of it is then done in the database, in one
transaction. Jobs keep their ids and summaries, so that no analysis changes, and nothing is analysed again.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import delete, insert, select, update

from statera import _native
from statera.history import catalog
from statera.history import compact as of_folder
from statera.history.analysis import analyse
from statera.history.job import from_json
from statera.server import audit, projects, tables
from statera.server.database import rows_among
from statera.server.histories import DatabaseStore
from statera.server.tables import now as present
from statera.support.errors import Stop
from statera.support.wording import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from sqlalchemy import Connection

    from statera.history.compact import Compacted
    from statera.server.database import Database
    from statera.server.projects import Project
    from statera.support.settings.limits import Limits


class _Month(NamedTuple):
    """A merged upload: its hash, its content, and the ids of its jobs in their order."""

    hash: str
    content: bytes
    jobs: list[str]


def compact(
    database: Database, project: Project, limits: Limits, days: int, now: datetime | None = None, *, dry: bool = False
) -> Compacted:
    """Merge the uploads of months that ended so many days ago, and retire values, as a whole or not at all.

    Uploads may arrive meanwhile. With ``dry`` nothing changes: what is returned would be done.

    Raises ``Stop`` if another command compacted the project meanwhile.
    """
    with tempfile.TemporaryDirectory(prefix="statera-") as folder:
        store = DatabaseStore(database, project, Path(folder, "copy"))
        held = catalog.read(store, limits)
        analysis = analyse(held, project.about.lane)
        done = of_folder.compact(store.copy, analysis, limits, days, now, dry=dry)
        done = done._replace(problems=[*held.problems, *done.problems])
        if done.replaced and not dry:
            months = [_month(store.copy.file_of(hash_), hash_) for hash_ in done.months.values()]
            with database.writing() as connection:
                _apply(connection, project, months, done.replaced)
    return done


def _month(path: Path, hash_: str) -> _Month:
    [stated] = _native.upload_jobs([path])
    return _Month(hash_, path.read_bytes(), [id_ for id_, _ in from_json(stated, path.name)])


def _apply(connection: Connection, project: Project, months: Sequence[_Month], replaced: Sequence[str]) -> None:
    """Put merged uploads in the place of those that they replace."""
    projects.hold(connection, project.id)
    names = ("id", "hash")
    gone = [number for number, _ in rows_among(connection, tables.upload.c.hash, replaced, project.id, names)]
    if len(gone) < len(replaced):
        raise Stop("bad-database", f"{project.name}: another command compacts the project. Try again when it ends")
    for month in months:
        values = {"project_id": project.id, "hash": month.hash, "received": present(), "content": month.content}
        adding = insert(tables.upload).values(**values, token_id=None).returning(tables.upload.c.id)
        _move(connection, project.id, connection.execute(adding).scalar_one(), month.jobs)
    own = tables.job.c.project_id == project.id
    if set(gone) & set(connection.execute(select(tables.job.c.upload_id).distinct().where(own)).scalars()):
        # With an upload its jobs would vanish.
        raise Stop("bad-database", f"{project.name}: a job stands in no merged upload. Restore a backup")
    for number in gone:
        connection.execute(delete(tables.upload).where(tables.upload.c.id == number))
    detail = f"{counted(len(gone), 'upload')} to {len(months)}"
    audit.note(connection, "compacted", project_id=project.id, detail=detail)


def _move(connection: Connection, project_id: int, upload_id: int, ids: Sequence[str]) -> None:
    """Let jobs stand in another upload, in the order of their ids; their values stay."""
    jobs = tables.job.c
    for place, id_ in enumerate(ids):
        own = (jobs.project_id == project_id, jobs.hash == id_)
        connection.execute(update(tables.job).where(*own).values(upload_id=upload_id, place=place))
