"""How long a release waits for better ones, by the clock of its publication."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.found import Found
from capabilities.rules.reasons import Reason, Rule, notes, rejects, waits

MENDS: Final = "it does not wait: it is a later revision of what is in the library"


def age_reasons(
    found: Found,
    policy: AcquisitionPolicy,
    now: datetime | None,
    *,
    place: int | None,
    score: int,
    mends: bool = False,
) -> Iterator[Reason]:
    """Whether it is too young or too old.

    Args:
        found: the offer; without a publication time it neither waits nor is too old.
        policy: with its delay and its limit.
        now: with its time zone.
        place: of its tier; the best one may not have to wait.
        score: of its formats; a high one may not have to wait.
        mends: whether it is a later revision of what is held, which never waits.

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
        bypass = MENDS if mends else _bypass(policy, place=place, score=score)
        yield notes(Rule.DELAY, f"{age}", bypass) if bypass else delayed(f"{age}", ready)
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


def delayed(token: str, until: datetime) -> Reason:
    """That it waits; ``token`` is how old it is."""
    sentence = f"it waits for better ones until {whole_minute(until):%Y-%m-%d %H:%M %Z}".rstrip()
    return waits(Rule.DELAY, token, sentence, until)


def ready_at(published: datetime, policy: AcquisitionPolicy) -> datetime:
    """When a release of this publication time has waited long enough."""
    return published + timedelta(minutes=policy.delay_minutes)


def whole_minute(moment: datetime) -> datetime:
    """The first whole minute that is not before it: what is told so is never too early."""
    cut = moment.replace(second=0, microsecond=0)
    return cut if cut == moment else cut + timedelta(minutes=1)


def _bypass(policy: AcquisitionPolicy, *, place: int | None, score: int) -> str | None:
    if policy.undelayed_top_tier and place == 0:
        return "it does not wait: nothing of a better tier can come"
    if policy.undelayed_score is not None and score >= policy.undelayed_score:
        return f"it does not wait: its score is {score}"
    return None
