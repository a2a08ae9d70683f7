"""What a download is on its way to: the slots of its plan, given back and taken back."""

from collections.abc import Collection
from typing import Any

import sqlalchemy as sa

from ledger.stores import downloads, plans, shelf
from ledger.stores.copies import IN_FLIGHT
from ledger.stores.downloads import DownloadRow
from ledger.writer import Transaction

WANTED = "wanted"
Place = tuple[int, int]


def slots_of(conn: sa.Connection, row: DownloadRow) -> frozenset[Place]:
    """Season and episode of each slot that a download is for, by its plan."""
    plan = plans.by_id(conn, row.plan)
    slots: list[dict[str, Any]] = [] if plan is None else plan.payload.get("slots", [])
    return frozenset((slot["season"], slot["episode"]) for slot in slots)


def give_back(tx: Transaction, over: DownloadRow, active: Collection[str]) -> None:
    """Say of the slots of a download that nothing is on its way to them any more.

    One to which another download is on its way stays as it is.

    Args:
        tx: the transaction that it is durable with.
        over: the download.
        active: the states of a download that is under way.
    """
    _move(tx, over, active, IN_FLIGHT, WANTED)


def take_back(tx: Transaction, row: DownloadRow, active: Collection[str]) -> None:
    """Say that a download is on its way again to those of its slots that were given back.

    One to which another download is on its way, or that is filled, stays as it is.
    """
    _move(tx, row, active, WANTED, IN_FLIGHT)


def _move(
    tx: Transaction, row: DownloadRow, active: Collection[str], before: str, after: str
) -> None:
    others = downloads.listing(tx.conn, states=tuple(active), work=row.work)
    taken = frozenset[Place]().union(
        *(slots_of(tx.conn, one) for one in others if one.id != row.id)
    )
    for season, episode in sorted(slots_of(tx.conn, row) - taken):
        now = shelf.slot_for(tx.conn, row.work, season, episode)
        if now is not None and now.state == before:
            shelf.move_slot(tx, row.work, season, episode, state=after, asset_id=None)
