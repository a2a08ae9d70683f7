"""What of a release is fetched: all of it, or the files of a pack that the library lacks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final

import anyio
from anyio import to_thread

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import read
from capabilities.adapters.metadata.pack_reading import PackFile, read_pack
from capabilities.download.acquisition import ReplacedFile, WantedSlot
from capabilities.download.better_copies import Replacement, Replacing
from capabilities.download.contents import Contents
from capabilities.download.drafting import Known
from capabilities.download.room import GB
from capabilities.download.wanted_slots import Slots, free_slots, named_targets, says_numbers
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import UnreachableError, WorldFaultError
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.episode_counting import Counting, Unsettled
from capabilities.rules.file_kinds import DownloadedFile
from capabilities.rules.identity import accepts
from capabilities.rules.outside_text import cleaned
from capabilities.rules.pack_identity import videos_among
from capabilities.rules.targets import Target
from capabilities.rules.wanted_files import wanted_files
from capabilities.rules.works import WorkKind

NAMES_SHOWN: Final = 4
FILES_S: Final = 9.0
"""Seconds for everything that the sources are asked of the files of a pack."""
TITLES_S: Final = 6.0
"""Of them, for the titles that only files bear."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What is fetched of a release, and for which slots.

    Attributes:
        inside: what the torrent holds, parted into what is wanted and what is left out.
        slots: that it is to fill, at their revisions.
        remarks: for a person, where it is not simply all of it.
        renewed: how many of the slots are filled, and are to be filled anew.
        replaced: the files that are to go for it.
    """

    inside: Contents
    slots: list[WantedSlot]
    remarks: list[str]
    renewed: int = 0
    replaced: tuple[ReplacedFile, ...] = ()


async def choose(
    known: Known,
    inside: Contents,
    counting: Counting,
    context: Context,
    replacing: Replacing = Replacing.WORSE,
) -> Choice:
    """Choose the files of a pack whose episodes are wanted; anything else is fetched whole.

    Wanted is what is free, and what is worth having in place of what stands. A pack is fetched
    whole, and it is said, where it is not known of every video what it is.

    Args:
        known: the release.
        inside: what its torrent holds.
        counting: how the episodes of the work are counted besides its seasons.
        context: of the call.
        replacing: what of the library it may take the place of.

    Raises:
        HaltError: refused, as by `free_slots`; or the files are of other episodes than the name
            says, and it is not the owner who plans.
        WorldFaultError: a metadata source that is needed did not answer; the owner plans without.
    """
    named = named_targets(known, counting)
    files = [DownloadedFile(file.path, file.size) for file in inside.files]
    videos = videos_among(files)
    is_pack = known.work.key.kind is WorkKind.SERIES and len(videos) > 1
    if not is_pack:
        whole = [named] if named else []
        slots = await free_slots(known, named, context, files=whole, replacing=replacing)
        return _whole(inside, slots)
    told = await _told(videos, known, context)
    unclear = _unclear(videos, told, known)
    held = {one.file.path: _targets(one, known) for one in told}
    if unclear is not None:
        return _whole(inside, await free_slots(known, named, context, replacing=replacing), unclear)
    meant = _meant(named, frozenset[Target]().union(*held.values()), known, context)
    able = {path: targets for path, targets in held.items() if not targets.isdisjoint(meant)}
    slots = await free_slots(known, meant, context, files=list(able.values()), replacing=replacing)
    not_worth = [path for number, path in enumerate(able) if number in slots.against]
    held |= dict.fromkeys(not_worth, frozenset[Target]())
    free = {(slot.season, slot.episode) for slot in slots.free}
    paths = {file.path for file in await to_thread.run_sync(wanted_files, files, held, free)}
    part = inside.only(paths)
    missing = sorted(named - meant) if says_numbers(known) else []
    return _chosen(part, slots, [*_lacks(missing), *_left_out(part)])


def _whole(inside: Contents, slots: Slots, why: str | None = None) -> Choice:
    return _chosen(inside, slots, _said(why))


def _chosen(inside: Contents, slots: Slots, more: Sequence[str]) -> Choice:
    """With what goes for it and what stays, said before everything else."""
    goes = _few([_goes(one) for one in slots.replaced], "; ")
    stays = _few(list(dict.fromkeys(slots.against.values())), "; ")
    said = [*_said(goes or None), *_said(slots.left_out), *_said(stays or None), *more]
    replaced = tuple(one.file for one in slots.replaced)
    return Choice(inside, slots.free, said, slots.renewed, replaced)


def _goes(one: Replacement) -> str:
    file = one.file
    name = cleaned(file.path.rpartition("/")[2])
    what = f"{file.quality or 'unknown quality'}, {file.size / GB:.2f} GB"
    return f"{name} ({what}) is replaced, {one.why}"


async def _told(videos: Sequence[str], known: Known, context: Context) -> list[PackFile]:
    """What each video is; nothing where its sources are silent and it is the owner who plans."""
    try:
        with anyio.fail_after(FILES_S):
            return await _read(videos, known, context)
    except TimeoutError:
        if not context.actor.decides:
            late = f"They did not say within {FILES_S:g} s what its files are."
            raise UnreachableError("the metadata sources", late) from None
    except (WorldFaultError, HaltError):
        if not context.actor.decides:
            raise
    return []


async def _read(videos: Sequence[str], known: Known, context: Context) -> list[PackFile]:
    """The files read; the ids of the work that the release was taken for count for each."""
    work, policy = known.work, known.identity
    catalogue = context.part(Catalogue, "metadata source")
    held = await read(known.row.title, work.ids, [work], policy, catalogue)
    return await read_pack(videos, work.ids, held, policy, catalogue, seconds=TITLES_S)


def _unclear(videos: Sequence[str], told: Sequence[PackFile], known: Known) -> str | None:
    """Why nothing can be chosen; None where it is known of every video what it is."""
    clear = {one.file.path for one in told if _is_clear(one, known)}
    unclear = [path for path in videos if path not in clear]
    if not unclear:
        return None
    return f"It is fetched whole: which episode is in {_names(unclear)} is not known"


def _is_clear(one: PackFile, known: Known) -> bool:
    work = one.file.identity.work
    if work is None or not accepts(known.identity, one.file.identity):
        return False
    if isinstance(one.numbers, Unsettled):
        return False
    return bool(one.numbers) or work.key != known.work.key


def _targets(one: PackFile, known: Known) -> frozenset[Target]:
    """The episodes of the work that it holds; none for a file of another one."""
    work = one.file.identity.work
    if work is None or work.key != known.work.key or isinstance(one.numbers, Unsettled):
        return frozenset()
    return frozenset((each.place.season, each.place.episode) for each in one.numbers)


def _meant(
    named: frozenset[Target], inside: frozenset[Target], known: Known, context: Context
) -> frozenset[Target]:
    """What it is for: of what its name says what it holds, and all that it holds otherwise."""
    if inside and not (named and says_numbers(known)):
        return inside
    if named.isdisjoint(inside) and not context.actor.decides:
        others = f"other episodes, {_codes(inside)}" if inside else "other works"
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                f"Its files are of {others} than its name says.",
                {"do": "See identity__resolve for its files, or the owner plans it by hand."},
            )
        )
    return named & inside or inside or named


def _said(sentence: str | None) -> list[str]:
    return [] if sentence is None else [sentence]


def _lacks(missing: Sequence[Target]) -> list[str]:
    return [f"It does not hold {_codes(missing)}"] if missing else []


def _left_out(inside: Contents) -> list[str]:
    if not inside.left_out:
        return []
    wanted, total = len(inside.files), len(inside.files) + len(inside.left_out)
    by_size = sorted(inside.left_out, key=lambda file: (-file.size, file.path))
    size, names = inside.size_left_out / GB, _names([file.path for file in by_size])
    return [f"{wanted} of {total} files are fetched; {size:.2f} GB are not: {names}"]


def _names(paths: Sequence[str]) -> str:
    return _few([cleaned(path.rpartition("/")[2]) for path in paths])


def _codes(targets: Collection[Target]) -> str:
    return _few([f"S{season:02}E{episode:02}" for season, episode in sorted(targets)])


def _few(words: Sequence[str], between: str = ", ") -> str:
    more = len(words) - NAMES_SHOWN
    return between.join([*words[:NAMES_SHOWN], *([f"and {more} more"] if more > 0 else [])])
