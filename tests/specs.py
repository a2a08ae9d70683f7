"""Capabilities of tests; what a test does not care about is filled in."""

from collections.abc import Awaitable, Callable
from typing import Any

from pydantic import BaseModel

from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome
from capabilities.kernel.spec import (
    Audience,
    Dedupe,
    Effect,
    Hints,
    Kind,
    Replay,
    Spec,
    Toolset,
)

Handler = Callable[[Any, Context], Awaitable[AnyOutcome]]


def spec_of(
    id_: str,
    handler: Handler,
    given: type[BaseModel],
    answer: type[BaseModel],
    **declared: Any,
) -> Spec:
    """A capability that is complete; unless declared otherwise, a read that all may use."""
    reads = declared.get("effect", Effect.NONE) is Effect.NONE
    filled: dict[str, Any] = {
        "version": 1,
        "title": id_.replace(".", " "),
        "kind": Kind.READ,
        "effect": Effect.NONE,
        "replay": Replay.NEVER,
        "dedupe": Dedupe.REQUEST,
        "scope": "read",
        "audience": Audience.PUBLIC,
        "toolset": Toolset.LIBRARY,
        "use_when": "Use it in tests.",
        "not_when": "Not for anything else.",
        "hints": Hints(read_only=reads, destructive=False, idempotent=True, open_world=False),
        "timeout": 10,
        "example": {},
    }
    return Spec(id=id_, handler=handler, given=given, answer=answer, **{**filled, **declared})
