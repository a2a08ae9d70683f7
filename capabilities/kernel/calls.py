"""One call of a capability, and what makes two calls the same."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

from pydantic import BaseModel

from capabilities.kernel.actors import Actor
from capabilities.kernel.context import Report, silent
from capabilities.kernel.spec import Dedupe, Spec
from capabilities.kernel.targets import Target


@dataclass(frozen=True, slots=True)
class Call:
    """What a door, the agent or a job hands to `Registry.invoke`.

    Attributes:
        capability: the id or the tool name.
        call_id: unique for this call; a repeat under the same id is the same call.
        request: the owner's request that this serves; a client's single call is its own request.
        client_key: an idempotency key the client chose, valid for its principal.
    """

    capability: str
    arguments: Mapping[str, object]
    actor: Actor
    call_id: str
    request: str
    client_key: str | None = None
    run: str | None = None
    report: Report = field(default=silent)


def fingerprint(given: BaseModel) -> str:
    """SHA-256 of the canonical JSON of a validated input, in hexadecimal."""
    return hashlib.sha256(_canonical(given.model_dump(mode="json", exclude_none=True))).hexdigest()


def about(target: Target | None) -> str | None:
    """What an act is about, across requests: the natural key, or else a digest of the target."""
    if target is None or target.natural_key is not None:
        return None if target is None else target.natural_key
    seen = _canonical([target.kind, dict(target.facts)])
    return f"target:{hashlib.sha256(seen).hexdigest()}"


def request_of(call: Call) -> str:
    """The request a claim is booked under; a client's key stands in for it."""
    if call.client_key is not None:
        return f"client:{call.actor.principal}:{call.client_key}"
    return call.request


def key_of(spec: Spec, call: Call, print_: str, target: Target | None) -> str:
    """The idempotency key: the plan where there is one, else the request and the input.

    A plan is good for one act whatever key a client sends, so its own identity comes first. Where
    equal arguments are not the same intent, the call is, or the key by which its client repeats
    it.
    """
    if target is not None and target.pin is not None:
        return f"plan:{target.pin.id}:{target.pin.revision}"
    if spec.dedupe is Dedupe.CALL and call.client_key is None:
        return f"call:{call.actor.principal}:{call.call_id}"
    return f"{spec.id}:v{spec.version}:{request_of(call)}:{print_}"


def _canonical(held: object) -> bytes:
    return json.dumps(held, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
