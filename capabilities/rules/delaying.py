"""How long a release waits for better ones, by the clock of its publication."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from capabilities.rules.found import Found
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.reasons import Reason, Rule, notes, rejects


def age_reasons(
    found: Found,
    policy: AcquisitionPolicy,
    now: datetime | None,
    *,
    place: int | None,
    score: int,
    by_hand: bool = False,
) -> Iterator[Reason]:
    """Whether it is too young or too old.

    Args:
        found: the offer; without a publication time it neither waits nor is too old.
        policy: with its delay and its limit.
        now: with its time zone.
        place: of its tier; the best one may not have to wait.
        score: of its formats; a high one may not have to wait.
        by_hand: a person asked, and nobody waits then.

    Raises:
        ValueError: the policy looks at the age of releases and ``now`` is missing.
    """
    if not policy.delay_minutes and policy.most_age_days is None:
        return
    if now is None:
        raise ValueError("the policy looks at the age of releases: say what time it is")
    if found.published is None:
        yield notes(Rule.AGE, "unknown", "the indexer does not say when it was published")
        return
    found, claimed = dated(found, now), found.published
    published = found.published or now
    if published != claimed:
        yield notes(Rule.AGE, f"{claimed:%Y-%m-%d}", found.doubts[-1])
    age, ready = now - published, ready_at(published, policy)
    if now < ready:
        bypass = _bypass(policy, place=place, score=score, by_hand=by_hand)
        if bypass is None:
            sentence = f"it waits for better ones until {ready:%Y-%m-%d %H:%M} {ready:%Z}".rstrip()
            yield Reason(Rule.DELAY, f"{age}", sentence, rejects=True, temporary=True)
        else:
            yield notes(Rule.DELAY, f"{age}", bypass)
    if policy.most_age_days is not None and age > timedelta(days=policy.most_age_days):
        sentence = f"it is {age.days} days old, and {policy.most_age_days} is the most"
        yield rejects(Rule.AGE, f"{age.days} days", sentence)


def dated(found: Found, now: datetime) -> Found:
    """The offer as of now: one that says it comes from the future was published when it was found.

    It is asked when the offer comes in, so that what is kept of it holds the time of that.
    """
    if found.published is None or found.published <= now:
        return found
    doubt = (
        f"the indexer says it was published on {found.published:%Y-%m-%d %H:%M}, which is to come; "
        "it counts as published when it was found"
    )
    return replace(found, published=now, doubts=(*found.doubts, doubt))


def ready_at(published: datetime, policy: AcquisitionPolicy) -> datetime:
    """When a release of this publication time has waited long enough."""
    return published + timedelta(minutes=policy.delay_minutes)


def _bypass(
    policy: AcquisitionPolicy, *, place: int | None, score: int, by_hand: bool
) -> str | None:
    if by_hand:
        return "it does not wait: a person asked"
    if policy.undelayed_top_tier and place == 0:
        return "it does not wait: nothing of a better tier can come"
    if policy.undelayed_score is not None and score >= policy.undelayed_score:
        return f"it does not wait: its score is {score}"
    return None


@dataclass(frozen=True, slots=True)
class Waiting:
    """Which of several offers waits, and until when; ``offer`` is its place among those given."""

    offer: int
    until: datetime


def waiting(published: Sequence[datetime], policy: AcquisitionPolicy) -> Waiting | None:
    """The best of several offers that only have to wait, and the moment at which it goes.

    A better one that comes later takes the place of the earlier, and the clock stays that of the
    oldest, so that waiting ends.

    Args:
        published: of the offers for one set of targets, the best first.
        policy: with its delay.
    """
    if not published:
        return None
    return Waiting(0, ready_at(min(published), policy))
