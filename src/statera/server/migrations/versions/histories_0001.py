"""The truth of histories, and what is read from uploads when they arrive."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

from statera.server.migrations.keeping import refuse_to_lose

revision: Final = "0001"
down_revision: Final = None

# SQLite numbers rows by itself only in columns of this type.
_ID: Final = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "project",
        Column("id", _ID, nullable=False),
        Column("name", Text, nullable=False),
        Column("lane", Text, nullable=False),
        Column("samples", Integer, nullable=False),
        Column("around", Integer, nullable=False),
        Column("commit_url", Text, nullable=False),
        Column("is_public", Boolean, nullable=False),
        Column("created", String(25), nullable=False),
        Column("changed", _ID, nullable=False),
        Column("analysed", _ID, nullable=False),
        PrimaryKeyConstraint("id", name="pk_project"),
        UniqueConstraint("name", name="uq_project_name"),
    )
    op.create_table(
        "upload",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=False),
        Column("hash", String(64), nullable=False),
        Column("received", String(25), nullable=False),
        Column("token_id", _ID, nullable=True),
        Column("content", LargeBinary, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_upload_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_upload"),
        UniqueConstraint("project_id", "hash", name="uq_upload_project_id_hash"),
    )
    op.create_table(
        "event",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=False),
        Column("hash", String(64), nullable=False),
        Column("received", String(25), nullable=False),
        Column("content", Text, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_event_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_event"),
        UniqueConstraint("project_id", "hash", name="uq_event_project_id_hash"),
    )
    op.create_table(
        "job",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=False),
        Column("hash", String(64), nullable=False),
        Column("upload_id", _ID, nullable=False),
        Column("place", Integer, nullable=False),
        Column("branch", Text, nullable=False),
        Column("commit", Text, nullable=False),
        Column("started", Text, nullable=False),
        Column("content", Text, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_job_project_id", ondelete="CASCADE"),
        ForeignKeyConstraint(["upload_id"], ["upload.id"], name="fk_job_upload_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_job"),
        UniqueConstraint("project_id", "hash", name="uq_job_project_id_hash"),
    )
    op.create_table(
        "series",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=False),
        Column("hash", String(64), nullable=False),
        Column("key", String(16), nullable=False),
        Column("benchmark", Text, nullable=False),
        Column("metric", Text, nullable=False),
        Column("unit", Text, nullable=False),
        Column("quantity", Text, nullable=False),
        Column("better", Text, nullable=True),
        Column("traits", Text, nullable=True),
        Column("factors", Text, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_series_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_series"),
        UniqueConstraint("project_id", "hash", name="uq_series_project_id_hash"),
    )
    op.create_index("ix_series_project_id_key", "series", ["project_id", "key"])
    op.create_table(
        "value",
        Column("series_id", _ID, nullable=False),
        Column("job_id", _ID, nullable=False),
        Column("n", BigInteger, nullable=False),
        Column("median", Double, nullable=True),
        Column("mad", Double, nullable=True),
        Column("least", Double, nullable=True),
        Column("largest", Double, nullable=True),
        ForeignKeyConstraint(["job_id"], ["job.id"], name="fk_value_job_id", ondelete="CASCADE"),
        ForeignKeyConstraint(["series_id"], ["series.id"], name="fk_value_series_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("series_id", "job_id", name="pk_value"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Remove the tables, if nothing is lost that could not be made again."""
    refuse_to_lose("project", "upload", "event")
    for table in ("value", "series", "job", "event", "upload", "project"):
        op.drop_table(table)
