"""The names that a person may write in a command, for the terminal to look at before it asks."""

from collections.abc import Mapping

from fastapi import APIRouter
from pydantic import BaseModel

from capabilities.kernel.grant_making import grantable_by
from capabilities.kernel.granting import EVERYTHING
from server.api.callers import AtTheTerminal
from server.api.parts import Parts

router = APIRouter(prefix="/names", tags=["settings"])


class Names(BaseModel):
    """Every scope that a key can be given, and every act that can be granted."""

    scopes: Mapping[str, str]
    acts: list[str]


@router.get("", dependencies=[AtTheTerminal])
async def list_names(parts: Parts) -> Names:
    """List what keys and grants can name."""
    acts = grantable_by(parts.registry.specs, EVERYTHING)
    return Names(scopes=parts.guard.keys.scopes, acts=sorted(acts))
