"""A name read as its owner has names read: recognition words first, and their word on top."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from capabilities.rules.episode_counting import PLAIN, Counting, counting_of
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.evidence import Identity
from capabilities.rules.identity import as_forced, forced_identity, grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.names.parsing import parse
from capabilities.rules.names.paths import parse_path
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.recognition.applying import Reworded, reworded, reworded_path
from capabilities.rules.recognition.words import Word
from capabilities.rules.works import Work, WorkKey

Orders = Mapping[WorkKey, Sequence[EpisodeOrder]]
NO_ORDERS: Orders = {}


@dataclass(frozen=True, slots=True)
class OwnedName:
    """A name, and what the owner's words did to it before it was read."""

    name: ReleaseName
    reworded: Reworded


def owned_name(text: str, words: Sequence[Word]) -> OwnedName:
    """Read a release or file name (no path)."""
    done = reworded(text, words)
    return OwnedName(as_forced(parse(done.text), done.forced), done)


def owned_path(path: str, words: Sequence[Word]) -> OwnedName:
    """Read a file with the folders above it, as the files of a release are read."""
    done = reworded_path(path, words)
    return OwnedName(as_forced(parse_path(done.text), done.forced), done)


def owned_identity(
    owned: OwnedName,
    claimed_ids: Mapping[str, str],
    candidates: Sequence[Work],
    policy: IdentityPolicy,
    *,
    crowded: bool = False,
    orders: Orders = NO_ORDERS,
) -> Identity:
    """Which of the works it means: by its owner's word, else by evidence and the owner's offsets.

    The arguments are those of `identity.grade`; ``orders`` are those of the works, as far as their
    source was asked for them.
    """
    done = owned.reworded
    if done.forced is not None:
        work = next((one for one in candidates if one.key == done.forced.work), None)
        return forced_identity(done.forced, done.forced_by, work)
    countings = {work.key: owned_counting(work, policy, orders) for work in candidates}
    return grade(owned.name, claimed_ids, candidates, countings, crowded=crowded)


def owned_counting(
    work: Work | None, policy: IdentityPolicy, orders: Orders = NO_ORDERS
) -> Counting:
    """How the owner, and its source where it was asked, have the episodes of a work counted."""
    if work is None:
        return PLAIN
    told = orders.get(work.key, ())
    return counting_of(work.key, policy.offsets, policy.counted_through, told)
