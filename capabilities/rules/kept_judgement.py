"""What was judged of a release as it is kept beside it, and what of that still stands later."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from pydantic import AwareDatetime, TypeAdapter, ValidationError

from capabilities.rules.evidence import Grade
from capabilities.rules.reasons import Reason, Rule
from capabilities.rules.verdicts import Judgement


@dataclass(frozen=True, slots=True)
class Objection:
    """What speaks against a release still; ``until`` is when time takes it away, if it does.

    ``rule`` is None where what is kept cannot be read, by this version at least.
    """

    rule: Rule | None
    sentence: str
    until: AwareDatetime | None = None


_OBJECTION: Final = TypeAdapter(Objection)
_KEPT: Final = TypeAdapter(list[object])
_UNREADABLE: Final = Objection(None, "it was refused, and why cannot be read any more")


def spoken_reasons(judgement: Judgement, other: Reason | None = None) -> tuple[Reason, ...]:
    """What is told: every reason of what is accepted, else only what speaks against it.

    Args:
        judgement: what the policy says.
        other: why it is another work than the one asked for, where it is.
    """
    if other is not None:
        return (other, *judgement.rejections)
    return judgement.reasons if judgement.accepted else judgement.rejections


def kept_judgement(
    judgement: Judgement,
    grade: Grade,
    policy_version: int,
    *,
    verdict: str | None = None,
    rank: int = 1,
    other: Reason | None = None,
) -> dict[str, Any]:
    """As JSON, to be shown: a plan judges anew. It holds for everybody, delays included."""
    return {
        "accepted": judgement.accepted and other is None,
        "verdict": verdict,
        "grade": grade.value,
        "rank": rank,
        "score": judgement.score,
        "tier": judgement.tier,
        "reasons": [_reason(one) for one in spoken_reasons(judgement, other)],
        "policy_version": policy_version,
    }


def objections(kept: Mapping[str, Any], now: datetime, *, by_hand: bool) -> list[Objection]:
    """What still speaks against a release; a delay that is over does not.

    What was not accepted stays refused where nobody can read why.

    Args:
        kept: as `kept_judgement` made it.
        now: with its time zone.
        by_hand: whether a person asks, whom a delay does not hold up.
    """
    if kept.get("accepted") is True:
        return []
    against = [_objection(one) for one in _reasons(kept)] or [_UNREADABLE]
    return [one for one in against if _stands(one, now, by_hand=by_hand)]


def _stands(one: Objection, now: datetime, *, by_hand: bool) -> bool:
    if by_hand and one.rule is Rule.DELAY:
        return False
    return one.until is None or one.until > now


def _reasons(kept: Mapping[str, Any]) -> list[object]:
    try:
        return _KEPT.validate_python(kept.get("reasons"))
    except ValidationError:
        return []


def _objection(kept: object) -> Objection:
    try:
        return _OBJECTION.validate_python(kept)
    except ValidationError:
        return _UNREADABLE


def _reason(one: Reason) -> dict[str, str]:
    told = {"rule": one.rule.value, "sentence": one.sentence}
    return told if one.until is None else {**told, "until": one.until.isoformat()}
