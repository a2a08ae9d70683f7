"""Look inside a release before anything is planned: files, sizes, hashes, dangers."""

import base64
from typing import Annotated

from anyio import to_thread
from pydantic import BaseModel, Field

from capabilities.adapters.downloader.info_hashes import InfoHashes
from capabilities.adapters.downloader.torrent_file import Torrent, parse_magnet, read_torrent
from capabilities.adapters.indexer.indexers import Indexers
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import Failed, HaltError, Outcome, Refused, Succeeded
from capabilities.kernel.spec import Dedupe, Effect, Hints, Kind, Replay, Toolset, capability
from capabilities.rules.dangerous import danger
from capabilities.rules.names.parsing import parse
from capabilities.rules.outside_text import cleaned
from capabilities.rules.stored import found_from
from ledger.stores import releases
from ledger.stores.releases import ReleaseRow

FILES_SHOWN = 50
TORRENT_CHARACTERS = 2_000_000
VIDEO_BYTES = 50_000_000


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


class FileFacts(BaseModel):
    """One file: what its own name says, and whether it is dangerous."""

    path: str
    size_mb: float
    reads_as: str | None
    danger: str | None


class VerdictFacts(BaseModel):
    """What was judged when it was searched for."""

    grade: str
    verdict: str | None
    accepted: bool
    reasons: list[str]


class Output(BaseModel):
    """A release, opened."""

    title: str
    size_gb: float | None
    files: list[FileFacts]
    left_out: int
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
    "what each name says it is, dangerous names, and the policy's verdict.",
    not_when="To compare offers use release__search; nothing is downloaded by either.",
    hints=Hints(read_only=True, destructive=False, idempotent=True, open_world=True),
    timeout=44,
    example={"release": "rel:1"},
)
async def inspect(given: Input, context: Context) -> Outcome[Output]:
    """Open what was named; a magnet tells its hash only, until a peer sends the rest."""
    named = [part for part in (given.release, given.magnet, given.torrent) if part is not None]
    if len(named) != 1:
        return Refused(
            Code.INVALID_INPUT,
            "Give exactly one of release, magnet and torrent.",
            {"example": {"release": "rel:1"}},
        )
    if given.magnet is not None:
        link = parse_magnet(given.magnet)
        return _answer(link.name or link.hashes.key, None, link.hashes, None)
    if given.torrent is not None:
        torrent = await to_thread.run_sync(read_torrent, _decoded(given.torrent))
        return _answer(torrent.name, torrent, torrent.hashes, None)
    return await _of_release(str(given.release), context)


async def _of_release(given: str, context: Context) -> Outcome[Output]:
    id_ = await context.resolve("rel", given)
    row = await context.ledger.read(lambda conn: releases.by_id(conn, id_))
    if row is None:
        return Failed(Code.NOT_FOUND, f"There is no release {given[:60]!r}.")
    raw = await context.ledger.read(lambda conn: releases.torrent(conn, row.id))
    if raw is None:
        indexers = context.part(Indexers, "indexer")
        fetched = await indexers.fetch_torrent(found_from(row.found))
        if not isinstance(fetched, bytes):
            return _answer(row.title, None, parse_magnet(fetched.info_hash).hashes, row)
        raw = fetched
    torrent = await to_thread.run_sync(read_torrent, raw)
    await context.ledger.write(
        lambda tx: releases.keep_torrent(tx, row.id, raw, torrent.hashes.key)
    )
    return _answer(row.title, torrent, torrent.hashes, row)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError as wrong:
        raise HaltError(
            Refused(Code.INVALID_INPUT, "torrent: it is not base64 of a torrent file.")
        ) from wrong


def _answer(
    title: str, torrent: Torrent | None, hashes: InfoHashes, row: ReleaseRow | None
) -> Outcome[Output]:
    files = [] if torrent is None else [_file(each.path, each.size) for each in torrent.shown()]
    shown = sorted(files, key=lambda each: (each.danger is None, -each.size_mb))[:FILES_SHOWN]
    dangers = sum(each.danger is not None for each in files)
    output = Output(
        title=cleaned(title),
        size_gb=None if torrent is None else round(torrent.size / 1e9, 3),
        files=shown,
        left_out=len(files) - len(shown),
        hash_v1=hashes.v1,
        hash_v2=hashes.v2,
        private=None if torrent is None else torrent.private,
        dangerous=bool(dangers),
        judged=None if row is None or row.judgement is None else _judged(row),
    )
    if torrent is None:
        return Succeeded(output, "A magnet tells only its hash; its files are not known yet.")
    warning = f" {dangers} of them are dangerous." if dangers else ""
    return Succeeded(output, f"{len(files)} files.{warning}")


def _file(path: str, size: int) -> FileFacts:
    name = parse(path.rpartition("/")[2])
    reads_as = name.title if size >= VIDEO_BYTES and name.title else None
    if reads_as is not None and name.year is not None:
        reads_as = f"{reads_as} ({name.year})"
    if reads_as is not None and name.episodes:
        numbers = "+".join(str(number) for number in name.episodes)
        reads_as = f"{reads_as} S{name.seasons[0] if name.seasons else '?'}E{numbers}"
    return FileFacts(
        path=cleaned(path),
        size_mb=round(size / 1e6, 2),
        reads_as=None if reads_as is None else cleaned(reads_as),
        danger=danger(path),
    )


def _judged(row: ReleaseRow) -> VerdictFacts:
    held = row.judgement or {}
    return VerdictFacts(
        grade=held["grade"],
        verdict=held["verdict"],
        accepted=held["accepted"],
        reasons=[cleaned(reason["sentence"]) for reason in held["reasons"]],
    )
