"""What the published policy says of one release now, with the size that it really has."""

from typing import Any

from pydantic import BaseModel

from capabilities.kernel.context import Context
from capabilities.release.standard import Standard
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.found import Found
from capabilities.rules.kept_judgement import kept_judgement
from capabilities.rules.outside_text import cleaned
from capabilities.rules.owned_names import owned_counting, owned_name
from capabilities.rules.pending import undelayed
from capabilities.rules.verdicts import Circumstances, Judgement, judge


class RuleFacts(BaseModel):
    """What one rule says: the word or number it hit, and whether that refuses the release."""

    rule: str
    hit: str
    rejects: bool
    sentence: str


def verdict(found: Found, grade: Grade, by: Standard, context: Context) -> Judgement:
    """Judge an offer of a known grade, for whoever asks: nothing waits for the owner."""
    judgement = _judged(found, grade, by, context)
    return undelayed(judgement) if context.actor.decides else judgement


def stored_verdict(found: Found, by: Standard, context: Context) -> dict[str, Any]:
    """What is kept beside a release that nobody has identified yet."""
    judgement = _judged(found, Grade.E, by, context)
    return kept_judgement(judgement, Grade.E, by.version)


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


def _judged(found: Found, grade: Grade, by: Standard, context: Context) -> Judgement:
    given = Circumstances(
        runtime_minutes=None if by.work is None else by.work.runtime_minutes,
        now=context.ledger.now(),
        around=by.around,
        counting=owned_counting(by.work, by.identity),
    )
    name = owned_name(found.title, by.identity.words).name
    return judge(found, name, Identity(grade, by.work), by.policy, given)
