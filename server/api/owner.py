"""Making the owner, once."""

from typing import Annotated

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, Field

from server.api.parts import Parts
from server.api.session import Passphrase, Secret, SessionFacts, remember
from server.guard.guard import door_of

router = APIRouter(prefix="/owner", tags=["session"])


class NewOwner(BaseModel, extra="forbid"):
    """Who the owner is to be."""

    code: Annotated[
        Secret,
        Field(description="The one-time code that Matinee printed at its start.", max_length=64),
    ]
    name: Annotated[
        str,
        Field(
            description="How the owner is called.",
            min_length=1,
            max_length=40,
            pattern=r"^\w[\w .'-]*$",
        ),
    ]
    passphrase: Passphrase


@router.post("", status_code=201)
async def create_owner(
    given: NewOwner, request: Request, response: Response, parts: Parts
) -> SessionFacts:
    """Make the owner with the one-time code, and sign in."""
    code, passphrase = given.code.get_secret_value(), given.passphrase.get_secret_value()
    session = await parts.guard.owner.create(code, given.name, passphrase, door_of(request))
    return remember(session, request, response)
