"""What a release is judged by when it is planned: everything as it stands then, for its work."""

from dataclasses import dataclass
from typing import Final

import anyio
from anyio import to_thread

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.orders_needed import orders_needed
from capabilities.adapters.metadata.season_reading import with_latest_seasons, with_seasons
from capabilities.download.drafting import Known
from capabilities.kernel.context import Context
from capabilities.kernel.faults import UnreachableError, WorldFaultError
from capabilities.kernel.outcomes import HaltError
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.owned_names import NO_ORDERS, Orders
from capabilities.rules.standing import Around
from capabilities.rules.surroundings import surroundings
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.usable_policy import usable
from capabilities.rules.works import Work, WorkKind
from ledger.stores import blocklist, copies

SOURCE_S: Final = 10.0
"""Seconds for the source of the work."""
MOST_SEASONS: Final = 6
"""That a name says, whose episodes are asked for besides the latest."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """What a release is judged by.

    Attributes:
        policy: that is in force.
        work: which is meant, with the episodes of its latest seasons and of those it says.
        orders: of its episodes, by its source, where the name counts by them.
        around: what is there of it, and what is blocked for it.
    """

    policy: AcquisitionPolicy
    work: Work
    orders: Orders
    around: Around


async def grounds(known: Known, context: Context) -> Grounds:
    """Find them, anew.

    Raises:
        WorldFaultError: the source of the work did not say enough; its owner plans without.
        HaltError: refused; the published policy cannot be used, or no source is configured.
    """
    # Checking the owner's expressions takes a while, which everybody else would wait for.
    policy = await to_thread.run_sync(usable, AcquisitionPolicy, known.acquisition.body)
    work, orders = await _told(known, context)
    filled, blocked = await context.ledger.read(
        lambda conn: (
            copies.copies(conn, known.work_id, ACTIVE),
            blocklist.standing(conn, known.work_id),
        )
    )
    words = known.identity.words
    around = await to_thread.run_sync(surroundings, filled, blocked, policy, work, words)
    return Grounds(policy, work, orders, around)


async def _told(known: Known, context: Context) -> tuple[Work, Orders]:
    """What the source of a series says; the owner, whom nothing refuses, needs it not."""
    if known.work.key.kind is not WorkKind.SERIES:
        return known.work, NO_ORDERS
    try:
        with anyio.fail_after(SOURCE_S):
            return await _asked(known, context.part(Catalogue, "metadata source"))
    except TimeoutError:
        if not context.actor.decides:
            late = f"It did not answer within {SOURCE_S:g} s."
            raise UnreachableError("the metadata source", late) from None
    except (WorldFaultError, HaltError):
        if not context.actor.decides:
            raise
    return known.work, NO_ORDERS


async def _asked(known: Known, catalogue: Catalogue) -> tuple[Work, Orders]:
    name = known.name
    work = await with_latest_seasons(known.work, max(name.seasons, default=None), catalogue)
    work = await with_seasons(work, name.seasons[:MOST_SEASONS], catalogue)
    return work, await orders_needed([name], work, known.identity, catalogue)
