"""Works, releases, policies, plans, downloads, and what stands on the shelf."""

import sqlalchemy as sa

from ledger.tables.schema import document, file_number, identity, metadata, moment, number, text

work = sa.Table(
    "work",
    metadata,
    identity(),
    text("key", unique=True),
    text("kind"),
    text("title"),
    number("year", nullable=True),
    document("body"),
    moment("fetched_at"),
)

release = sa.Table(
    "release",
    metadata,
    identity(),
    text("indexer"),
    text("guid"),
    text("title"),
    number("size", nullable=True),
    text("info_hash", nullable=True),
    document("found"),
    text("work", nullable=True),
    document("judgement", nullable=True),
    sa.Column("torrent", sa.LargeBinary, nullable=True),
    document("identity", nullable=True),
    moment("found_at"),
    sa.UniqueConstraint("indexer", "guid"),
)

policy = sa.Table(
    "policy",
    metadata,
    sa.Column("kind", sa.String(32), primary_key=True),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    text("state"),
    document("body"),
    moment("created_at"),
    text("by", nullable=True),
    moment("published_at", nullable=True),
    number("from_version", nullable=True),
)

blocked = sa.Table(
    "blocked",
    metadata,
    identity(),
    text("work", nullable=True),
    text("info_hash", nullable=True),
    text("title", nullable=True),
    text("indexer", nullable=True),
    text("reason"),
    text("by"),
    moment("created_at"),
    moment("removed_at", nullable=True),
    text("removed_by", nullable=True),
    sa.Index("ix_blocked_work", "work"),
)

plan = sa.Table(
    "plan",
    metadata,
    identity(),
    text("type"),
    text("state"),
    number("revision"),
    text("payload_hash"),
    document("payload"),
    document("card"),
    text("parent", nullable=True),
    text("run", nullable=True),
    text("created_by"),
    moment("created_at"),
)

download = sa.Table(
    "download",
    metadata,
    identity(),
    text("client"),
    text("info_hash", unique=True),
    text("hash_v1", nullable=True),
    text("hash_v2", nullable=True),
    text("name"),
    text("plan"),
    text("release"),
    text("work"),
    text("run", nullable=True),
    text("state"),
    number("size"),
    number("done"),
    document("facts"),
    text("last_error", nullable=True),
    moment("created_at"),
    moment("updated_at"),
    moment("completed_at", nullable=True),
)

record = sa.Table(
    "record",
    metadata,
    identity(),
    text("plan", unique=True),
    text("download"),
    text("work"),
    text("run", nullable=True),
    text("state"),
    document("journal"),
    document("placements"),
    document("verification", nullable=True),
    text("last_error", nullable=True),
    moment("created_at"),
    moment("ended_at", nullable=True),
)

asset = sa.Table(
    "asset",
    metadata,
    identity(),
    text("path", unique=True),
    text("work"),
    number("season", nullable=True),
    number("episode", nullable=True),
    text("quality"),
    number("size"),
    file_number("device"),
    file_number("inode"),
    document("streams"),
    text("record"),
    moment("seen_at"),
    number("mtime_ns", nullable=True),
    moment("probed_at", nullable=True),
    sa.Index("ix_asset_probed_at", "probed_at"),
    sa.Index("ix_asset_placed", "work", "season", "episode", "quality"),
)

slot = sa.Table(
    "slot",
    metadata,
    identity(),
    text("work"),
    number("season"),
    number("episode"),
    text("state"),
    number("revision"),
    text("asset", nullable=True),
    sa.UniqueConstraint("work", "season", "episode"),
    sa.Index("ix_slot_asset", "asset"),
)
