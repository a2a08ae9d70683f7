"""What the videos of a release are, each by itself, among every work that it may mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from anyio import to_thread

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.file_candidates import TITLES_S, NotAsked, file_candidates
from capabilities.adapters.metadata.name_reading import Read, own_countings
from capabilities.rules.episode_counting import PLAIN, Counted, Unsettled
from capabilities.rules.evidence import Clue, Grade, Identity
from capabilities.rules.file_numbers import places_in
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.pack_identity import (
    MOST_FILES,
    FileIdentity,
    Pack,
    identify_files,
    own_name,
)
from capabilities.rules.time_budget import Budget
from capabilities.rules.works import WorkKind

READING_S: Final = 4.0
"""Of the processor, to compare all files with the works that they may be."""
_UNKNOWN: Final = Identity(Grade.E, None)


@dataclass(frozen=True, slots=True)
class PackFile:
    """One video of a release.

    Attributes:
        numbers: none for a film, and while its work is not known.
        not_asked: why nothing is known of its title, so that it is no work unless an id says so.
    """

    file: FileIdentity
    numbers: tuple[Counted, ...] | Unsettled
    not_asked: NotAsked | None = None


async def read_pack(
    videos: Sequence[str],
    claimed_ids: Mapping[str, str],
    held: Read,
    policy: IdentityPolicy,
    catalogue: Catalogue,
    *,
    seconds: float = TITLES_S,
) -> list[PackFile]:
    """Identify the videos of a release.

    Args:
        videos: paths inside the release, samples and extras left out.
        claimed_ids: what its indexer says that the release is; the owner's word counts before it.
        held: its name, read.
        policy: words and offsets are taken from it.
        catalogue: is asked for every work that a file may mean.
        seconds: as `file_candidates` takes them.

    Raises:
        WorldFaultError: a metadata source that is needed did not answer; nothing is concluded.
    """
    videos = videos[:MOST_FILES]
    found = await file_candidates(videos, held, policy.words, catalogue, seconds=seconds)
    countings = {**own_countings(found.works, policy), **held.countings}
    forced = held.identity.work if held.reworded.forced is not None else None
    name, ids = held.name, claimed_ids
    if forced is not None:
        # The owner's word weighs like an id in the name, and more than one that is only claimed.
        name, ids = replace(name, external_ids={**name.external_ids, **forced.ids}), forced.ids
    pack = Pack(name, ids, found.works, countings, policy.words, found.crowded, found.own)
    return await to_thread.run_sync(_identified, videos, pack, found.not_asked)


def _identified(
    videos: Sequence[str], pack: Pack, not_asked: Mapping[str, NotAsked]
) -> list[PackFile]:
    found = identify_files(videos, pack, Budget(READING_S))
    left = [FileIdentity(path, own_name(path), _UNKNOWN) for path in videos[len(found) :]]
    return [
        *(_numbered(file, pack, not_asked.get(file.path)) for file in found),
        *(PackFile(file, (), NotAsked.SLOW) for file in left),
    ]


def _numbered(file: FileIdentity, pack: Pack, not_asked: NotAsked | None) -> PackFile:
    if not_asked is not None and not _is_by_id(file.identity):
        # Other works may bear its title: the only one that is known is not the only one there is.
        return PackFile(replace(file, identity=_UNKNOWN), (), not_asked)
    work = file.identity.work
    if work is None or work.key.kind is not WorkKind.SERIES:
        return PackFile(file, ())
    placed = places_in(file.name, work, pack.countings.get(work.key, PLAIN))
    return PackFile(file, placed if isinstance(placed, Unsettled) else tuple(placed))


def _is_by_id(identity: Identity) -> bool:
    work = identity.work
    return work is not None and any(
        one.clue is Clue.EXTERNAL_ID for one in identity.speaks_for(work.key)
    )
