"""What an analysis found, and who may what."""

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
    PrimaryKeyConstraint,
    String,
    Text,
    UniqueConstraint,
)

from statera.server.migrations.keeping import refuse_to_lose

revision: Final = "0002"
down_revision: Final = "0001"

# SQLite numbers rows by itself only in columns of this type.
_ID: Final = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "course",
        Column("project_id", _ID, nullable=False),
        Column("series", String(16), nullable=False),
        Column("line", String(16), nullable=False),
        Column("name", Text, nullable=False),
        Column("metric", Text, nullable=False),
        Column("corrected", Double, nullable=True),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_course_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("project_id", "series", "line", name="pk_course"),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "point",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=False),
        Column("series", String(16), nullable=False),
        Column("line", String(16), nullable=False),
        Column("branch", Text, nullable=False),
        Column("place", Text, nullable=False),
        Column("first", Text, nullable=False),
        Column("last", Text, nullable=False),
        Column("raised", Text, nullable=False),
        Column("size", Double, nullable=True),
        Column("low", Double, nullable=True),
        Column("high", Double, nullable=True),
        Column("is_ratio", Boolean, nullable=False),
        Column("p", Double, nullable=True),
        Column("returns", Boolean, nullable=False),
        Column("weak", Boolean, nullable=False),
        Column("worse", Boolean, nullable=True),
        Column("alert", String(8), nullable=True),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_point_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_point"),
    )
    op.create_index("ix_point_project_id_series", "point", ["project_id", "series"])
    op.create_table(
        "alert",
        Column("project_id", _ID, nullable=False),
        Column("id", String(8), nullable=False),
        Column("number", Integer, nullable=False),
        Column("branch", Text, nullable=False),
        Column("state", String(16), nullable=False),
        Column("is_open", Boolean, nullable=False),
        Column("document", Text, nullable=False),
        Column("subject", Text, nullable=False),
        Column("told", Text, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_alert_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("project_id", "id", name="pk_alert"),
    )
    op.create_index("ix_alert_project_id_number", "alert", ["project_id", "number"])
    op.create_table(
        "page",
        Column("project_id", _ID, nullable=False),
        Column("path", String(120), nullable=False),
        Column("content", Text, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_page_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("project_id", "path", name="pk_page"),
    )
    op.create_table(
        "token",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=True),
        Column("name", Text, nullable=False),
        Column("role", String(8), nullable=False),
        Column("digest", String(64), nullable=False),
        Column("created", String(25), nullable=False),
        Column("expires", String(25), nullable=True),
        Column("used", String(25), nullable=True),
        Column("revoked", String(25), nullable=True),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_token_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_token"),
        UniqueConstraint("digest", name="uq_token_digest"),
    )
    op.create_table(
        "session",
        Column("digest", String(64), nullable=False),
        Column("token_id", _ID, nullable=False),
        Column("created", String(25), nullable=False),
        Column("expires", String(25), nullable=False),
        ForeignKeyConstraint(["token_id"], ["token.id"], name="fk_session_token_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("digest", name="pk_session"),
    )
    op.create_table(
        "audit",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=True),
        Column("moment", String(25), nullable=False),
        Column("token_id", _ID, nullable=True),
        Column("who", Text, nullable=False),
        Column("address", Text, nullable=False),
        Column("action", String(40), nullable=False),
        Column("detail", Text, nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_audit_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_audit"),
    )
    op.create_index("ix_audit_project_id_id", "audit", ["project_id", "id"])
    op.create_table(
        "hook",
        Column("id", _ID, nullable=False),
        Column("project_id", _ID, nullable=False),
        Column("url", Text, nullable=False),
        Column("form", String(8), nullable=False),
        Column("secret", Text, nullable=False),
        Column("created", String(25), nullable=False),
        ForeignKeyConstraint(["project_id"], ["project.id"], name="fk_hook_project_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_hook"),
    )
    op.create_table(
        "delivery",
        Column("id", _ID, nullable=False),
        Column("hook_id", _ID, nullable=False),
        Column("alert", String(8), nullable=False),
        Column("event", String(40), nullable=False),
        Column("content", Text, nullable=False),
        Column("attempts", Integer, nullable=False),
        Column("due", String(25), nullable=True),
        Column("delivered", String(25), nullable=True),
        Column("problem", Text, nullable=True),
        ForeignKeyConstraint(["hook_id"], ["hook.id"], name="fk_delivery_hook_id", ondelete="CASCADE"),
        PrimaryKeyConstraint("id", name="pk_delivery"),
        UniqueConstraint("hook_id", "alert", "event", name="uq_delivery_hook_id_alert_event"),
    )
    op.create_index("ix_delivery_due", "delivery", ["due"])


def downgrade() -> None:
    """Remove the tables, if nothing is lost that could not be made again."""
    refuse_to_lose("token", "audit", "hook", "delivery")
    for table in ("delivery", "hook", "audit", "session", "token", "page", "alert", "point", "course"):
        op.drop_table(table)
