"""Clients' keys: made, listed and revoked by the owner only."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from server.api.callers import SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/keys", tags=["keys"])


class KeyFacts(BaseModel, from_attributes=True):
    """A key without its secret."""

    id: str
    name: str
    scopes: list[str]
    created_at: datetime
    expires_at: datetime | None
    revoked_at: datetime | None
    last_used_at: datetime | None


class KeyList(BaseModel):
    """All keys, newest first, and every scope that there is."""

    keys: list[KeyFacts]
    scopes: Mapping[str, str]


class NewKeyGiven(BaseModel, extra="forbid"):
    """What a new key may do, and for how long."""

    name: Annotated[str, Field(min_length=1, max_length=60, description="For whom it is.")]
    scopes: Annotated[
        list[Annotated[str, Field(max_length=80)]], Field(min_length=1, max_length=60)
    ]
    expires_in_days: Annotated[int, Field(ge=1, le=3650)] = 90


class NewKeyShown(BaseModel, from_attributes=True):
    """The only answer that ever holds the secret."""

    id: str
    name: str
    scopes: list[str]
    expires_at: datetime
    secret: str


@router.get("")
async def list_keys(parts: Parts, _: SignedInOwner) -> KeyList:
    """List the keys and the scopes they can carry."""
    rows = await parts.guard.keys.all()
    shown = [KeyFacts.model_validate(row) for row in rows]
    return KeyList(keys=shown, scopes=parts.guard.keys.scopes)


@router.post("", status_code=201)
async def create_key(given: NewKeyGiven, parts: Parts, actor: SignedInOwner) -> NewKeyShown:
    """Make a key; its secret is shown this once."""
    lasts = timedelta(days=given.expires_in_days)
    made = await parts.guard.keys.create(actor, given.name, given.scopes, lasts)
    return NewKeyShown.model_validate(made)


@router.delete("/{id_}", status_code=204)
async def revoke_key(id_: str, parts: Parts, actor: SignedInOwner) -> None:
    """Revoke a key for ever."""
    if not await parts.guard.keys.revoke(actor, id_):
        raise HaltError(Refused(Code.NOT_FOUND, "There is no such living key."))
