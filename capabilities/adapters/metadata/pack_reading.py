"""What the videos of a release are, each by itself, among every work that it may mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from anyio import to_thread

from capabilities.adapters.metadata.candidates import Candidates, candidates_for
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import Read, own_countings
from capabilities.rules.episode_counting import PLAIN, Counted, Unsettled
from capabilities.rules.file_numbers import places_in
from capabilities.rules.merged_works import merged_works
from capabilities.rules.pack_identity import (
    MOST_FILES,
    FileIdentity,
    Pack,
    identify_files,
    own_name,
)
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.recognition.applying import reworded_path
from capabilities.rules.recognition.words import Word
from capabilities.rules.title_keys import title_key
from capabilities.rules.works import WorkKey, WorkKind

MOST_TITLES: Final = 6
"""Of files, that are not the release's, and are searched for."""
MOST_FORCED: Final = 10
"""Works that the owner's words say files are, and that are asked for."""


@dataclass(frozen=True, slots=True)
class PackFile:
    """One video of a release; no numbers for a film, and while its work is not known."""

    file: FileIdentity
    numbers: tuple[Counted, ...] | Unsettled


async def read_pack(
    videos: Sequence[str],
    claimed_ids: Mapping[str, str],
    held: Read,
    policy: IdentityPolicy,
    catalogue: Catalogue,
) -> list[PackFile]:
    """Identify the videos of a release.

    Args:
        videos: paths inside the release, samples and extras left out.
        claimed_ids: what its indexer says that the release is; the owner's word counts before it.
        held: its name, read.
        policy: words and offsets are taken from it.
        catalogue: is asked for every work that a file may mean.

    Raises:
        WorldFaultError: a metadata source that is needed did not answer; nothing is concluded.
    """
    found = await _candidates(videos[:MOST_FILES], held, policy.words, catalogue)
    candidates = found.works
    countings = {**own_countings(candidates, policy), **held.countings}
    forced = held.identity.work if held.reworded.forced is not None else None
    name, ids = held.name, claimed_ids
    if forced is not None:
        # The owner's word weighs like an id in the name, and more than one that is only claimed.
        name, ids = replace(name, external_ids={**name.external_ids, **forced.ids}), forced.ids
    pack = Pack(name, ids, candidates, countings, policy.words, found.crowded)
    return await to_thread.run_sync(_identified, videos, pack)


async def _candidates(
    videos: Sequence[str], held: Read, words: Sequence[Word], catalogue: Catalogue
) -> Candidates:
    known = {title_key(title) for title in held.name.titles}
    titles: dict[str, tuple[str, int | None]] = {}
    forced: dict[WorkKey, None] = {}
    for video in videos:
        read = reworded_path(video, words)
        if read.forced is not None:
            forced[read.forced.work] = None
            continue
        own = own_name(read.text)
        keyed = {title_key(title): (title, own.year) for title in own.titles}
        titles |= {key: title for key, title in keyed.items() if key not in known}
    found = list(held.candidates)
    for key in list(forced)[:MOST_FORCED]:
        found += (await catalogue.work(key)).works
    crowded = held.crowded
    for title, year in list(titles.values())[:MOST_TITLES]:
        more = await candidates_for(catalogue, [title], None, found, year=year)
        found, crowded = more.works, crowded or more.crowded
    return Candidates(merged_works(found), crowded)


def _identified(videos: Sequence[str], pack: Pack) -> list[PackFile]:
    return [_numbered(file, pack) for file in identify_files(videos, pack)]


def _numbered(file: FileIdentity, pack: Pack) -> PackFile:
    work = file.identity.work
    if work is None or work.key.kind is not WorkKind.SERIES:
        return PackFile(file, ())
    placed = places_in(file.name, work, pack.countings.get(work.key, PLAIN))
    return PackFile(file, placed if isinstance(placed, Unsettled) else tuple(placed))
