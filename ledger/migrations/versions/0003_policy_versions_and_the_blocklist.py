"""Policy versions and the blocklist."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    op.create_table(
        "blocked",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("work", ledger.tables.schema.Words(), nullable=True),
        sa.Column("info_hash", ledger.tables.schema.Words(), nullable=True),
        sa.Column("title", ledger.tables.schema.Words(), nullable=True),
        sa.Column("indexer", ledger.tables.schema.Words(), nullable=True),
        sa.Column("reason", ledger.tables.schema.Words(), nullable=False),
        sa.Column("by", ledger.tables.schema.Words(), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("removed_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("removed_by", ledger.tables.schema.Words(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_blocked")),
    )
    with op.batch_alter_table("blocked", schema=None) as batch_op:
        batch_op.create_index("ix_blocked_work", ["work"], unique=False)
    with op.batch_alter_table("policy", schema=None) as batch_op:
        batch_op.add_column(sa.Column("by", ledger.tables.schema.Words(), nullable=True))
        batch_op.add_column(
            sa.Column("published_at", ledger.tables.schema.Instant(timezone=True), nullable=True)
        )
        batch_op.add_column(sa.Column("from_version", sa.BigInteger(), nullable=True))
