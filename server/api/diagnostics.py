"""What the owner can hand to somebody who helps."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from server.api.callers import SignedInOwner
from server.api.parts import Parts

router = APIRouter(prefix="/diagnostics", tags=["status"])

ZIP = "application/zip"


@router.get(
    "",
    response_class=Response,
    responses={200: {"content": {ZIP: {"schema": {"type": "string", "format": "binary"}}}}},
)
async def take_diagnostics(
    parts: Parts,
    _: SignedInOwner,
    titles: Annotated[
        bool, Query(description="Whether it may tell what the owner has, wants and asked for.")
    ] = False,
) -> Response:
    """Take a ZIP of facts about this house, without secrets."""
    bundle = await parts.diagnosis.bundle(titles=titles)
    name = 'attachment; filename="matinee-diagnostics.zip"'
    return Response(bundle, media_type=ZIP, headers={"Content-Disposition": name})
