"""Alembic's entry: always on the connection that `ledger.migrate` hands over."""

from alembic import context

from ledger.tables.declared import declared

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=declared(),
    render_as_batch=True,
)
context.run_migrations()
