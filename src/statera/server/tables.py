"""The tables of a database.

Uploads and events are the truth. Jobs, series and values are read from the uploads when these arrive; points, courses,
alerts and pages come from an analysis of all of them. ``migrations`` has the steps that lead to these tables.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
)

metadata: Final = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only in columns of this type.
_ID: Final = BigInteger().with_variant(Integer, "sqlite")
_HASH: Final = String(64)
_KEY: Final = String(16)
# Moments are texts: ISO 8601 in UTC, to the second, so that their order is that of time.
_MOMENT: Final = String(25)


def now(seconds: float = 0.0) -> str:
    """Return the present, or a moment so many seconds later, as the tables write it."""
    return (datetime.now(tz=UTC) + timedelta(seconds=seconds)).isoformat(timespec="seconds")


def _project(*, key: bool = False, optional: bool = False) -> Column[int]:
    of = ForeignKey("project.id", ondelete="CASCADE")
    return Column("project_id", of, primary_key=key, autoincrement=False, nullable=optional)


project: Final = Table(
    "project",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("name", Text, nullable=False, unique=True),
    # What history.toml says of a folder: a JSON list of keys, and two numbers.
    Column("lane", Text, nullable=False),
    Column("samples", Integer, nullable=False),
    Column("around", Integer, nullable=False),
    # The page of a commit, with {commit} for its name; empty without one.
    Column("commit_url", Text, nullable=False, default=""),
    # The changes that are too small to look at: a JSON object of patterns and margins, as settings state them.
    Column("margins", Text, nullable=False, server_default="{}"),
    # Whether everybody may read its pages and documents.
    Column("is_public", Boolean, nullable=False, default=False),
    Column("created", _MOMENT, nullable=False),
    # Counts what was written; the analysis is of the count that it began with.
    Column("changed", _ID, nullable=False, default=0),
    Column("analysed", _ID, nullable=False, default=0),
)

upload: Final = Table(
    "upload",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    Column("hash", _HASH, nullable=False),
    Column("received", _MOMENT, nullable=False),
    Column("token_id", _ID, nullable=True),
    # The file, byte for byte.
    Column("content", LargeBinary, nullable=False),
    UniqueConstraint("project_id", "hash"),
)

event: Final = Table(
    "event",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    Column("hash", _HASH, nullable=False),
    Column("received", _MOMENT, nullable=False),
    # JSON, as in a folder.
    Column("content", Text, nullable=False),
    UniqueConstraint("project_id", "hash"),
)

job: Final = Table(
    "job",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    # The id of the job: the hash of the upload that it came with first.
    Column("hash", _HASH, nullable=False),
    Column("upload_id", ForeignKey("upload.id", ondelete="CASCADE"), nullable=False),
    # Its number among the jobs of the upload.
    Column("place", Integer, nullable=False),
    Column("branch", Text, nullable=False),
    Column("commit", Text, nullable=False),
    Column("started", Text, nullable=False),
    # The JSON list of this one job.
    Column("content", Text, nullable=False),
    # No index has branch or commit: a name of 4,096 characters is too long for one of PostgreSQL.
    UniqueConstraint("project_id", "hash"),
)

series: Final = Table(
    "series",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    # The hash of all that is stated of it.
    Column("hash", _HASH, nullable=False),
    # What names it in pages and paths.
    Column("key", _KEY, nullable=False),
    Column("benchmark", Text, nullable=False),
    Column("metric", Text, nullable=False),
    Column("unit", Text, nullable=False),
    Column("quantity", Text, nullable=False),
    Column("better", Text, nullable=True),
    Column("traits", Text, nullable=True),
    Column("factors", Text, nullable=False),
    UniqueConstraint("project_id", "hash"),
    Index(None, "project_id", "key"),
)

# Of values that are not numbers (nan), null stands in the database.
value: Final = Table(
    "value",
    metadata,
    Column("series_id", ForeignKey("series.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("job_id", ForeignKey("job.id", ondelete="CASCADE"), primary_key=True, autoincrement=False),
    Column("n", BigInteger, nullable=False),
    Column("median", Double),
    Column("mad", Double),
    Column("least", Double),
    Column("largest", Double),
    sqlite_with_rowid=False,
)

course: Final = Table(
    "course",
    metadata,
    _project(key=True),
    Column("series", _KEY, primary_key=True),
    Column("line", _KEY, primary_key=True),
    # What pages call the series.
    Column("name", Text, nullable=False),
    Column("metric", Text, nullable=False),
    # The least p of its changes, corrected over all series; null without changes.
    Column("corrected", Double),
    sqlite_with_rowid=False,
)
point: Final = Table(
    "point",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    Column("series", _KEY, nullable=False),
    Column("line", _KEY, nullable=False),
    Column("branch", Text, nullable=False),
    # Commits: where it begins, at the earliest and at the latest, and whose job told it.
    Column("place", Text, nullable=False),
    Column("first", Text, nullable=False),
    Column("last", Text, nullable=False),
    Column("raised", Text, nullable=False),
    Column("size", Double),
    Column("low", Double),
    Column("high", Double),
    Column("is_ratio", Boolean, nullable=False),
    Column("p", Double),
    Column("returns", Boolean, nullable=False),
    Column("weak", Boolean, nullable=False),
    Column("worse", Boolean),
    # The alert that it belongs to; null of a metric that raises none.
    Column("alert", String(8)),
    Index(None, "project_id", "series"),
)

alert: Final = Table(
    "alert",
    metadata,
    _project(key=True),
    Column("id", String(8), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("branch", Text, nullable=False),
    Column("state", String(16), nullable=False),
    Column("is_open", Boolean, nullable=False),
    # The document of its page, without what was decided.
    Column("document", Text, nullable=False),
    # The commits and series that an event about it names, as JSON.
    Column("subject", Text, nullable=False),
    # The sizes that were told, by series and line, as JSON: for each the far end of its interval.
    Column("told", Text, nullable=False),
    Index(None, "project_id", "number"),
)
page: Final = Table(
    "page",
    metadata,
    _project(key=True),
    Column("path", String(120), primary_key=True),
    Column("content", Text, nullable=False),
)

# Who may what. A token of no project is the server's own: it may do everything in all projects.
token: Final = Table(
    "token",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(optional=True),
    Column("name", Text, nullable=False),
    # read, write or admin
    Column("role", String(8), nullable=False),
    # SHA-256 of a secret of 256 random bits; the secret itself is shown once and stored nowhere.
    Column("digest", _HASH, nullable=False, unique=True),
    Column("created", _MOMENT, nullable=False),
    Column("expires", _MOMENT),
    Column("used", _MOMENT),
    Column("revoked", _MOMENT),
)

# A browser that a token let in.
session: Final = Table(
    "session",
    metadata,
    Column("digest", _HASH, primary_key=True),
    Column("token_id", ForeignKey("token.id", ondelete="CASCADE"), nullable=False),
    Column("created", _MOMENT, nullable=False),
    Column("expires", _MOMENT, nullable=False),
)

# Every write, and every refusal of a token; rows are never changed.
audit: Final = Table(
    "audit",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(optional=True),
    Column("moment", _MOMENT, nullable=False),
    # The token may be gone; its name stays.
    Column("token_id", _ID),
    Column("who", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("action", String(40), nullable=False),
    Column("detail", Text, nullable=False),
    Index(None, "project_id", "id"),
)

# Jobs that may write to a project with a token of an issuer, without a secret.
trust: Final = Table(
    "trust",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    Column("issuer", Text, nullable=False),
    Column("audience", Text, nullable=False),
    # What its claims have to be: JSON, from names to patterns.
    Column("claims", Text, nullable=False),
    Column("created", _MOMENT, nullable=False),
)

hook: Final = Table(
    "hook",
    metadata,
    Column("id", _ID, primary_key=True),
    _project(),
    Column("url", Text, nullable=False),
    # json or slack
    Column("form", String(8), nullable=False),
    # Signs what is sent, so that it stands here as it is.
    Column("secret", Text, nullable=False),
    Column("created", _MOMENT, nullable=False),
)

delivery: Final = Table(
    "delivery",
    metadata,
    Column("id", _ID, primary_key=True),
    Column("hook_id", ForeignKey("hook.id", ondelete="CASCADE"), nullable=False),
    Column("alert", String(8), nullable=False),
    # new, grown with a size, or what became of a token; each is told once.
    Column("event", String(40), nullable=False),
    Column("content", Text, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    # When it is tried next; null when it is done or given up.
    Column("due", _MOMENT),
    Column("delivered", _MOMENT),
    Column("problem", Text),
    UniqueConstraint("hook_id", "alert", "event"),
    Index(None, "due"),
)
