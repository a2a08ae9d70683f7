"""The slots a release is meant for, if they are free."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.season_reading import with_seasons_near
from capabilities.download.acquisition import WantedSlot
from capabilities.download.drafting import Known
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.episode_counting import Counting, counting_of
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.pack_identity import counts
from capabilities.rules.targets import Target, targets_of
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.works import Work, WorkKind
from ledger.database import Snapshot
from ledger.stores import copies, shelf
from ledger.stores.copies import SATISFIED
from ledger.stores.shelf import SlotRow


@dataclass(frozen=True, slots=True)
class Slots:
    """What a release is for.

    Attributes:
        free: the slots that it is to fill, at their revisions; none where nobody can say which.
        held: how many slots besides are filled, and stay as they are.
    """

    free: list[WantedSlot]
    held: int = 0

    @property
    def left_out(self) -> str | None:
        """Which part of it is not wanted, for a person; None where all of it is."""
        if not self.held:
            return None
        all_ = self.held + len(self.free)
        return f"{self.held} of {all_} episodes are in the library already, and stay as they are"


async def free_slots(known: Known, targets: Collection[Target], context: Context) -> Slots:
    """Those of ``targets`` that nothing fills.

    Raises:
        HaltError: refused; all are filled, or something for one of them is on its way, which would
            be downloaded twice; or there are none, so that nobody could tell, and it is not the
            owner who plans.
    """
    numbers = sorted(targets)
    if not numbers and not context.actor.decides:
        raise _for_nobody_knows_what(known)
    slots, coming = await context.ledger.read(lambda conn: _standing(conn, known))
    names = {coming[pair]: None for pair in numbers if pair in coming}
    if names:
        raise _on_their_way(known, list(names), whole=all(pair in coming for pair in numbers))
    held = [pair for pair in numbers if pair in slots and slots[pair].state == SATISFIED]
    if held and len(held) == len(numbers):
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"{_named(known.work)} is in the library already.",
                {"do": "See inventory__query. Replacing it needs the owner."},
            )
        )
    free = [
        WantedSlot(
            season=pair[0],
            episode=pair[1],
            revision=slots[pair].revision if pair in slots else 0,
        )
        for pair in numbers
        if pair not in held
    ]
    return Slots(free, len(held))


def _standing(conn: Snapshot, known: Known) -> tuple[dict[Target, SlotRow], dict[Target, str]]:
    """The slots of the work, and the name of the download that is on its way to some of them."""
    slots = {(slot.season, slot.episode): slot for slot in shelf.slots(conn, work=known.work_id)}
    filled = copies.copies(conn, known.work_id, ACTIVE)
    return slots, {(one.season, one.episode): one.title for one in filled if one.in_flight}


def _on_their_way(known: Known, names: list[str], *, whole: bool) -> HaltError:
    part, do = "", "Follow it with download__list."
    if not whole:
        part, do = "A part of ", f"{do} What is missing then can be planned when it is over."
    return HaltError(
        Refused(
            Code.CONFLICT,
            f"{part}{_named(known.work)} is being downloaded already: {cleaned(names[0])}.",
            {"do": do},
        )
    )


def _named(work: Work) -> str:
    return titled(work.title, work.year)


def _for_nobody_knows_what(known: Known) -> HaltError:
    return HaltError(
        Refused(
            Code.PRECONDITION,
            f"It is not known which episodes of {_named(known.work)} this release holds, so it is "
            "not known either whether they are in the library or on their way.",
            {"do": "Choose a release that says its episodes, or the owner plans it by hand."},
        )
    )


def named_targets(known: Known, counting: Counting) -> frozenset[Target]:
    """What its name says that it is for; none where nobody can say which episodes it holds.

    A name that says neither season nor episode is taken for the first season. ``counting`` is
    that of its work.
    """
    work, name = known.work, known.name
    if not says_numbers(known):
        name = replace(name, seasons=(1,))
    return targets_of(work, name, counting)


def says_numbers(known: Known) -> bool:
    """Whether its name says seasons, episodes or a day."""
    name = known.name
    return counts(name) or bool(name.air_date_readings)


async def dated(known: Known, context: Context) -> Known:
    """The same with the episodes around the day that its name says, to find the one of that day.

    Raises:
        WorldFaultError: the work's source did not say; the owner plans without.
        HaltError: refused likewise; no source is configured.
    """
    work, name = known.work, known.name
    days = (name.air_date,) if name.air_date else name.air_date_readings
    if work.key.kind is not WorkKind.SERIES or not days or name.episodes:
        return known
    try:
        catalogue = context.part(Catalogue, "metadata source")
        return replace(known, work=await with_seasons_near(work, days[0], catalogue))
    except (WorldFaultError, HaltError):
        if not context.actor.decides:
            raise
        return known


async def counting_for(known: Known, context: Context) -> Counting:
    """How the work's episodes are counted; its source is asked where numbers have no season.

    Raises:
        WorldFaultError: the source did not say.
    """
    key, policy, name = known.work.key, known.identity, known.name
    orders: list[EpisodeOrder] = []
    if not name.seasons and (name.episodes or name.absolute_episodes):
        orders = await context.part(Catalogue, "metadata source").orders(key)
    return counting_of(key, policy.offsets, policy.counted_through, orders)
