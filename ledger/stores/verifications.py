"""What organise records say of the files that they placed: what holds true of them, and where."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, Final

import sqlalchemy as sa

from ledger.stores.rows import select, values
from ledger.tables.media import record, slot

VERIFYING: Final = "verifying"
"""The state of a record whose files stand and of which not all is true yet that must be."""
_AT_ONCE: Final = 500


@dataclass(frozen=True, slots=True)
class Placing:
    """A record without its journal."""

    id: str
    placements: list[dict[str, Any]]
    verification: dict[str, Any] | None


def waiting(conn: sa.Connection) -> list[dict[str, Any]]:
    """The verification of every record that is being verified."""
    asked = sa.select(record.c.verification).where(record.c.state == VERIFYING)
    return [body for body in conn.execute(asked).scalars() if body is not None]


def placings(conn: sa.Connection, records: Collection[str]) -> list[Placing]:
    """The records with these ids; ids of what is no record are left out."""
    found: list[Placing] = []
    for some in _parts(records):
        found += values(Placing, conn.execute(select(record, Placing, record.c.id.in_(some))))
    return found


def filled(conn: sa.Connection, files: Collection[str]) -> dict[str, list[tuple[int, int]]]:
    """The slots that each of these files fills, as season and episode, in their order."""
    found: dict[str, list[tuple[int, int]]] = {}
    for some in _parts(files):
        asked = sa.select(slot.c.asset, slot.c.season, slot.c.episode)
        for file, season, episode in conn.execute(asked.where(slot.c.asset.in_(some))):
            found.setdefault(file, []).append((season, episode))
    return {file: sorted(places) for file, places in found.items()}


def _parts(ids: Collection[str]) -> Iterator[list[str]]:
    wanted = sorted(set(ids))
    for first in range(0, len(wanted), _AT_ONCE):
        yield wanted[first : first + _AT_ONCE]
