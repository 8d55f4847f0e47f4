"""What steps downwards keep."""

from __future__ import annotations

from alembic import op
from sqlalchemy import column, select, table

from statera.support.errors import Stop


def refuse_to_lose(*names: str) -> None:
    """Refuse to remove tables that hold anything.

    Raises:
        Stop: one of them does.

    """
    connection = op.get_bind()
    for name in names:
        if connection.execute(select(column("id")).select_from(table(name)).limit(1)).first():
            raise Stop(
                "bad-database",
                f"the table {name} is not empty, and an older version of statera has no such table; write a backup "
                "with statera server backup, and restore it into another database",
            )
