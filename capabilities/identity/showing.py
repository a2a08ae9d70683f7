"""How identities are shown: candidates side by side, what words did, which episodes are meant."""

from typing import Any, Final

from pydantic import BaseModel

from capabilities.rules.episode_counting import Counted, Unsettled
from capabilities.rules.evidence import Identity
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.recognition.applying import WordHit
from capabilities.rules.works import Work

CANDIDATES_SHOWN: Final = 4
HITS_SHOWN: Final = 10
EPISODES_SHOWN: Final = 12
CLUES_SHOWN: Final = 3
OVERVIEW_CHARACTERS: Final = 140
SENTENCE_CHARACTERS: Final = 160


class CandidateFacts(BaseModel):
    """A work it may be, with what speaks for and against it.

    ``sources_disagree`` says what its sources of metadata contradict themselves or one another in.
    """

    title: str
    year: int | None
    kind: str
    id: str
    overview: str | None
    speaks_for: list[str]
    speaks_against: list[str]
    sources_disagree: list[str] | None


class WordFacts(BaseModel):
    """A recognition word and what it did."""

    word: str
    did: str


class NumberFacts(BaseModel):
    """Which episodes are meant, in both numberings, or what keeps that open."""

    episodes: list[str]
    by: str | None
    open: str | None
    settles: str | None


def candidate(work: Work, identity: Identity) -> CandidateFacts:
    """A candidate in words."""
    return CandidateFacts(
        title=cleaned(work.title),
        year=work.year,
        kind=work.key.kind,
        id=str(work.key),
        overview=cleaned(work.overview, OVERVIEW_CHARACTERS) if work.overview else None,
        speaks_for=[cleaned(one.sentence) for one in identity.speaks_for(work.key)],
        speaks_against=[cleaned(one.sentence) for one in identity.speaks_against(work.key)],
        sources_disagree=[cleaned(one.sentence) for one in work.disagreements[:CLUES_SHOWN]]
        or None,
    )


def option(work: Work, identity: Identity) -> dict[str, Any]:
    """A candidate as an option of a decision, short enough for a list of many."""
    facts = candidate(work, identity).model_dump(exclude_none=True)
    for name in ("speaks_for", "speaks_against"):
        facts[name] = [cleaned(one, SENTENCE_CHARACTERS) for one in facts[name][:CLUES_SHOWN]]
    return {**facts, "title": titled(work.title, work.year)}


def words(hits: tuple[WordHit, ...]) -> list[WordFacts]:
    """What the owner's words did, in their order."""
    return [WordFacts(word=cleaned(hit.word), did=cleaned(hit.did)) for hit in hits[:HITS_SHOWN]]


def numbers(counted: tuple[Counted, ...] | Unsettled) -> NumberFacts | None:
    """The episodes, None where the name means none in particular."""
    if isinstance(counted, Unsettled):
        open_ = cleaned(counted.sentence)
        return NumberFacts(episodes=[], by=None, open=open_, settles=counted.settles or None)
    if not counted:
        return None
    shown = [one.label for one in counted[:EPISODES_SHOWN]]
    left = len(counted) - len(shown)
    return NumberFacts(
        episodes=[*shown, *([f"and {left} more"] if left else [])],
        by=counted[0].by,
        open=None,
        settles=None,
    )
