"""Jobs that write without a secret."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import BigInteger, Integer, PrimaryKeyConstraint, String, Text

from statera.server.migrations import columns, reference, refuse_to_lose

revision: Final = "0003"
down_revision: Final = "0002"

# SQLite numbers rows by itself only in columns of this type.
_ID: Final = BigInteger().with_variant(Integer, "sqlite")


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "trust",
        *columns(_ID, "id", "project_id"),
        *columns(Text, "issuer", "audience", "claims"),
        *columns(String(25), "created"),
        reference("trust", "project"),
        PrimaryKeyConstraint("id", name="pk_trust"),
    )


def downgrade() -> None:
    """Remove the table, if it holds nothing."""
    refuse_to_lose("trust")
    op.drop_table("trust")
