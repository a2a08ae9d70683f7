"""Explain what a name is read as, which works it may mean, and what the policies say of it."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any

from anyio import to_thread
from pydantic import BaseModel, Field, JsonValue

from capabilities.adapters.metadata.catalogue import Catalogue
from capabilities.adapters.metadata.name_reading import Read, read, read_alone
from capabilities.identity.published import published_policy
from capabilities.identity.showing import (
    CANDIDATES_SHOWN,
    CandidateFacts,
    NumberFacts,
    WordFacts,
    candidate,
    numbers,
    words,
)
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.faults import WorldFaultError
from capabilities.kernel.outcomes import HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.acquisition_policy import AcquisitionPolicy
from capabilities.rules.episode_counting import PLAIN, Counting
from capabilities.rules.evidence import Grade
from capabilities.rules.found import Found
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.name_facts import name_facts
from capabilities.rules.name_remarks import remarks
from capabilities.rules.names.parsing import LONGEST_NAME as LONGEST_READ
from capabilities.rules.names.paths import LONGEST_PATH, is_path
from capabilities.rules.outside_text import cleaned, titled
from capabilities.rules.policy_json import from_json
from capabilities.rules.problems import UnsatisfiableError
from capabilities.rules.recognition.lines import LONGEST_LINE, words_from
from capabilities.rules.recognition.words import Word
from capabilities.rules.surroundings import surroundings
from capabilities.rules.verdicts import Circumstances, judge
from capabilities.rules.wording import counted
from ledger.database import Snapshot
from ledger.stores import blocklist, policies, works
from ledger.stores.blocklist import BlockRow

LONGEST_NAME = 12_000
MOST_LINES = 50
REASONS_SHOWN = 12
LONGEST_REASON = 400


class Input(BaseModel, extra="forbid"):
    """A name, and recognition words to try on it."""

    name: Annotated[
        str,
        Field(
            description="A release or file name, or a file's path with its folders.",
            min_length=1,
            max_length=LONGEST_NAME,
        ),
    ]
    words: Annotated[
        list[Annotated[str, Field(max_length=LONGEST_LINE)]],
        Field(
            description="Recognition words to try behind the owner's, a line each, such as "
            '"replace: A => B", "offset: A <> B >> EP+12", "force: A => tmdb:series:83097".',
            max_length=MOST_LINES,
        ),
    ] = []


class Output(BaseModel):
    """What is read, and what comes of it; nothing is kept.

    Attributes:
        grade: None where no work could be looked up.
        not_looked_up: why no work was looked up; the name is read all the same.
    """

    read_as: str
    remarks: list[str]
    words: list[WordFacts]
    facts: dict[str, JsonValue]
    grade: Grade | None
    accepted: bool
    work: str | None
    numbers: NumberFacts | None
    candidates: list[CandidateFacts]
    candidates_left_out: int
    policy_accepts: bool | None
    reasons: list[str]
    reasons_left_out: int
    not_looked_up: str | None = None


@capability(
    "identity.explain",
    version=1,
    title="Explain a name",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ADMIN,
    use_when="Find out why a name is read as it is, or try recognition words on it before they "
    "are saved: what each word does, the facts read, the candidate works with evidence, and the "
    "policy's verdict.",
    not_when="It identifies nothing; a found release is identified by identity__resolve.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=True),
    timeout=40,
    example={"name": "Lantern.Street.S02E02.1080p.WEB-DL-GRP", "words": ["block: Street"]},
)
async def explain(given: Input, context: Context) -> Outcome[Output]:
    """Read it with the owner's words and the tried ones, among the works that it may mean."""
    policy = await published_policy(context)
    tried = (*policy.words, *_tried(given.words))
    seen = IdentityPolicy(policy.accepted, tried, policy.offsets, policy.counted_through)
    held, away = await _read(given.name, seen, context)
    identity = held.identity
    accepts, reasons = await _verdict(held, given.name, context)
    output = Output(
        read_as=_read_as(held, given.name),
        remarks=list(remarks(given.name)),
        words=words(held.reworded.hits),
        facts=name_facts(held.name),
        grade=None if away else identity.grade,
        accepted=held.is_accepted(policy),
        work=None if identity.work is None else str(identity.work.key),
        numbers=numbers(held.numbers),
        candidates=[candidate(each, identity) for each in identity.candidates[:CANDIDATES_SHOWN]],
        candidates_left_out=max(0, len(identity.candidates) - CANDIDATES_SHOWN),
        policy_accepts=accepts,
        reasons=reasons[:REASONS_SHOWN],
        reasons_left_out=max(0, len(reasons) - REASONS_SHOWN),
        not_looked_up=away,
    )
    return Succeeded(output, _sentence(held, away))


