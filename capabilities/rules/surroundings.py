"""What stands around a work, from the releases that its copies came from."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Protocol

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.owned_names import owned_name
from capabilities.rules.recognition.words import Word
from capabilities.rules.standing import Around, Block, name_key
from capabilities.rules.stored import found_from
from capabilities.rules.targets import Target
from capabilities.rules.time_budget import Budget
from capabilities.rules.upgrading import Copy
from capabilities.rules.verdicts import copy_judged
from capabilities.rules.works import Work

COPIES_S: Final = 5.0
"""Of the processor, for the custom formats of all the copies of a work."""


class Filled(Protocol):
    """One slot of a work that is filled, or being filled, as it is kept.

    ``title`` is that of the release that it came from: files bear names of ours, which say less.
    """

    @property
    def season(self) -> int:
        """Of a series; 0 for a film."""
        ...

    @property
    def episode(self) -> int:
        """Of its season; 0 for a film."""
        ...

    @property
    def title(self) -> str:
        """Of the release."""
        ...

    @property
    def found(self) -> Mapping[str, Any] | None:
        """The offer, where it is kept still."""
        ...

    @property
    def info_hash(self) -> str:
        """Of the torrent."""
        ...

    @property
    def in_flight(self) -> bool:
        """It is on its way, and not on the shelf."""
        ...


class Blocked(Protocol):
    """One entry of the blocklist, as it is kept."""

    @property
    def reason(self) -> str:
        """Why it is there, for a person."""
        ...

    @property
    def info_hash(self) -> str | None:
        """Of the torrent."""
        ...

    @property
    def title(self) -> str | None:
        """Of the release."""
        ...

    @property
    def indexer(self) -> str | None:
        """Where it was offered."""
        ...


def surroundings(
    filled: Iterable[Filled],
    blocked: Iterable[Blocked],
    policy: AcquisitionPolicy,
    work: Work | None,
    words: Sequence[Word] = (),
    *,
    within: Budget | None = None,
) -> Around:
    """What a release of a work is judged against.

    Args:
        filled: every copy of the work.
        blocked: what the blocklist holds for it.
        policy: under which the copies are scored: the one that scores what they are compared to.
        work: which it is, None where only words were asked for.
        words: the owner's recognition words, by which releases are read.
        within: ends the time for the copies' formats sooner than their own; what it does not
            suffice for is scored without them.
    """
    held: dict[Target, Copy] = {}
    in_flight: dict[Target, Copy] = {}
    fetched: set[str] = set()
    brought: defaultdict[str, set[Target]] = defaultdict(set)
    known: dict[str, Copy] = {}
    budget = Budget(COPIES_S, within)
    for one in filled:
        if one.title not in known:
            found = None if one.found is None else found_from(dict(one.found))
            name = owned_name(one.title, words).name
            known[one.title] = copy_judged(found, name, policy, work=work, within=budget)
        (in_flight if one.in_flight else held)[one.season, one.episode] = known[one.title]
        fetched.add(one.info_hash.lower())
        brought[name_key(one.title)].add((one.season, one.episode))
    blocks = tuple(Block(one.reason, one.info_hash, one.title, one.indexer) for one in blocked)
    by_name = {key: frozenset(targets) for key, targets in brought.items()}
    return Around(blocks, held, in_flight, frozenset(fetched), by_name)
