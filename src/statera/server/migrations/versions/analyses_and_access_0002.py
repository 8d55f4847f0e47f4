"""What an analysis found, and who may what."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import (
    BigInteger,
    Boolean,
    Double,
    Integer,
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

from statera.server.migrations import columns, reference, refuse_to_lose

revision: Final = "0002"
down_revision: Final = "0001"

# SQLite numbers rows by itself only in columns of this type.
_ID: Final = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "course",
        *columns(_ID, "project_id"),
        *columns(String(16), "series", "line"),
        *columns(Text, "name", "metric"),
        *columns(Double, "corrected", nullable=True),
        reference("course", "project"),
        PrimaryKeyConstraint("project_id", "series", "line", name="pk_course"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "point",
        *columns(_ID, "id", "project_id"),
        *columns(String(16), "series", "line"),
        *columns(Text, "branch", "place", "first", "last", "raised"),
        *columns(Double, "size", "low", "high", nullable=True),
        *columns(Boolean, "is_ratio"),
        *columns(Double, "p", nullable=True),
        *columns(Boolean, "returns", "weak"),
        *columns(Boolean, "worse", nullable=True),
        *columns(String(8), "alert", nullable=True),
        reference("point", "project"),
        PrimaryKeyConstraint("id", name="pk_point"),
    )
    op.create_index("ix_point_project_id_series", "point", ["project_id", "series"])
    op.create_table(
        "alert",
        *columns(_ID, "project_id"),
        *columns(String(8), "id"),
        *columns(Integer, "number"),
        *columns(Text, "branch"),
        *columns(String(16), "state"),
        *columns(Boolean, "is_open"),
        *columns(Text, "document", "subject", "told"),
        reference("alert", "project"),
        PrimaryKeyConstraint("project_id", "id", name="pk_alert"),
    )
    op.create_index("ix_alert_project_id_number", "alert", ["project_id", "number"])
    op.create_table(
        "page",
        *columns(_ID, "project_id"),
        *columns(String(120), "path"),
        *columns(Text, "content"),
        reference("page", "project"),
        PrimaryKeyConstraint("project_id", "path", name="pk_page"),
    )
    op.create_table(
        "token",
        *columns(_ID, "id"),
        *columns(_ID, "project_id", nullable=True),
        *columns(Text, "name"),
        *columns(String(8), "role"),
        *columns(String(64), "digest"),
        *columns(String(25), "created"),
        *columns(String(25), "expires", "used", "revoked", nullable=True),
        reference("token", "project"),
        PrimaryKeyConstraint("id", name="pk_token"),
        UniqueConstraint("digest", name="uq_token_digest"),
    )
    op.create_table(
        "session",
        *columns(String(64), "digest"),
        *columns(_ID, "token_id"),
        *columns(String(25), "created", "expires"),
        reference("session", "token"),
        PrimaryKeyConstraint("digest", name="pk_session"),
    )
    op.create_table(
        "audit",
        *columns(_ID, "id"),
        *columns(_ID, "project_id", nullable=True),
        *columns(String(25), "moment"),
        *columns(_ID, "token_id", nullable=True),
        *columns(Text, "who", "address"),
        *columns(String(40), "action"),
        *columns(Text, "detail"),
        reference("audit", "project"),
        PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_project_id_id", "audit", ["project_id", "id"])
    op.create_table(
        "hook",
        *columns(_ID, "id", "project_id"),
        *columns(Text, "url"),
        *columns(String(8), "form"),
        *columns(Text, "secret"),
        *columns(String(25), "created"),
        reference("hook", "project"),
        PrimaryKeyConstraint("id", name="pk_hook"),
    )
    op.create_table(
        "delivery",
        *columns(_ID, "id", "hook_id"),
        *columns(String(8), "alert"),
        *columns(String(40), "event"),
        *columns(Text, "content"),
        *columns(Integer, "attempts"),
        *columns(String(25), "due", "delivered", nullable=True),
        *columns(Text, "problem", nullable=True),
        reference("delivery", "hook"),
        PrimaryKeyConstraint("id", name="pk_delivery"),
        UniqueConstraint("hook_id", "alert", "event", name="uq_delivery_hook_id_alert_event"),
    )
    op.create_index("ix_delivery_due", "delivery", ["due"])


def downgrade() -> None:
    """Remove the tables, if nothing is lost that could not be made again."""
    refuse_to_lose("token", "audit", "hook", "delivery")
    for table in ("delivery", "hook", "audit", "session", "token", "page", "alert", "point", "course"):
        op.drop_table(table)
