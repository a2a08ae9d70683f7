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
from capabilities.release.by_hand import Opened, keep_by_hand
from capabilities.release.file_facts import FileFacts, file_facts, fitting
from capabilities.release.file_identity import Claimed, FileIdentities, file_identities
from capabilities.release.magnets import torrent_of_magnet, torrent_of_offer
from capabilities.release.verdict import (
    RuleFacts,
    Standard,
    standard,
    told,
    verdict,
)
from capabilities.rules.evidence import Grade
from capabilities.rules.found import Found
from capabilities.rules.outside_text import cleaned
from capabilities.rules.policy import IdentityPolicy
from capabilities.rules.standing import blocked_as
from capabilities.rules.stored import found_from
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
    """What was judged when it was searched for; the rules speak anew, of its real size."""

    grade: str
    verdict: str | None
    accepted: bool
    reasons: list[str]
    tier: str | None
    score: int
    rules: list[RuleFacts]


class Output(BaseModel):
    """A release, opened; what was given by hand has a reference from then on.

    ``contradictions``: where its indexer contradicts itself, or the torrent contradicts it.
    ``files_open``: why no file could be identified.
    """

    release: str | None
    title: str
    size_gb: float | None
    files: list[FileFacts]
    left_out: int
    files_open: str | None
    contradictions: list[str]
    hash_v1: str | None
    hash_v2: str | None
    private: bool | None
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
    opened = Opened(torrent.name, torrent.hashes, torrent)
    return await _answer(opened, await keep_by_hand(torrent, context), context)


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
    return await _answer(Opened(row.title, torrent.hashes, torrent), row, context)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as wrong:
        raise HaltError(
            Refused(Code.INVALID_INPUT, "torrent: it is not base64 of a torrent file.")
        ) from wrong


async def _answer(opened: Opened, row: ReleaseRow | None, context: Context) -> Outcome[Output]:
    torrent = opened.torrent
    found = None if row is None else found_from(row.found)
    work_id = None if row is None else (row.identity or {}).get("work") or row.work
    by = await standard(work_id, context)
    seen = FileIdentities({})
    policy = IdentityPolicy() if by is None else by.identity
    if torrent is not None:
        seen = await file_identities(_claimed(opened, row, found, by), torrent, policy, context)
    shown_of = () if torrent is None else torrent.shown()
    files = [
        file_facts(each.path, each.size, seen.by_path.get(each.path), policy.words)
        for each in shown_of
    ]
    files.sort(key=lambda each: (each.danger is None, -each.size_mb))
    output = Output(
        release=None if row is None else (await context.refer("rel", row.id))[0],
        title=cleaned(opened.title),
        size_gb=None if torrent is None else round(torrent.size / 1e9, 3),
        files=[],
        left_out=len(files),
        files_open=None if seen.open is None else cleaned(seen.open),
        contradictions=[] if found is None else _contradictions(found, opened),
        hash_v1=opened.hashes.v1,
        hash_v2=opened.hashes.v2,
        private=None if torrent is None else torrent.private,
        dangerous=any(each.danger is not None for each in files),
        judged=None if row is None or by is None else _judged(row, opened, by, context),
    )
    output.files = fitting(files, ANSWER_BYTES - len(output.model_dump_json().encode()))
    output.left_out = len(files) - len(output.files)
    return Succeeded(output, _sentence(files, output, torrent))


def _sentence(files: list[FileFacts], output: Output, torrent: Torrent | None) -> str:
    told = "A magnet tells only its hash; its files are not known yet."
    if torrent is not None:
        told = f"{len(files)} files."
    if dangers := sum(each.danger is not None for each in files):
        told += f" {dangers} of them are dangerous."
    if output.contradictions:
        told += " What its indexer says of it does not hold; see contradictions."
    return told


def _claimed(
    opened: Opened, row: ReleaseRow | None, found: Found | None, by: Standard | None
) -> Claimed:
    """Its name with the ids that count: those of the work that it was accepted as, if it was."""
    work = None if by is None else by.work
    accepted = row is not None and (row.identity or {}).get("work") is not None
    if accepted and work is not None:
        return Claimed(opened.title, work.ids, work)
    return Claimed(opened.title, {} if found is None else found.external_ids, work)


def _contradictions(found: Found, opened: Opened) -> list[str]:
    size = None if opened.torrent is None else opened.torrent.size
    told = [*broken_claims(found, opened.hashes, size), *found.doubts]
    return [cleaned(one) for one in told[:CONTRADICTIONS_SHOWN]]


def _judged(row: ReleaseRow, opened: Opened, by: Standard, context: Context) -> VerdictFacts | None:
    held, found = row.judgement, found_from(row.found)
    if held is None:
        return None
    grade = (row.identity or {}).get("grade", held["grade"])
    names = opened.hashes.names()
    real = replace(
        found,
        size=found.size if opened.torrent is None else opened.torrent.size,
        info_hash=blocked_as(by.around.blocked, names) or opened.hashes.key,
    )
    now = verdict(real, Grade(grade), by, context)
    return VerdictFacts(
        grade=grade,
        verdict=held["verdict"],
        accepted=held["accepted"] and now.accepted,
        reasons=[cleaned(reason["sentence"]) for reason in held["reasons"][:REASONS_SHOWN]],
        tier=now.tier,
        score=now.score,
        rules=told(now, RULES_SHOWN),
    )
