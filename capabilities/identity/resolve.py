"""Decide by evidence which work a release is."""

from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.metadata.candidates import candidates_for
from capabilities.adapters.metadata.tmdb import Tmdb
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.evidence import Grade, Identity
from capabilities.rules.identity import accepts, grade
from capabilities.rules.names.parsing import parse
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.policy_json import from_json
from capabilities.rules.stored import found_from, work_from, work_json
from capabilities.rules.works import Work
from ledger.stores import decisions, policies, releases, works
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.releases import ReleaseRow
from ledger.writer import Transaction

CANDIDATES_SHOWN = 4


class Input(BaseModel, extra="forbid"):
    """Which release."""

    release: Annotated[
        str, Field(description="A release reference from release__search.", max_length=60)
    ]


class CandidateFacts(BaseModel):
    """A work it may be, with what speaks for and against it."""

    title: str
    year: int | None
    kind: str
    id: str
    speaks_for: list[str]
    speaks_against: list[str]


class Output(BaseModel):
    """The grade, and whether the published policy accepts it by itself."""

    release: str
    grade: Grade
    accepted: bool
    work: str | None
    title: str | None
    year: int | None
    candidates: list[CandidateFacts]
    decision: str | None


@capability(
    "identity.resolve",
    version=1,
    title="Identify a release",
    kind=Kind.PROPOSE,
    effect=Effect.OURS,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="plan",
    toolset=Toolset.ACQUIRE,
    use_when="Decide by evidence which work a release is, before planning its download: ids, "
    "titles, year, seasons. Accepts by itself only the grades that the owner's policy allows.",
    not_when="When it answers accepted: false, the owner has to decide; do not plan around it.",
    hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
    timeout=40,
    example={"release": "rel:1"},
)
async def resolve(given: Input, context: Context) -> Outcome[Output]:
    """Grade the release's name among all works its title may mean."""
    row = await _release(given.release, context)
    identity = await _graded(row, context)
    policy = await _policy(context)
    work_id = None
    if identity.work is not None:
        work_id = await _kept(identity.work, context)
    accepted = accepts(policy, identity)
    if accepted and work_id is not None:
        record = {**_record(identity), "work": work_id}
        context.stage(lambda tx: _accept(tx, context, row, str(work_id), record))
    decision = None if accepted else await _ask(row, identity, context)
    (reference,) = await context.refer("rel", row.id)
    work = identity.work
    output = Output(
        release=reference,
        grade=identity.grade,
        accepted=accepted,
        work=None if work_id is None else (await context.refer("work", work_id))[0],
        title=None if work is None else cleaned(work.title),
        year=None if work is None else work.year,
        candidates=[_candidate(each, identity) for each in identity.candidates[:CANDIDATES_SHOWN]],
        decision=decision,
    )
    return Succeeded(output, _sentence(output))


async def _release(given: str, context: Context) -> ReleaseRow:
    id_ = await context.resolve("rel", given)
    row = await context.ledger.read(lambda conn: releases.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no release {given[:60]!r}."))
    return row


async def _graded(row: ReleaseRow, context: Context) -> Identity:
    name = parse(row.title)
    searched = None
    if row.work is not None:
        searched = await context.ledger.read(lambda conn: works.by_id(conn, str(row.work)))
    known = [] if searched is None else [work_from(searched.body)]
    tmdb = context.part(Tmdb, "metadata source")
    candidates = await candidates_for(tmdb, name.titles, name.kind, known)
    return grade(name, found_from(row.found).external_ids, candidates)


async def _policy(context: Context) -> IdentityPolicy:
    published = await context.ledger.read(lambda conn: policies.published(conn, "identity"))
    return IdentityPolicy() if published is None else from_json(IdentityPolicy, published.body)


async def _kept(work: Work, context: Context) -> str:
    return await context.ledger.write(lambda tx: _keep(tx, work, context))


def _keep(tx: Transaction, work: Work, context: Context) -> str:
    return works.keep(
        tx,
        key=str(work.key),
        kind=work.key.kind,
        title=work.title,
        year=work.year,
        body=work_json(work),
        at=context.ledger.now(),
    )


def _record(identity: Identity) -> dict[str, Any]:
    return {
        "grade": identity.grade.value,
        "evidence": [one.sentence for one in identity.evidence],
        "contradictions": [one.sentence for one in identity.contradictions],
        "by": "policy",
    }


def _accept(
    tx: Transaction, context: Context, row: ReleaseRow, work: str, record: dict[str, Any]
) -> None:
    releases.identify(tx, row.id, work, record)
    decisions.close_for(
        tx,
        _key(row),
        by="system:identity",
        resolution="identified by evidence",
        at=context.ledger.now(),
    )


async def _ask(row: ReleaseRow, identity: Identity, context: Context) -> str:
    """The decision that puts the candidates before the owner."""
    shown = identity.candidates[:CANDIDATES_SHOWN]

    def write(tx: Transaction) -> str:
        for each in shown:  # the owner may choose any of them
            _keep(tx, each, context)
        new = NewDecision(
            DecisionKind.IDENTITY_AMBIGUOUS,
            _key(row),
            f"Which work is {cleaned(row.title)}?",
            Severity.MEDIUM,
            evidence={"release": cleaned(row.title), **_record(identity)},
            options=[
                *({"id": str(each.key), "title": titled(each.title, each.year)} for each in shown),
                *offered(Option.DISMISS),
            ],
            run=context.run,
            subject=row.id,
        )
        return decisions.raise_(tx, new, context.ledger.now())

    (reference,) = await context.refer("dec", await context.ledger.write(write))
    return reference


def _key(row: ReleaseRow) -> str:
    return f"identity:{row.id}"


def _candidate(work: Work, identity: Identity) -> CandidateFacts:
    return CandidateFacts(
        title=cleaned(work.title),
        year=work.year,
        kind=work.key.kind,
        id=str(work.key),
        speaks_for=[one.sentence for one in identity.speaks_for(work.key)],
        speaks_against=[one.sentence for one in identity.speaks_against(work.key)],
    )


def _sentence(output: Output) -> str:
    if output.accepted:
        return f"It is {titled(output.title or '', output.year)}, grade {output.grade}."
    return f"Grade {output.grade}: not certain enough; the owner is asked."
