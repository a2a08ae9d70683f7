"""The settings that hold, for the owner's eyes."""

from typing import Any

from fastapi import APIRouter

from server.api.callers import SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/settings", tags=["settings"])


@router.get("")
async def show_settings(parts: Parts, _: SignedInOwner) -> dict[str, Any]:
    """Show what is set; of a secret only that it is."""
    return parts.settings.shown()
