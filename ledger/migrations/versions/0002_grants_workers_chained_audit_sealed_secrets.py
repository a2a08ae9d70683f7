"""Grants, workers, chained audit, sealed secrets."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    op.create_table(
        "audit_chain",
        sa.Column("id", sa.String(length=96), nullable=False),
        sa.Column("opened_with", ledger.tables.schema.Words(), nullable=False),
        sa.Column("opened_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("links", sa.BigInteger(), nullable=False),
        sa.Column("head", ledger.tables.schema.Words(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_chain")),
    )
    op.create_table(
        "house_switch",
        sa.Column("name", sa.String(length=32), nullable=False),
        sa.Column("on", sa.Boolean(), nullable=False),
        sa.Column("set_by", ledger.tables.schema.Words(), nullable=False),
        sa.Column("set_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("reason", ledger.tables.schema.Words(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_house_switch")),
    )
    op.create_table(
        "lease",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("holder", ledger.tables.schema.Words(), nullable=False),
        sa.Column("fence", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_lease")),
    )
    op.create_table(
        "owner_grant",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("action", ledger.tables.schema.Words(), nullable=False),
        sa.Column("scope", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("calls_per_day", sa.BigInteger(), nullable=True),
        sa.Column("bytes_per_day", sa.BigInteger(), nullable=True),
        sa.Column("may_replace", sa.Boolean(), nullable=False),
        sa.Column("policy_kind", ledger.tables.schema.Words(), nullable=True),
        sa.Column("policy_version", sa.BigInteger(), nullable=True),
        sa.Column("note", ledger.tables.schema.Words(), nullable=False),
        sa.Column("made_by", ledger.tables.schema.Words(), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("expires_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("withdrawn_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("withdrawn_by", ledger.tables.schema.Words(), nullable=True),
        sa.Column("reason", ledger.tables.schema.Words(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_owner_grant")),
    )
    op.create_table(
        "secret",
        sa.Column("name", sa.String(length=128), nullable=False),
        sa.Column("key_id", ledger.tables.schema.Words(), nullable=False),
        sa.Column("nonce", sa.LargeBinary(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("set_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secret")),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.String(length=96), nullable=False),
        sa.Column("role", ledger.tables.schema.Words(), nullable=False),
        sa.Column("host", ledger.tables.schema.Words(), nullable=False),
        sa.Column("state", ledger.tables.schema.Words(), nullable=False),
        sa.Column("beat", sa.BigInteger(), nullable=False),
        sa.Column("started_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("ended_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_worker")),
    )
    with op.batch_alter_table("worker", schema=None) as batch_op:
        batch_op.create_index("ix_worker_state", ["state"], unique=False)

    op.create_table(
        "write_turn",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_write_turn")),
    )
    with op.batch_alter_table("audit", schema=None) as batch_op:
        batch_op.add_column(sa.Column("chain", ledger.tables.schema.Words(), nullable=True))
        batch_op.add_column(sa.Column("link", sa.BigInteger(), nullable=True))
        batch_op.add_column(sa.Column("hash", ledger.tables.schema.Words(), nullable=True))
        batch_op.create_index("uq_audit_chain_link", ["chain", "link"], unique=True)

    with op.batch_alter_table("invocation", schema=None) as batch_op:
        batch_op.add_column(sa.Column("bytes_reserved", sa.BigInteger(), nullable=True))
        batch_op.create_index(
            "ix_invocation_authority_claimed_at", ["authority", "claimed_at"], unique=False
        )

    with op.batch_alter_table("segment", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("failures", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
        )
        batch_op.add_column(
            sa.Column("priority", sa.BigInteger(), server_default=sa.text("0"), nullable=False)
        )
        batch_op.add_column(sa.Column("last_error", ledger.tables.schema.Words(), nullable=True))

    with op.batch_alter_table("setup_code", schema=None) as batch_op:
        batch_op.add_column(
            sa.Column("expires_at", ledger.tables.schema.Instant(timezone=True), nullable=True)
        )
