"""Look inside a release before anything is planned: files, sizes, hashes, dangers."""

import base64
from dataclasses import replace
from typing import Annotated

from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.downloader.torrent_file import Torrent, read_torrent
from capabilities.adapters.indexer.broken_claims import broken_claims
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.release.air_dates import with_air_dates
from capabilities.release.by_hand import keep_by_hand
from capabilities.release.file_facts import FileFacts, file_facts, fitting
from capabilities.release.file_identity import Claimed, file_identities
from capabilities.release.magnets import torrent_of_magnet, torrent_of_offer
from capabilities.release.standard import Standard, standard
from capabilities.release.verdict import RuleFacts, told, verdict
from capabilities.rules.evidence import Grade
from capabilities.rules.found import Found
from capabilities.rules.identity_policy import IdentityPolicy
from capabilities.rules.kept_judgement import objections
from capabilities.rules.outside_text import cleaned
from capabilities.rules.standing import blocked_as
from capabilities.rules.stored import found_from
from capabilities.rules.wording import counted
from ledger.stores import releases
from ledger.stores.releases import ReleaseRow

RULES_SHOWN = 20
REASONS_SHOWN = 12
CONTRADICTIONS_SHOWN = 10
ANSWER_BYTES = 24_000
"""Of the whole answer; files that do not fit are counted as left out."""
TORRENT_CHARACTERS = 2_000_000


class Input(BaseModel, extra="forbid"):
    """One of the three."""

    release: Annotated[
        str | None, Field(description="A release reference, e.g. rel:2.", max_length=60)
    ] = None
    magnet: Annotated[
        str | None, Field(description="A magnet link or a bare info-hash.", max_length=4000)
    ] = None
    torrent: Annotated[
        str | None,
        Field(description="A torrent file, base64.", max_length=TORRENT_CHARACTERS),
    ] = None


class VerdictFacts(BaseModel):
    """What was judged when it was searched for; the rules speak anew, of its real size.

    ``open``: what no rule could speak of, because a metadata source was silent.
    """

    grade: str
    verdict: str | None
    accepted: bool
    reasons: list[str]
    reasons_left_out: int
    tier: str | None
    score: int
    rules: list[RuleFacts]
    rules_left_out: int
    open: str | None


class Output(BaseModel):
    """A release, opened; what was given by hand has a reference from then on.

    ``contradictions``: where its indexer contradicts itself, or the torrent contradicts it.
    ``files_open``: why no file could be identified. ``not_asked``: of how many files it is not
    known what they are, because their titles were not searched for.
    """

    release: str | None
    title: str
    size_gb: float
    files: list[FileFacts]
    left_out: int
    not_asked: int
    files_open: str | None
    contradictions: list[str]
    contradictions_left_out: int
    hash_v1: str | None
    hash_v2: str | None
    private: bool
    dangerous: bool
    judged: VerdictFacts | None


@capability(
    "release.inspect",
    version=1,
    title="Inspect a release",
    kind=Kind.READ,
    effect=Effect.NONE,
    replay=Replay.SAFE,
    dedupe=Dedupe.REQUEST,
    scope="read",
    toolset=Toolset.ACQUIRE,
    use_when="Look inside a release, magnet or torrent file before planning: files, sizes, hashes, "
    "which work each video is, dangerous names, what of its indexer's claims does not hold, and "
    "the verdict of every rule. What was given by hand gets a release reference for "
    "identity__resolve and download__plan.",
    not_when="To compare offers use release__search; nothing is downloaded by either.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"release": "rel:1"},
)
async def inspect(given: Input, context: Context) -> Outcome[Output]:
    """Open what was named; what a magnet stands for is asked of peers, and nothing else is."""
    named = [part for part in (given.release, given.magnet, given.torrent) if part is not None]
    if len(named) != 1:
        return Refused(
            Code.INVALID_INPUT,
            "Give exactly one of release, magnet and torrent.",
            {"example": {"release": "rel:1"}},
        )
    if given.magnet is not None:
        return await _by_hand(await torrent_of_magnet(given.magnet, context), context)
    if given.torrent is not None:
        return await _by_hand(_decoded(given.torrent), context)
    return await _of_release(str(given.release), context)


async def _by_hand(raw: bytes, context: Context) -> Outcome[Output]:
    torrent = await to_thread.run_sync(read_torrent, raw)
    row = await keep_by_hand(torrent, context)
    return await _answer(torrent.name, torrent, row, context)


