"""The API, put together."""

from fastapi import Depends, FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from starlette.exceptions import HTTPException

from server.api import (
    approvals,
    audit,
    blocklist,
    capabilities,
    decisions,
    diagnostics,
    events,
    grants,
    health,
    invocations,
    keys,
    names,
    owner,
    runs,
    sealed,
    session,
    settings,
    status,
    stop,
    switches,
)
from server.api.border import Border, refuse_unstorable
from server.api.parts import ApiParts
from server.api.problems import MEDIA_TYPE, Problem, answer_problem

PREFIX = "/api/v1"

_RESOURCES = (
    owner,
    session,
    health,
    status,
    capabilities,
    runs,
    approvals,
    grants,
    blocklist,
    switches,
    decisions,
    invocations,
    events,
    keys,
    names,
    settings,
    sealed,
    audit,
    diagnostics,
    stop,
)
_PROBLEM = {
    "description": "A problem document (RFC 9457) with the kernel's code.",
    "content": {MEDIA_TYPE: {"schema": Problem.model_json_schema()}},
}


def build_api(parts: ApiParts) -> FastAPI:
    """The ASGI application that serves ``/api/v1``; it opens and closes nothing of its own."""
    app = FastAPI(
        title="Matinee",
        version=parts.version,
        openapi_url=f"{PREFIX}/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        dependencies=[Depends(refuse_unstorable)],
        responses={"4XX": _PROBLEM, "5XX": _PROBLEM},
        generate_unique_id_function=_operation_id,
        telemetry={
            "tracing": False,
            "metrics": False,
            "logs": False,
            "operation_spans": False,
            "auto_configure": False,
        },
    )
    app.state.parts = parts
    app.add_middleware(Border, guard=parts.guard)
    for foreseen in (HTTPException, RequestValidationError):
        app.add_exception_handler(foreseen, answer_problem)
    for resource in _RESOURCES:
        app.include_router(resource.router, prefix=PREFIX)
    return app


def _operation_id(route: APIRoute) -> str:
    return route.name
