"""Libraries: when they were looked at, what was seen, and what was and is being taken in."""

import sqlalchemy as sa

from ledger.tables.schema import (
    document,
    file_number,
    flag,
    identity,
    metadata,
    moment,
    number,
    text,
)

library = sa.Table(
    "library",
    metadata,
    identity(),
    text("path", unique=True),
    moment("adopted_at"),
    text("by"),
)

survey = sa.Table(
    "survey",
    metadata,
    identity(),
    text("path", unique=True),
    number("asked"),
    number("answered"),
    number("heard"),
    flag("unsettled"),
    document("seen"),
    text("fault", nullable=True),
    moment("begun_at", nullable=True),
    moment("ended_at", nullable=True),
)
"""The looks at a library, one row for all of them; see `ledger.stores.surveys`."""

scanned_folder = sa.Table(
    "scanned_folder",
    metadata,
    sa.Column("key", sa.String(64), primary_key=True),
    text("library"),
    text("path"),
    file_number("device"),
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

adoption_part = sa.Table(
    "adoption_part",
    metadata,
    sa.Column("plan", sa.String(48), primary_key=True),
    sa.Column("n", sa.Integer, primary_key=True, autoincrement=False),
    document("body"),
    moment("at"),
)
"""What of a plan is still to be taken in, some files a row."""

shelf_work = sa.Table(
    "shelf_work",
    metadata,
    sa.Column("work", sa.String(48), primary_key=True),
    text("kind"),
    text("sort_title"),
    number("year"),
    flag("stale"),
    number("gaps"),
    text("airs_next", nullable=True),
    text("qualities"),
    document("standing"),
    sa.Index(
        "ix_shelf_work_listed",
        *("sort_title", "year", "work", "kind", "stale", "gaps", "airs_next", "qualities"),
    ),
    sa.Index(
        "ix_shelf_work_stale",
        "stale",
        sqlite_where=sa.text("stale IS 1"),
        postgresql_where=sa.text("stale IS true"),
    ),
    sa.Index("ix_shelf_work_airs_next", "airs_next"),
)
"""The works of the shelf in the order that they are shown in; see `ledger.stores.shelf_works`.

A list is narrowed and counted by its index alone: every column that it asks about is in there.
"""
