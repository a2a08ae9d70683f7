"""One release judged by an acquisition policy: every verdict names its rule and what it hit."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from capabilities.rules.evidence import Identity
from capabilities.rules.formats import CustomFormat, matches
from capabilities.rules.found import Found
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.names.tokens import words
from capabilities.rules.names.vocabulary import Field
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.reasons import Reason, Rule, notes, rejects
from capabilities.rules.sizes import preferred_size, running_minutes, size_reasons
from capabilities.rules.tiers import place_of
from capabilities.rules.wording import quoted
from capabilities.rules.words import contains


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a policy says about one release.

    Attributes:
        tier: name of the quality tier, None where no tier holds the release.
        place: the tier's place, 0 for the best.
        score: sum of the custom formats it has.
        reasons: everything the rules had to say, rejections and explanations.
        preferred_size: bytes that ranking prefers for it, where known.
    """

    accepted: bool
    tier: str | None
    place: int | None
    score: int
    reasons: tuple[Reason, ...]
    preferred_size: int | None = None

    @property
    def rejections(self) -> tuple[Reason, ...]:
        """The reasons that refuse it."""
        return tuple(reason for reason in self.reasons if reason.rejects)


def judge(
    found: Found,
    name: ReleaseName,
    identity: Identity,
    policy: AcquisitionPolicy,
    *,
    runtime_minutes: int | None,
    now: datetime | None = None,
) -> Judgement:
    """Judge one offer; the same filters run however it was identified.

    Args:
        found: the offer as the indexer made it.
        name: its name, read.
        identity: what it was identified as; a contradiction refuses it.
        policy: what the owner decided.
        runtime_minutes: of the film or of one episode, None when unknown.
        now: with its time zone; needed where the policy has a delay or an age limit.

    Raises:
        ValueError: the policy looks at the age of releases and ``now`` is missing.
    """
    place = place_of(policy.tiers, name.resolution, name.source)
    tier = None if place is None else policy.tiers[place]
    spoken = words(name.text)
    formats = [custom for custom in policy.formats if matches(custom, name, spoken)]
    score = sum(custom.score for custom in formats)
    minutes = running_minutes(name, identity, runtime_minutes)
    reasons = (
        *_identity(identity),
        *_quality(name, policy, tier.name if tier else None),
        *_tokens(spoken, policy),
        *_languages(name, policy),
        *_groups(name, policy),
        *_formats(formats, score, policy),
        *size_reasons(tier, found.size, minutes),
        *_seeders(found, policy),
        *_promotion(found, policy),
        *_age(found, policy, now),
    )
    return Judgement(
        accepted=not any(reason.rejects for reason in reasons),
        tier=tier.name if tier else None,
        place=place,
        score=score,
        reasons=reasons,
        preferred_size=preferred_size(tier, minutes),
    )


def _identity(identity: Identity) -> Iterator[Reason]:
    if identity.work is None:
        return
    for one in identity.speaks_against(identity.work.key):
        yield rejects(Rule.IDENTITY, one.clue.value, one.sentence)


def _quality(name: ReleaseName, policy: AcquisitionPolicy, tier: str | None) -> Iterator[Reason]:
    token = name.said.get(Field.SOURCE, "")
    if name.source is not None and name.source in policy.refused_sources:
        yield rejects(Rule.SOURCE, token, f"the source {name.source} ({quoted(token)}) is refused")
    quality = " ".join(filter(None, (name.said.get(Field.RESOLUTION), token))) or "no quality named"
    if tier is None:
        yield rejects(Rule.TIER, quality, f"no tier of the policy holds {quoted(quality)}")
    else:
        yield notes(Rule.TIER, quality, f'{quoted(quality)} is in tier "{tier}"')


def _tokens(spoken: Sequence[str], policy: AcquisitionPolicy) -> Iterator[Reason]:
    for token in policy.refused_tokens:
        if contains(spoken, token):
            yield rejects(Rule.REFUSED, token, f"the name says {quoted(token)}, refused")
    for token in policy.required_tokens:
        if contains(spoken, token):
            yield notes(Rule.REQUIRED, token, f"the name says {quoted(token)}, as required")
        else:
            sentence = f"the name does not say {quoted(token)}, which is required"
            yield rejects(Rule.REQUIRED, token, sentence)


