"""Whether the policy takes a release: as judged when found, and as its torrent really is."""

from collections.abc import Sequence
from datetime import datetime

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.blocks import blocks_on
from capabilities.download.drafting import Known
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.episode_counting import Counting
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.kept_judgement import Objection, objections
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.reasons import Rule
from capabilities.rules.sizes import running_minutes, size_reasons
from capabilities.rules.stored import found_from
from capabilities.rules.usable_policy import usable
from ledger.stores.policies import PolicyRow
from ledger.stores.releases import ReleaseRow

LOOKED_AT_ANEW = frozenset({Rule.HELD, Rule.IN_FLIGHT, Rule.DUPLICATE})
"""What planning finds out by itself, as it stands then."""


def refuse_rejected(row: ReleaseRow, published: PolicyRow, context: Context) -> None:
    """Let pass what the published policy accepted, and what the owner plans by hand.

    A delay holds until it is over, whatever the search said; it never holds up the owner.

    Raises:
        HaltError: refused; it was judged by another version, or rejected. Where time alone takes
            the rejection away, it is said when.
    """
    held = row.judgement or {}
    if held.get("policy_version") != published.version:
        raise HaltError(
            Refused(
                Code.PRECONDITION,
                "The policy changed since this release was judged.",
                {"do": "Call release__search again."},
            )
        )
    standing = objections(held, context.ledger.now(), by_hand=context.actor.decides)
    against = [one for one in standing if one.rule not in LOOKED_AT_ANEW]
    if against:
        _refuse([one.sentence for one in against], context, _ready_at(against))


def refuse_size(known: Known, size: int, counting: Counting, context: Context) -> None:
    """Hold the size that the torrent really has, in bytes, against the tier: indexers claim one.

    ``counting`` says how the episodes of the work are counted besides their seasons.

    Raises:
        HaltError: refused; the owner may plan it by hand.
    """
    policy = usable(AcquisitionPolicy, known.acquisition.body)
    name, work = known.name, known.work
    _, tier = policy.tier_of(name.resolution, name.source, work.key.kind)
    minutes = running_minutes(name, Identity(Grade.A, work), work.runtime_minutes, counting)
    sentences = [reason.sentence for reason in size_reasons(tier, size, minutes)]
    if sentences:
        _refuse(sentences, context)


async def refuse_blocked(known: Known, hashes: InfoHashes, context: Context) -> None:
    """Hold the torrent against the blocklist as it stands now: an indexer may call it anything.

    Raises:
        HaltError: refused; the owner may plan it by hand.
    """
    found = found_from(known.row.found)
    hits = await blocks_on(found, hashes, known.work_id, context)
    why = [f"it is on the blocklist: {one.reason}" for one in hits]
    if why:
        _refuse(why, context)


def _ready_at(against: Sequence[Objection]) -> datetime | None:
    """When nothing of it stands any more, where time alone takes all of it away."""
    untils = [one.until for one in against if one.until is not None]
    return max(untils) if len(untils) == len(against) else None


def _refuse(sentences: list[str], context: Context, ready_at: datetime | None = None) -> None:
    if context.actor.decides:
        return
    needs = {"do": "Choose an accepted candidate, or the owner plans it by hand."}
    if ready_at is not None:
        at = ready_at.isoformat(timespec="seconds")
        needs = {"do": f"Plan it from {at} on, or the owner plans it now.", "ready_at": at}
    sentence = f"The policy rejects this release: {cleaned('; '.join(sentences))}."
    raise HaltError(Refused(Code.PRECONDITION, sentence, needs))
