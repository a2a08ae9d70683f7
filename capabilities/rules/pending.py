"""Releases that only have to wait: lifted for a person, and on one clock for one set of targets."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.delaying import delayed, ready_at
from capabilities.rules.ranking import Candidate
from capabilities.rules.reasons import Reason, Rule, notes
from capabilities.rules.targets import Target
from capabilities.rules.verdicts import Judgement

BY_HAND = "it does not wait: a person asked"
RUN_OUT = "it does not wait: an older one for the same has waited long enough"


def waits_until(judgement: Judgement) -> datetime | None:
    """When it may be taken, where the delay is all that stands against it; else None."""
    against = judgement.rejections
    return against[0].until if [one.rule for one in against] == [Rule.DELAY] else None


def undelayed(judgement: Judgement, why: str = BY_HAND) -> Judgement:
    """The same without its delay; what else is against it stays."""
    reasons = tuple(
        notes(one.rule, one.token, why) if one.rejects and one.rule is Rule.DELAY else one
        for one in judgement.reasons
    )
    return _with(judgement, reasons)


def on_one_clock(
    candidates: Sequence[Candidate], policy: AcquisitionPolicy, now: datetime
) -> list[Candidate]:
    """The candidates for one work, in their order, those for the same targets on one clock.

    A better one that comes later takes the place of the earlier, and the clock stays that of the
    oldest which is acceptable, so that waiting ends and the best is taken then.
    """
    alike: defaultdict[frozenset[Target], list[datetime]] = defaultdict(list)
    for one in candidates:
        acceptable = one.judgement.accepted or waits_until(one.judgement) is not None
        if acceptable and one.found.published is not None:
            alike[one.judgement.targets].append(one.found.published)
    return [_on_clock(one, alike[one.judgement.targets], policy, now) for one in candidates]


def _on_clock(
    one: Candidate, published: Sequence[datetime], policy: AcquisitionPolicy, now: datetime
) -> Candidate:
    own = waits_until(one.judgement)
    if own is None or not one.judgement.targets:
        return one
    until = ready_at(min(published), policy)
    if until >= own:
        return one
    if until <= now:
        return replace(one, judgement=undelayed(one.judgement, RUN_OUT))
    reasons = tuple(
        delayed(each.token, until) if each.rejects else each for each in one.judgement.reasons
    )
    return replace(one, judgement=_with(one.judgement, reasons))


def _with(judgement: Judgement, reasons: tuple[Reason, ...]) -> Judgement:
    accepted = not any(reason.rejects for reason in reasons)
    return replace(judgement, reasons=reasons, accepted=accepted)
