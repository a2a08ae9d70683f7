"""Reasons a policy gives for or against a release."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum


class Rule(StrEnum):
    """The part of a policy that spoke."""

    TIER = "tier"
    SOURCE = "source"
    MODIFIER = "modifier"
    REQUIRED = "required_token"
    REFUSED = "refused_token"
    LANGUAGE = "language"
    GROUP = "group"
    FORMAT = "format"
    SCORE = "score"
    SIZE = "size"
    SEEDERS = "seeders"
    PROMOTION = "promotion"
    DELAY = "delay"
    AGE = "age"
    UNAIRED = "unaired"
    SEASONS = "seasons"
    IDENTITY = "identity"
    BLOCKLIST = "blocklist"
    DUPLICATE = "duplicate"
    HELD = "held"
    IN_FLIGHT = "in_flight"


@dataclass(frozen=True, slots=True)
class Reason:
    """One thing a rule says about a release.

    Attributes:
        token: the word of the name, or the number, that the rule hit.
        sentence: for a person.
        rejects: whether this alone refuses the release.
        temporary: whether time alone can take the rejection away.
        until: with its time zone, the moment at which time takes it away.
    """

    rule: Rule
    token: str
    sentence: str
    rejects: bool
    temporary: bool = False
    until: datetime | None = None


def rejects(rule: Rule, token: str, sentence: str) -> Reason:
    """A reason that refuses the release."""
    return Reason(rule, token, sentence, rejects=True)


def waits(rule: Rule, token: str, sentence: str, until: datetime) -> Reason:
    """A reason that refuses the release until a moment, and not from then on."""
    return Reason(rule, token, sentence, rejects=True, temporary=True, until=until)


def notes(rule: Rule, token: str, sentence: str) -> Reason:
    """A reason that explains and refuses nothing."""
    return Reason(rule, token, sentence, rejects=False)
