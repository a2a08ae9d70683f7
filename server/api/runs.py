"""Runs of the agent; every route is a call of one capability of the runs group."""

from typing import Annotated, Any

import anyio
from fastapi import APIRouter, Body, Query
from starlette.responses import JSONResponse

from capabilities.kernel.outcomes import Succeeded, facts
from ledger.ledger import Ledger
from ledger.stores import events
from server.api.answer import Answer, IdempotencyKey, answered, invoke
from server.api.callers import Caller
from server.api.parts import Parts

LONGEST_WAIT_S = 20

router = APIRouter(prefix="/agent/runs", tags=["runs"])

Arguments = Annotated[dict[str, Any], Body()]
Wait = Annotated[
    float,
    Query(ge=0, le=LONGEST_WAIT_S, description="Seconds to wait for an event after `after_seq`."),
]


@router.post("", response_model=Answer)
async def start_run(
    parts: Parts, actor: Caller, arguments: Arguments, idempotency_key: IdempotencyKey = None
) -> JSONResponse:
    """Start a run; it is queued when this answers."""
    outcome = await invoke(parts, actor, "runs.start_run", arguments, idempotency_key)
    return answered(outcome)


@router.get("", response_model=Answer)
async def list_runs(
    parts: Parts,
    actor: Caller,
    state: str | None = None,
    limit: int | None = None,
    cursor: str | None = None,
) -> JSONResponse:
    """List the caller's runs, newest first."""
    arguments = {"state": state, "limit": limit, "cursor": cursor}
    return answered(await invoke(parts, actor, "runs.list_runs", arguments))


@router.get("/{run}", response_model=Answer)
async def show_run(
    *,
    run: str,
    parts: Parts,
    actor: Caller,
    after_seq: Annotated[int, Query(ge=0)] = 0,
    limit: int | None = None,
    wait_s: Wait = 0,
) -> JSONResponse:
    """Show a run and its events after a sequence number, at once or when there are some."""
    arguments = {"run": run, "after_seq": after_seq, "limit": limit}
    outcome = await invoke(parts, actor, "runs.get_run", arguments)
    shown = facts(outcome)
    if wait_s and isinstance(outcome, Succeeded) and not shown["events"]:
        await _news(parts.ledger, shown["id"], after_seq, wait_s)
        outcome = await invoke(parts, actor, "runs.get_run", arguments)
    return answered(outcome)


@router.post("/{run}/messages", response_model=Answer)
async def send_message(
    run: str,
    parts: Parts,
    actor: Caller,
    arguments: Arguments,
    idempotency_key: IdempotencyKey = None,
) -> JSONResponse:
    """Tell a run something; it reads it at its next step."""
    told = {**arguments, "run": run}
    return answered(await invoke(parts, actor, "runs.send_message", told, idempotency_key))


@router.post("/{run}/choice", response_model=Answer)
async def choose_option(
    run: str,
    parts: Parts,
    actor: Caller,
    arguments: Arguments,
    idempotency_key: IdempotencyKey = None,
) -> JSONResponse:
    """Choose one of the options a run proposed."""
    chosen = {**arguments, "run": run}
    return answered(await invoke(parts, actor, "runs.choose_option", chosen, idempotency_key))


@router.post("/{run}/abort", response_model=Answer)
async def abort_run(
    run: str,
    parts: Parts,
    actor: Caller,
    arguments: Annotated[dict[str, Any] | None, Body()] = None,
    idempotency_key: IdempotencyKey = None,
) -> JSONResponse:
    """Stop a run; what it has done already is not undone."""
    stopped = {**(arguments or {}), "run": run}
    return answered(await invoke(parts, actor, "runs.abort_run", stopped, idempotency_key))


async def _news(ledger: Ledger, run: str, after_seq: int, wait_s: float) -> None:
    """Return when a run has an event after ``after_seq``, or after ``wait_s`` seconds."""
    async with ledger.feed.listening() as bell:
        with anyio.move_on_after(wait_s):
            while await _last(ledger, run) <= after_seq:
                await bell.receive()


async def _last(ledger: Ledger, run: str) -> int:
    return await ledger.read(lambda conn: events.last_seq(conn, run))
