"""What lies in recycle folders, by the journals of the records that put it there."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa

from ledger.stores import shelf
from ledger.tables.media import record
from ledger.writer import Transaction

RECYCLED = "recycled"
OVER = frozenset({"restored", "emptied"})


@dataclass(frozen=True, slots=True)
class Recycled:
    """One file that a record put into a recycle folder.

    Attributes:
        folder: the library's root.
        place: below that.
        inode, size: by which it is told from a file that somebody put in its place.
        at: when it was put there.
    """

    record: str
    folder: str
    place: str
    inode: int
    size: int
    at: datetime


def recycled(conn: sa.Connection) -> list[Recycled]:
    """All that lies there still, as far as journals know, by time.

    Of all records that used one place only the newest counts: what an earlier one put there was
    taken away by hand before, and its date says nothing about what lies there now.
    """
    mentions = sa.cast(record.c.journal, sa.Text).contains(f'"{RECYCLED}"', autoescape=True)
    newest: dict[tuple[str, str], datetime] = {}
    found: list[Recycled] = []
    for id_, journal in conn.execute(sa.select(record.c.id, record.c.journal).where(mentions)):
        lying: dict[tuple[str, str], Recycled] = {}
        for step in journal:
            if step["step"] == RECYCLED:
                key = (step["folder"], step["to"])
                at = datetime.fromisoformat(step["at"])
                newest[key] = max(at, newest.get(key, at))
                lying[key] = Recycled(id_, *key, step["inode"], step["size"], at)
            elif step["step"] in OVER:
                lying.pop((step["folder"], step["to"]), None)
        found += lying.values()
    current = (one for one in found if one.at == newest[one.folder, one.place])
    return sorted(current, key=lambda one: one.at)


def emptied(tx: Transaction, gone: Iterable[Recycled], at: datetime) -> None:
    """Write down in their records' journals that files are there no more."""
    for one in gone:
        step = {
            "step": "emptied",
            "folder": one.folder,
            "to": one.place,
            "at": at.isoformat(timespec="seconds"),
        }
        shelf.journal(tx, one.record, step)
