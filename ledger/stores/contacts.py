"""When systems outside were last looked at, and when they last answered."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

import sqlalchemy as sa

from ledger.stores.rows import one, select, values
from ledger.tables.contacts import contact
from ledger.writer import Transaction


class Part(StrEnum):
    """What kinds of systems there are."""

    CLIENT = "client"
    MEDIA_SERVER = "media_server"


@dataclass(frozen=True, slots=True)
class Contact:
    """The last look at one system, without its address.

    Attributes:
        name: the owner's for it.
        version: as it said when it last answered; empty where it never did.
        note: why it did not answer, or what is wrong although it did; None where all is well.
        answered_at: when it last answered; None where it never did.
    """

    part: Part
    name: str
    kind: str
    reachable: bool
    version: str
    note: str | None
    looked_at: datetime
    answered_at: datetime | None = None


def every(conn: sa.Connection, part: Part) -> dict[str, Contact]:
    """The last look at each system of a kind, by its name."""
    rows = conn.execute(select(contact, Contact, contact.c.part == part))
    return {row.name: row for row in values(Contact, rows)}


def note(tx: Transaction, looks: Sequence[Contact]) -> list[Contact]:
    """Write looks down; those are answered that found something else than the one before.

    Version and time of the last answer stay while a system does not answer. One that was never
    looked at before counts as one that answered.
    """
    turned: list[Contact] = []
    for look in looks:
        known = one(tx.conn, contact, Contact, part=look.part, name=look.name)
        now = _after(known, look)
        columns = {name: getattr(now, name) for name in Contact.__dataclass_fields__}
        if known is None:
            tx.conn.execute(contact.insert().values(**columns))
        else:
            same = (contact.c.part == look.part) & (contact.c.name == look.name)
            tx.conn.execute(contact.update().where(same).values(**columns))
        if now.reachable is not (known is None or known.reachable):
            turned.append(now)
    return turned


def _after(known: Contact | None, look: Contact) -> Contact:
    if look.reachable:
        return replace(look, answered_at=look.looked_at)
    if known is None or known.kind != look.kind:
        return look
    return replace(look, version=known.version, answered_at=known.answered_at)
