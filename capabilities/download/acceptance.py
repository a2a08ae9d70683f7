"""Whether the policy takes a release: as judged when it was found, and by its real size."""

from capabilities.download.drafting import Known
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.names.parsing import parse
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.sizes import running_minutes, size_reasons
from capabilities.rules.tiers import place_of
from ledger.stores.policies import PolicyRow
from ledger.stores.releases import ReleaseRow


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
    if not held.get("accepted"):
        _refuse([reason["sentence"] for reason in held.get("reasons", [])], context)


def refuse_size(known: Known, size: int, context: Context) -> None:
    """Hold the size that the torrent really has, in bytes, against the tier: indexers claim one.

    Raises:
        HaltError: refused; the owner may plan it by hand.
    """
    policy = from_json(AcquisitionPolicy, known.acquisition.body)
    name, work = parse(known.row.title), known.work
    place = place_of(policy.tiers, name.resolution, name.source)
    tier = None if place is None else policy.tiers[place]
    minutes = running_minutes(name, Identity(Grade.A, work), work.runtime_minutes)
    sentences = [reason.sentence for reason in size_reasons(tier, size, minutes)]
    if sentences:
        _refuse(sentences, context)


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
