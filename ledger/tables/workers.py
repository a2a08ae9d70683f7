"""Processes at work on this ledger, and the leases that only one of them may hold."""

import sqlalchemy as sa

from ledger.tables.schema import metadata, moment, number, text

worker = sa.Table(
    "worker",
    metadata,
    sa.Column("id", sa.String(96), primary_key=True),
    text("role"),
    text("host"),
    text("state"),
    number("beat"),
    moment("started_at"),
    moment("ended_at", nullable=True),
    sa.Index("ix_worker_state", "state"),
)

lease = sa.Table(
    "lease",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    text("holder"),
    number("fence"),
    moment("taken_at"),
)
