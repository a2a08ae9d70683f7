"""From what a person types to the approval that is meant."""

from server.cli.api_client import Api, Json
from server.cli.exits import EndError, Exit

MOST = 100


def approval_of(api: Api, typed: str) -> Json:
    """The approval with this id, or the one that waits for this plan or decision.

    Raises:
        EndError: there is none.
    """
    prefix = typed.partition("_")[0]
    if prefix == "apr":
        return api.get(f"/approvals/{typed}")
    if prefix == "dec":
        named = api.get(f"/decisions/{typed}")["approval"]
        if named is not None:
            return api.get(f"/approvals/{named}")
    waiting: list[Json] = api.get("/approvals", {"limit": MOST})["approvals"]
    for approval in waiting:
        if approval["plan"] == typed:
            return approval
    raise EndError(
        Exit.FAILED,
        f"No approval waits for {typed!r}. `matinee decisions` lists what waits.",
        code="not_found",
    )
