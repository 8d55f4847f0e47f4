"""What Alembic executes to make steps: the transaction is the caller's."""

from __future__ import annotations

from alembic import context

# Also SQLite undoes the making of tables.
context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
context.run_migrations()
