"""Capabilities made for these tests: they look, act, keep notes, end in every way, and run."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any

import svcs
from pydantic import BaseModel, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    HaltError,
    Pending,
    Refused,
    Succeeded,
    Unknown,
)
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import (
    Audience,
    Effect,
    Hints,
    Kind,
    Replay,
    Spec,
)
from capabilities.kernel.targets import Target
from ledger.clock import new_id
from ledger.stores import events, plans, runs
from tests.specs import spec_of

Text = Annotated[str, Field(description="Words.", max_length=200)]


class Look(BaseModel, extra="forbid"):
    title: Text
    count: Annotated[int, Field(description="How many.", ge=1, le=9)] = 1


class Put(BaseModel, extra="forbid"):
    plan: Text


class Note(BaseModel, extra="forbid"):
    words: Text


class End(BaseModel, extra="forbid"):
    how: Text


class RunIn(BaseModel, extra="forbid"):
    run: Text


class GetRun(RunIn, extra="forbid"):
    after_seq: Annotated[int, Field(description="After.", ge=0)] = 0
    limit: Annotated[int, Field(description="Most.", ge=1)] = 50


class Told(RunIn, extra="forbid"):
    words: Text


class Chosen(RunIn, extra="forbid"):
    option: Text


class Started(BaseModel, extra="forbid"):
    goal: Text


class Listed(BaseModel, extra="forbid"):
    state: Text = ""
    limit: Annotated[int, Field(description="Most.", ge=1)] = 20
    cursor: Text = ""


class Said(BaseModel, extra="allow"):
    """Whatever these tests answer."""


def said(sentence: str = "Done.", **facts: Any) -> Succeeded[Said]:
    return Succeeded(Said(**facts), sentence)


async def look(given: Look, context: Context) -> AnyOutcome:
    return said("Looked.", title=given.title, count=given.count, seen_by=str(context.actor))


async def put_target(given: Put, context: Context) -> Target:
    plan = await context.ledger.read(lambda conn: plans.by_id(conn, given.plan))
    if plan is None:
        raise HaltError(Failed(Code.NOT_FOUND, "There is no such plan."))
    return Target("shelf", f"shelf:{plan.id}", {"plan": plan.id}, plan.pin)


async def put(given: Put, context: Context) -> AnyOutcome:
    return said("Put on the shelf.", plan=given.plan, by=context.actor.principal)


async def probe(target: Target, parts: svcs.Container) -> Finding:
    del target, parts
    return Finding(Verdict.NOT_APPLIED)


async def adopt(target: Target, finding: Finding, context: Context) -> AnyOutcome:
    del target, finding, context
    return said("Found on the shelf.")


async def note(given: Note, context: Context) -> AnyOutcome:
    id_ = new_id("note")
    context.stage(lambda tx: events.append(tx, "noted", {"note": id_}, context.ledger.now()))
    return said("Noted.", note=id_, words=given.words)


async def end(given: End, context: Context) -> AnyOutcome:
    del context
    match given.how:
        case "pending":
            return Pending("task_1", "Accepted.", "look again")
        case "unknown":
            return Unknown("Nobody knows.", "look again")
        case "paused":
            return Failed(Code.RATE_LIMITED, "Slow down.", details={"retry_after_s": 41.2})
        case "crash":
            raise RuntimeError("canary-crash")
        case how if how.startswith("refused:"):
            return Refused(Code(how.removeprefix("refused:")), "No.", {"who": "owner"})
        case how:
            return Failed(Code(how), "It failed.", "Try otherwise.", retry=True)


async def start_run(given: Started, context: Context) -> AnyOutcome:
    id_, at = new_id("run"), context.ledger.now()
    context.stage(
        lambda tx: runs.add(
            tx,
            id_=id_,
            goal=given.goal,
            actor=str(context.actor),
            principal=context.actor.principal,
            trigger="user",
            options={},
            at=at,
        )
    )
    context.stage(lambda tx: events.append(tx, "run_status", {"state": "queued"}, at, run=id_))
    [short] = await context.refer("run", id_)
    return said("Queued.", run=id_, short=short)


async def get_run(given: GetRun, context: Context) -> AnyOutcome:
    id_ = await context.resolve("run", given.run)
    run = await context.ledger.read(lambda conn: runs.by_id(conn, id_))
    if run is None:
        return Refused(Code.NOT_FOUND, "There is no such run.")
    rows = await context.ledger.read(
        lambda conn: events.of_run(conn, id_, after=given.after_seq, limit=given.limit)
    )
    return said("Here it is.", run=run.id, id=run.id, events=[row.type for row in rows])


async def echo(given: BaseModel, context: Context) -> AnyOutcome:
    del context
    return said("Heard.", heard=given.model_dump())


def spec(
    id_: str,
    given: type[BaseModel],
    handler: Callable[[Any, Context], Awaitable[AnyOutcome]],
    *,
    kind: Kind = Kind.READ,
    effect: Effect = Effect.NONE,
    scope: str = "read",
    audience: Audience = Audience.PUBLIC,
    acts: bool = False,
) -> Spec:
    return spec_of(
        id_,
        handler,
        given,
        Said,
        kind=kind,
        effect=effect,
        replay=Replay.SAFE,
        scope=scope,
        audience=audience,
        hints=Hints(read_only=not acts, destructive=False, idempotent=True, open_world=False),
        plan="shelving" if acts else None,
        target=put_target if acts else None,
        probe=probe if acts else None,
        adopt=adopt if acts else None,
    )


def control(id_: str, given: type[BaseModel], handler: Any, effect: Effect = Effect.OURS) -> Spec:
    return spec(id_, given, handler, kind=Kind.CONTROL, effect=effect, scope="run")


SHELF = (
    spec("shelf.look", Look, look),
    spec(
        "shelf.put",
        Put,
        put,
        kind=Kind.EXECUTE,
        effect=Effect.WORLD,
        scope="shelf.put",
        acts=True,
    ),
    spec("shelf.note", Note, note, kind=Kind.PREVIEW, effect=Effect.OURS, scope="plan"),
    spec("shelf.end", End, end),
    spec("shelf.hidden", Note, echo, audience=Audience.PRIVATE),
    control("runs.start_run", Started, start_run),
    control("runs.get_run", GetRun, get_run, Effect.NONE),
    control("runs.list_runs", Listed, echo, Effect.NONE),
    control("runs.send_message", Told, echo),
    control("runs.choose_option", Chosen, echo),
    control("runs.abort_run", RunIn, echo),
)
