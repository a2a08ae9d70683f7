"""What the published policy says of one release now, with the size that it really has."""

from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from capabilities.kernel.context import Context
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.outside_text import cleaned
from capabilities.rules.owned_names import owned_counting, owned_name
from capabilities.rules.policy import AcquisitionPolicy, IdentityPolicy
from capabilities.rules.policy_json import from_json, identity_in_force
from capabilities.rules.standing import Around
from capabilities.rules.stored import work_from
from capabilities.rules.surroundings import surroundings
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.verdicts import Judgement, judge
from capabilities.rules.works import Work
from ledger.database import Snapshot
from ledger.stores import blocklist, copies, policies, works


class RuleFacts(BaseModel):
    """What one rule says: the word or number it hit, and whether that refuses the release."""

    rule: str
    hit: str
    rejects: bool
    sentence: str


@dataclass(frozen=True, slots=True)
class Standard:
    """What a release is judged by: the policies, and what is around its work."""

    version: int
    policy: AcquisitionPolicy
    identity: IdentityPolicy
    work: Work | None
    around: Around


async def standard(work_id: str | None, context: Context) -> Standard | None:
    """The policy in force, and what is around a work; None where no policy is published."""
    return await context.ledger.read(lambda conn: _standard(conn, work_id))


def verdict(found: Found, grade: Grade, by: Standard, context: Context) -> Judgement:
    """Judge an offer of a known grade."""
    return judge(
        found,
        owned_name(found.title, by.identity.words).name,
        Identity(grade, by.work),
        by.policy,
        runtime_minutes=None if by.work is None else by.work.runtime_minutes,
        now=context.ledger.now(),
        around=by.around,
        by_hand=context.actor.decides,
        counting=owned_counting(by.work, by.identity),
    )


def stored_verdict(found: Found, by: Standard, context: Context) -> dict[str, Any]:
    """What is kept beside a release that nobody has identified yet."""
    judgement = verdict(found, Grade.E, by, context)
    spoken = judgement.reasons if judgement.accepted else judgement.rejections
    return {
        "accepted": judgement.accepted,
        "verdict": None,
        "grade": Grade.E.value,
        "rank": 1,
        "score": judgement.score,
        "tier": judgement.tier,
        "reasons": [{"rule": one.rule.value, "sentence": one.sentence} for one in spoken],
        "policy_version": by.version,
    }


def told(judgement: Judgement, most: int) -> list[RuleFacts]:
    """The reasons, those that refuse it first."""
    ordered = sorted(judgement.reasons, key=lambda reason: not reason.rejects)
    return [
        RuleFacts(
            rule=reason.rule,
            hit=cleaned(reason.token, 80),
            rejects=reason.rejects,
            sentence=cleaned(reason.sentence),
        )
        for reason in ordered[:most]
    ]


def _standard(conn: Snapshot, work_id: str | None) -> Standard | None:
    row, held = policies.published(conn, "acquisition"), policies.published(conn, "identity")
    if row is None:
        return None
    policy = from_json(AcquisitionPolicy, row.body)
    identity = identity_in_force(None if held is None else held.body)
    known = None if work_id is None else works.by_id(conn, work_id)
    work = None if known is None else work_from(known.body)
    id_ = None if known is None else known.id
    filled = [] if id_ is None else copies.copies(conn, id_, ACTIVE)
    blocked = blocklist.standing(conn, id_)
    around = surroundings(filled, blocked, policy, work, identity.words)
    return Standard(row.version, policy, identity, work, around)
