"""Libraries that were adopted, what was seen in them, and what their titles were taken for."""

import sqlalchemy as sa

from ledger.tables.schema import document, flag, identity, metadata, moment, number, text

library = sa.Table(
    "library",
    metadata,
    identity(),
    text("path", unique=True),
    moment("adopted_at"),
    text("by"),
)

scanned_folder = sa.Table(
    "scanned_folder",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    text("library"),
    text("path"),
    number("device"),
    text("digest"),
    document("files"),
    moment("seen_at"),
    sa.Index("ix_scanned_folder_library", "library"),
)

scanned_title = sa.Table(
    "scanned_title",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    text("title"),
    number("year", nullable=True),
    flag("accepted"),
    text("work", nullable=True),
    document("verdict"),
    moment("asked_at"),
)
