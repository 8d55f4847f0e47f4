"""The margins of projects."""

from __future__ import annotations

from typing import Final

from alembic import op
from sqlalchemy import Column, Text, column, select, table

from statera.support.errors import Stop

revision: Final = "0004"
down_revision: Final = "0003"


def upgrade() -> None:
    """Add the column."""
    op.add_column("project", Column("margins", Text, nullable=False, server_default="{}"))


def downgrade() -> None:
    """Remove the column, if no project states a margin."""
    own = table("project", column("name"), column("margins"))
    stated = select(own.c.name).where(own.c.margins != "{}").limit(1)
    name = op.get_bind().execute(stated).scalar()
    if name is not None:
        raise Stop(
            "bad-database",
            f"{name} states margins, and an older version of statera has none on a server. Remove them with statera "
            f"server project change {name} --margin none",
        )
    op.drop_column("project", "margins")
