"""Calls through the registry, and what their outcomes are answered as."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Annotated, Any

from fastapi import Header
from pydantic import BaseModel
from starlette.responses import JSONResponse

from capabilities.kernel.actors import Actor
from capabilities.kernel.calls import Call
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Refused,
    Succeeded,
    facts,
    word,
)
from ledger.clock import new_id
from server.api.parts import ApiParts

IdempotencyKey = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        min_length=1,
        max_length=255,
        pattern=r"^[\x21-\x7e]+$",
        description="The same key with the same arguments is the same call, however often sent.",
    ),
]


class Answer(BaseModel):
    """What a call came to: `succeeded`, or with status 202 `pending` or `unknown`."""

    outcome: str
    sentence: str
    data: dict[str, Any]


async def invoke(
    parts: ApiParts,
    actor: Actor,
    capability: str,
    arguments: Mapping[str, object],
    client_key: str | None = None,
) -> AnyOutcome:
    """One call as its own request, under the client's idempotency key where it sent one."""
    call_id = new_id("call")
    return await parts.registry.invoke(
        Call(capability, arguments, actor, call_id, call_id, client_key)
    )


def answered(outcome: AnyOutcome) -> JSONResponse:
    """The answer for what was done or accepted.

    Raises:
        HaltError: refused or failed; it becomes a problem document.
    """
    if isinstance(outcome, Refused | Failed):
        raise HaltError(outcome)
    done = isinstance(outcome, Succeeded)
    answer = Answer(outcome=word(outcome), sentence=outcome.sentence, data=facts(outcome))
    status = HTTPStatus.OK if done else HTTPStatus.ACCEPTED
    return JSONResponse(answer.model_dump(mode="json"), status)
