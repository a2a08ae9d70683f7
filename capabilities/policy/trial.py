"""What an acquisition policy makes of a name: verdicts, and formats condition by condition."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from pydantic import BaseModel

from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.format_matching import Explained, Tried, explain
from capabilities.rules.formats import Subject
from capabilities.rules.found import Found
from capabilities.rules.names.tokens import words
from capabilities.rules.outside_text import cleaned
from capabilities.rules.owned_names import owned_name
from capabilities.rules.recognition.words import Word
from capabilities.rules.surroundings import Blocked, surroundings
from capabilities.rules.verdicts import Circumstances, judge

FORMAT_BYTES = 11_000
"""Of the answer, for what formats say."""
MOST_CONDITIONS = 8
MOST_RULES = 20
MOST_CONDITIONS_OF_ONE = 50


class ConditionFacts(BaseModel):
    """One condition: whether it holds, and the word or value that it hit."""

    name: str
    kind: str
    negate: bool
    required: bool
    holds: bool
    hit: str | None
    undecided: bool


class FormatFacts(BaseModel):
    """One format on this name."""

    name: str
    score: int
    matches: bool
    conditions: list[ConditionFacts]
    conditions_left_out: int


class TrialFacts(BaseModel):
    """A name on a policy; nothing is known of the offer, so rules about it say nothing."""

    accepted: bool
    tier: str | None
    score: int
    rules: list[str]
    rules_left_out: int
    formats: list[FormatFacts]
    formats_left_out: int


def tried(
    policy: AcquisitionPolicy,
    text: str,
    only: str | None,
    now: datetime,
    owned: Sequence[Word] = (),
    *,
    blocked: Iterable[Blocked] = (),
) -> TrialFacts:
    """Try a name; the formats that it has come first.

    Args:
        policy: with its formats.
        text: a release name.
        only: the one format to be shown, with all its conditions.
        now: with its time zone.
        owned: the owner's recognition words, by which names are read.
        blocked: what the blocklist holds for every work.
    """
    name, found = owned_name(text, owned).name, Found(text, "nobody", "trial")
    given = Circumstances(now=now, around=surroundings((), blocked, policy, None))
    judgement = judge(found, name, Identity(Grade.E, None), policy, given)
    subject = Subject(name, words(name.text), found)
    wanted = [custom for custom in policy.formats if only is None or custom.name == only]
    explained = sorted(
        (explain(custom, subject) for custom in wanted), key=lambda one: not one.matches
    )
    most = MOST_CONDITIONS if only is None else MOST_CONDITIONS_OF_ONE
    shown = _within_bounds(explained, most)
    return TrialFacts(
        accepted=judgement.accepted,
        tier=judgement.tier,
        score=judgement.score,
        rules=[
            f"{one.rule}: {cleaned(one.sentence, 160)}" for one in judgement.reasons[:MOST_RULES]
        ],
        rules_left_out=max(0, len(judgement.reasons) - MOST_RULES),
        formats=shown,
        formats_left_out=len(explained) - len(shown),
    )


def _within_bounds(explained: Sequence[Explained], most: int) -> list[FormatFacts]:
    shown: list[FormatFacts] = []
    room = FORMAT_BYTES
    for one in explained:
        facts = _format(one, most)
        room -= len(facts.model_dump_json())
        if room < 0 and shown:
            break
        shown.append(facts)
    return shown


def _format(one: Explained, most: int) -> FormatFacts:
    ordered = sorted(
        one.tried, key=lambda tried: (tried.token is None, not tried.condition.required)
    )
    return FormatFacts(
        name=cleaned(one.custom.name, 100),
        score=one.custom.score,
        matches=one.matches,
        conditions=[_condition(tried) for tried in ordered[:most]],
        conditions_left_out=max(0, len(ordered) - most),
    )


def _condition(tried: Tried) -> ConditionFacts:
    condition = tried.condition
    return ConditionFacts(
        name=cleaned(condition.name or condition.value, 60),
        kind=condition.kind,
        negate=condition.negate,
        required=condition.required,
        holds=tried.holds,
        hit=None if tried.token is None else cleaned(tried.token, 60),
        undecided=tried.undecided,
    )
