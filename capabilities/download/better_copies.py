"""What stands where a release is to go, and which of it the release would take the place of."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath

from anyio import to_thread

from capabilities.adapters.shelf.folders import Folders
from capabilities.download.acquisition import ReplacedFile, acquisition
from capabilities.download.drafting import Known
from capabilities.kernel.context import Context
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.outside_text import cleaned
from capabilities.rules.real_quality import RealCopy, better, real_copy, remembered
from capabilities.rules.rivalry import NOT_SAID, Offered, Rivalry, Standing, rivalry
from capabilities.rules.targets import Target
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.usable_policy import usable
from ledger.database import Snapshot
from ledger.stores import downloads, placed_files, plans, shelf
from ledger.stores.placed_files import PlacedFile
from ledger.stores.plans import PlanState


class Replacing(StrEnum):
    """What of the library a plan may take the place of."""

    NOTHING = "nothing"
    WORSE = "worse"
    ANYTHING = "anything"


@dataclass(frozen=True, slots=True)
class Replacement:
    """A file that a new one is to take the place of, and why, for a person."""

    file: ReplacedFile
    why: str


@dataclass(frozen=True, slots=True)
class Ending:
    """How the files of a release end against what stands.

    Attributes:
        against: the files, by their place, that are not worth having, each with the reason.
        renewed: filled slots that are filled anew.
        replaced: the files that are to go for them.
    """

    against: dict[int, str]
    renewed: frozenset[Target]
    replaced: tuple[Replacement, ...]


def renewals_under_way(conn: Snapshot, work: str) -> dict[Target, str]:
    """The slots to which a download is on its way that is to replace, with that download's name.

    Such a slot stays filled: the old file stands until the new one does.
    """
    found: dict[Target, str] = {}
    for row in downloads.listing(conn, states=ACTIVE, work=work):
        plan = plans.by_id(conn, row.plan)
        if plan is None or plan.state is not PlanState.SUBMITTED:
            continue
        wanted = acquisition(plan)
        if wanted.may_replace:
            found |= {(slot.season, slot.episode): row.name for slot in wanted.slots}
    return found


async def compared(
    known: Known,
    files: Sequence[frozenset[Target]],
    filled: Collection[Target],
    replacing: Replacing,
    context: Context,
) -> Ending:
    """Hold the files of a release against those that stand, as its import will.

    A filled slot of which nobody knows the file stays as it is, unless anything may be replaced.

    Args:
        known: the release; its name says the quality of every file in it.
        files: what each of its videos holds.
        filled: the slots of its work that something stands in.
        replacing: what it may take the place of.
        context: of the call.

    Raises:
        HaltError: refused; the published policy cannot be used.
    """
    meant = frozenset[Target]().union(*files).intersection(filled)
    stands, sizes = await context.ledger.read(lambda conn: _standing(conn, known.work_id, meant))
    unknown = meant.difference(*(one.slots for one in stands))
    stays = frozenset[Target]() if replacing is Replacing.ANYTHING else unknown
    if not stands:
        return Ending({}, meant - stays, ())
    root = str(context.part(Folders, "library").library(known.work.key.kind))
    case = _Case(known, meant - stays, stands, sizes, root)
    return await to_thread.run_sync(_ended, case, files, replacing)


@dataclass(frozen=True, slots=True)
class _Case:
    """What a release is held against.

    Attributes:
        open: the filled slots that it may fill anew, where it is worth that.
        stands: the files in them.
        sizes: of files of the work, in bytes, by their rows.
        root: of the library.
    """

    known: Known
    open: frozenset[Target]
    stands: Sequence[PlacedFile]
    sizes: dict[str, int]
    root: str


def _standing(
    conn: Snapshot, work: str, meant: Collection[Target]
) -> tuple[list[PlacedFile], dict[str, int]]:
    """The files in these slots, and the size of each."""
    rows = placed_files.placed_files(conn, work) if meant else []
    stands = [one for one in rows if not one.slots.isdisjoint(meant)]
    return stands, {one.id: one.size for one in shelf.assets(conn, work=work)} if stands else {}


def _ended(case: _Case, files: Sequence[frozenset[Target]], replacing: Replacing) -> Ending:
    known, stands = case.known, case.stands
    policy = usable(AcquisitionPolicy, known.acquisition.body)
    mine = real_copy(known.name, known.row.found, None, policy, known.work)
    offered = [Offered(number, held, mine) for number, held in enumerate(files)]
    old = {one.asset: _as_standing(one, known, policy) for one in stands}
    replace, by_hand = replacing is not Replacing.NOTHING, replacing is Replacing.ANYTHING
    ended = rivalry(offered, list(old.values()), policy, replace=replace, by_hand=by_hand)
    gone = [one for one in stands if one.asset in ended.gone]
    return Ending(
        {number: _left(why) for number, why in ended.left.items()},
        _filled_by(files, ended) & case.open,
        tuple(
            Replacement(
                _file(one, old[one.asset].copy, case.sizes[one.asset], case.root),
                _why(old[one.asset].copy, mine, policy),
            )
            for one in gone
        ),
    )


def _as_standing(one: PlacedFile, known: Known, policy: AcquisitionPolicy) -> Standing:
    """A file by the release that it came from, with the resolution of its picture."""
    name = PurePosixPath(one.path).name
    read = remembered(one.title or name, known.identity.words)
    width, height = one.streams.get("width"), one.streams.get("height")
    seen = (width, height) if isinstance(width, int) and isinstance(height, int) else None
    copy = real_copy(read, one.found, seen, policy, known.work)
    return Standing(one.asset, name, one.slots, copy)


def _filled_by(files: Sequence[frozenset[Target]], ended: Rivalry) -> frozenset[Target]:
    taken: Iterator[frozenset[Target]] = (
        held for number, held in enumerate(files) if number not in ended.left
    )
    return frozenset[Target]().union(*taken)


def _left(why: str) -> str:
    """As its import would say it; only an import can be told by anybody to replace."""
    return cleaned(why.replace(NOT_SAID, "no grant lets it be replaced"))


def _file(one: PlacedFile, copy: RealCopy, size: int, root: str) -> ReplacedFile:
    path = PurePosixPath(one.path)
    below = path.relative_to(root) if path.is_relative_to(root) else path
    return ReplacedFile(asset=one.asset, path=str(below), quality=copy.quality, size=size)


def _why(old: RealCopy, new: RealCopy, policy: AcquisitionPolicy) -> str:
    verdict = better(old, new, policy)
    kind = "an upgrade" if verdict.taken else "no upgrade, and taken all the same as you asked"
    return cleaned(f"{kind}: {verdict.sentence}")
