"""A name as its owner has names read, among every work that it may mean."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from capabilities.adapters.metadata.candidates import candidates_for
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.season_reading import with_seasons_near
from capabilities.rules.episode_counting import (
    PLAIN,
    Counted,
    Counting,
    Unsettled,
    counting_of,
)
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.file_numbers import places_in
from capabilities.rules.identity import accepts, forced_identity, grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.merged_works import merged_works
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.owned_names import owned_name, owned_path
from capabilities.rules.recognition.applying import Reworded
from capabilities.rules.works import Work, WorkKey, WorkKind

MOST_ORDERED: Final = 3
"""Series of one name whose other orders are asked for."""


@dataclass(frozen=True, slots=True)
class Read:
    """A name, graded.

    Attributes:
        reworded: what the owner's recognition words did to it.
        name: as read after them.
        countings: how episodes of the candidates are counted besides their seasons.
        numbers: the episodes it means in both numberings; none for a film, for whole seasons, and
            while the work is not known.
        crowded: whether there may be more works of its titles than the candidates.
    """

    reworded: Reworded
    name: ReleaseName
    identity: Identity
    candidates: tuple[Work, ...]
    countings: Mapping[WorkKey, Counting]
    numbers: tuple[Counted, ...] | Unsettled = ()
    crowded: bool = False

    def is_accepted(self, policy: IdentityPolicy) -> bool:
        """Whether the policy takes it without asking, the episodes included.

        An owner's word for the work is taken although it is open where its numbers stand.
        """
        settled = not isinstance(self.numbers, Unsettled) or self.reworded.forced is not None
        return settled and accepts(policy, self.identity)


async def read(
    title: str,
    claimed_ids: Mapping[str, str],
    known: Sequence[Work],
    policy: IdentityPolicy,
    catalogue: Catalogue,
    *,
    path: bool = False,
) -> Read:
    """Apply the owner's words, read the name, and grade what it means.

    Args:
        title: of a release, as found.
        claimed_ids: what its indexer says that it is.
        known: works that are among those it may mean.
        policy: words and offsets are taken from it.
        catalogue: is asked for every other work that the name may mean.
        path: whether the title is a file with the folders above it.

    Raises:
        WorldFaultError: a metadata source that is needed did not answer; nothing is concluded.
    """
    owned = (owned_path if path else owned_name)(title, policy.words)
    name, done = owned.name, owned.reworded
    if done.forced is not None:
        found = (await catalogue.work(done.forced.work)).works
        identity = forced_identity(done.forced, done.forced_by, found[0] if found else None)
        countings = await _countings(name, found, policy, catalogue)
        return await _numbered(Read(done, name, identity, tuple(found), countings), catalogue)
    ids = {**claimed_ids, **name.external_ids}
    found = await candidates_for(catalogue, name.titles, name.kind, known, year=name.year)
    works, crowded = await _with_claimed(ids, name, found.works, catalogue), found.crowded
    first = grade(name, claimed_ids, works, own_countings(works, policy), crowded=crowded)
    countings = await _countings(name, first.candidates, policy, catalogue)
    identity = grade(name, claimed_ids, works, countings, crowded=crowded) if countings else first
    held = Read(done, name, identity, tuple(works), countings, crowded=crowded)
    return await _numbered(held, catalogue)


def read_alone(title: str, policy: IdentityPolicy, *, path: bool = False) -> Read:
    """The name by the owner's words alone, where no work can be looked up: nothing is concluded."""
    owned = (owned_path if path else owned_name)(title, policy.words)
    return Read(owned.reworded, owned.name, Identity(Grade.E, None), (), {})


async def _with_claimed(
    ids: Mapping[str, str], name: ReleaseName, found: list[Work], catalogue: Catalogue
) -> list[Work]:
    """The works, with those that an id names which none of them has: ids are not titles."""
    for source, number in ids.items():
        plain = number.strip()
        if any(work.ids.get(source) == plain for work in found):
            continue
        if source == "tmdb":
            kinds = (name.kind,) if name.kind else tuple(WorkKind)
            for kind in kinds:
                found = [*found, *(await catalogue.work(WorkKey(source, kind, plain))).works]
        else:
            found = [*found, *(await catalogue.find({source: plain}, name.kind)).works]
    return merged_works(found)


def own_countings(works: Sequence[Work], policy: IdentityPolicy) -> dict[WorkKey, Counting]:
    """How the owner has the episodes of these works counted."""
    return {
        work.key: counting_of(work.key, policy.offsets, policy.counted_through) for work in works
    }


async def _countings(
    name: ReleaseName, works: Sequence[Work], policy: IdentityPolicy, catalogue: Catalogue
) -> dict[WorkKey, Counting]:
    """What the owner and the source say of the likeliest series, where the name counts."""
    countings = own_countings(works, policy)
    if not (name.episodes or name.absolute_episodes or name.seasons):
        return countings
    series = [work for work in works if work.key.kind is WorkKind.SERIES and work.seasons]
    for work in series[:MOST_ORDERED]:
        orders = await catalogue.orders(work.key)
        countings[work.key] = counting_of(work.key, policy.offsets, policy.counted_through, orders)
    return countings


async def _numbered(held: Read, catalogue: Catalogue) -> Read:
    name, work = held.name, held.identity.work
    if work is None or work.key.kind is not WorkKind.SERIES:
        return held
    days = (name.air_date,) if name.air_date else name.air_date_readings
    if days and not name.episodes:
        work = await with_seasons_near(work, days[0], catalogue)
    placed = places_in(name, work, held.countings.get(work.key, PLAIN))
    return replace(held, numbers=placed if isinstance(placed, Unsettled) else tuple(placed))
