"""Judging what indexers offered for a work: identity, policy, rank."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal

from capabilities.release.standard import Standard
from capabilities.rules.delaying import dated
from capabilities.rules.episode_orders import EpisodeOrder
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.identity import accepts, verdict_for
from capabilities.rules.kept_judgement import kept_judgement, spoken_reasons
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import titled
from capabilities.rules.owned_names import (
    Orders,
    OwnedName,
    owned_counting,
    owned_identity,
    owned_name,
)
from capabilities.rules.pending import on_one_clock, undelayed, waits_until
from capabilities.rules.ranking import DEFAULT_PRIORITY, Candidate, rank
from capabilities.rules.reasons import Reason, Rule, rejects
from capabilities.rules.recognition.words import Word
from capabilities.rules.time_budget import Budget
from capabilities.rules.verdicts import Circumstances, Judgement, judge
from capabilities.rules.works import Work, WorkKey

READING_S: Final = 4.0
"""Of the processor, to read the names of one search; a thousand take a fraction of it."""
SEARCH_S: Final = 8.0
"""Of the processor, for all the offers of one search; an ordinary one takes milliseconds."""
Verdict = Literal["same", "other", "unsure"]


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer with its name, read; nothing of it is dated later than it was found."""

    found: Found
    owned: OwnedName


@dataclass(frozen=True, slots=True)
class Asking:
    """Of what the offers are judged, and for whom.

    Attributes:
        by: the policies, the work that was asked for, and what is there of it.
        now: with its time zone.
        candidates: every work that the title of the one asked for may mean.
        crowded: whether there may be more works of its title than the candidates.
        unsearched: whether no source said which other works bear the title; it makes none certain.
        orders: other orders of the episodes of these works, where names are counted by them.
        priorities: of the indexers, by name.
        by_hand: whether a person asked, for whom nothing waits.
        seconds: of the processor's time, for all the offers.
    """

    by: Standard
    now: datetime
    candidates: Sequence[Work] = ()
    crowded: bool = False
    unsearched: bool = False
    orders: Orders = field(default_factory=dict[WorkKey, Sequence[EpisodeOrder]])
    priorities: Mapping[str, int] = field(default_factory=dict[str, int])
    by_hand: bool = False
    seconds: float = SEARCH_S


@dataclass(frozen=True, slots=True)
class Judged:
    """An offer at its rank.

    Attributes:
        candidate: the offer with what the policy says of it to whoever asked.
        kept: what the policy says of it to everybody.
        verdict: whether it is the work; None when no work was asked for.
        other: why it is another work, where it is.
        rank: 1 is the first.
    """

    candidate: Candidate
    kept: Judgement
    identity: Identity
    verdict: Verdict | None
    other: Reason | None
    rank: int

    @property
    def found(self) -> Found:
        """The offer."""
        return self.candidate.found

    @property
    def name(self) -> ReleaseName:
        """Its name, read."""
        return self.candidate.name

    @property
    def accepted(self) -> bool:
        """Whether it is taken for the work, by whoever asked."""
        return self.candidate.judgement.accepted and self.other is None

    @property
    def only_waits(self) -> bool:
        """Whether time alone makes it acceptable."""
        return self.other is None and waits_until(self.candidate.judgement) is not None

    @property
    def reasons(self) -> tuple[Reason, ...]:
        """Everything that the rules say of what is accepted, else what speaks against it."""
        return spoken_reasons(self.candidate.judgement, self.other)

    def stored(self, policy_version: int) -> dict[str, Any]:
        """As kept beside the release, for the plan that may follow."""
        return kept_judgement(
            self.kept,
            self.identity.grade,
            policy_version,
            verdict=self.verdict,
            rank=self.rank,
            other=self.other,
        )

    def is_work(self, by: Standard) -> bool:
        """Whether it is the work that was asked for, of a grade that the owner takes unasked."""
        if by.work is None or self.identity.work is None or self.other is not None:
            return False
        return self.identity.work.key == by.work.key and accepts(by.identity, self.identity)


