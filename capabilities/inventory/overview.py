"""What follows from the files, slots and episodes of a work, which the list is narrowed by.

It is kept beside each work, and computed anew after something changed; see
`ledger.stores.shelf_works`.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final

from anyio.lowlevel import checkpoint

from capabilities.rules.shelf_gaps import Gaps, shelf_gaps
from capabilities.rules.stored import work_from
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.stores import assets, shelf_works, works
from ledger.stores.assets import Place
from ledger.stores.shelf_works import Summary
from ledger.stores.works import WorkRow
from ledger.writer import Transaction

AT_ONCE: Final = 200
"""Works of one transaction."""
SATISFIED: Final = "satisfied"


@dataclass(frozen=True, slots=True)
class Overview:
    """A work as it stands on the shelf.

    Attributes:
        row: the work itself.
        states: how many of its slots are in each state.
        qualities: of its files.
    """

    row: WorkRow
    gaps: Gaps
    states: Mapping[str, int]
    qualities: Collection[str]

    @property
    def summary(self) -> Summary:
        """What is kept of it."""
        gaps = self.gaps
        return Summary(
            len(gaps.targets), gaps.airs_next, self.qualities, gaps.by_season, self.states
        )


@dataclass(frozen=True, slots=True)
class Standing:
    """What a list tells of a work besides its files.

    Attributes:
        slots: how many are in each state.
        gaps: by season.
    """

    id: str
    kind: str
    title: str
    year: int | None
    slots: Mapping[str, int]
    gaps: Mapping[str, list[int]]


def standings(conn: Snapshot, ids: Collection[str], today: date) -> dict[str, Standing]:
    """The works of a page: as it was kept of them, or as they stand now where that is over."""
    held = shelf_works.listed(conn, ids)
    over = [one.id for one in held.values() if not one.holds_on(today)]
    now = {id_: one.summary for id_, one in overviews(conn, over, today).items()} if over else {}
    return {
        id_: Standing(id_, one.kind, one.title, one.year, kept.slots, kept.missing)
        for id_, one in held.items()
        for kept in (now.get(id_, one),)
    }


def overviews(conn: Snapshot, ids: Collection[str], today: date) -> dict[str, Overview]:
    """The works among ``ids`` that are known, as they stand now."""
    held = works.many(conn, set(ids))
    files = assets.places(conn, held)
    slots = assets.slot_places(conn, held)
    found: dict[str, Overview] = {}
    for id_, row in held.items():
        own, wanted = files.get(id_, ()), slots.get(id_, ())
        there = {(one.season, one.episode) for one in own}
        # A file that holds two episodes is named by its first one; its slots know both.
        there |= {(one.season, one.episode) for one in wanted if one.told == SATISFIED}
        places = {(one.season, one.episode) for one in wanted}
        gaps = shelf_gaps(work_from(row.body), there=there, wanted=places, today=today)
        found[id_] = Overview(row, gaps, _counts(wanted), {one.told for one in own})
    return found


async def bring_up_to_date(ledger: Ledger) -> int:
    """Compute what is open, some works at a time; how many they were.

    Raises:
        LedgerUnavailableError: it could not be read or written.
    """
    done = 0
    while True:
        today = ledger.now().date()
        open_ = await ledger.read(partial(shelf_works.stale, on=today, limit=AT_ONCE))
        if not open_:
            break
        done += await ledger.write(partial(summarise, ids=open_, today=today))
        await checkpoint()
    return done


def summarise(tx: Transaction, ids: Collection[str], today: date) -> int:
    """Compute and keep what follows for some works; how many they were."""
    found = overviews(tx.conn, ids, today)
    none = Summary(0, None, ())
    told = {id_: found[id_].summary if id_ in found else none for id_ in ids}
    shelf_works.summarise(tx, told)
    return len(told)


def _counts(slots: Collection[Place]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for one in slots:
        counts[one.told] = counts.get(one.told, 0) + 1
    return counts
