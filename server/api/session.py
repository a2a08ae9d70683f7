"""Signing in and out as the owner."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, BaseModel, Field, SecretStr

from capabilities.kernel.actors import ActorKind
from server.api.callers import Caller, SignedInOwner
from server.api.parts import Parts
from server.guard.guard import COOKIE, door_of
from server.guard.owner_access import SESSION_LASTS, SignedIn

router = APIRouter(prefix="/session", tags=["session"])


def _encodable(secret: SecretStr) -> SecretStr:
    try:
        secret.get_secret_value().encode()
    except UnicodeEncodeError:
        raise ValueError("must be Unicode text") from None
    return secret


Secret = Annotated[SecretStr, AfterValidator(_encodable)]
Passphrase = Annotated[Secret, Field(description="The owner's passphrase.", max_length=1024)]


class Entry(BaseModel, extra="forbid"):
    """What opens a session."""

    passphrase: Passphrase


class SessionFacts(BaseModel):
    """A session that was opened; its token is in the cookie only."""

    name: str
    until: datetime


class CallerFacts(BaseModel):
    """Who is asking."""

    actor: str
    kind: ActorKind
    scopes: list[str]


@router.post("", status_code=201)
async def sign_in(given: Entry, request: Request, response: Response, parts: Parts) -> SessionFacts:
    """Open a session for the owner."""
    passphrase = given.passphrase.get_secret_value()
    session = await parts.guard.owner.sign_in(passphrase, door_of(request))
    return remember(session, request, response)


@router.get("")
async def who_am_i(actor: Caller) -> CallerFacts:
    """Tell as whom this caller is known."""
    return CallerFacts(actor=str(actor), kind=actor.kind, scopes=sorted(actor.scopes))


@router.delete("", status_code=204)
async def sign_out(request: Request, response: Response, parts: Parts, _: SignedInOwner) -> None:
    """End this session."""
    await parts.guard.owner.sign_out(request.cookies[COOKIE])
    response.delete_cookie(COOKIE, path="/")


def remember(session: SignedIn, request: Request, response: Response) -> SessionFacts:
    """Put the session's token into a cookie that neither scripts nor other sites can use."""
    response.set_cookie(
        COOKIE,
        session.token,
        max_age=int(SESSION_LASTS.total_seconds()),
        path="/",
        secure=request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )
    return SessionFacts(name=session.name, until=session.until)
