"""Decide by evidence which work a release is."""

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, Field

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import Read, read
from capabilities.adapters.metadata.pack_reading import PackFile
from capabilities.identity.pack_files import pack_files
from capabilities.identity.published import published_policy
from capabilities.identity.showing import (
    CANDIDATES_SHOWN,
    CandidateFacts,
    NumberFacts,
    WordFacts,
    candidate,
    numbers,
    option,
    words,
)
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.episode_counting import Unsettled
from capabilities.rules.evidence import Grade
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.stored import found_from, work_from, work_json
from capabilities.rules.wording import counted
from capabilities.rules.works import Work
from ledger.stores import decisions, releases, works
from ledger.stores.decisions import DecisionKind, NewDecision, Option, Severity, offered
from ledger.stores.releases import ReleaseRow
from ledger.writer import Transaction

FILES_SHOWN = 20


class Input(BaseModel, extra="forbid"):
    """Which release."""

    release: Annotated[
        str, Field(description="A release reference from release__search.", max_length=60)
    ]


class FileFacts(BaseModel):
    """One video of the release, identified by itself."""

    path: str
    grade: Grade
    work: str | None
    title: str | None
    numbers: NumberFacts | None


class Output(BaseModel):
    """The grade, and whether the published policy accepts it by itself."""

    release: str
    grade: Grade
    accepted: bool
    work: str | None
    title: str | None
    year: int | None
    numbers: NumberFacts | None
    words: list[WordFacts]
    files: list[FileFacts]
    candidates: list[CandidateFacts]
    decision: str | None


@dataclass(frozen=True, slots=True)
class _Seen:
    """A release, read."""

    row: ReleaseRow
    policy: IdentityPolicy
    read: Read
    files: list[PackFile]

    @property
    def works(self) -> set[str]:
        """The works of its files, where they are more than one release can be taken for."""
        keys = {str(file.file.identity.work.key) for file in self.files if file.file.identity.work}
        return keys if len(keys) > 1 else set()

    @property
    def accepted(self) -> bool:
        return self.read.is_accepted(self.policy) and not self.works


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
    seen = await _seen(given.release, context)
    work = seen.read.identity.work
    work_id = None if work is None else await _kept(work, context)
    if seen.accepted and work_id is not None:
        record = {**_record(seen), "work": work_id}
        context.stage(lambda tx: _accept(tx, context, seen.row, str(work_id), record))
    decision = None if seen.accepted else await _ask(seen, context)
    (reference,) = await context.refer("rel", seen.row.id)
    identity = seen.read.identity
    output = Output(
        release=reference,
        grade=identity.grade,
        accepted=seen.accepted,
        work=None if work_id is None else (await context.refer("work", work_id))[0],
        title=None if work is None else cleaned(work.title),
        year=None if work is None else work.year,
        numbers=numbers(seen.read.numbers),
        words=words(seen.read.reworded.hits),
        files=[_file(each) for each in seen.files[:FILES_SHOWN]],
        candidates=[candidate(each, identity) for each in identity.candidates[:CANDIDATES_SHOWN]],
        decision=decision,
    )
    return Succeeded(output, _sentence(output, seen))


async def _seen(given: str, context: Context) -> _Seen:
    id_ = await context.resolve("rel", given)
    row = await context.ledger.read(lambda conn: releases.by_id(conn, id_))
    if row is None:
        raise HaltError(Failed(Code.NOT_FOUND, f"There is no release {given[:60]!r}."))
    searched = None
    if row.work is not None:
        searched = await context.ledger.read(lambda conn: works.by_id(conn, str(row.work)))
    known = [] if searched is None else [work_from(searched.body)]
    policy = await published_policy(context)
    ids = dict(found_from(row.found).external_ids)
    catalogue = context.part(Catalogue, "metadata source")
    held = await read(row.title, ids, known, policy, catalogue)
    return _Seen(row, policy, held, await pack_files(row.id, ids, held, policy, context))


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


def _record(seen: _Seen) -> dict[str, Any]:
    identity = seen.read.identity
    told = numbers(seen.read.numbers)
    record: dict[str, Any] = {
        "grade": identity.grade.value,
        "evidence": [cleaned(one.sentence) for one in identity.evidence],
        "contradictions": [cleaned(one.sentence) for one in identity.contradictions],
        "by": "policy",
    }
    if told is not None:
        record["numbers"] = told.model_dump(exclude_none=True)
    if seen.works:
        record["holds"] = f"several works: {', '.join(sorted(seen.works))}"
    if seen.read.reworded.hits:
        record["words"] = [each.model_dump() for each in words(seen.read.reworded.hits)]
    return record


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


async def _ask(seen: _Seen, context: Context) -> str:
    """The decision that puts the candidates before the owner, side by side."""
    identity, row = seen.read.identity, seen.row
    shown = identity.candidates[:CANDIDATES_SHOWN]

    def write(tx: Transaction) -> str:
        for each in shown:  # the owner may choose any of them
            _keep(tx, each, context)
        new = NewDecision(
            DecisionKind.IDENTITY_AMBIGUOUS,
            _key(row),
            f"Which work is {cleaned(row.title)}?",
            Severity.MEDIUM,
            evidence={"release": cleaned(row.title), **_record(seen)},
            options=[
                *(option(each, identity) for each in shown),
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


def _file(each: PackFile) -> FileFacts:
    work = each.file.identity.work
    return FileFacts(
        path=cleaned(each.file.path),
        grade=each.file.identity.grade,
        work=None if work is None else str(work.key),
        title=None if work is None else titled(work.title, work.year),
        numbers=numbers(each.numbers),
    )


def _sentence(output: Output, seen: _Seen) -> str:
    if output.accepted:
        return f"It is {titled(output.title or '', output.year)}, grade {output.grade}."
    if seen.works:
        held = counted(len(seen.works), "work")
        return f"It holds {held}, and is taken for none of them; see its files."
    if isinstance(seen.read.numbers, Unsettled) and output.grade in seen.policy.accepted:
        return f"Which episodes it holds is open: {cleaned(seen.read.numbers.sentence)}."
    return f"Grade {output.grade}: not certain enough; the owner is asked."
