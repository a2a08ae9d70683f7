"""What stands against a release besides its policy: blocklist, shelf, and what is on its way."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from capabilities.rules.by_hand import BY_HAND
from capabilities.rules.found import Found
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.suffixes import split_container
from capabilities.rules.names.tokens import words
from capabilities.rules.reasons import Reason, Rule, notes, rejects
from capabilities.rules.targets import FILM, Target
from capabilities.rules.upgrading import Copy, Goals, Step, Upgrade, upgrade


@dataclass(frozen=True, slots=True)
class Block:
    """One entry of the blocklist.

    Attributes:
        info_hash: in lower case; where it is not known, title and indexer stand for it.
        reason: why it was put there, for a person.
    """

    reason: str
    info_hash: str | None = None
    title: str | None = None
    indexer: str | None = None

    def hits(self, found: Found) -> bool:
        """Whether an offer is the blocked one; a hash that both say settles it.

        What was given by hand is of no indexer, and named as its files are: a title that is blocked
        anywhere is blocked for it, however it is written and whatever its suffix.
        """
        if self.info_hash is not None and found.info_hash is not None:
            return self.info_hash == found.info_hash.lower()
        if self.title is None:
            return False
        if found.indexer == BY_HAND:
            return _plain(self.title) == _plain(found.title)
        return self.title == found.title and self.indexer in {None, found.indexer}


@dataclass(frozen=True, slots=True)
class Around:
    """What is there of the work that a release is judged for.

    Attributes:
        blocked: the entries that hold for this work.
        held: the copy on the shelf, by target.
        in_flight: the copy that is being downloaded, by target.
        fetched: info-hashes of what is held or in flight. What failed and was removed is not among
            them: only the blocklist keeps it from coming back.
        brought: what is held or in flight, by the key of the name of the release that brings it.
    """

    blocked: Sequence[Block] = ()
    held: Mapping[Target, Copy] = field(default_factory=dict[Target, Copy])
    in_flight: Mapping[Target, Copy] = field(default_factory=dict[Target, Copy])
    fetched: frozenset[str] = frozenset()
    brought: Mapping[str, frozenset[Target]] = field(default_factory=dict[str, frozenset[Target]])


NOTHING_AROUND = Around()


@dataclass(frozen=True, slots=True)
class Offered:
    """A release as it stands against what is there."""

    found: Found
    name: ReleaseName
    copy: Copy
    targets: frozenset[Target]


def name_key(title: str) -> str:
    """Equal for names that differ in case and in what stands between their words only."""
    return " ".join(words(title))


def _plain(title: str) -> str:
    return name_key(split_container(title)[0])


def blocked_as(blocks: Iterable[Block], names: Collection[str]) -> str | None:
    """The info-hash under which a torrent is blocked, of all those that name it; None for none.

    A hybrid torrent has several, and whoever blocked it knew one of them.
    """
    return next((block.info_hash for block in blocks if block.info_hash in names), None)


def standing_reasons(offered: Offered, around: Around, goals: Goals) -> Iterator[Reason]:
    """Why it is not worth fetching although the policy would take it."""
    found = offered.found
    for block in around.blocked:
        if block.hits(found):
            token = found.info_hash or found.title
            yield rejects(Rule.BLOCKLIST, token, f"it is on the blocklist: {block.reason}")
    if found.info_hash is not None and found.info_hash.lower() in around.fetched:
        sentence = "exactly this torrent was fetched already; it would bring the same again"
        yield rejects(Rule.DUPLICATE, found.info_hash, sentence)
    yield from _against(offered, around, goals)


def mends_held(offered: Offered, around: Around, goals: Goals) -> bool:
    """Whether it is a later revision, which is worth taking, of everything on the shelf it is for.

    Nothing that is missing is among it: for that, better ones may come.
    """
    held = [around.held.get(target) for target in offered.targets]
    return bool(held) and all(
        copy is not None and upgrade(copy, offered.copy, goals).step is Step.HIGHER_REVISION
        for copy in held
    )


def _against(offered: Offered, around: Around, goals: Goals) -> Iterator[Reason]:
    """A set of targets counts: what brings one that is missing is worth it, whatever the rest."""
    wanted = sorted(offered.targets)
    there = {target: kept for target in wanted if (kept := _kept(target, around, goals))}
    if not there or len(there) < len(wanted):
        return
    decided = {target: upgrade(one.copy, offered.copy, goals) for target, one in there.items()}
    spoken = _spokesman(offered, decided)
    title = offered.found.title
    if spoken is None and offered.targets <= around.brought.get(name_key(title), frozenset()):
        sentence = "a release of this very name was fetched already; it would bring the same again"
        yield rejects(Rule.DUPLICATE, title, sentence)
        return
    if spoken is None:
        kept, first = there[wanted[0]], decided[wanted[0]]
        yield notes(kept.rule, first.step, f"better than what is {kept.where}: {first.sentence}")
        return
    target, verdict = spoken
    sentence = f"{_named(target)} is {there[target].where} already: {verdict.sentence}"
    yield rejects(there[target].rule, verdict.step, sentence)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The copy of one target that a release is compared to, and where it is."""

    copy: Copy
    rule: Rule

    @property
    def where(self) -> str:
        return "in the library" if self.rule is Rule.HELD else "on its way"


def _kept(target: Target, around: Around, goals: Goals) -> _Kept | None:
    """What there will be of a target: what is on its way, where it replaces what is held."""
    held, coming = around.held.get(target), around.in_flight.get(target)
    if coming is not None and (held is None or upgrade(held, coming, goals).taken):
        return _Kept(coming, Rule.IN_FLIGHT)
    return None if held is None else _Kept(held, Rule.HELD)


def _spokesman(
    offered: Offered, decided: Mapping[Target, Upgrade]
) -> tuple[Target, Upgrade] | None:
    """The target that speaks against it; one file for several must be better than each of them."""
    against = [(target, one) for target, one in decided.items() if not one.taken]
    if not against:
        return None
    some = len(against) < len(decided)
    return None if some and offered.name.is_season_pack else against[0]


def _named(target: Target) -> str:
    return "it" if target == FILM else f"S{target[0]:02}E{target[1]:02}"
