"""The slots a release is meant for, if they are free or it is better than what fills them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.season_reading import with_seasons_near
from capabilities.download.acquisition import WantedSlot
from capabilities.download.better_copies import (
    Ending,
    Replacement,
    Replacing,
    compared,
    renewals_under_way,
)
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
        renewed: how many of ``free`` are filled, and are to be filled anew.
        replaced: the files that are to go for it.
        against: the files of it that are not worth having, by their place, each with the reason.
    """

    free: list[WantedSlot]
    held: int = 0
    renewed: int = 0
    replaced: tuple[Replacement, ...] = ()
    against: Mapping[int, str] = field(default_factory=dict[int, str])

    @property
    def left_out(self) -> str | None:
        """Which part of it is not wanted, for a person; None where all of it is."""
        if not self.held:
            return None
        all_ = self.held + len(self.free)
        return f"{self.held} of {all_} episodes are in the library already, and stay as they are"


async def free_slots(
    known: Known,
    targets: Collection[Target],
    context: Context,
    *,
    files: Sequence[frozenset[Target]] | None = None,
    replacing: Replacing = Replacing.WORSE,
) -> Slots:
    """Those of ``targets`` that nothing fills, and those that it is to fill anew.

    Args:
        known: the release.
        targets: what it is for.
        context: of the call.
        files: what each of its videos holds; None where nobody knows, and each is by itself then.
        replacing: what of the library it may take the place of.

    Raises:
        HaltError: refused; all are filled by what stays, or something for one of them is on its
            way, which would be downloaded twice; or there are none, so that nobody could tell, and
            it is not the owner who plans.
    """
    numbers = sorted(targets)
    if not numbers and not context.actor.decides:
        raise _for_nobody_knows_what(known)
    slots, coming = await context.ledger.read(lambda conn: _standing(conn, known))
    names = {coming[pair]: None for pair in numbers if pair in coming}
    if names:
        raise _on_their_way(known, list(names), whole=all(pair in coming for pair in numbers))
    filled = {pair for pair, slot in slots.items() if slot.state == SATISFIED}
    each = [frozenset({pair}) for pair in numbers] if files is None else files
    ended = await compared(known, each, filled, replacing, context)
    brought = _brought(each, ended)
    wanted = [
        pair
        for pair in numbers
        if pair in brought and (pair not in filled or pair in ended.renewed)
    ]
    if numbers and not wanted:
        raise _nothing_wanted(known, filled.issuperset(numbers), ended)
    free = [
        WantedSlot(
            season=pair[0],
            episode=pair[1],
            revision=slots[pair].revision if pair in slots else 0,
        )
        for pair in wanted
    ]
    stays = filled.intersection(numbers).difference(wanted)
    renewed = filled.intersection(wanted)
    return Slots(free, len(stays), len(renewed), ended.replaced, ended.against)


def _brought(files: Sequence[frozenset[Target]], ended: Ending) -> frozenset[Target]:
    """What the files bring that are worth having."""
    worth = (held for number, held in enumerate(files) if number not in ended.against)
    return frozenset[Target]().union(*worth)


def _standing(conn: Snapshot, known: Known) -> tuple[dict[Target, SlotRow], dict[Target, str]]:
    """The slots of the work, and the name of the download that is on its way to some of them."""
    slots = {(slot.season, slot.episode): slot for slot in shelf.slots(conn, work=known.work_id)}
    filled = copies.copies(conn, known.work_id, ACTIVE)
    coming = {(one.season, one.episode): one.title for one in filled if one.in_flight}
    return slots, renewals_under_way(conn, known.work_id) | coming


def _nothing_wanted(known: Known, all_filled: bool, ended: Ending) -> HaltError:
    """Everything stays as it is: said with both sides, where the files are known."""
    why = "; ".join(dict.fromkeys(ended.against.values()))
    said = f"{_named(known.work)} is in the library already"
    if not all_filled:
        said = f"Nothing of this release of {_named(known.work)} would be placed"
    return HaltError(
        Refused(
            Code.PRECONDITION,
            f"{said}: {why}." if why else f"{said}.",
            {
                "do": "See inventory__query. Only the owner may take it all the same.",
                "needs": "replace_anyway",
            },
        )
    )


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