async def _of_release(given: str, context: Context) -> Outcome[Output]:
    id_ = await context.resolve("rel", given)
    row = await context.ledger.read(lambda conn: releases.by_id(conn, id_))
    if row is None:
        return Failed(Code.NOT_FOUND, f"There is no release {given[:60]!r}.")
    raw = await context.ledger.read(lambda conn: releases.torrent(conn, row.id))
    if raw is None:
        raw = await torrent_of_offer(found_from(row.found), context)
    torrent = await to_thread.run_sync(read_torrent, raw)
    await context.ledger.write(
        lambda tx: releases.keep_torrent(tx, row.id, raw, torrent.hashes.key)
    )
    return await _answer(row.title, torrent, row, context)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as wrong:
        raise HaltError(
            Refused(Code.INVALID_INPUT, "torrent: it is not base64 of a torrent file.")
        ) from wrong


async def _answer(
    title: str, torrent: Torrent, row: ReleaseRow | None, context: Context
) -> Outcome[Output]:
    found = None if row is None else found_from(row.found)
    work_id = None if row is None else (row.identity or {}).get("work") or row.work
    by = await standard(work_id, context)
    policy = IdentityPolicy() if by is None else by.identity
    claimed = _claimed(title, row, found, by)
    seen = await file_identities(claimed, torrent, policy, context)
    files = [
        file_facts(each.path, each.size, seen.by_path.get(each.path), policy.words)
        for each in torrent.shown()
    ]
    files.sort(key=lambda each: (each.danger is None, -each.size_mb))
    judged = None if row is None or by is None else await _judged(row, torrent, by, context)
    contradictions = [] if found is None else _contradictions(found, torrent)
    output = Output(
        release=None if row is None else (await context.refer("rel", row.id))[0],
        title=cleaned(title),
        size_gb=round(torrent.size / 1e9, 3),
        files=[],
        left_out=len(files),
        not_asked=seen.not_asked,
        files_open=None if seen.open is None else cleaned(seen.open),
        contradictions=[cleaned(one) for one in contradictions[:CONTRADICTIONS_SHOWN]],
        contradictions_left_out=max(len(contradictions) - CONTRADICTIONS_SHOWN, 0),
        hash_v1=torrent.hashes.v1,
        hash_v2=torrent.hashes.v2,
        private=torrent.private,
        dangerous=any(each.danger is not None for each in files),
        judged=judged,
    )
    output.files = fitting(files, ANSWER_BYTES - len(output.model_dump_json().encode()))
    output.left_out = len(files) - len(output.files)
    return Succeeded(output, _sentence(files, output))


def _sentence(files: list[FileFacts], output: Output) -> str:
    told = f"{counted(len(files), 'file')}."
    if dangers := sum(each.danger is not None for each in files):
        told += f" {dangers} of them are dangerous."
    if output.not_asked:
        left = counted(output.not_asked, "file is left whose title", "files are left whose titles")
        told += f" {left} {'was' if output.not_asked == 1 else 'were'} not asked for."
    if output.contradictions:
        told += " What its indexer says of it does not hold; see contradictions."
    return told


def _claimed(
    title: str, row: ReleaseRow | None, found: Found | None, by: Standard | None
) -> Claimed:
    """Its name with the ids that count: those of the work that it was accepted as, if it was."""
    work = None if by is None else by.work
    accepted = row is not None and (row.identity or {}).get("work") is not None
    if accepted and work is not None:
        return Claimed(title, work.ids, work)
    return Claimed(title, {} if found is None else found.external_ids, work)


def _contradictions(found: Found, torrent: Torrent) -> list[str]:
    return [*broken_claims(found, torrent.hashes, torrent.size), *found.doubts]


async def _judged(
    row: ReleaseRow, torrent: Torrent, by: Standard, context: Context
) -> VerdictFacts | None:
    held, found = row.judgement, found_from(row.found)
    if held is None:
        return None
    aired = await with_air_dates(by, found.title, context)
    grade = (row.identity or {}).get("grade", held["grade"])
    # Its owner's word has no grade, and is as certain as an id.
    weight = Grade(grade) if grade in set(Grade) else Grade.A
    blocked = blocked_as(by.around.blocked, torrent.hashes.names())
    real = replace(found, size=torrent.size, info_hash=blocked or torrent.hashes.key)
    now = verdict(real, weight, aired.by, context)
    standing = objections(held, context.ledger.now(), by_hand=context.actor.decides)
    return VerdictFacts(
        grade=grade,
        verdict=held["verdict"],
        accepted=now.accepted and not standing,
        reasons=[cleaned(reason["sentence"]) for reason in held["reasons"][:REASONS_SHOWN]],
        reasons_left_out=max(len(held["reasons"]) - REASONS_SHOWN, 0),
        tier=now.tier,
        score=now.score,
        rules=told(now, RULES_SHOWN),
        rules_left_out=max(len(now.reasons) - RULES_SHOWN, 0),
        open=None if aired.open is None else cleaned(aired.open),
    )
