"""Whether the policy takes a release: as offered, and as its torrent really is."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.download.blocks import blocks_on, offered_as
from capabilities.download.drafting import Known
from capabilities.download.grounds import Grounds
from capabilities.download.judging import judged
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import HaltError, Refused
from capabilities.rules.delaying import whole_minute
from capabilities.rules.outside_text import cleaned
from capabilities.rules.reasons import Reason, Rule, rejects
from capabilities.rules.standing import blocked_as
from capabilities.rules.verdicts import Judgement

SAID_BY_SLOTS: Final = frozenset({Rule.HELD, Rule.IN_FLIGHT, Rule.DUPLICATE})
"""What the slots that it is for say better, before the torrent is judged."""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """What the policy says of a torrent, and the ids of the blocks that its owner overrules."""

    judgement: Judgement
    overruled: tuple[str, ...] = ()


async def refuse_rejected(known: Known, by: Grounds, context: Context) -> None:
    """Let pass what the policy takes as it is offered, and what the owner plans by hand.

    Raises:
        HaltError: refused. Where time alone takes the rejection away, it is said when.
    """
    if context.actor.decides:
        return
    (found, *_) = await offered_as(known.row, None, context)
    judgement = await judged(found, known, by, context)
    _refuse([one for one in judgement.rejections if one.rule not in SAID_BY_SLOTS], context)


async def accept(
    known: Known, hashes: InfoHashes, size: int, by: Grounds, context: Context
) -> Acceptance:
    """Hold the torrent against policy and blocklist: indexers claim any size, and any hash.

    Args:
        known: the release.
        hashes: of the torrent.
        size: that it has, in bytes.
        by: everything as it stands now.
        context: of the call.

    Raises:
        HaltError: refused, as by `refuse_rejected`.
    """
    offered = await offered_as(known.row, hashes, context)
    name = blocked_as(by.around.blocked, hashes.names()) or hashes.key
    real = replace(offered[0], size=size, info_hash=name)
    judgement = await judged(real, known, by, context)
    hits = await blocks_on(offered, hashes, known.work_id, context)
    why = [
        rejects(Rule.BLOCKLIST, hashes.key, f"it is on the blocklist: {one.reason}") for one in hits
    ]
    against = [one for one in judgement.rejections if one.rule not in SAID_BY_SLOTS]
    _refuse([*against, *why], context)
    return Acceptance(judgement, tuple(one.id for one in hits))


def refuse_repeated(accepted: Acceptance, context: Context, *, replaces: bool = False) -> None:
    """Let pass what brings something new, by what `SAID_BY_SLOTS` leaves to say.

    Args:
        accepted: what the policy says of it.
        context: of the call.
        replaces: it was found better than the files that stand, as these really are; what the
            names say of that counts for nothing then.

    Raises:
        HaltError: refused, as by `refuse_rejected`.
    """
    said = {Rule.HELD} if replaces else set[Rule]()
    _refuse([one for one in accepted.judgement.rejections if one.rule not in said], context)


def _ready_at(untils: Sequence[datetime | None]) -> datetime | None:
    """When nothing of it stands any more, where time alone takes all of it away."""
    known = [until for until in untils if until is not None]
    return max(known) if len(known) == len(untils) else None


def _refuse(against: Collection[Reason], context: Context) -> None:
    if context.actor.decides or not against:
        return
    ready_at = _ready_at([one.until for one in against])
    needs = {"do": "Choose an accepted candidate, or the owner plans it by hand."}
    if ready_at is not None:
        at = whole_minute(ready_at).isoformat(timespec="seconds")
        needs = {"do": f"Plan it from {at} on, or the owner plans it now.", "ready_at": at}
    sentences = dict.fromkeys(one.sentence for one in against)
    sentence = f"The policy rejects this release: {cleaned('; '.join(sentences))}."
    raise HaltError(Refused(Code.PRECONDITION, sentence, needs))
