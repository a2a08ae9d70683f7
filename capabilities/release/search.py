"""Ask the indexers, and say of each offer what it is and what the policy says of it."""

from functools import partial
from typing import Annotated

from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.indexer.indexers import Indexers
from capabilities.adapters.indexer.queries import FilmQuery, Query, SeriesQuery, TextQuery
from capabilities.adapters.metadata.candidates import Candidates, candidates_for
from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.season_reading import with_latest_seasons
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.release.candidate_facts import CandidateFacts, candidate_facts, fitting
from capabilities.release.judging import SEARCH_S, Judged, judged
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import AcquisitionPolicy, IdentityPolicy
from capabilities.rules.policy_json import from_json, identity_in_force
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.search_terms import searchable
from capabilities.rules.standing import Around
from capabilities.rules.stored import found_json, work_from
from capabilities.rules.surroundings import surroundings
from capabilities.rules.under_way import ACTIVE
from capabilities.rules.works import Work, WorkKind
from ledger.database import Snapshot
from ledger.stores import blocklist, copies, policies, releases, works
from ledger.stores.releases import NewRelease


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


class FailureFacts(BaseModel):
    """An indexer that did not answer in full."""

    indexer: str
    sentence: str


class Output(BaseModel):
    """Candidates by rank, which indexers are missing, and how many offers were not judged."""

    candidates: list[CandidateFacts]
    total: int
    not_judged: int = 0
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
    identity_policy = await _identity_policy(context)
    found = Candidates([])
    if work is not None:
        catalogue = context.part(Catalogue, "metadata source")
        work = await with_latest_seasons(work, given.season, catalogue)
        found = await candidates_for(catalogue, [work.title], work.key.kind, [work], year=work.year)
    # Owners' expressions and a thousand names take seconds, which everybody else would wait for.
    ranked = await to_thread.run_sync(
        partial(
            judged,
            answer.found,
            work,
            found.works,
            policy,
            priorities=indexers.priorities,
            now=context.ledger.now(),
            around=await _around(work_id, work, policy, identity_policy, context),
            by_hand=context.actor.decides,
            identity_policy=identity_policy,
            crowded=found.crowded,
            seconds=SEARCH_S,
        )
    )
    shown = ranked[: given.limit]
    references = await _kept(shown, work_id, version, context)
    facts = fitting(
        [candidate_facts(each, name) for each, name in zip(shown, references, strict=True)]
    )
    accepted = sum(each.accepted for each in ranked)
    output = Output(
        candidates=facts,
        total=len(answer.found),
        not_judged=len(answer.found) - len(ranked),
        left_out=len(answer.found) - len(facts),
        failures=failures,
    )
    return Succeeded(output, _sentence(output, accepted))


def _sentence(output: Output, accepted: int) -> str:
    parts = [f"{output.total} offers, {accepted} acceptable."]
    if output.not_judged:
        parts.append(
            f"{output.not_judged} were not judged, because the time for it was used up; search for "
            "one season or episode, or make the expressions of the policy simpler."
        )
    if output.failures:
        parts.append(f"{len(output.failures)} indexers did not answer in full.")
    return " ".join(parts)


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
    try:
        return row.version, await to_thread.run_sync(from_json, AcquisitionPolicy, row.body)
    except UnsatisfiableError as wrong:
        raise _unusable("acquisition", wrong) from wrong


async def _identity_policy(context: Context) -> IdentityPolicy:
    row = await context.ledger.read(lambda conn: policies.published(conn, "identity"))
    try:
        return identity_in_force(None if row is None else row.body)
    except UnsatisfiableError as wrong:
        raise _unusable("identity", wrong) from wrong


def _unusable(kind: str, wrong: UnsatisfiableError) -> HaltError:
    sentence = f"The {kind} policy in force cannot be used: {cleaned(str(wrong), 300)}."
    needs = {"do": "Publish one that can be, with policy__preview and policy__apply."}
    return HaltError(Refused(Code.PRECONDITION, sentence, needs))


async def _around(
    work_id: str | None,
    work: Work | None,
    policy: AcquisitionPolicy,
    identity: IdentityPolicy,
    context: Context,
) -> Around:
    def look(conn: Snapshot) -> Around:
        filled = [] if work_id is None else copies.copies(conn, work_id, ACTIVE)
        blocked = blocklist.standing(conn, work_id)
        return surroundings(filled, blocked, policy, work, identity.words)

    return await context.ledger.read(look)


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
