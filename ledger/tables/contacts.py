"""When systems outside last answered."""

import sqlalchemy as sa

from ledger.tables.schema import flag, metadata, moment, text

contact = sa.Table(
    "contact",
    metadata,
    sa.Column("part", sa.String(32), primary_key=True),
    sa.Column("name", sa.String(200), primary_key=True),
    text("kind"),
    flag("reachable"),
    text("version"),
    text("note", nullable=True),
    moment("looked_at"),
    moment("answered_at", nullable=True),
)
