"""From what a person types to the approval or the decision that is meant."""

from server.cli.api_client import Api, Json
from server.cli.exits import EndError, Exit
from server.cli.harmless import harmless
from server.cli.ids import named
from server.cli.sorts import APPROVAL, DECISION, PLAN, all_decisions, waiting_approvals

_SORTS = {sort.prefix: sort for sort in (APPROVAL, DECISION, PLAN)}
ASKS_FOR_APPROVAL = "approval_required"


def whole_id(api: Api, typed: str) -> str:
    """The whole id of the approval, plan or decision whose id was typed, or the beginning of it.

    Raises:
        EndError: no id begins so, or several do.
    """
    sort = _SORTS.get(typed.partition("_")[0])
    return typed if sort is None else named(api, typed, sort).id


def approval_of(api: Api, id_: str) -> Json:
    """The approval with this id, or the one that waits for this plan or decision.

    Raises:
        EndError: there is none.
    """
    sort = _SORTS.get(id_.partition("_")[0])
    if sort is APPROVAL:
        return api.get(f"/approvals/{id_}")
    if sort is DECISION:
        approval = api.get(f"/decisions/{id_}")["approval"]
        if approval is not None:
            return api.get(f"/approvals/{approval}")
        raise EndError(
            Exit.FAILED,
            f"This decision asks for no approval. `matinee decisions {id_}` shows its options.",
            code="precondition",
        )
    for approval in waiting_approvals(api):
        if approval["plan"] == id_:
            return approval
    raise EndError(
        Exit.FAILED,
        f"No approval waits for {harmless(id_)!r}. `matinee decisions` lists what waits.",
        code="not_found",
    )


def decision_of(api: Api, id_: str) -> Json:
    """The decision with this id, or the one that carries this approval.

    Raises:
        EndError: there is none.
    """
    if _SORTS.get(id_.partition("_")[0]) is not APPROVAL:
        return api.get(f"/decisions/{id_}")
    for decision in all_decisions(api, kind=ASKS_FOR_APPROVAL):
        if decision["approval"] == id_:
            return decision
    raise EndError(Exit.FAILED, "No decision carries this approval.", code="not_found")
