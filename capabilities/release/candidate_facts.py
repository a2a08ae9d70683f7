"""What is told of each offer of a search."""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel

from capabilities.release.choice_facts import TargetFacts
from capabilities.release.judging import Judged, Verdict
from capabilities.rules.names.release import ReleaseName
from capabilities.rules.outside_text import cleaned

REASONS_SHOWN: Final = 12
FLAGS_SHOWN: Final = 8
DOUBTS_SHOWN: Final = 4
ANSWER_BYTES: Final = 20_000
"""Of the candidates in one answer; what does not fit is counted as left out."""


class IdentityFacts(BaseModel):
    """How sure it is which work this is: grade A to E, and the verdict for the work asked for."""

    grade: str
    verdict: Verdict | None


class ReasonFacts(BaseModel):
    """What one rule said."""

    rule: str
    sentence: str


class TakeFacts(BaseModel):
    """For which missing films or episodes a release is taken, and why this one."""

    targets: TargetFacts
    sentence: str


class PartFacts(BaseModel):
    """What else the name says; what it does not say is left out."""

    title: str | None = None
    year: int | None = None
    seasons: list[int] | None = None
    episodes: list[int] | None = None
    absolute_episodes: list[float] | None = None
    dynamic_ranges: list[str] | None = None
    audio: list[str] | None = None
    channels: str | None = None
    languages: list[str] | None = None
    editions: list[str] | None = None
    version: int | None = None


class CandidateFacts(BaseModel):
    """One offer; ``rank`` 1 is the one to take first, rejected ones rank last.

    ``doubts``: where its indexer says what cannot be, or contradicts itself. ``take``: it is one of
    those to take. ``passed_over``: why an accepted one is not.
    """

    release: str
    title: str
    indexer: str
    size_gb: float | None
    seeders: int | None
    resolution: str | None
    source: str | None
    codec: str | None
    group: str | None
    flags: list[str] | None
    doubts: list[str] | None
    doubts_left_out: int | None
    parts: PartFacts | None
    identity: IdentityFacts
    accepted: bool
    rank: int
    tier: str | None
    score: int
    reasons: list[ReasonFacts]
    reasons_left_out: int | None
    take: TakeFacts | None
    passed_over: str | None


def fitting(facts: Sequence[CandidateFacts]) -> list[CandidateFacts]:
    """The first of them, as many as an answer holds."""
    room, fitting = ANSWER_BYTES, list[CandidateFacts]()
    for each in facts:
        room -= len(each.model_dump_json(exclude_none=True).encode())
        if room < 0:
            break
        fitting.append(each)
    return fitting


def _parts(name: ReleaseName) -> PartFacts:
    return PartFacts(
        title=cleaned(name.title, 80) or None,
        year=name.year,
        seasons=list(name.seasons[:10]) or None,
        episodes=list(name.episodes[:30]) or None,
        absolute_episodes=list(name.absolute_episodes[:30]) or None,
        dynamic_ranges=list(name.dynamic_ranges) or None,
        audio=list(name.audio) or None,
        channels=name.channels,
        languages=list(name.languages[:8]) or None,
        editions=list(name.editions[:4]) or None,
        version=name.version + name.real if name.version + name.real > 1 else None,
    )


def candidate_facts(
    each: Judged,
    reference: str,
    *,
    take: TakeFacts | None = None,
    passed_over: str | None = None,
) -> CandidateFacts:
    """A judged offer under its reference, and what the choice says of it."""
    name, reasons, doubts = each.name, each.reasons, each.found.doubts
    return CandidateFacts(
        release=reference,
        title=cleaned(each.found.title),
        indexer=each.found.indexer,
        size_gb=None if each.found.size is None else round(each.found.size / 1e9, 2),
        seeders=each.found.seeders,
        resolution=name.resolution,
        source=name.source,
        codec=name.video_codec,
        group=None if name.group is None else cleaned(name.group, 40),
        flags=[cleaned(flag, 40) for flag in each.found.flags[:FLAGS_SHOWN]] or None,
        doubts=[cleaned(one, 160) for one in doubts[:DOUBTS_SHOWN]] or None,
        doubts_left_out=max(len(doubts) - DOUBTS_SHOWN, 0) or None,
        parts=_parts(name),
        identity=IdentityFacts(grade=each.identity.grade.value, verdict=each.verdict),
        accepted=each.accepted,
        rank=each.rank,
        tier=each.candidate.judgement.tier,
        score=each.candidate.judgement.score,
        reasons=[
            ReasonFacts(rule=one.rule.value, sentence=cleaned(one.sentence))
            for one in reasons[:REASONS_SHOWN]
        ],
        reasons_left_out=max(len(reasons) - REASONS_SHOWN, 0) or None,
        take=take,
        passed_over=None if passed_over is None else cleaned(passed_over),
    )