async def _read(name: str, policy: IdentityPolicy, context: Context) -> tuple[Read, str | None]:
    """The name among its works; by the owner's words alone where none can be looked up, and why."""
    path = is_path(name)
    try:
        catalogue = context.part(Catalogue, "metadata source")
        return await read(name, {}, [], policy, catalogue, path=path), None
    except WorldFaultError as fault:
        away = f"{fault.system[:1].upper()}{fault.system[1:]}: {fault.sentence}"
    except HaltError:
        away = "No metadata source is set up; see [metadata] in the settings."
    return read_alone(name, policy, path=path), cleaned(away, LONGEST_REASON)


def _read_as(held: Read, given: str) -> str:
    """The text after the words; of a path the whole, where the name read is the file's."""
    if is_path(given):
        return cleaned(held.reworded.text, LONGEST_PATH)
    return cleaned(held.name.text, LONGEST_READ)


def _tried(lines: list[str]) -> tuple[Word, ...]:
    try:
        return words_from(lines)
    except ValueError as wrong:
        raise HaltError(
            Refused(
                Code.INVALID_INPUT,
                f"words: {wrong}.",
                {"example": {"words": ["replace: Old Name => New Name"]}},
            )
        ) from wrong


async def _verdict(held: Read, name: str, context: Context) -> tuple[bool | None, list[str]]:
    """What policy and blocklist say of the name alone: neither size nor peers are known."""
    row, blocked = await context.ledger.read(lambda conn: _standing(conn, held))
    if row is None:
        return None, []
    # An offer is known by its title as it was found; a path is judged as the file that it names.
    title = held.reworded.text if is_path(name) else name
    # The owner's expressions may take a while, which everybody else would wait for.
    return await to_thread.run_sync(_judged, held, title, row.body, blocked, context.ledger.now())


def _standing(conn: Snapshot, held: Read) -> tuple[policies.PolicyRow | None, list[BlockRow]]:
    work = held.identity.work
    known = None if work is None else works.by_key(conn, str(work.key))
    blocked = blocklist.standing(conn, None if known is None else known.id)
    return policies.published(conn, "acquisition"), blocked


def _judged(
    held: Read, title: str, body: Mapping[str, Any], blocked: Sequence[BlockRow], now: datetime
) -> tuple[bool | None, list[str]]:
    try:
        policy = from_json(AcquisitionPolicy, body)
    except UnsatisfiableError as wrong:
        return None, [cleaned(f"the acquisition policy in force cannot be used: {wrong}", 300)]
    around = surroundings((), blocked, policy, None)
    judged = judge(
        Found(title, "", ""),
        held.name,
        held.identity,
        policy,
        Circumstances(now=now, around=around, counting=_counting(held)),
    )
    told = judged.rejections or judged.reasons
    return judged.accepted, [cleaned(reason.sentence) for reason in told]


def _counting(held: Read) -> Counting:
    work = held.identity.work
    return PLAIN if work is None else held.countings.get(work.key, PLAIN)


def _sentence(held: Read, away: str | None) -> str:
    work = held.identity.work
    if away is not None:
        return f"The name was read; no work was looked up: {away}"
    if work is None:
        many = len(held.identity.candidates)
        many_works = f"Grade {held.identity.grade}: {counted(many, 'work')} it may be."
        return many_works if many else "No work found."
    return f"Grade {held.identity.grade}: {titled(work.title, work.year)}."
