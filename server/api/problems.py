"""From everything that can go wrong to RFC 9457 problem documents: the one place for HTTP."""

import math
import traceback
from collections.abc import Mapping
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Any

import structlog
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, WithJsonSchema
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse

from capabilities.kernel.codes import Code
from capabilities.kernel.outcomes import Failed, HaltError, Refused
from capabilities.kernel.translate import from_ledger
from ledger.faults import LedgerUnavailableError
from server.guard.faults import DoorError, LockedError, NotSignedInError, WrongHostError

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER_S = 30
MOST_FAULTS_SHOWN = 5

_STATUS: Mapping[Code, int] = {
    Code.INVALID_INPUT: 422,
    Code.NOT_FOUND: 404,
    Code.PRECONDITION: 412,
    Code.CONFLICT: 409,
    Code.DENIED: 403,
    Code.NEEDS_APPROVAL: 403,
    Code.BUDGET_EXCEEDED: 429,
    Code.RATE_LIMITED: 429,
    Code.UNAVAILABLE: 503,
    Code.TIMEOUT: 504,
    Code.UNKNOWN_OUTCOME: 500,
    Code.CANCELLED: 409,
    Code.INTERNAL: 500,
}

log = structlog.get_logger()


class Problem(BaseModel):
    """A problem document (RFC 9457) with the kernel's facts as extension members."""

    type: str = "about:blank"
    title: str
    status: int
    detail: str
    code: Annotated[Code, WithJsonSchema({"type": "string", "enum": list(Code)})]
    needs: dict[str, Any] = {}
    hint: str = ""
    retry: bool = False
    details: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Trouble:
    """A problem and how it is sent."""

    status: int
    code: Code
    sentence: str
    needs: Mapping[str, object] = field(default_factory=dict[str, object])
    hint: str = ""
    retry: bool = False
    details: Mapping[str, object] = field(default_factory=dict[str, object])
    headers: Mapping[str, str] = field(default_factory=dict[str, str])

    def response(self) -> JSONResponse:
        """The document, with its headers."""
        problem = Problem(
            title=HTTPStatus(self.status).phrase,
            status=self.status,
            detail=self.sentence,
            code=self.code,
            needs=dict(self.needs),
            hint=self.hint,
            retry=self.retry,
            details=dict(self.details),
        )
        body = problem.model_dump(mode="json")
        return JSONResponse(body, self.status, dict(self.headers), MEDIA_TYPE)


async def answer_problem(request: Request, error: Exception) -> JSONResponse:
    """Answer any error; what nobody foresaw is logged and answered without details.

    The traceback is logged as text: a renderer that shows local variables would show secrets.
    """
    trouble = _trouble(error)
    if trouble is None:
        told = "".join(traceback.format_exception(error))
        log.error("a request failed", operation=_operation(request), exception=told)
        trouble = Trouble(
            500,
            Code.INTERNAL,
            "Matinee failed at this request.",
            hint="This is a fault of Matinee; the log has the details.",
        )
    return trouble.response()


def _trouble(error: Exception) -> Trouble | None:
    match error:
        case HaltError(outcome=Refused() | Failed() as outcome):
            return _of_outcome(outcome)
        case LedgerUnavailableError():
            return _of_outcome(from_ledger(error))
        case DoorError():
            return _of_door(error)
        case RequestValidationError():
            return Trouble(422, Code.INVALID_INPUT, _faults(error))
        case HTTPException():
            return _of_http(error)
        case _:
            return None


def _of_outcome(outcome: Refused | Failed) -> Trouble:
    status = _STATUS[outcome.code]
    if isinstance(outcome, Refused):
        headers = _pause(status, None)
        return Trouble(status, outcome.code, outcome.sentence, needs=outcome.needs, headers=headers)
    return Trouble(
        status,
        outcome.code,
        outcome.sentence,
        hint=outcome.hint,
        retry=outcome.retry,
        details=outcome.details,
        headers=_pause(status, outcome.details.get("retry_after_s")),
    )


def _of_door(error: DoorError) -> Trouble:
    match error:
        case NotSignedInError():
            headers = {"WWW-Authenticate": "Bearer"}
            return Trouble(401, error.code, error.sentence, headers=headers)
        case WrongHostError():
            return Trouble(421, error.code, error.sentence)
        case LockedError():
            headers = _pause(429, error.retry_after_s)
            return Trouble(429, error.code, error.sentence, retry=True, headers=headers)
        case _:
            return Trouble(_STATUS[error.code], error.code, error.sentence)


def _of_http(error: HTTPException) -> Trouble:
    code = Code.INVALID_INPUT
    if error.status_code == HTTPStatus.NOT_FOUND:
        code = Code.NOT_FOUND
    return Trouble(error.status_code, code, f"{error.detail}.", headers=error.headers or {})


def _pause(status: int, asked_s: object) -> dict[str, str]:
    if status != HTTPStatus.TOO_MANY_REQUESTS:
        return {}
    pause = asked_s if isinstance(asked_s, int | float) else RETRY_AFTER_S
    return {"Retry-After": str(max(1, math.ceil(pause)))}


def _faults(error: RequestValidationError) -> str:
    told = [
        f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}"
        for fault in error.errors()[:MOST_FAULTS_SHOWN]
    ]
    return "; ".join(told) + "."


def _operation(request: Request) -> str:
    return getattr(request.scope.get("route"), "name", request.method)
