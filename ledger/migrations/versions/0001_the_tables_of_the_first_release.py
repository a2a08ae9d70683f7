"""The tables of the first release."""

import sqlalchemy as sa
from alembic import op

import ledger.tables.schema

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Go forward; there is no way back but a backup."""
    op.create_table(
        "agent_message",
        sa.Column("run", sa.String(length=48), nullable=False),
        sa.Column("seq", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("role", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("run", "seq", name=op.f("pk_agent_message")),
    )
    op.create_table(
        "agent_run",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("goal", sa.String(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("principal", sa.String(), nullable=False),
        sa.Column("trigger", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("phase", sa.String(), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("plan", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("usage", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("report", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("abort_asked", sa.Boolean(), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("started_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("ended_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_agent_run")),
    )
    with op.batch_alter_table("agent_run", schema=None) as batch_op:
        batch_op.create_index("ix_agent_run_created_at", ["created_at"], unique=False)

    op.create_table(
        "api_key",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("secret_hash", sa.String(), nullable=True),
        sa.Column("scopes", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("expires_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("revoked_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("last_used_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_key")),
        sa.UniqueConstraint("secret_hash", name=op.f("uq_api_key_secret_hash")),
    )
    op.create_table(
        "approval",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("capability", sa.String(), nullable=False),
        sa.Column("plan_type", sa.String(), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("payload_hash", sa.String(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("requested_by", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("call_id", sa.String(), nullable=True),
        sa.Column("card", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("expires_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("decided_by", sa.String(), nullable=True),
        sa.Column("decided_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("reason", sa.String(), nullable=True),
        sa.Column("consumed_by", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_approval")),
    )
    with op.batch_alter_table("approval", schema=None) as batch_op:
        batch_op.create_index("ix_approval_plan", ["plan"], unique=False)
        batch_op.create_index("ix_approval_run_state", ["run", "state"], unique=False)

    op.create_table(
        "artifact",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_artifact")),
    )
    op.create_table(
        "asset",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("path", sa.String(), nullable=False),
        sa.Column("work", sa.String(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=True),
        sa.Column("episode", sa.BigInteger(), nullable=True),
        sa.Column("quality", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("device", sa.BigInteger(), nullable=False),
        sa.Column("inode", sa.BigInteger(), nullable=False),
        sa.Column("streams", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("record", sa.String(), nullable=False),
        sa.Column("seen_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_asset")),
        sa.UniqueConstraint("path", name=op.f("uq_asset_path")),
    )
    op.create_table(
        "audit",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("action", sa.String(), nullable=False),
        sa.Column("capability", sa.String(), nullable=True),
        sa.Column("outcome", sa.String(), nullable=True),
        sa.Column("authority", sa.String(), nullable=True),
        sa.Column("invocation", sa.String(), nullable=True),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("summary", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_audit")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "decision",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("dedupe_key", sa.String(), nullable=False),
        sa.Column("severity", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("evidence", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("options", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("approval", sa.String(), nullable=True),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("subject", sa.String(), nullable=True),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("resolved_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("resolved_by", sa.String(), nullable=True),
        sa.Column("resolution", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_decision")),
    )
    with op.batch_alter_table("decision", schema=None) as batch_op:
        batch_op.create_index(
            "uq_decision_open_dedupe_key",
            ["dedupe_key"],
            unique=True,
            sqlite_where=sa.text("state IN ('open', 'investigating', 'awaiting_user')"),
            postgresql_where=sa.text("state IN ('open', 'investigating', 'awaiting_user')"),
        )

    op.create_table(
        "download",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("client", sa.String(), nullable=False),
        sa.Column("info_hash", sa.String(), nullable=False),
        sa.Column("hash_v1", sa.String(), nullable=True),
        sa.Column("hash_v2", sa.String(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("release", sa.String(), nullable=False),
        sa.Column("work", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("done", sa.BigInteger(), nullable=False),
        sa.Column("facts", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("updated_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("completed_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_download")),
        sa.UniqueConstraint("info_hash", name=op.f("uq_download_info_hash")),
    )
    op.create_table(
        "event",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("run_seq", sa.BigInteger(), nullable=True),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_event")),
        sa.UniqueConstraint("run", "run_seq", name=op.f("uq_event_run_run_seq")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "failed_sign_in",
        sa.Column("seq", sa.Integer(), autoincrement=True, nullable=False),
        sa.Column("door", sa.String(), nullable=False),
        sa.Column("at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("seq", name=op.f("pk_failed_sign_in")),
    )
    op.create_table(
        "invocation",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("capability", sa.String(), nullable=False),
        sa.Column("version", sa.BigInteger(), nullable=False),
        sa.Column("actor", sa.String(), nullable=False),
        sa.Column("principal", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("request", sa.String(), nullable=False),
        sa.Column("call_id", sa.String(), nullable=False),
        sa.Column("fingerprint", sa.String(), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("natural_key", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("token", sa.String(), nullable=False),
        sa.Column("worker", sa.String(), nullable=False),
        sa.Column("attempt", sa.BigInteger(), nullable=False),
        sa.Column("target", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("plan", sa.String(), nullable=True),
        sa.Column("plan_hash", sa.String(), nullable=True),
        sa.Column("plan_revision", sa.BigInteger(), nullable=True),
        sa.Column("authority", sa.String(), nullable=True),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("code", sa.String(), nullable=True),
        sa.Column("sentence", sa.String(), nullable=True),
        sa.Column("evidence", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("claimed_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("settled_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_invocation")),
        sa.UniqueConstraint("key", name=op.f("uq_invocation_key")),
    )
    with op.batch_alter_table("invocation", schema=None) as batch_op:
        batch_op.create_index(
            "ix_invocation_natural_key_state", ["natural_key", "state"], unique=False
        )
        batch_op.create_index(
            "ix_invocation_principal_call_id", ["principal", "call_id"], unique=False
        )
        batch_op.create_index("ix_invocation_request", ["request"], unique=False)
        batch_op.create_index("ix_invocation_run", ["run"], unique=False)
        batch_op.create_index("ix_invocation_state", ["state"], unique=False)

    op.create_table(
        "owner",
        sa.Column("name", sa.String(length=64), nullable=False),
        sa.Column("passphrase_hash", sa.String(), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_owner")),
    )
    op.create_table(
        "owner_session",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("owner", sa.String(), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("expires_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("ended_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_owner_session")),
    )
    op.create_table(
        "plan",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("type", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("payload_hash", sa.String(), nullable=False),
        sa.Column("payload", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("card", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("parent", sa.String(), nullable=True),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("created_by", sa.String(), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_plan")),
    )
    op.create_table(
        "policy",
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("kind", "version", name=op.f("pk_policy")),
    )
    op.create_table(
        "record",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("plan", sa.String(), nullable=False),
        sa.Column("download", sa.String(), nullable=False),
        sa.Column("work", sa.String(), nullable=False),
        sa.Column("run", sa.String(), nullable=True),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("journal", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("placements", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("verification", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("ended_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_record")),
        sa.UniqueConstraint("plan", name=op.f("uq_record_plan")),
    )
    op.create_table(
        "reference",
        sa.Column("scope", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("number", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("target", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "kind", "number", name=op.f("pk_reference")),
        sa.UniqueConstraint("scope", "kind", "target", name=op.f("uq_reference_scope_kind_target")),
    )
    op.create_table(
        "release",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("indexer", sa.String(), nullable=False),
        sa.Column("guid", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=True),
        sa.Column("info_hash", sa.String(), nullable=True),
        sa.Column("found", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("work", sa.String(), nullable=True),
        sa.Column("judgement", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("torrent", sa.LargeBinary(), nullable=True),
        sa.Column("identity", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("found_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_release")),
        sa.UniqueConstraint("indexer", "guid", name=op.f("uq_release_indexer_guid")),
    )
    op.create_table(
        "run_inbox",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("run", sa.String(), nullable=False),
        sa.Column("sender", sa.String(), nullable=False),
        sa.Column("words", sa.String(), nullable=False),
        sa.Column("at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("read_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_run_inbox")),
    )
    with op.batch_alter_table("run_inbox", schema=None) as batch_op:
        batch_op.create_index("ix_run_inbox_run_read_at", ["run", "read_at"], unique=False)

    op.create_table(
        "segment",
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("subject", sa.String(length=64), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("tries", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name=op.f("pk_segment")),
    )
    op.create_table(
        "setup_code",
        sa.Column("code_hash", sa.String(length=64), nullable=False),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("used_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("code_hash", name=op.f("pk_setup_code")),
    )
    op.create_table(
        "slot",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("work", sa.String(), nullable=False),
        sa.Column("season", sa.BigInteger(), nullable=False),
        sa.Column("episode", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("revision", sa.BigInteger(), nullable=False),
        sa.Column("asset", sa.String(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_slot")),
        sa.UniqueConstraint("work", "season", "episode", name=op.f("uq_slot_work_season_episode")),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("attempts", sa.BigInteger(), nullable=False),
        sa.Column("steps", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("last_error", sa.String(), nullable=True),
        sa.Column("next_try_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.Column("created_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.Column("ended_at", ledger.tables.schema.Instant(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.UniqueConstraint("kind", "subject", name=op.f("uq_task_kind_subject")),
    )
    op.create_table(
        "work",
        sa.Column("id", sa.String(length=48), nullable=False),
        sa.Column("key", sa.String(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("title", sa.String(), nullable=False),
        sa.Column("year", sa.BigInteger(), nullable=True),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("fetched_at", ledger.tables.schema.Instant(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work")),
        sa.UniqueConstraint("key", name=op.f("uq_work_key")),
    )
