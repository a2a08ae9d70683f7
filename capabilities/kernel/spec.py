"""What a capability says of itself."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import svcs
from pydantic import BaseModel

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Outcome, Succeeded
from capabilities.kernel.probing import Finding
from capabilities.kernel.targets import Target

Given = TypeVar("Given", bound=BaseModel)
Answer = TypeVar("Answer", bound=BaseModel)


class Kind(StrEnum):
    """What sort of act a capability is; authority follows from it."""

    READ = "read"
    PREVIEW = "preview"
    PROPOSE = "propose"
    EXECUTE = "execute"
    SESSION = "session"
    CONTROL = "control"


class Effect(StrEnum):
    """What a call changes: nothing, our own tables only, or the world."""

    NONE = "none"
    OURS = "ours"
    WORLD = "world"


class Audience(StrEnum):
    """Who is shown it.

    Clients and the agent, sessions of the agent only, the model alone, or the signed-in owner
    alone: no key, no run, and never on MCP.
    """

    PUBLIC = "public"
    SESSION = "session"
    PRIVATE = "private"
    OWNER = "owner"


class Replay(StrEnum):
    """Whether a resumed run may simply call again."""

    SAFE = "safe"
    NEVER = "never"


class Dedupe(StrEnum):
    """What makes two calls the same: the owner's request and the input, or the call itself."""

    REQUEST = "request"
    CALL = "call"


class Toolset(StrEnum):
    """The shelves of the catalogue that a client can choose from."""

    LIBRARY = "library"
    ACQUIRE = "acquire"
    ORGANIZE = "organize"
    RUNS = "runs"
    ADMIN = "admin"


@dataclass(frozen=True, slots=True)
class Hints:
    """MCP's four annotations, always written out. They inform; they never authorise."""

    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool


Handler = Callable[[Any, Context], Awaitable[AnyOutcome]]
TargetOf = Callable[[Any, Context], Awaitable[Target]]
Check = Callable[[Any, Target, Context], Awaitable[None]]
Probe = Callable[[Target, svcs.Container], Awaitable[Finding]]
Adopt = Callable[[Target, Finding, Context], Awaitable[AnyOutcome]]


@dataclass(frozen=True, slots=True)
class Spec:
    """A capability: identity, meaning, guard rails and handler.

    Attributes:
        example: one valid input, shown with every input error.
        plan: the plan type whose payload hash and revision an approval binds to.
        target: from the input to what is acted on.
        check: refuses, before anybody is asked and anything is claimed, what cannot be done now.
        probe: looks at the world, read only, for the effect of a claim.
        adopt: answers, and stages, what the handler would have, once a probe found the effect.
        always_asks: no grant covers it; the owner is asked every time.
    """

    id: str
    version: int
    title: str
    kind: Kind
    effect: Effect
    replay: Replay
    dedupe: Dedupe
    scope: str
    audience: Audience
    toolset: Toolset
    use_when: str
    not_when: str
    hints: Hints
    timeout: float
    example: Mapping[str, object]
    given: type[BaseModel]
    answer: type[BaseModel]
    handler: Handler
    plan: str | None = None
    target: TargetOf | None = None
    probe: Probe | None = None
    adopt: Adopt | None = None
    check: Check | None = None
    always_asks: bool = False

    @property
    def tool(self) -> str:
        """The name on MCP and towards models; the runs group is published bare."""
        domain, verb = self.id.split(".", 1)
        return verb if domain == "runs" else f"{domain}__{verb}"

    @property
    def description(self) -> str:
        """What every client sees first."""
        return f"{self.use_when} {self.not_when}"


SPEC_ATTRIBUTE = "__matinee_spec__"


def capability(
    id_: str,
    *,
    version: int,
    title: str,
    kind: Kind,
    effect: Effect,
    replay: Replay,
    dedupe: Dedupe,
    scope: str,
    toolset: Toolset,
    use_when: str,
    not_when: str,
    hints: Hints,
    timeout: float,
    example: Mapping[str, object],
    audience: Audience = Audience.PUBLIC,
    plan: str | None = None,
    target: TargetOf | None = None,
    probe: Probe | None = None,
    adopt: Adopt | None = None,
    check: Check | None = None,
    always_asks: bool = False,
) -> Callable[
    [Callable[[Given, Context], Awaitable[Outcome[Answer]]]],
    Callable[[Given, Context], Awaitable[Outcome[Answer]]],
]:
    """Declare an async function as the capability ``id_``; its annotations are its schema.

    Raises:
        ValueError: the id is not the module's path, or a part that its kind demands is missing.
    """

    def declare(
        handler: Callable[[Given, Context], Awaitable[Outcome[Answer]]],
    ) -> Callable[[Given, Context], Awaitable[Outcome[Answer]]]:
        given, answer = _models(handler)
        spec = Spec(
            id=id_,
            version=version,
            title=title,
            kind=kind,
            effect=effect,
            replay=replay,
            dedupe=dedupe,
            scope=scope,
            audience=audience,
            toolset=toolset,
            use_when=use_when,
            not_when=not_when,
            hints=hints,
            timeout=timeout,
            example=example,
            given=given,
            answer=answer,
            handler=handler,
            plan=plan,
            target=target,
            probe=probe,
            adopt=adopt,
            check=check,
            always_asks=always_asks,
        )
        refuse_wrong(spec, handler.__module__)
        setattr(handler, SPEC_ATTRIBUTE, spec)
        return handler

    return declare


def refuse_wrong(spec: Spec, module: str) -> None:
    """Refuse a capability that lives elsewhere or lacks what its kind and effect demand.

    Raises:
        ValueError: with a sentence that names what is missing.
    """
    domain, _, verb = spec.id.partition(".")
    home = f"capabilities.{domain}.{verb}"
    if module not in {home, f"{home}_"}:
        raise ValueError(f"{spec.id!r} must live in {home}, not in {module}")
    if spec.kind is Kind.EXECUTE and spec.target is None:
        raise ValueError(f"{spec.id!r} executes and names no target")
    if spec.effect is Effect.WORLD and (spec.probe is None or spec.adopt is None):
        raise ValueError(f"{spec.id!r} touches the world and has no probe with its adoption")
    if spec.effect is Effect.WORLD and spec.kind is not Kind.EXECUTE:
        raise ValueError(f"{spec.id!r} touches the world, so it is an execute")
    if spec.kind is Kind.READ and spec.effect is not Effect.NONE:
        raise ValueError(f"{spec.id!r} is a read and has an effect")
    if spec.effect is Effect.NONE and spec.kind not in {Kind.READ, Kind.SESSION, Kind.CONTROL}:
        raise ValueError(f"{spec.id!r} has no effect, so it is a read")


def _models(handler: Callable[..., object]) -> tuple[type[BaseModel], type[BaseModel]]:
    hints = get_type_hints(handler)
    given = hints.get("given")
    answered = [part for part in get_args(hints.get("return")) if get_origin(part) is Succeeded]
    if given is None or not answered:
        name = handler.__qualname__
        raise ValueError(f"{name!r} must take ``given`` and answer an Outcome, both annotated")
    return given, get_args(answered[0])[0]
