"""Pressing a button without a memory: an effect that has no key, and that nobody can look for."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import httpx2
import svcs
from pydantic import BaseModel

from capabilities.kernel import fault_points
from capabilities.kernel.actors import owner
from capabilities.kernel.calls import Call
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Succeeded
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import Effect, Hints, Kind, Spec, Toolset
from capabilities.kernel.targets import Target
from ledger.writer import Transaction
from tests.crash.place import Place
from tests.crash.plays import Seen, parts_of
from tests.crash.remote import Wire
from tests.specs import spec_of
from world.client_double import Tenant


class Input(BaseModel, extra="forbid"):
    """Which button."""

    button: str


class Output(BaseModel):
    """That it was pressed."""

    pressed: bool


async def _target(given: Input, context: Context) -> Target:
    del context
    return Target("button", None, {"button": given.button})


async def _press(given: Input, context: Context) -> AnyOutcome:
    fault_points.at("before_send")
    await context.part(Wire, "wire").post("/button", given.button.encode())
    fault_points.at("answered")
    return Succeeded(Output(pressed=True), "It was pressed.")


async def _look(target: Target, parts: svcs.Container) -> Finding:
    del target, parts
    return Finding(Verdict.CANNOT_TELL, {"reason": "it has no memory"})


async def _adopt(target: Target, finding: Finding, context: Context) -> AnyOutcome:
    raise NotImplementedError((target, finding, context))


SPEC = spec_of(
    "button.press",
    _press,
    Input,
    Output,
    title="Press the button",
    kind=Kind.EXECUTE,
    effect=Effect.WORLD,
    scope="act",
    toolset=Toolset.ADMIN,
    hints=Hints(read_only=False, destructive=False, idempotent=False, open_world=True),
    timeout=40,
    example={"button": "red"},
    target=_target,
    probe=_look,
    adopt=_adopt,
)


@dataclass(frozen=True, slots=True)
class Button:
    """The button, pressed by the owner."""

    natural: bool = False

    @property
    def spec(self) -> Spec:
        return SPEC

    def furnish(self, place: Place) -> None:
        del place

    def rows(self, tx: Transaction, place: Place) -> None:
        del tx, place

    @asynccontextmanager
    async def parts(self, place: Place) -> AsyncGenerator[svcs.Container]:
        async with (
            httpx2.AsyncClient(trust_env=False, verify=False) as http,  # it is loopback HTTP
            parts_of(Wire(http, place.address)) as held,
        ):
            yield held

    def call(self, *, request: str = "first") -> Call:
        given = {"button": "red"}
        return Call(SPEC.id, given, owner("ada"), f"call-{request}", request)

    def other(self) -> Call:
        return self.call()

    def seen(self, place: Place, tenant: Tenant, *, over: bool) -> Seen:
        del place, over
        return Seen(max(tenant.pressed, tenant.asked))
