"""What a probe may answer after it has looked at the world."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class Verdict(StrEnum):
    """Whether an effect is to be found in the world."""

    APPLIED = "applied"
    NOT_APPLIED = "not_applied"
    PARTLY = "partly"
    CANNOT_TELL = "cannot_tell"


@dataclass(frozen=True, slots=True)
class Finding:
    """A verdict and what was seen: JSON-ready facts, no secrets, no free text from outside."""

    verdict: Verdict
    evidence: Mapping[str, object] = field(default_factory=dict[str, object])
