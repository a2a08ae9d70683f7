"""When download clients and media servers last answered."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    op.create_table(
        "contact",
        sa.Column("part", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("kind", ledger.tables.schema.Words(), nullable=False),
        sa.Column("reachable", sa.Boolean(), nullable=False),
        sa.Column("version", ledger.tables.schema.Words(), nullable=False),
        sa.Column("note", ledger.tables.schema.Words(), nullable=True),
        sa.Column("looked_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("answered_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("part", "name", name=op.f("pk_contact")),
    )
