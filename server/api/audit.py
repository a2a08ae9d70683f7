"""The audit trail, and the proof that it is whole."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from ledger.stores import audit, audit_proof
from ledger.stores.audit_proof import Breach
from server.api.callers import Reader, SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/audit", tags=["history"])


class AuditFacts(BaseModel, from_attributes=True):
    """Who did what, by which authority, and where in its chain that stands."""

    seq: int
    at: datetime
    actor: str
    action: str
    capability: str | None
    outcome: str | None
    authority: str | None
    invocation: str | None
    run: str | None
    summary: dict[str, Any]
    chain: str | None
    link: int | None
    hash: str | None


class AuditTrail(BaseModel):
    """A page, newest first; ask again with `before` = `next` until that is null."""

    rows: list[AuditFacts]
    next: int | None


class FaultFacts(BaseModel, from_attributes=True):
    """One place where the trail does not hold."""

    breach: Breach
    sentence: str
    chain: str | None
    link: int | None
    seq: int | None


class VerdictFacts(BaseModel, from_attributes=True):
    """Whether every row is as it was written; `end` is the newest link, to be kept elsewhere."""

    whole: bool
    rows: int
    unchained: int
    chains: int
    end: str | None
    faults: list[FaultFacts]
    more: bool


@router.get("")
async def list_audit(
    parts: Parts,
    _: SignedInOwner,
    before: Annotated[int | None, Query(ge=1, le=2**63 - 1)] = None,
    run: Annotated[str | None, Query(max_length=48)] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> AuditTrail:
    """List what was done, newest first."""
    rows = await parts.ledger.read(
        lambda conn: audit.newest(conn, limit=limit, run=run, before=before)
    )
    return AuditTrail(
        rows=[AuditFacts.model_validate(row) for row in rows],
        next=rows[-1].seq if len(rows) == limit else None,
    )


@router.get("/verify")
async def verify_audit(parts: Parts, _: Reader) -> VerdictFacts:
    """Look at every row of the trail."""
    return VerdictFacts.model_validate(await parts.ledger.read(audit_proof.verify))
