"""The slots a release is meant for, if they are free."""

from capabilities.download.acquisition import ACTIVE, WantedSlot
from capabilities.download.drafting import Known
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.works import Work, WorkKind
from ledger.database import Snapshot
from ledger.stores import downloads, shelf


async def free_slots(known: Known, context: Context) -> list[WantedSlot]:
    """The slots it is for, at their revisions.

    Raises:
        HaltError: refused; they are filled, or something for them is on its way.
    """
    name = parse(known.row.title)
    numbers = _numbers(known.work, name)

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


def _numbers(work: Work, name: ReleaseName) -> list[tuple[int, int]]:
    if work.key.kind is WorkKind.FILM:
        return [(0, 0)]
    counts = {season.number: season.episode_count for season in work.seasons}
    seasons = name.seasons or (1,)
    if name.episodes:
        return [(seasons[0], number) for number in name.episodes]
    return [(season, number + 1) for season in seasons for number in range(counts.get(season, 0))]
