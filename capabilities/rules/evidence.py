"""Identities as values: how sure, of what, on which evidence, against which contradictions."""

from dataclasses import dataclass
from enum import StrEnum

from capabilities.rules.works import Work, WorkKey


class Grade(StrEnum):
    """How well it is known which work a name means.

    A: an external id says it. B: one exact title of the right kind, with its year. C: one exact
    title without a year. D: several works, or none quite. E: nothing points anywhere.
    """

    A = "A"
    B = "B"
    C = "C"
    D = "D"
    E = "E"


class Clue(StrEnum):
    """What a piece of evidence, or a contradiction, is about."""

    RECOGNITION_WORD = "recognition_word"
    EXTERNAL_ID = "external_id"
    TITLE = "title"
    ALTERNATIVE_TITLE = "alternative_title"
    SIMILAR_TITLE = "similar_title"
    YEAR = "year"
    KIND = "kind"
    SEASON = "season"
    EPISODE = "episode"


@dataclass(frozen=True, slots=True)
class Evidence:
    """One thing that speaks for a work, in words for a person."""

    clue: Clue
    work: WorkKey
    sentence: str


@dataclass(frozen=True, slots=True)
class Contradiction:
    """One thing that speaks against a work, in words for a person."""

    clue: Clue
    work: WorkKey
    sentence: str


@dataclass(frozen=True, slots=True)
class Identity:
    """Which work a name means.

    Attributes:
        work: the work, or None where no single one is left.
        candidates: every work that something spoke for, the best first.
    """

    grade: Grade
    work: Work | None
    evidence: tuple[Evidence, ...] = ()
    contradictions: tuple[Contradiction, ...] = ()
    candidates: tuple[Work, ...] = ()

    def speaks_for(self, key: WorkKey) -> tuple[Evidence, ...]:
        """The evidence for one work."""
        return tuple(one for one in self.evidence if one.work == key)

    def speaks_against(self, key: WorkKey) -> tuple[Contradiction, ...]:
        """The contradictions of one work."""
        return tuple(one for one in self.contradictions if one.work == key)
