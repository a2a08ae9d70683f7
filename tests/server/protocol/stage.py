"""Capabilities made for the doors' tests, and what they did."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any

import anyio
import svcs
from pydantic import BaseModel, ConfigDict, Field

from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Failed, Pending, Refused, Succeeded, Unknown
from capabilities.kernel.probing import Finding
from capabilities.kernel.spec import (
    Audience,
    Effect,
    Kind,
    Spec,
)
from capabilities.kernel.targets import Target
from tests.specs import spec_of

Handler = Callable[[Any, Context], Awaitable[AnyOutcome]]


class Nothing(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Word(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, Field(description="What to say.", max_length=200)]


class Number(BaseModel):
    model_config = ConfigDict(extra="forbid")

    n: Annotated[int, Field(description="How many.", ge=0, le=10_000)]


class Said(BaseModel):
    text: str


class Items(BaseModel):
    items: list[str]


@dataclass
class Stage:
    """What handlers did, and what they wait for."""

    done: list[str] = field(default_factory=list[str])
    entered: anyio.Event = field(default_factory=anyio.Event)
    may_finish: anyio.Event = field(default_factory=anyio.Event)
    finished: anyio.Event = field(default_factory=anyio.Event)

    async def wait(self, _given: Nothing, _context: Context) -> AnyOutcome:
        self.entered.set()
        try:
            await self.may_finish.wait()
        finally:
            self.finished.set()
        return Succeeded(Said(text="waited"), "Waited.")

    async def note(self, given: Word, _context: Context) -> AnyOutcome:
        self.done.append(given.text)
        return Succeeded(Said(text=f"noted {given.text}"), "Noted.")

    async def act(self, given: Word, context: Context) -> AnyOutcome:
        self.entered.set()
        await self.may_finish.wait()
        await context.report(1, 1, "done")
        self.done.append(given.text)
        self.finished.set()
        return Succeeded(Said(text="acted"), "Acted.")

    def specs(self) -> list[Spec]:
        gone = always(Succeeded(Said(text="gone"), "Gone."))
        secret = always(Succeeded(Said(text="secret"), "Secret."))
        return [
            spec("admin.wipe", gone, scope="wipe"),
            spec("agent.peek", secret, audience=Audience.PRIVATE),
            spec("end.fail", always(Failed(Code.UNAVAILABLE, "No contact.", "Later.", retry=True))),
            spec("end.pend", always(Pending("dl:1", "Accepted.", "Call download__inspect."))),
            spec("end.refuse", always(Refused(Code.PRECONDITION, "Not now.", {"who": "owner"}))),
            spec("end.wonder", always(Unknown("Nobody knows.", "Call task__inspect."))),
            spec("library.count", count, given=Number),
            spec("library.echo", echo, given=Word, example={"text": "hello"}),
            spec("library.many", many, given=Number, answer=Items),
            in_our_tables("library.note", self.note),
            spec("library.wait", self.wait),
            spec("library.whoami", whoami),
            in_the_world("runs.act", self.act),
        ]


def spec(
    id_: str,
    handler: Handler,
    *,
    given: type[BaseModel] = Nothing,
    answer: type[BaseModel] = Said,
    kind: Kind = Kind.READ,
    effect: Effect = Effect.NONE,
    scope: str = "read",
    audience: Audience = Audience.PUBLIC,
    example: Mapping[str, object] | None = None,
    use_when: str = "Use it to try the door.",
    **more: Any,
) -> Spec:
    """A capability that is complete in every respect a door looks at."""
    return spec_of(
        id_,
        handler,
        given,
        answer,
        kind=kind,
        effect=effect,
        scope=scope,
        audience=audience,
        use_when=use_when,
        example=example or {},
        **more,
    )


def in_our_tables(id_: str, handler: Handler) -> Spec:
    """A capability that a key may run without a plan, recorded and kept from happening twice."""
    return spec(id_, handler, given=Word, kind=Kind.PREVIEW, effect=Effect.OURS, scope="plan")


def in_the_world(id_: str, handler: Handler) -> Spec:
    """A capability that a key may run without a plan, with an effect outside."""
    return spec(
        id_,
        handler,
        given=Word,
        kind=Kind.CONTROL,
        effect=Effect.WORLD,
        scope="run",
        target=_target,
        probe=_probe,
        adopt=_adopt,
    )


def always(outcome: AnyOutcome) -> Handler:
    """A handler with one answer."""

    async def answer(_given: Any, _context: Context) -> AnyOutcome:
        return outcome

    return answer


async def echo(given: Word, _context: Context) -> AnyOutcome:
    return Succeeded(Said(text=given.text), f"You said {given.text}.")


async def whoami(_given: Nothing, context: Context) -> AnyOutcome:
    return Succeeded(Said(text=str(context.actor)), "That is you.")


async def count(given: Number, context: Context) -> AnyOutcome:
    for n in range(given.n):
        await context.report(n + 1, given.n, f"{n + 1} of {given.n}")
        await context.report(n, given.n, "backwards")
    return Succeeded(Said(text=str(given.n)), "Counted.")


async def many(given: Number, _context: Context) -> AnyOutcome:
    return Succeeded(Items(items=[f"number {n:06}" for n in range(given.n)]), "Here.")


async def _target(given: Word, _context: Context) -> Target:
    if given.text == "broken":
        raise ZeroDivisionError
    return Target("thing", f"thing:{given.text}")


async def _probe(_target: Target, _parts: svcs.Container) -> Finding:
    raise NotImplementedError


async def _adopt(_target: Target, _finding: Finding, _context: Context) -> AnyOutcome:
    raise NotImplementedError
