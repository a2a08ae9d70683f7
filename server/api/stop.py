"""Ending the process, from the computer it runs on."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from server.api.callers import AtTheTerminal
from server.api.parts import Parts

router = APIRouter(prefix="/stop", tags=["status"])


class Stopping(BaseModel):
    """The process ends soon; what runs is taken up at the next start."""

    stopping: Literal[True] = True


@router.post("", status_code=202, dependencies=[AtTheTerminal])
async def stop(parts: Parts) -> Stopping:
    """Ask the process to end."""
    parts.stop()
    return Stopping()
