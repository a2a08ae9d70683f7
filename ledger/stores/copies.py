"""By which release each slot of a work is filled, or is being filled."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from ledger.stores import downloads, plans, shelf
from ledger.stores.downloads import DownloadRow
from ledger.tables.media import asset, download, record, release, slot

SATISFIED = "satisfied"
IN_FLIGHT = "in_flight"


@dataclass(frozen=True, slots=True)
class CopyRow:
    """One filled slot; season and episode are 0 for a film.

    Attributes:
        title: of the release that it came from, as it was found; not of the file.
        found: the offer, where it is kept still.
        in_flight: it is on its way, and not on the shelf yet.
    """

    work: str
    season: int
    episode: int
    title: str
    found: dict[str, Any] | None
    info_hash: str
    in_flight: bool


def copies(conn: sa.Connection, work: str, under_way: tuple[str, ...]) -> list[CopyRow]:
    """The copies of one work: on the shelf, and on their way by downloads in these states."""
    return [*_held(conn, work), *_on_their_way(conn, work, under_way)]


def works_on_the_shelf(conn: sa.Connection, *, limit: int) -> tuple[list[str], int]:
    """Ids of works with a filled slot, and how many in all."""
    found = sa.select(slot.c.work).where(slot.c.state == SATISFIED).distinct()
    total = conn.execute(sa.select(sa.func.count()).select_from(found.subquery()))
    return list(
        conn.execute(found.order_by(slot.c.work).limit(limit)).scalars()
    ), total.scalar_one()


def _held(conn: sa.Connection, work: str) -> Iterator[CopyRow]:
    rows = conn.execute(
        sa.select(
            slot.c.season, slot.c.episode, download.c.name, release.c.found, download.c.info_hash
        )
        .select_from(slot)
        .join(asset, asset.c.id == slot.c.asset)
        .join(record, record.c.id == asset.c.record)
        .join(download, download.c.id == record.c.download)
        .outerjoin(release, release.c.id == download.c.release)
        .where(slot.c.work == work, slot.c.state == SATISFIED)
        .order_by(slot.c.season, slot.c.episode)
    )
    for season, episode, title, found, info_hash in rows:
        yield CopyRow(work, season, episode, title, found, info_hash, in_flight=False)


def _on_their_way(conn: sa.Connection, work: str, under_way: tuple[str, ...]) -> Iterator[CopyRow]:
    """The newest download for each slot that is in flight."""
    open_ = {
        (row.season, row.episode) for row in shelf.slots(conn, work=work) if row.state == IN_FLIGHT
    }
    if not open_:
        return
    for row in downloads.listing(conn, states=under_way, work=work):
        for target in sorted(open_ & _slots(conn, row)):
            open_.discard(target)
            found = conn.execute(sa.select(release.c.found).where(release.c.id == row.release))
            yield CopyRow(work, *target, row.name, found.scalar(), row.info_hash, in_flight=True)


def _slots(conn: sa.Connection, row: DownloadRow) -> set[tuple[int, int]]:
    plan = plans.by_id(conn, row.plan)
    slots: list[dict[str, int]] = [] if plan is None else plan.payload.get("slots", [])
    return {(one["season"], one["episode"]) for one in slots}
