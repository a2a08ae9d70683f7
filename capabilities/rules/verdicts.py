"""One release judged by an acquisition policy: every verdict names its rule and what it hit."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.airing import airing_reasons
from capabilities.rules.delaying import age_reasons
from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Identity
from capabilities.rules.format_matching import FormatVerdict, judged
from capabilities.rules.formats import JUDGING_S, Subject
from capabilities.rules.found import Found
from capabilities.rules.name_reasons import name_reasons
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.tokens import words
from capabilities.rules.offer_reasons import offer_reasons
from capabilities.rules.original_language import original_language
from capabilities.rules.pack_reasons import pack_reasons
from capabilities.rules.reasons import Reason, Rule, rejects
from capabilities.rules.sizes import preferred_size, running_minutes, unmeasured_reasons
from capabilities.rules.standing import (
    NOTHING_AROUND,
    Around,
    Offered,
    mends_held,
    standing_reasons,
)
from capabilities.rules.targets import Target, targets_of
from capabilities.rules.tiers import Tier
from capabilities.rules.time_budget import Budget
from capabilities.rules.upgrading import Copy, ProperPolicy, copy_of
from capabilities.rules.works import Work


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a policy says about one release.

    Attributes:
        tier: name of the quality tier, None where no tier holds the release.
        place: the tier's place, 0 for the best.
        score: sum of the custom formats it has.
        reasons: everything the rules had to say, rejections and explanations.
        preferred_size: bytes that ranking prefers for it, where known.
        prefers_propers: whether a later revision ranks before an earlier one.
        targets: what it is for, where the work is known.
    """

    accepted: bool
    tier: str | None
    place: int | None
    score: int
    reasons: tuple[Reason, ...]
    preferred_size: int | None = None
    prefers_propers: bool = True
    targets: frozenset[Target] = frozenset()

    @property
    def rejections(self) -> tuple[Reason, ...]:
        """The reasons that refuse it, all of them."""
        return tuple(reason for reason in self.reasons if reason.rejects)


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a judgement rests on besides the release and the policy.

    Attributes:
        runtime_minutes: of the film or of one episode, None when unknown.
        now: with its time zone; needed where the policy has a delay or an age limit.
        around: what is there already of the work, and what is blocked for it.
        within: the time of all that is judged at once; what it does not suffice for is undecided.
        counting: how the episodes of the work are counted besides their seasons.
    """

    runtime_minutes: int | None = None
    now: datetime | None = None
    around: Around = NOTHING_AROUND
    within: Budget | None = None
    counting: Counting = PLAIN


NO_CIRCUMSTANCES: Final = Circumstances()


def judge(
    found: Found,
    name: ReleaseName,
    identity: Identity,
    policy: AcquisitionPolicy,
    given: Circumstances = NO_CIRCUMSTANCES,
) -> Judgement:
    """Judge one offer; the same filters run however it was identified.

    Args:
        found: the offer as the indexer made it.
        name: its name, read.
        identity: what it was identified as; a contradiction refuses it.
        policy: what the owner decided.
        given: what is known around it.

    Raises:
        ValueError: the policy looks at the age of releases and it is not given what time it is.
    """
    weighed = _weighed(found, name, identity, policy, given)
    reasons = tuple(_reasons(weighed, identity, policy, given))
    return Judgement(
        accepted=not any(reason.rejects for reason in reasons),
        tier=weighed.tier.name if weighed.tier else None,
        place=weighed.offered.copy.place,
        score=weighed.formats.score,
        reasons=reasons,
        preferred_size=preferred_size(weighed.tier, weighed.minutes),
        prefers_propers=policy.propers is not ProperPolicy.DO_NOT_PREFER,
        targets=weighed.offered.targets,
    )


@dataclass(frozen=True, slots=True)
class _Weighed:
    """A release by everything that more than one rule looks at; ``minutes`` is all that it runs."""

    subject: Subject
    offered: Offered
    tier: Tier | None
    formats: FormatVerdict
    minutes: int | None


def _weighed(
    found: Found,
    name: ReleaseName,
    identity: Identity,
    policy: AcquisitionPolicy,
    given: Circumstances,
) -> _Weighed:
    work = identity.work
    kind = name.kind if work is None else work.key.kind
    place, tier = policy.tier_of(name.resolution, name.source, kind)
    budget = Budget(JUDGING_S, given.within)
    subject = Subject(name, words(name.text), found, original_language(work), budget)
    formats = judged(policy.formats, subject)
    targets = frozenset[Target]() if work is None else targets_of(work, name, given.counting)
    copy = copy_of(name, place=place, score=formats.score)
    minutes = running_minutes(name, identity, given.runtime_minutes, given.counting, given.now)
    return _Weighed(subject, Offered(found, name, copy, targets), tier, formats, minutes)


def _reasons(
    weighed: _Weighed, identity: Identity, policy: AcquisitionPolicy, given: Circumstances
) -> Iterator[Reason]:
    offered, tier, formats = weighed.offered, weighed.tier, weighed.formats
    found, place = offered.found, offered.copy.place
    yield from _identity(identity)
    yield from name_reasons(weighed.subject, policy, tier.name if tier else None, formats)
    yield from offer_reasons(found, policy, tier, weighed.minutes)
    mends = mends_held(offered, given.around, policy.goals)
    yield from age_reasons(found, policy, given.now, place=place, score=formats.score, mends=mends)
    yield from unmeasured_reasons(tier, found.size, weighed.minutes, identity.work, offered.targets)
    yield from airing_reasons(offered.name, identity.work, given.now)
    yield from pack_reasons(offered.name, identity.work)
    yield from standing_reasons(offered, given.around, policy.goals)


def copy_judged(
    found: Found | None,
    name: ReleaseName,
    policy: AcquisitionPolicy,
    *,
    work: Work | None = None,
    within: Budget | None = None,
) -> Copy:
    """What is compared of a release that was taken before: by its remembered name and offer.

    Both sides of a comparison are read the same way, so that a file never looks worse than the
    release that it came from.
    """
    place, _ = policy.tier_of(name.resolution, name.source, name.kind)
    budget = Budget(JUDGING_S, within)
    subject = Subject(name, words(name.text), found, original_language(work), budget)
    return copy_of(name, place=place, score=judged(policy.formats, subject).score)


def _identity(identity: Identity) -> Iterator[Reason]:
    if identity.work is None:
        return
    for one in identity.speaks_against(identity.work.key):
        yield rejects(Rule.IDENTITY, one.clue.value, one.sentence)