def _languages(name: ReleaseName, policy: AcquisitionPolicy) -> Iterator[Reason]:
    spoken = {tag.casefold() for tag in name.languages}
    token = name.said.get(Field.LANGUAGE, "")
    for tag in policy.refused_languages:
        if tag.casefold() in spoken:
            yield rejects(Rule.LANGUAGE, token, f"the language {tag} is refused")
    required = [tag for tag in policy.required_languages if tag.casefold() not in spoken]
    if required and len(required) == len(policy.required_languages):
        wanted = ", ".join(required)
        said = f"the name says {quoted(token)}" if token else "the name says no language"
        yield rejects(Rule.LANGUAGE, token, f"{said}; one of {wanted} is required")


def _groups(name: ReleaseName, policy: AcquisitionPolicy) -> Iterator[Reason]:
    group = (name.group or "").casefold()
    if group and group in {one.casefold() for one in policy.refused_groups}:
        yield rejects(
            Rule.GROUP, name.group or "", f"the group {quoted(name.group or '')} is refused"
        )
    if policy.required_groups and group not in {one.casefold() for one in policy.required_groups}:
        made = quoted(name.group) if name.group else "a group the name does not say"
        sentence = f"made by {made}, and only {', '.join(policy.required_groups)} are taken"
        yield rejects(Rule.GROUP, name.group or "", sentence)


def _formats(
    formats: Sequence[CustomFormat], score: int, policy: AcquisitionPolicy
) -> Iterator[Reason]:
    for custom in formats:
        sentence = f'it has the format "{custom.name}", worth {custom.score:+d}'
        yield notes(Rule.FORMAT, custom.name, sentence)
    if policy.least_score is not None and score < policy.least_score:
        sentence = f"its score is {score}, and {policy.least_score} is the least"
        yield rejects(Rule.SCORE, str(score), sentence)


def _seeders(found: Found, policy: AcquisitionPolicy) -> Iterator[Reason]:
    if not policy.least_seeders:
        return
    if found.seeders is None:
        yield notes(Rule.SEEDERS, "unknown", "the indexer does not say how many seed it")
    elif found.seeders < policy.least_seeders:
        sentence = f"{found.seeders} seed it, and {policy.least_seeders} is the least"
        yield rejects(Rule.SEEDERS, str(found.seeders), sentence)


def _promotion(found: Found, policy: AcquisitionPolicy) -> Iterator[Reason]:
    if not policy.free_leech_only or found.download_factor == 0:
        return
    if found.download_factor is None:
        sentence = "only free-leech is taken, and the indexer does not say whether it is"
        yield rejects(Rule.PROMOTION, "unknown", sentence)
    else:
        token = f"{found.download_factor:g}"
        yield rejects(Rule.PROMOTION, token, f"only free-leech is taken; {token} of it is counted")


def _age(found: Found, policy: AcquisitionPolicy, now: datetime | None) -> Iterator[Reason]:
    if not policy.delay_minutes and policy.most_age_days is None:
        return
    if now is None:
        raise ValueError("the policy looks at the age of releases: say what time it is")
    if found.published is None:
        yield notes(Rule.AGE, "unknown", "the indexer does not say when it was published")
        return
    age = now - found.published
    if age < timedelta(minutes=policy.delay_minutes):
        ready = found.published + timedelta(minutes=policy.delay_minutes)
        sentence = f"it waits for better ones until {ready:%Y-%m-%d %H:%M} {ready:%Z}".rstrip()
        yield Reason(Rule.DELAY, f"{age}", sentence, rejects=True, temporary=True)
    if policy.most_age_days is not None and age > timedelta(days=policy.most_age_days):
        sentence = f"it is {age.days} days old, and {policy.most_age_days} is the most"
        yield rejects(Rule.AGE, f"{age.days} days", sentence)
