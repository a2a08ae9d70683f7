"""Who may knock: the owner, sessions, keys, and the references a session was given."""

import sqlalchemy as sa

from ledger.tables.schema import document, identity, metadata, moment, text

owner = sa.Table(
    "owner",
    metadata,
    sa.Column("name", sa.String(64), primary_key=True),
    text("passphrase_hash"),
    moment("created_at"),
)

setup_code = sa.Table(
    "setup_code",
    metadata,
    sa.Column("code_hash", sa.String(64), primary_key=True),
    moment("created_at"),
    moment("expires_at", nullable=True),
    moment("used_at", nullable=True),
)

owner_session = sa.Table(
    "owner_session",
    metadata,
    sa.Column("token_hash", sa.String(64), primary_key=True),
    text("owner"),
    moment("created_at"),
    moment("expires_at"),
    moment("ended_at", nullable=True),
)

api_key = sa.Table(
    "api_key",
    metadata,
    identity(),
    text("name"),
    text("secret_hash", nullable=True, unique=True),
    document("scopes"),
    moment("created_at"),
    moment("expires_at", nullable=True),
    moment("revoked_at", nullable=True),
    moment("last_used_at", nullable=True),
)

reference = sa.Table(
    "reference",
    metadata,
    sa.Column("scope", sa.String(64), primary_key=True),
    sa.Column("kind", sa.String(16), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    text("target"),
    sa.UniqueConstraint("scope", "kind", "target"),
)

failed_sign_in = sa.Table(
    "failed_sign_in",
    metadata,
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=True),
    text("door"),
    moment("at"),
)

secret = sa.Table(
    "secret",
    metadata,
    sa.Column("name", sa.String(128), primary_key=True),
    text("key_id"),
    sa.Column("nonce", sa.LargeBinary, nullable=False),
    sa.Column("sealed", sa.LargeBinary, nullable=False),
    moment("set_at"),
)
