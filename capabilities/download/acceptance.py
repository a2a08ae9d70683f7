"""Whether the policy takes a release: as judged when found, and as its torrent really is."""

from dataclasses import replace

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.drafting import Known
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.reasons import Rule
from capabilities.rules.sizes import running_minutes, size_reasons
from capabilities.rules.standing import Block, blocked_as
from capabilities.rules.stored import found_from
from ledger.stores import blocklist
from ledger.stores.policies import PolicyRow
from ledger.stores.releases import ReleaseRow

LOOKED_AT_ANEW = frozenset({Rule.HELD, Rule.IN_FLIGHT, Rule.DUPLICATE})
"""What planning finds out by itself, as it stands then."""


def refuse_rejected(row: ReleaseRow, published: PolicyRow, context: Context) -> None:
    """Let pass what the published policy accepted, and what the owner plans by hand.

    Raises:
        HaltError: refused; it was judged by another version, or rejected.
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
    against = [one for one in held.get("reasons", []) if one["rule"] not in LOOKED_AT_ANEW]
    if not held.get("accepted") and against:
        _refuse([reason["sentence"] for reason in against], context)


def refuse_size(known: Known, size: int, context: Context) -> None:
    """Hold the size that the torrent really has, in bytes, against the tier: indexers claim one.

    Raises:
        HaltError: refused; the owner may plan it by hand.
    """
    policy = from_json(AcquisitionPolicy, known.acquisition.body)
    name, work = known.name, known.work
    _, tier = policy.tier_of(name.resolution, name.source, work.key.kind)
    minutes = running_minutes(name, Identity(Grade.A, work), work.runtime_minutes)
    sentences = [reason.sentence for reason in size_reasons(tier, size, minutes)]
    if sentences:
        _refuse(sentences, context)


async def refuse_blocked(known: Known, hashes: InfoHashes, context: Context) -> None:
    """Hold the torrent against the blocklist as it stands now: an indexer may call it anything.

    Raises:
        HaltError: refused; the owner may plan it by hand.
    """
    standing = await context.ledger.read(lambda conn: blocklist.standing(conn, known.work_id))
    blocks = [Block(one.reason, one.info_hash, one.title, one.indexer) for one in standing]
    real = blocked_as(blocks, hashes.names()) or hashes.key
    found = replace(found_from(known.row.found), info_hash=real)
    why = [f"it is on the blocklist: {one.reason}" for one in blocks if one.hits(found)]
    if why:
        _refuse(why, context)


def _refuse(sentences: list[str], context: Context) -> None:
    if context.actor.decides:
        return
    raise HaltError(
        Refused(
            Code.PRECONDITION,
            f"The policy rejects this release: {cleaned('; '.join(sentences))}.",
            {"do": "Choose an accepted candidate, or the owner plans it by hand."},
        )
    )
