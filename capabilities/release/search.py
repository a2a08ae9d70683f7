"""Ask the indexers, and say of each offer what it is and what the policy says of it."""

from typing import Annotated

from pydantic import BaseModel, Field

from capabilities.adapters.indexer.indexers import Indexers
from capabilities.adapters.indexer.queries import FilmQuery, Query, SeriesQuery, TextQuery
from capabilities.adapters.metadata.candidates import candidates_for
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.release.judging import Judged, Verdict, judged
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import AcquisitionPolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.search_terms import searchable
from capabilities.rules.stored import found_json, work_from
from capabilities.rules.works import Work, WorkKind
from ledger.stores import policies, releases, works
from ledger.stores.releases import NewRelease

REASONS_SHOWN = 4


class Input(BaseModel, extra="forbid"):
    """What is wanted: a work (with season and episode for series), or words."""

    work: Annotated[
        str | None,
        Field(description="A work reference from catalog__lookup, e.g. work:1.", max_length=60),
    ] = None
    season: Annotated[int | None, Field(description="Season of a series.", ge=0, le=200)] = None
    episode: Annotated[int | None, Field(description="Episode of that season.", ge=0, le=5000)] = (
        None
    )
    query: Annotated[
        str | None,
        Field(description="Words of a release name, instead of a work.", max_length=200),
    ] = None
    limit: Annotated[int, Field(description="Most candidates to answer.", ge=1, le=50)] = 15


class IdentityFacts(BaseModel):
    """How sure it is which work this is: grade A to E, and the verdict for the work asked for."""

    grade: str
    verdict: Verdict | None


class ReasonFacts(BaseModel):
    """What one rule said."""

    rule: str
    sentence: str


class CandidateFacts(BaseModel):
    """One offer; ``rank`` 1 is the one to take first, rejected ones rank last."""

    release: str
    title: str
    indexer: str
    size_gb: float | None
    seeders: int | None
    resolution: str | None
    source: str | None
    codec: str | None
    group: str | None
    identity: IdentityFacts
    accepted: bool
    rank: int
    reasons: list[ReasonFacts]


class FailureFacts(BaseModel):
    """An indexer that did not answer in full."""

    indexer: str
    sentence: str


class Output(BaseModel):
    """Candidates by rank, and which indexers are missing."""

    candidates: list[CandidateFacts]
    total: int
    left_out: int
    failures: list[FailureFacts]


@capability(
    "release.search",
    version=1,
    title="Search releases",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="Find releases of a work: ranked candidates with their parsed parts, whether each is "
    "really that work, and what the owner's policy says of it with the reason for each rejection. "
    "Indexers that fail are named and the rest is answered.",
    not_when="It downloads nothing; go on with identity__resolve and download__plan.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"work": "work:1"},
)
async def search(given: Input, context: Context) -> Outcome[Output]:
    """Ask all indexers side by side, judge every offer, keep them under references."""
    indexers = context.part(Indexers, "indexer")
    work_id, work = await _work(given, context)
    await context.report(0, None, "Asking the indexers.")
    answer = await indexers.search_all(_query(given, work))
    failures = [FailureFacts(indexer=each.name, sentence=each.sentence) for each in answer.failures]
    if len(failures) == len(indexers.priorities) and not answer.found:
        return Failed(
            Code.UNAVAILABLE,
            f"No indexer answered in full: {failures[0].indexer}: {failures[0].sentence}",
            "Nothing was changed; try again later, or see `matinee doctor`.",
            retry=True,
            details={"failures": [each.model_dump() for each in failures]},
        )
    await context.report(1, None, f"{len(answer.found)} offers; judging them.")
    version, policy = await _policy(context)
    candidates: list[Work] = []
    if work is not None:
        tmdb = context.part(Tmdb, "metadata source")
        candidates = await candidates_for(tmdb, [work.title], work.key.kind, [work])
    ranked = judged(
        answer.found,
        work,
        candidates,
        policy,
        priorities=indexers.priorities,
        now=context.ledger.now(),
    )
    shown = ranked[: given.limit]
    references = await _kept(shown, work_id, version, context)
    facts = [_facts(each, name) for each, name in zip(shown, references, strict=True)]
    accepted = sum(each.accepted for each in ranked)
    output = Output(
        candidates=facts,
        total=len(ranked),
        left_out=len(ranked) - len(facts),
        failures=failures,
    )
    missing = f" {len(failures)} indexers did not answer in full." if failures else ""
    return Succeeded(output, f"{len(ranked)} offers, {accepted} acceptable.{missing}")


async def _work(given: Input, context: Context) -> tuple[str | None, Work | None]:
    if (given.work is None) == (given.query is None):
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                "Give either a work or a query, not both.",
                {"example": {"work": "work:1"}},
            )
        )
    if given.episode is not None and given.season is None:
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                "An episode needs its season.",
                {"example": {"work": "work:1", "season": 1, "episode": 2}},
            )
        )
    if given.work is None:
        return None, None
    id_ = await context.resolve("work", given.work)
    row = await context.ledger.read(lambda conn: works.by_id(conn, id_))
    if row is None:
        raise HaltError(
            Failed(Code.NOT_FOUND, f"There is no work {given.work!r}.", "Use catalog__lookup.")
        )
    return id_, work_from(row.body)


def _query(given: Input, work: Work | None) -> Query:
    if work is None:
        try:
            return TextQuery(searchable(given.query or ""))
        except ValueError as wrong:
            raise HaltError(Refused(Code.INVALID_INPUT, f"query: {wrong}.")) from wrong
    ids = {work.key.source: work.key.id, **work.external_ids}
    if work.key.kind is WorkKind.FILM:
        return FilmQuery(work.title, work.year, ids)
    return SeriesQuery(work.title, given.season, given.episode, ids)


async def _policy(context: Context) -> tuple[int, AcquisitionPolicy]:
    row = await context.ledger.read(lambda conn: policies.published(conn, "acquisition"))
    if row is None:
        raise HaltError(Refused(Code.PRECONDITION, "No acquisition policy is published."))
    return row.version, from_json(AcquisitionPolicy, row.body)


async def _kept(
    ranked: list[Judged], work: str | None, version: int, context: Context
) -> list[str]:
    at = context.ledger.now()
    ids = await context.ledger.write(
        lambda tx: [
            releases.keep(
                tx,
                NewRelease(
                    indexer=each.found.indexer,
                    guid=each.found.guid,
                    title=each.found.title,
                    size=each.found.size,
                    info_hash=each.found.info_hash,
                    found=found_json(each.found),
                    work=work,
                    judgement=each.stored(version),
                ),
                at,
            )
            for each in ranked
        ]
    )
    return await context.refer("rel", *ids)


def _facts(each: Judged, reference: str) -> CandidateFacts:
    name = each.name
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
        identity=IdentityFacts(grade=each.identity.grade.value, verdict=each.verdict),
        accepted=each.accepted,
        rank=each.rank,
        reasons=[
            ReasonFacts(rule=rule, sentence=cleaned(said))
            for rule, said in each.reasons[:REASONS_SHOWN]
        ],
    )
