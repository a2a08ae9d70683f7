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

write_turn = sa.Table(
    "write_turn",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
)
"""Never holds a row: on PostgreSQL every writer locks it, so that a refused one can be alone."""

lease = sa.Table(
    "lease",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    text("holder"),
    number("fence"),
    moment("taken_at"),
)
