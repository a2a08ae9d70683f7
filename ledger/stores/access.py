"""The owner, sign-in sessions and keys; secrets are stored as hashes only."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import sqlalchemy as sa

from ledger.clock import new_id
from ledger.stores.rows import one, select, value, values
from ledger.tables.access import api_key, failed_sign_in, owner, owner_session, setup_code
from ledger.writer import Transaction

LOCAL_KEY = "local"
SETUP_CODE_LASTS = timedelta(days=1)
FAILURES_KEPT = timedelta(days=1)
"""Longer than any door remembers wrong tries."""


@dataclass(frozen=True, slots=True)
class Owner:
    """The one person who decides."""

    name: str
    passphrase_hash: str


@dataclass(frozen=True, slots=True)
class Key:
    """A client's key; ``local`` is built in and has no secret of its own."""

    id: str
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None

    def usable(self, at: datetime) -> bool:
        """Neither revoked nor expired."""
        return self.revoked_at is None and (self.expires_at is None or self.expires_at > at)


def digest(secret: str) -> str:
    """How secrets with 256 random bits are stored: SHA-256 in hexadecimal."""
    return hashlib.sha256(secret.encode()).hexdigest()


def the_owner(conn: sa.Connection) -> Owner | None:
    """The owner, or None before the first start was finished."""
    row = conn.execute(select(owner, Owner)).first()
    return None if row is None else value(Owner, row)


def create_owner(tx: Transaction, name: str, passphrase_hash: str, at: datetime) -> None:
    """Make the owner; the caller has checked the one-time code in this transaction."""
    tx.conn.execute(
        owner.insert().values(name=name, passphrase_hash=passphrase_hash, created_at=at)
    )


def put_setup_code(tx: Transaction, code: str, at: datetime) -> None:
    """Replace the one-time code; only the newest counts, and only for a day."""
    tx.conn.execute(setup_code.delete())
    tx.conn.execute(
        setup_code.insert().values(
            code_hash=digest(code), created_at=at, expires_at=at + SETUP_CODE_LASTS
        )
    )


def use_setup_code(tx: Transaction, code: str, at: datetime) -> bool:
    """Use the one-time code up; false when it is wrong, used or expired."""
    done = tx.conn.execute(
        setup_code.update()
        .where(
            setup_code.c.code_hash == digest(code),
            setup_code.c.used_at.is_(None),
            setup_code.c.expires_at > at,
        )
        .values(used_at=at)
    )
    return done.rowcount == 1


def open_session(tx: Transaction, token: str, name: str, at: datetime, until: datetime) -> None:
    """Remember a sign-in by the hash of its cookie."""
    tx.conn.execute(
        owner_session.insert().values(
            token_hash=digest(token), owner=name, created_at=at, expires_at=until
        )
    )


def session_owner(conn: sa.Connection, token: str, at: datetime) -> str | None:
    """Whose living session a cookie is."""
    return conn.execute(
        sa.select(owner_session.c.owner).where(
            owner_session.c.token_hash == digest(token),
            owner_session.c.ended_at.is_(None),
            owner_session.c.expires_at > at,
        )
    ).scalar()


def end_session(tx: Transaction, token: str, at: datetime) -> None:
    """Sign out."""
    tx.conn.execute(
        owner_session.update()
        .where(owner_session.c.token_hash == digest(token))
        .values(ended_at=at)
    )


def note_failure(tx: Transaction, door: str, at: datetime) -> None:
    """Count a wrong passphrase or code, and forget those that no door remembers any more."""
    tx.conn.execute(failed_sign_in.delete().where(failed_sign_in.c.at < at - FAILURES_KEPT))
    tx.conn.execute(failed_sign_in.insert().values(door=door, at=at))


def failures_since(conn: sa.Connection, door: str, since: datetime) -> int:
    """How many were counted at one door since a moment."""
    return conn.execute(
        sa.select(sa.func.count())
        .select_from(failed_sign_in)
        .where(failed_sign_in.c.door == door, failed_sign_in.c.at > since)
    ).scalar_one()


def forget_failures(tx: Transaction, door: str) -> None:
    """A success clears its door's count."""
    tx.conn.execute(failed_sign_in.delete().where(failed_sign_in.c.door == door))


def add_key(
    tx: Transaction,
    *,
    name: str,
    secret: str | None,
    scopes: Sequence[str],
    at: datetime,
    expires_at: datetime | None = None,
    id_: str | None = None,
) -> str:
    """Store a key by the hash of its secret; returns its id."""
    made = id_ or new_id("key")
    tx.conn.execute(
        api_key.insert().values(
            id=made,
            name=name,
            secret_hash=None if secret is None else digest(secret),
            scopes=list(scopes),
            created_at=at,
            expires_at=expires_at,
        )
    )
    return made


def key_by_secret(conn: sa.Connection, secret: str) -> Key | None:
    """The key with this secret, whatever its state."""
    row = conn.execute(select(api_key, Key, api_key.c.secret_hash == digest(secret))).first()
    return None if row is None else value(Key, row)


def key_by_id(conn: sa.Connection, id_: str) -> Key | None:
    """The key with this id."""
    return one(conn, api_key, Key, id=id_)


def keys(conn: sa.Connection) -> list[Key]:
    """All keys, newest first."""
    return values(Key, conn.execute(select(api_key, Key).order_by(api_key.c.created_at.desc())))


def revoke_key(tx: Transaction, id_: str, at: datetime) -> bool:
    """Revoke for ever; false when there is no such living key."""
    done = tx.conn.execute(
        api_key.update()
        .where(api_key.c.id == id_, api_key.c.revoked_at.is_(None))
        .values(revoked_at=at)
    )
    return done.rowcount == 1


def set_scopes(tx: Transaction, id_: str, scopes: Sequence[str]) -> None:
    """Let a key carry these scopes, and no other."""
    tx.conn.execute(api_key.update().where(api_key.c.id == id_).values(scopes=list(scopes)))


def touch_key(tx: Transaction, id_: str, at: datetime) -> None:
    """Remember when a key was last used."""
    tx.conn.execute(api_key.update().where(api_key.c.id == id_).values(last_used_at=at))
