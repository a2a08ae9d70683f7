"""Secrets at rest: sealed values by name; whoever reads them needs the key from elsewhere."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from ledger.sealing import Sealed
from ledger.stores.rows import select, values
from ledger.tables.access import secret
from ledger.writer import Transaction


@dataclass(frozen=True, slots=True)
class SealedSecret:
    """A row: the name, when it was set, and what opens with the key named."""

    name: str
    key_id: str
    nonce: bytes
    sealed: bytes
    set_at: datetime

    @property
    def seal(self) -> Sealed:
        """The part that a key opens."""
        return Sealed(self.key_id, self.nonce, self.sealed)


def all_of(conn: sa.Connection) -> list[SealedSecret]:
    """All of them, by name."""
    return values(SealedSecret, conn.execute(select(secret, SealedSecret).order_by(secret.c.name)))


def put(tx: Transaction, name: str, sealed: Sealed, at: datetime) -> None:
    """Set a secret; one of the same name is replaced."""
    remove(tx, name)
    tx.conn.execute(secret.insert().values(name=name, set_at=at, **_columns(sealed)))


def remove(tx: Transaction, name: str) -> bool:
    """Forget a secret; false when there is none of this name."""
    return tx.conn.execute(secret.delete().where(secret.c.name == name)).rowcount == 1


def reseal(tx: Transaction, sealed_anew: Callable[[SealedSecret], Sealed | None]) -> list[str]:
    """Put what `sealed_anew` makes in the place of each secret, None leaving it; names changed.

    The moments at which they were set stay.
    """
    changed: list[str] = []
    for row in all_of(tx.conn):
        new = sealed_anew(row)
        if new is not None:
            tx.conn.execute(
                secret.update().where(secret.c.name == row.name).values(**_columns(new))
            )
            changed.append(row.name)
    return changed


def _columns(sealed: Sealed) -> dict[str, object]:
    return {"key_id": sealed.key_id, "nonce": sealed.nonce, "sealed": sealed.sealed}
