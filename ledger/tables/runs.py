"""Runs of the agent, their conversation and their events."""

import sqlalchemy as sa

from ledger.tables.schema import document, flag, identity, metadata, moment, number, text

agent_run = sa.Table(
    "agent_run",
    metadata,
    identity(),
    text("goal"),
    text("actor"),
    text("principal"),
    text("trigger"),
    text("state"),
    text("phase"),
    document("options"),
    document("plan", nullable=True),
    document("usage"),
    document("report", nullable=True),
    text("reason", nullable=True),
    flag("abort_asked"),
    moment("created_at"),
    moment("started_at", nullable=True),
    moment("ended_at", nullable=True),
    sa.Index("ix_agent_run_created_at", "created_at"),
)

agent_message = sa.Table(
    "agent_message",
    metadata,
    sa.Column("run", sa.String(48), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    text("role"),
    document("body"),
    moment("at"),
)

run_inbox = sa.Table(
    "run_inbox",
    metadata,
    identity(),
    text("run"),
    text("sender"),
    text("words"),
    moment("at"),
    moment("read_at", nullable=True),
    sa.Index("ix_run_inbox_run_read_at", "run", "read_at"),
)

event = sa.Table(
    "event",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    text("run", nullable=True),
    number("run_seq", nullable=True),
    text("type"),
    document("body"),
    moment("at"),
    sa.UniqueConstraint("run", "run_seq"),
    sqlite_autoincrement=True,
)

artifact = sa.Table(
    "artifact",
    metadata,
    identity(),
    text("kind"),
    text("run", nullable=True),
    document("body"),
    moment("created_at"),
)
