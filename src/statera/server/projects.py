"""Projects: each has one history."""

from __future__ import annotations

import json
import re
import time
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from sqlalchemy import bindparam, insert, select, update

from statera.history.folder import About
from statera.server import tables
from statera.server.margins import checked, policy_of
from statera.server.tables import now
from statera.support.errors import Stop

if TYPE_CHECKING:
    from collections.abc import Mapping

    from sqlalchemy import Connection, RowMapping, Select

    from statera.server.database import Database
    from statera.support.settings import Policy

# It is a part of addresses.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
# More jobs no series has.
_MOST_JOBS: Final = 1_000_000_000
# How often the database is asked whether a project is analysed, in seconds.
_POLL: Final = 0.05
_OWN: Final = ("commit_url", "is_public", "changed", "analysed")
# Made once: to put a statement together takes longer than to execute it.
_OF_NAME: Final = select(tables.project).where(tables.project.c.name == bindparam("name"))
_OF_NUMBER: Final = select(tables.project).where(tables.project.c.id == bindparam("number"))


class Project(NamedTuple):
    """A project."""

    id: int  # its number
    about: About  # what is known of its history
    commit_url: str  # the page of a commit, with ``{commit}`` for its name; empty without one
    is_public: bool  # whether everybody may read it
    # changed, analysed: how often it was changed, and the count that the last analysis began with
    changed: int
    analysed: int
    # which changes are too small to look at: margins by patterns, of which the first that fits counts
    margins: dict[str, str | float]

    @property
    def policy(self) -> Policy:
        """Return the policy of its analyses and comparisons."""
        return policy_of(self.margins, self.name)

    @property
    def name(self) -> str:
        """Return its name."""
        return self.about.project


def create(connection: Connection, about: About, *, commit_url: str = "", is_public: bool = False) -> Project:
    """Make a project. Raises ``Stop`` if there is one of this name, or it is not a name."""
    check_name(about.project)
    if any(each.name == about.project for each in listed(connection)):
        raise Stop("bad-project", f"{about.project}: there is a project of this name")
    values = {"name": about.project, "lane": json.dumps(about.lane), "samples": about.samples, "around": about.around}
    stated = {"commit_url": commit_url, "is_public": is_public, "created": now()}
    connection.execute(insert(tables.project).values(**values, **stated))
    return named(connection, about.project)


def check_name(name: str) -> None:
    """Refuse what is not a name of a project."""
    if not _NAME.fullmatch(name):
        raise Stop(
            "bad-project",
            f"{name}: the name of a project has 1 to 64 letters, digits, dots, dashes and underscores, and "
            "begins with a letter or digit",
        )


def named(connection: Connection, name: str) -> Project:
    """Return the project of a name. Raises ``Stop`` if there is none."""
    return _one(connection, _OF_NAME, name=name)


def numbered(connection: Connection, number: int) -> Project:
    """Return the project of a number. Raises ``Stop`` if there is none."""
    return _one(connection, _OF_NUMBER, number=number)


def _one(connection: Connection, statement: Select[Any], **key: str | int) -> Project:
    row = connection.execute(statement, key).mappings().one_or_none()
    if row is None:
        [stated] = key.values()
        raise Stop("no-project", f"{stated}: there is no such project")
    return _project(row)


def listed(connection: Connection) -> list[Project]:
    """Return all projects, by name."""
    # Databases differ in the order of texts.
    return sorted(map(_project, connection.execute(select(tables.project)).mappings()), key=lambda each: each.name)


def change(
    connection: Connection,
    name: str,
    *,
    commit_url: str | None = None,
    is_public: bool | None = None,
    samples: int | None = None,
    around: int | None = None,
    margins: Mapping[str, str | float] | None = None,
) -> Project:
    """Change what is stated of a project; None changes nothing.

    ``samples`` and ``around`` say which values ``compaction`` keeps: see ``statera.history.folder.About``. ``margins``
    are those of a settings file, by patterns; they replace all that were stated.

    Raises ``Stop`` if there is none of this name, a number is none that can be kept, or a margin is none of this
    project.
    """
    for option, number in (("--samples", samples), ("--around", around)):
        if number is not None and not 0 <= number <= _MOST_JOBS:
            raise Stop("bad-option", f"{option} takes a number of jobs up to {_MOST_JOBS:,}, not {number}")
    project = named(connection, name)
    new = None if margins is None else checked(connection, project.id, margins, name)
    values = {"commit_url": commit_url, "is_public": is_public, "samples": samples, "around": around}
    stated: dict[str, object] = {key: value for key, value in values.items() if value is not None}
    if new is not None:
        stated["margins"] = json.dumps(new)
    if stated:
        connection.execute(update(tables.project).where(tables.project.c.id == project.id).values(**stated))
    # Pages link to the commits, and margins say which alerts are open. A project that holds nothing has none of these.
    if project.changed and (
        commit_url not in {None, project.commit_url} or (new is not None and new != project.margins)
    ):
        touch(connection, project.id)
    return named(connection, name)


def hold(connection: Connection, project_id: int) -> None:
    """Let no other transaction change a project until this one ends.

    Its jobs are numbered as they come, and a decision waits for the analysis that replaces its alert.
    """
    own = select(tables.project.c.id).where(tables.project.c.id == project_id)
    # SQLite has one writer at a time anyway. Rows that only name the project, such as those of the record, are let in.
    connection.execute(own.with_for_update(key_share=True))


def touch(connection: Connection, project_id: int) -> None:
    """Count a change of what a project holds, so that it is analysed again."""
    counted = tables.project.c.changed + 1
    connection.execute(update(tables.project).where(tables.project.c.id == project_id).values(changed=counted))


def caught_up(database: Database, project_id: int, patience: float) -> bool:
    """Wait until everything that a project holds now is analysed; return whether it is."""
    end = time.monotonic() + patience
    with database.reading() as connection:
        changed = numbered(connection, project_id).changed
    while True:
        with database.reading() as connection:
            if numbered(connection, project_id).analysed >= changed:
                return True
        if time.monotonic() > end:
            return False
        time.sleep(_POLL)


def _project(row: RowMapping) -> Project:
    about = About(row["name"], tuple(json.loads(row["lane"])), row["samples"], row["around"])
    margins: dict[str, str | float] = json.loads(row["margins"])
    return Project(row["id"], about, **{name: row[name] for name in _OWN}, margins=margins)
