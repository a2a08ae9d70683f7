"""The slots a release is meant for, if they are free."""

from dataclasses import replace

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.download.acquisition import WantedSlot
from capabilities.download.drafting import Known
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.episode_counting import Counting, counting_of
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.pack_identity import counts
from capabilities.rules.targets import targets_of
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.works import Work
from ledger.database import Snapshot
from ledger.stores import downloads, shelf


async def free_slots(known: Known, context: Context) -> list[WantedSlot]:
    """The slots it is for, at their revisions.

    Raises:
        HaltError: refused; they are filled, or something for them is on its way.
        WorldFaultError: the work's source did not say how its episodes are counted.
    """
    numbers = await _targets(known, context)

    def look(conn: Snapshot) -> list[WantedSlot]:
        found = [(pair, shelf.slot_for(conn, known.work_id, *pair)) for pair in numbers]
        states = {slot.state for _, slot in found if slot is not None}
        if states == {"satisfied"} and all(slot is not None for _, slot in found):
            raise HaltError(
                Refused(
                    Code.PRECONDITION,
                    f"{_named(known.work)} is in the library already.",
                    {"do": "See inventory__query. Replacing it needs the owner."},
                )
            )
        running = downloads.listing(conn, states=ACTIVE, work=known.work_id)
        if "in_flight" in states and running:
            raise HaltError(
                Refused(
                    Code.CONFLICT,
                    f"{_named(known.work)} is being downloaded already: "
                    f"{cleaned(running[0].name)}.",
                    {"do": "Follow it with download__list."},
                )
            )
        return [
            WantedSlot(season=pair[0], episode=pair[1], revision=slot.revision if slot else 0)
            for pair, slot in found
        ]

    return await context.ledger.read(look)


def _named(work: Work) -> str:
    return titled(work.title, work.year)


async def _targets(known: Known, context: Context) -> list[tuple[int, int]]:
    """Season and episode of each slot; none where nobody can say which episodes it holds.

    A name that says neither is taken for the first season.
    """
    work, name = known.work, known.name
    if not (counts(name) or name.air_date_readings):
        name = replace(name, seasons=(1,))
    return sorted(targets_of(work, name, await _counting(known, context)))


async def _counting(known: Known, context: Context) -> Counting:
    """How the work's episodes are counted; its source is asked where numbers have no season."""
    key, policy, name = known.work.key, known.identity, known.name
    orders: list[EpisodeOrder] = []
    if not name.seasons and (name.episodes or name.absolute_episodes):
        orders = await context.part(Catalogue, "metadata source").orders(key)
    return counting_of(key, policy.offsets, policy.counted_through, orders)
