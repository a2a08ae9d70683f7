"""The blocklist: seen by whoever reads, filled and emptied by the signed-in owner alone."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import AfterValidator, BaseModel, Field
from starlette.responses import JSONResponse

from capabilities.adapters.downloader.info_hashes import normal_hash
from capabilities.kernel.blocking import BlockFacts, block, unblock
from capabilities.kernel.paging import Cursor, Page, page, start_of
from ledger.stores import blocklist
from ledger.stores.blocklist import NewBlock
from server.api.answer import Answer, answered
from server.api.callers import Reader, SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/blocklist", tags=["blocklist"])


def _hash(text: str) -> str:
    normal = normal_hash(text)
    if normal is None:
        raise ValueError("an info-hash is 40 or 64 hexadecimal digits, or 32 letters of base32")
    return normal


Reason = Annotated[
    str, Field(min_length=1, max_length=300, description="Told to whoever finds the release.")
]
Named = Annotated[str, Field(min_length=1, max_length=500)]


class BlockGiven(BaseModel, extra="forbid"):
    """A release that is not to be taken; an info-hash, or the title as its indexer writes it."""

    reason: Reason
    info_hash: Annotated[str, Field(max_length=80), AfterValidator(_hash)] | None = None
    title: Named | None = None
    indexer: Annotated[
        Named | None, Field(description="Only where this indexer offers the title.")
    ] = None
    work: Annotated[
        Named | None, Field(description="Only for this work, by id or key; else for all.")
    ] = None

    def new(self) -> NewBlock:
        """As the kernel takes it."""
        return NewBlock(self.reason, self.work, self.info_hash, self.title, self.indexer)


class Removal(BaseModel, extra="forbid"):
    """Why it may be taken again."""

    reason: Reason


class Blocklist(BaseModel):
    """One page of the blocklist, newest first."""

    entries: list[BlockFacts]
    page: Page


@router.get("")
async def list_blocklist(
    parts: Parts,
    _: Reader,
    removed: Annotated[bool, Query(description="Also what may be taken again.")] = False,
    limit: Annotated[int, Query(ge=1, le=100)] = 50,
    cursor: Cursor = None,
) -> Blocklist:
    """List what is not to be taken."""
    start = start_of(cursor)
    rows, total = await parts.ledger.read(
        lambda conn: blocklist.listing(conn, removed=removed, limit=limit, offset=start)
    )
    shown = [BlockFacts.model_validate(row) for row in rows]
    return Blocklist(entries=shown, page=page(total, start, len(shown)))


@router.post("", response_model=Answer)
async def block_release(given: BlockGiven, parts: Parts, actor: SignedInOwner) -> JSONResponse:
    """Block a release; it counts from the next search and the next plan on."""
    return answered(await block(parts.ledger, given.new(), by=actor))


@router.post("/{id_}/remove", response_model=Answer)
async def unblock_release(
    id_: str, given: Removal, parts: Parts, actor: SignedInOwner
) -> JSONResponse:
    """Let a release be taken again."""
    return answered(await unblock(parts.ledger, id_, by=actor, reason=given.reason))
