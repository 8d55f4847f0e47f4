"""The truth of histories, and what is read from uploads when they arrive."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Double,
    Integer,
    LargeBinary,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

from statera.server.migrations import columns, reference, refuse_to_lose

revision: Final = "0001"
down_revision: Final = None

# SQLite numbers rows by itself only in columns of this type.
_ID: Final = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "project",
        *columns(_ID, "id"),
        *columns(Text, "name", "lane"),
        *columns(Integer, "samples", "around"),
        *columns(Text, "commit_url"),
        *columns(Boolean, "is_public"),
        *columns(String(25), "created"),
        *columns(_ID, "changed", "analysed"),
        PrimaryKeyConstraint("id", name="pk_project"),
        UniqueConstraint("name", name="uq_project_name"),
    )
    op.create_table(
        "upload",
        *columns(_ID, "id", "project_id"),
        *columns(String(64), "hash"),
        *columns(String(25), "received"),
        *columns(_ID, "token_id", nullable=True),
        *columns(LargeBinary, "content"),
        reference("upload", "project"),
        PrimaryKeyConstraint("id", name="pk_upload"),
        UniqueConstraint("project_id", "hash", name="uq_upload_project_id_hash"),
    )
    op.create_table(
        "event",
        *columns(_ID, "id", "project_id"),
        *columns(String(64), "hash"),
        *columns(String(25), "received"),
        *columns(Text, "content"),
        reference("event", "project"),
        PrimaryKeyConstraint("id", name="pk_event"),
        UniqueConstraint("project_id", "hash", name="uq_event_project_id_hash"),
    )
    op.create_table(
        "job",
        *columns(_ID, "id", "project_id"),
        *columns(String(64), "hash"),
        *columns(_ID, "upload_id"),
        *columns(Integer, "place"),
        *columns(Text, "branch", "commit", "started", "content"),
        reference("job", "project"),
        reference("job", "upload"),
        PrimaryKeyConstraint("id", name="pk_job"),
        UniqueConstraint("project_id", "hash", name="uq_job_project_id_hash"),
    )
    op.create_table(
        "series",
        *columns(_ID, "id", "project_id"),
        *columns(String(64), "hash"),
        *columns(String(16), "key"),
        *columns(Text, "benchmark", "metric", "unit", "quantity"),
        *columns(Text, "better", "traits", nullable=True),
        *columns(Text, "factors"),
        reference("series", "project"),
        PrimaryKeyConstraint("id", name="pk_series"),
        UniqueConstraint("project_id", "hash", name="uq_series_project_id_hash"),
    )
    op.create_index("ix_series_project_id_key", "series", ["project_id", "key"])
    op.create_table(
        "value",
        *columns(_ID, "series_id", "job_id"),
        *columns(BigInteger, "n"),
        *columns(Double, "median", "mad", "least", "largest", nullable=True),
        reference("value", "job"),
        reference("value", "series"),
        PrimaryKeyConstraint("series_id", "job_id", name="pk_value"),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Remove the tables, if nothing is lost that could not be made again."""
    refuse_to_lose("project", "upload", "event")
    for table in ("value", "series", "job", "event", "upload", "project"):
        op.drop_table(table)
