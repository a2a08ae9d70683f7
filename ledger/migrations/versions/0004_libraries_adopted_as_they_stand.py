"""Libraries adopted as they stand, and when the streams of a file were read."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    op.create_table(
        "library",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("path", ledger.tables.schema.Words(), nullable=False),
        sa.Column("adopted_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("by", ledger.tables.schema.Words(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_library")),
        sa.UniqueConstraint("path", name=op.f("uq_library_path")),
    )
    op.create_table(
        "scanned_folder",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("library", ledger.tables.schema.Words(), nullable=False),
        sa.Column("path", ledger.tables.schema.Words(), nullable=False),
        sa.Column("device", sa.BigInteger(), nullable=False),
        sa.Column("digest", ledger.tables.schema.Words(), nullable=False),
        sa.Column("files", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("seen_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_scanned_folder")),
    )
    with op.batch_alter_table("scanned_folder", schema=None) as batch_op:
        batch_op.create_index("ix_scanned_folder_library", ["library"], unique=False)
    op.create_table(
        "scanned_title",
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("title", ledger.tables.schema.Words(), nullable=False),
        sa.Column("year", sa.BigInteger(), nullable=True),
        sa.Column("accepted", sa.Boolean(), nullable=False),
        sa.Column("work", ledger.tables.schema.Words(), nullable=True),
        sa.Column("verdict", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("asked_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_scanned_title")),
    )
    with op.batch_alter_table("asset", schema=None) as batch_op:
        batch_op.add_column(sa.Column("mtime_ns", sa.BigInteger(), nullable=True))
        batch_op.add_column(
            sa.Column("probed_at", ledger.tables.schema.Instant(timezone=True), nullable=True)
        )
        batch_op.create_index("ix_asset_probed_at", ["probed_at"], unique=False)
