"""Secrets of other systems: set, listed and removed by the owner; no answer ever holds a value."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter
from fastapi import Path as InPath
from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import HaltError, Refused
from server.api.callers import SignedInOwner
from server.api.parts import Parts
from server.secrets_at_rest.names import LONGEST, is_secret_name, nearest, secret_names
from server.settings import Secret

router = APIRouter(prefix="/secrets", tags=["settings"])

SecretName = Annotated[
    str,
    InPath(
        max_length=LONGEST,
        description="The setting's path, such as `metadata.tmdb.key` or `indexers.NAME.key`.",
    ),
]


class SecretFacts(BaseModel):
    """A secret without its value.

    `configured` tells whether the settings have a place for it, `trouble` why it does not open.
    """

    name: str
    set_at: datetime
    opens: bool
    configured: bool
    trouble: str | None


class SecretList(BaseModel):
    """All sealed secrets by name, and every name that the settings have a place for."""

    secrets: list[SecretFacts]
    names: list[str]


class SecretGiven(BaseModel, extra="forbid", hide_input_in_errors=True):
    """What is to be sealed."""

    value: Annotated[Secret, Field(max_length=4096, description="The secret itself.")]


class SecretSet(BaseModel):
    """It is used from the next start on, if the settings have a place for it."""

    name: str
    configured: bool


class Resealed(BaseModel):
    """What is sealed with the new key now."""

    secrets: list[str]


@router.get("")
async def list_secrets(parts: Parts, _: SignedInOwner) -> SecretList:
    """List the sealed secrets, without their values."""
    names = secret_names(parts.settings)
    return SecretList(
        secrets=[
            SecretFacts(
                name=each.name,
                set_at=each.set_at,
                opens=each.trouble is None,
                configured=each.name in names,
                trouble=each.trouble,
            )
            for each in await parts.secrets.all()
        ],
        names=names,
    )


@router.put("/{name:path}")
async def set_secret(
    name: SecretName, given: SecretGiven, parts: Parts, actor: SignedInOwner
) -> SecretSet:
    """Seal a secret; one of the same name is replaced."""
    if not is_secret_name(name):
        hint = nearest(name, parts.settings)
        raise HaltError(Refused(Code.INVALID_INPUT, f"No setting of this name is secret. {hint}"))
    await parts.secrets.put(actor, name, given.value.get_secret_value())
    return SecretSet(name=name, configured=name in secret_names(parts.settings))


@router.delete("/{name:path}", status_code=204)
async def remove_secret(name: SecretName, parts: Parts, actor: SignedInOwner) -> None:
    """Forget a sealed secret."""
    if not await parts.secrets.remove(actor, name):
        raise HaltError(Refused(Code.NOT_FOUND, "No secret of this name is sealed."))


@router.post("/rekey")
async def rekey_secrets(parts: Parts, actor: SignedInOwner) -> Resealed:
    """Seal every secret with a new key."""
    return Resealed(secrets=await parts.secrets.reseal(actor))
