"""Whether the process answers, for whoever watches it."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter(prefix="/health", tags=["status"])


class Health(BaseModel):
    """No facts about the home: this is open to everyone."""

    status: Literal["ok"] = "ok"


@router.get("")
async def health() -> Health:
    """Answer."""
    return Health()
