"""Segments of the engine, tasks, and decisions that wait for a person."""

import sqlalchemy as sa

from ledger.tables.schema import document, identity, metadata, moment, number, text

segment = sa.Table(
    "segment",
    metadata,
    sa.Column("kind", sa.String(32), primary_key=True),
    sa.Column("subject", sa.String(64), primary_key=True),
    number("n"),
    number("epoch"),
    number("tries"),
    text("state"),
    number("failures", server_default=sa.text("0")),
    number("priority", server_default=sa.text("0")),
    text("last_error", nullable=True),
)

task = sa.Table(
    "task",
    metadata,
    identity(),
    text("kind"),
    text("subject"),
    text("state"),
    number("attempts"),
    document("steps"),
    text("last_error", nullable=True),
    moment("next_try_at", nullable=True),
    moment("created_at"),
    moment("ended_at", nullable=True),
    sa.UniqueConstraint("kind", "subject"),
)

decision = sa.Table(
    "decision",
    metadata,
    identity(),
    text("kind"),
    text("dedupe_key"),
    text("severity"),
    text("state"),
    text("title"),
    document("evidence"),
    document("options"),
    text("approval", nullable=True),
    text("run", nullable=True),
    text("subject", nullable=True),
    moment("created_at"),
    moment("resolved_at", nullable=True),
    text("resolved_by", nullable=True),
    text("resolution", nullable=True),
    sa.Index(
        "uq_decision_open_dedupe_key",
        "dedupe_key",
        unique=True,
        sqlite_where=sa.text("state IN ('open', 'investigating', 'awaiting_user')"),
        postgresql_where=sa.text("state IN ('open', 'investigating', 'awaiting_user')"),
    ),
)
