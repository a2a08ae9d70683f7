"""The things a run set out to bring home, as downloads and records show them."""

import os.path
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum
from typing import Any

from agent.pen import Page
from capabilities.download.candidates import taken_in_place
from capabilities.kernel.owing import NEXT
from ledger.stores import downloads, references, shelf, tasks, works
from ledger.stores.claims import Claim
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan
from ledger.stores.shelf import AssetRow, RecordRow
from ledger.stores.works import WorkRow

PLACED = "succeeded"
LOST = frozenset({"failed", "removed", "needs_owner"})


class Standing(StrEnum):
    """How an item stands with the goal."""

    DONE = "done"
    OPEN = "open"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Item:
    """One thing.

    Attributes:
        state: the word of its record where that decided, else of its download.
        percent: of the download, 0 to 100.
        size: bytes; of the files in the library once they are there.
        where: path below the library's root, POSIX; None while nothing is there.
        took: from the submission to the end of the import.
    """

    title: str
    standing: Standing
    state: str
    percent: int
    size: int
    quality: str | None = None
    where: str | None = None
    took: timedelta | None = None
    error: str | None = None


def items(page: Page, plans: Iterable[Plan], claims: Iterable[Claim]) -> list[Item]:
    """What the run submitted, adopted or organised, oldest first."""
    conn = page.tx.conn
    payloads = {plan.id: plan.payload for plan in plans}
    fetched = {row.id: row for row in downloads.of_run(conn, page.run.id)}
    fetched |= {row.id: row for id_ in payloads if (row := downloads.of_plan(conn, id_))}
    fetched |= {row.id: row for row in _adopted(page, claims)}
    kept = [row for row in fetched.values() if not _has_successor(row, fetched.values())]
    organised = [
        record
        for record in shelf.records_of_run(conn, page.run.id)
        if record.download not in fetched
    ]
    known = works.many(conn, {row.work for row in (*fetched.values(), *organised)})
    return [
        *(
            _fetched(page, row, known.get(row.work), payloads.get(row.plan, {}))
            for row in sorted(kept, key=lambda row: row.created_at)
        ),
        *(_organised(page, record, known.get(record.work)) for record in organised),
    ]


def _has_successor(row: DownloadRow, among: Iterable[DownloadRow]) -> bool:
    """Whether another one was taken in its place by itself, which counts then."""
    plan = taken_in_place(row)
    return row.state in LOST and plan is not None and any(one.plan == plan for one in among)


def _adopted(page: Page, claims: Iterable[Claim]) -> list[DownloadRow]:
    """Downloads that existed already when the run asked for them: its calls name them."""
    conn = page.tx.conn
    found: list[DownloadRow] = []
    for claim in claims:
        named = str((claim.result or {}).get("download", ""))
        prefix, _, number = named.partition(":")
        if number.isdecimal():
            named = references.target_of(conn, f"run:{page.run.id}", prefix, int(number)) or ""
        if row := downloads.by_id(conn, named):
            found.append(row)
    return found


def _fetched(
    page: Page, row: DownloadRow, work: WorkRow | None, payload: Mapping[str, Any]
) -> Item:
    record = next(reversed(shelf.records_of(page.tx.conn, row.id)), None)
    placed = _assets(page, record)
    standing = _fetched_standing(page, row, record)
    decided = record is not None and standing is not Standing.OPEN and row.state not in LOST
    ended = record.ended_at if record is not None and decided else None
    quality = placed[0].quality if placed else payload.get("quality")
    return Item(
        title=_titled(work, row.name),
        standing=standing,
        state=record.state if record is not None and decided else row.state,
        percent=100 if standing is Standing.DONE else _percent(row),
        size=sum(asset.size for asset in placed) or row.size,
        quality=quality if isinstance(quality, str) else None,
        where=_where(record),
        took=ended - row.created_at if ended is not None else None,
        error=(record.last_error if record is not None else None) or row.last_error,
    )


def _organised(page: Page, record: RecordRow, work: WorkRow | None) -> Item:
    placed = _assets(page, record)
    return Item(
        title=_titled(work, "A title"),
        standing=_standing(record),
        state=record.state,
        percent=100,
        size=sum(asset.size for asset in placed),
        quality=placed[0].quality if placed else None,
        where=_where(record),
        took=record.ended_at - record.created_at if record.ended_at is not None else None,
        error=record.last_error,
    )


def _percent(row: DownloadRow) -> int:
    return min(100, row.done * 100 // row.size) if row.size else 0


def _fetched_standing(page: Page, row: DownloadRow, record: RecordRow | None) -> Standing:
    if record is not None and record.state == PLACED:
        return Standing.DONE
    if row.state in LOST:
        # It is not the end while somebody looks for another one to take its place.
        about = tasks.of_subject(page.tx.conn, row.id)
        seeking = any(task.kind == NEXT and task.state not in tasks.ENDED for task in about)
        return Standing.OPEN if seeking else Standing.LOST
    if record is None or record.state not in LOST:
        return Standing.OPEN
    # A failed attempt is not the end while its task is going to make another.
    about = tasks.of_subject(page.tx.conn, row.id)
    trying = any(task.state not in tasks.ENDED for task in about)
    return Standing.OPEN if trying else Standing.LOST


def _standing(record: RecordRow) -> Standing:
    if record.state == PLACED:
        return Standing.DONE
    return Standing.LOST if record.state in LOST else Standing.OPEN


def _assets(page: Page, record: RecordRow | None) -> list[AssetRow]:
    if record is None:
        return []
    on_shelf = shelf.assets(page.tx.conn, work=record.work)
    return [asset for asset in on_shelf if asset.record == record.id]


def _where(record: RecordRow | None) -> str | None:
    """The file, or the folder that its files share."""
    if record is None or record.state != PLACED:
        return None
    targets = [str(placed["target"]) for placed in record.placements if placed.get("target")]
    return os.path.commonpath(targets) if targets else None


def _titled(work: WorkRow | None, otherwise: str) -> str:
    if work is None:
        return otherwise
    return work.title if work.year is None else f"{work.title} ({work.year})"