def named(
    offers: Sequence[Found], words: Sequence[Word], now: datetime, seconds: float = READING_S
) -> list[Offer]:
    """The offers with their names as the owner has them read; fewer where the time is used up.

    The indexers take turns, so that slow names of one do not use up the time of all.
    """
    budget, read = Budget(seconds), list[Offer]()
    for found in _in_turns(offers):
        if not budget.left:
            break
        read.append(Offer(dated(found, now), owned_name(found.title, words)))
    return read


def judged(offers: Sequence[Offer], given: Asking) -> list[Judged]:
    """The offers, best first; what is another work or breaks a rule is last and says why.

    What only has to wait stands between what is accepted and what is not.

    Those that there is no time for, from the end, are not among them.
    """
    budget, weighed = Budget(given.seconds), list[Judged]()
    for offer in offers:
        if not budget.left:
            break
        weighed.append(_weighed(offer, given, budget))
    shown = [_shown(one, given) for one in _on_one_clock(weighed, given)]
    judged_of = {id(one.candidate): one for one in shown}
    ranked = [judged_of[id(one.candidate)] for one in rank([each.candidate for each in shown])]
    # A stable sort: only what is another work, or waits, moves.
    ranked.sort(key=lambda each: (not each.accepted, not each.only_waits))
    return [replace(each, rank=place) for place, each in enumerate(ranked, start=1)]


def _weighed(offer: Offer, given: Asking, budget: Budget) -> Judged:
    by, found = given.by, offer.found
    identity = _identity(offer, given)
    circumstances = Circumstances(
        runtime_minutes=None if by.work is None else by.work.runtime_minutes,
        now=given.now,
        around=by.around,
        within=budget,
        counting=owned_counting(identity.work, by.identity, given.orders),
    )
    judgement = judge(found, offer.owned.name, identity, by.policy, circumstances)
    priority = given.priorities.get(found.indexer, DEFAULT_PRIORITY)
    verdict = None if by.work is None else verdict_for(by.work, identity)
    other = _other(by.work, identity) if by.work is not None and verdict == "other" else None
    candidate = Candidate(found, offer.owned.name, judgement, priority)
    return Judged(candidate, judgement, identity, verdict, other, rank=0)


def _identity(offer: Offer, given: Asking) -> Identity:
    identity = owned_identity(
        offer.owned,
        offer.found.external_ids,
        given.candidates,
        given.by.identity,
        crowded=given.crowded,
        orders=given.orders,
    )
    by_title = given.unsearched and identity.grade is Grade.B
    return replace(identity, grade=Grade.C) if by_title else identity


def _on_one_clock(weighed: Sequence[Judged], given: Asking) -> list[Judged]:
    """Those that are the work wait by one clock for one set of targets."""
    mine = [one for one in weighed if one.is_work(given.by)]
    waiting = on_one_clock([one.candidate for one in mine], given.by.policy, given.now)
    changed = {id(one): new for one, new in zip(mine, waiting, strict=True)}
    return [
        replace(one, candidate=new, kept=new.judgement)
        if (new := changed.get(id(one))) is not None
        else one
        for one in weighed
    ]


def _shown(one: Judged, given: Asking) -> Judged:
    if not given.by_hand:
        return one
    return replace(one, candidate=replace(one.candidate, judgement=undelayed(one.kept)))


def _in_turns(offers: Sequence[Found]) -> list[Found]:
    """The first of every indexer, then the second of every one, and so on."""
    turns: defaultdict[str, int] = defaultdict(int)
    turn_of: list[int] = []
    for offer in offers:
        turn_of.append(turns[offer.indexer])
        turns[offer.indexer] += 1
    return [offers[at] for at in sorted(range(len(offers)), key=turn_of.__getitem__)]


def _other(work: Work, identity: Identity) -> Reason:
    if identity.work is not None:
        title = titled(identity.work.title, identity.work.year)
        return rejects(Rule.IDENTITY, title, f"it is {title}, another work")
    against = [one.sentence for one in identity.speaks_against(work.key)]
    said = against[0] if against else "nothing in the name points at this work"
    return rejects(Rule.IDENTITY, "", said)
