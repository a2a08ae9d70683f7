"""What a policy says of the offer itself: its size, who seeds it, how much of it is counted."""

from collections.abc import Iterator

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.found import Found
from capabilities.rules.reasons import Reason, Rule, notes, rejects
from capabilities.rules.sizes import size_reasons
from capabilities.rules.tiers import Tier


def offer_reasons(
    found: Found, policy: AcquisitionPolicy, tier: Tier | None, minutes: int | None
) -> Iterator[Reason]:
    """Everything that follows from what the indexer says besides the name.

    Args:
        found: the offer.
        policy: what the owner decided.
        tier: which holds its quality, with its bounds for sizes.
        minutes: that all of it runs, None when unknown.
    """
    yield from size_reasons(tier, found.size, minutes)
    yield from seeder_reasons(found, policy)
    yield from promotion_reasons(found, policy)


def seeder_reasons(found: Found, policy: AcquisitionPolicy) -> Iterator[Reason]:
    """Whether enough seed it; what the indexer does not say is not zero."""
    if not policy.least_seeders:
        return
    if found.seeders is None:
        yield notes(Rule.SEEDERS, "unknown", "the indexer does not say how many seed it")
    elif found.seeders < policy.least_seeders:
        sentence = f"{found.seeders} seed it, and {policy.least_seeders} is the least"
        yield rejects(Rule.SEEDERS, str(found.seeders), sentence)


def promotion_reasons(found: Found, policy: AcquisitionPolicy) -> Iterator[Reason]:
    """Whether little enough of it is counted; an unknown promotion is none, and not none."""
    most = policy.most_counted
    if most is None:
        return
    wanted = "only free-leech is taken" if most == 0 else f"at most {most:g} of it may be counted"
    if found.download_factor is None:
        sentence = f"{wanted}, and the indexer does not say whether it is"
        yield rejects(Rule.PROMOTION, "unknown", sentence)
    elif found.download_factor > most:
        token = f"{found.download_factor:g}"
        yield rejects(Rule.PROMOTION, token, f"{wanted}; {token} of it is counted")
