"""What stands in the way of an import, and which of it the import would take the place of."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from anyio import to_thread

from capabilities.adapters.media.probe import inspect
from capabilities.adapters.shelf.faults import NotFoundError
from capabilities.adapters.shelf.roots import Root
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.organize.earlier import Earlier, earlier_places
from capabilities.organize.import_plan import LeftFile, OldFile, PlannedFile
from capabilities.organize.known import Known
from capabilities.organize.old_files import OldFiles
from capabilities.organize.unidentified import TAKEN
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.discs import disc_of
from capabilities.rules.import_plan import Role
from capabilities.rules.real_quality import real_copy, remembered
from capabilities.rules.rivalry import Offered, Rivalry, Standing, rivalry
from capabilities.rules.targets import FILM, Target
from capabilities.rules.usable_policy import usable
from ledger.stores import placed_files, policies
from ledger.stores.placed_files import PlacedFile


@dataclass(slots=True)
class Settled:
    """An import as it is to be.

    Attributes:
        files: what is placed.
        left: what is not, because of what stands there already.
        old: what goes into the recycle folder for it.
    """

    files: list[PlannedFile] = field(default_factory=list[PlannedFile])
    left: list[LeftFile] = field(default_factory=list[LeftFile])
    old: list[OldFile] = field(default_factory=list[OldFile])


@dataclass(frozen=True, slots=True)
class Scene:
    """Where an import is planned.

    Attributes:
        libraries: the roots of all libraries, by folder.
        replace: whether it is to replace what it may.
    """

    known: Known
    sources: Root
    library: Root
    libraries: dict[str, Root]
    context: Context
    replace: bool


async def settle(candidates: Sequence[PlannedFile], scene: Scene) -> Settled:
    """Hold what would be placed against what the library has.

    Raises:
        WorldFaultError: the library cannot be looked at.
        HaltError: refused; the policy in force cannot be used.
    """
    known, context = scene.known, scene.context
    stored, placed, earlier = await context.ledger.read(
        lambda conn: (
            policies.published(conn, "acquisition"),
            placed_files.placed_files(conn, known.row.work),
            earlier_places(conn, known.row.id),
        )
    )
    policy = AcquisitionPolicy() if stored is None else usable(AcquisitionPolicy, stored.body)
    ours = {f"{one.folder}/{one.target}" for one in earlier}
    sources = {each.source.inode for each in candidates}
    others = [one for one in placed if one.inode not in sources and one.path not in ours]
    old = OldFiles(scene.libraries, str(scene.library.path))
    rivals = [one for one in others if await to_thread.run_sync(old.may_stand, one.path)]
    ended = await _compared(candidates, rivals, policy, scene)
    ended = await to_thread.run_sync(_taken_for, ended, rivals, old)
    await to_thread.run_sync(_take_earlier, candidates, earlier, old)
    slots = {one.asset: one.slots for one in rivals}
    return await to_thread.run_sync(_settled, candidates, ended, slots, old, scene.library)


def _taken_for(ended: Rivalry, rivals: Sequence[PlacedFile], old: OldFiles) -> Rivalry:
    """Freeze what goes; what cannot go keeps its place from what would have taken it."""
    left = dict(ended.left)
    videos = {one.asset: one for one in rivals}
    for asset, number in ended.gone.items():
        if number not in left and (why := old.take_video(videos[asset], number)):
            left[number] = why
    return replace(ended, left=left)


async def _compared(
    candidates: Sequence[PlannedFile],
    rivals: Sequence[PlacedFile],
    policy: AcquisitionPolicy,
    scene: Scene,
) -> Rivalry:
    known = scene.known
    words = known.identity.words
    filled = set[Target]().union(*(one.slots for one in rivals))
    offered = [
        Offered(
            number,
            targets,
            real_copy(known.name, None, await _picture(scene.sources, file), policy, known.work),
        )
        for number, file in enumerate(candidates)
        if file.role in {Role.VIDEO, Role.DISC} and (targets := targets_of(file)) & filled
    ]
    if not offered:
        return Rivalry({}, {})
    standing = [
        Standing(
            one.asset,
            PurePosixPath(one.path).name,
            one.slots,
            real_copy(
                remembered(one.title or PurePosixPath(one.path).name, words),
                one.found,
                _size(one),
                policy,
                known.work,
            ),
        )
        for one in rivals
    ]
    by_hand = scene.context.actor.decides
    return rivalry(offered, standing, policy, replace=scene.replace, by_hand=by_hand)


def targets_of(file: PlannedFile) -> frozenset[Target]:
    """The slots that a planned video fills."""
    return frozenset((file.season, episode) for episode in file.episodes) or frozenset({FILM})


async def _picture(sources: Root, file: PlannedFile) -> tuple[int, int] | None:
    try:
        facts = await inspect(sources, file.source.path)
    except WorldFaultError:
        return None  # whether it is a video at all is for the placing to find
    return None if facts is None else (facts.width, facts.height)


def _size(placed: PlacedFile) -> tuple[int, int] | None:
    width, height = placed.streams.get("width"), placed.streams.get("height")
    return (width, height) if isinstance(width, int) and isinstance(height, int) else None


def _take_earlier(
    candidates: Sequence[PlannedFile], earlier: Sequence[Earlier], old: OldFiles
) -> None:
    """Where this very source was placed before under another name, that one is taken away."""
    by_source = {each.source.path: number for number, each in enumerate(candidates)}
    for one in earlier:
        number = by_source.get(one.source)
        if number is None:
            continue
        if (one.folder, one.target) != (old.folder, candidates[number].target):
            old.take_earlier(one, number)


def _settled(
    candidates: Sequence[PlannedFile],
    ended: Rivalry,
    slots: Mapping[str, frozenset[Target]],
    old: OldFiles,
    library: Root,
) -> Settled:
    stays = _all_that_stays(candidates, ended, old, library)
    while losing := _losing(candidates, ended, slots, stays):
        ended = replace(ended, left={**ended.left, **losing})
        stays = _all_that_stays(candidates, ended, old, library)
    settled, numbers = Settled(), dict[int, int]()
    for number, file in enumerate(candidates):
        if number in stays:
            settled.left.append(LeftFile(path=file.source.path, why=stays[number]))
            continue
        numbers[number] = len(settled.files)
        settled.files.append(file)
    by_target = {file.target: number for number, file in enumerate(settled.files)}
    for one in old.found:
        if one.file in numbers:
            here = by_target.get(one.was.path) if one.folder == old.folder else None
            number = numbers[one.file] if here is None else here
            settled.old.append(one.model_copy(update={"file": number}))
    return settled


def _all_that_stays(
    candidates: Sequence[PlannedFile], ended: Rivalry, old: OldFiles, library: Root
) -> dict[int, str]:
    """Why each candidate stays that does: for what it is, for its name, or for its disc."""
    stays = _stays(candidates, ended)
    free = old.names_here(stays)
    for number, file in enumerate(candidates):
        if number not in stays and file.target not in free and _taken(library, file):
            stays[number] = TAKEN
    return stays | _whole_discs(candidates, stays)


def _losing(
    candidates: Sequence[PlannedFile],
    ended: Rivalry,
    slots: Mapping[str, frozenset[Target]],
    stays: Mapping[int, str],
) -> dict[int, str]:
    """What stays too, since the file that goes for it holds more than comes in its place."""
    coming = frozenset[Target]().union(
        *(
            targets_of(file)
            for number, file in enumerate(candidates)
            if number not in stays and file.role in {Role.VIDEO, Role.DISC}
        )
    )
    return {
        number: "what it would replace holds more than comes in its place"
        for asset, number in ended.gone.items()
        if number not in stays and not slots[asset] <= coming
    }


def _stays(candidates: Sequence[PlannedFile], ended: Rivalry) -> dict[int, str]:
    """The videos that stay, and what would go along with one of them."""
    stays = dict(ended.left)
    for number in ended.left:
        video = candidates[number]
        stem = video.target.removesuffix(PurePosixPath(video.target).suffix)
        for other, file in enumerate(candidates):
            if file.role not in {Role.VIDEO, Role.DISC} and file.target.startswith(stem):
                stays.setdefault(other, "the video that it belongs to stays")
    return stays


def _whole_discs(candidates: Sequence[PlannedFile], stays: Mapping[int, str]) -> dict[int, str]:
    """The rest of every disc of which something stays, so that no two discs are mixed."""
    discs = {
        number: disc_of(PurePosixPath(file.target))
        for number, file in enumerate(candidates)
        if file.role == Role.DISC
    }
    kept = {discs[number]: stays[number] for number in discs if number in stays}
    return {
        number: kept[disc] for number, disc in discs.items() if disc in kept and number not in stays
    }


def _taken(library: Root, file: PlannedFile) -> bool:
    """Whether another file has the name; one that an earlier attempt placed is this very file."""
    try:
        now = library.status(file.target)
    except NotFoundError:
        return False
    return (now.st_dev, now.st_ino) != (file.source.device, file.source.inode)
