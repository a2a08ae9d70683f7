"""A world small enough to see through: lamps that are lit by name, and the calls that light them.

`Lamps` plays the outside system and the capability's module at once; a test replaces `act`,
`look` or `take_over` to make it misbehave, and reads what happened from `lit` and the counters.
"""

import itertools
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import anyio
import svcs
from pydantic import BaseModel, Field

from capabilities.kernel.actors import Actor, owner
from capabilities.kernel.calls import Call
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Outcome, Succeeded
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.registry import Registry
from capabilities.kernel.spec import Effect, Hints, Kind, Replay, Spec
from capabilities.kernel.targets import Reach, Target
from ledger.database import Snapshot
from ledger.ledger import Ledger
from ledger.location import SqliteFile
from ledger.stores import claims, events, plans
from ledger.stores.claims import Claim
from ledger.stores.plans import Plan
from tests.ledger.rows import new_plan
from tests.specs import spec_of

ANN = owner("ann")
PLAN_TYPE = "lighting"
_numbers = itertools.count(1)


class Given(BaseModel, extra="forbid"):
    """Which lamp."""

    name: Annotated[str, Field(description="The lamp.", max_length=20)]
    plan: Annotated[str | None, Field(description="The plan, if any.", max_length=60)] = None
    level: Annotated[int, Field(description="Brightness.", ge=1, le=9)] = 5


class Answer(BaseModel):
    """What is lit now."""

    name: str
    times: int


def lit_answer(name: str, times: int) -> Succeeded[Answer]:
    """What lighting a lamp answers."""
    return Succeeded(Answer(name=name, times=times), f"{name} is lit.")


@dataclass(slots=True)
class Lamps:
    """The world: which lamps were lit, in which order, and who looked."""

    natural: bool = True
    lit: list[str] = field(default_factory=list[str])
    entered: int = 0
    probed: int = 0
    adopted: int = 0
    checked: int = 0
    act: Callable[[Given, Context], Awaitable[AnyOutcome]] | None = None
    look: Callable[[Target], Awaitable[Finding]] | None = None
    take_over: Callable[[Target, Context], Awaitable[AnyOutcome]] | None = None
    on_check: Callable[[Given], None] | None = None
    reach: dict[str, Reach] = field(default_factory=dict[str, Reach])
    busy: anyio.Event = field(default_factory=anyio.Event)

    async def light(self, given: Given, context: Context) -> Outcome[Answer]:
        """Light a lamp, and leave an event of it."""
        self.entered += 1
        self.busy.set()
        if self.act is not None:
            return await self.act(given, context)  # pyright: ignore[reportReturnType]  # a test's act answers what it likes
        return await self.really(given, context)

    async def really(self, given: Given, context: Context) -> Outcome[Answer]:
        """What lighting comes to where nothing misbehaves."""
        self.lit.append(given.name)
        self.stage(given.name, context)
        return lit_answer(given.name, len(self.lit))

    def stage(self, name: str, context: Context) -> None:
        """Stage the row that belongs to the effect."""
        at = context.ledger.now()
        context.stage(lambda tx: events.append(tx, "lit", {"name": name}, at))

    async def target(self, given: Given, context: Context) -> Target:
        """The lamp, pinned to the plan where one is given."""
        pin = None
        if given.plan is not None:
            id_ = given.plan
            plan = await context.ledger.read(lambda conn: plans.by_id(conn, id_))
            pin = None if plan is None else plan.pin
        natural_key = f"lamp:{given.name}" if self.natural else None
        reach = self.reach.get(given.name, Reach())
        return Target("lamp", natural_key, {"name": given.name}, pin, reach)

    async def check(self, given: Given, _target: Target, _context: Context) -> None:
        """Look before anybody is asked."""
        self.checked += 1
        if self.on_check is not None:
            self.on_check(given)

    async def probe(self, target: Target, _parts: svcs.Container) -> Finding:
        """Look whether the lamp is lit."""
        self.probed += 1
        if self.look is not None:
            return await self.look(target)
        there = target.facts["name"] in self.lit
        return Finding(Verdict.APPLIED if there else Verdict.NOT_APPLIED, {"seen": there})

    async def adopt(self, target: Target, _finding: Finding, context: Context) -> AnyOutcome:
        """Answer for a lamp that was found lit."""
        self.adopted += 1
        if self.take_over is not None:
            return await self.take_over(target, context)
        self.stage(target.facts["name"], context)
        return lit_answer(target.facts["name"], len(self.lit))

    def spec(self, **changed: Any) -> Spec:
        """The capability, with parts of it changed."""
        return replace(
            spec_of(
                "lamp.light",
                self.light,
                Given,
                Answer,
                title="Light a lamp",
                kind=Kind.EXECUTE,
                effect=Effect.WORLD,
                scope="lamp.light",
                use_when="Light a lamp.",
                not_when="Not for candles.",
                hints=Hints(read_only=False, destructive=False, idempotent=True, open_world=True),
                timeout=5,
                example={"name": "hall"},
                plan=PLAN_TYPE,
                target=self.target,
                probe=self.probe,
                adopt=self.adopt,
                check=self.check,
            ),
            **changed,
        )

    def reading(self, **changed: Any) -> Spec:
        """A read beside it."""
        read: dict[str, Any] = {
            "id": "lamp.count",
            "title": "Count lamps",
            "kind": Kind.READ,
            "effect": Effect.NONE,
            "replay": Replay.SAFE,
            "scope": "read",
            "plan": None,
            "target": None,
            "probe": None,
            "adopt": None,
            "check": None,
        }
        return self.spec(**{**read, **changed})

    def ours(self, **changed: Any) -> Spec:
        """A preview that changes our own tables only."""
        draft = {
            "id": "lamp.plan",
            "kind": Kind.PREVIEW,
            "effect": Effect.OURS,
            "scope": "plan",
            "plan": None,
            "target": None,
        }
        return self.reading(**{**draft, **changed})


@dataclass(frozen=True, slots=True)
class House:
    """A registry over a real ledger, with the lamps as its world."""

    ledger: Ledger
    lamps: Lamps
    registry: Registry

    async def light(
        self, name: str = "hall", *, plan: str | None = None, level: int = 5, **changed: Any
    ) -> AnyOutcome:
        """Call the capability; as the owner by hand, unless told otherwise."""
        arguments: dict[str, object] = {"name": name, "plan": plan, "level": level}
        return await self.registry.invoke(call("lamp.light", arguments, **changed))

    async def claims(self) -> list[Claim]:
        """All claims, oldest first."""
        found = await self.ledger.read(claims.newest)
        return sorted(found, key=lambda claim: claim.claimed_at)

    async def claim(self) -> Claim:
        """The only claim."""
        (found,) = await self.claims()
        return found

    async def told(self) -> list[str]:
        """The types of all events."""
        return [event.type for event in await self.ledger.read(events.page)]

    async def plan(self, name: str = "hall", **changed: Any) -> Plan:
        """Store a plan for a lamp; returns it as stored."""
        id_ = changed.pop("id_", f"plan_{name}")
        plan = new_plan(
            id_, {"name": name}, self.ledger.now(), type=PLAN_TYPE, card={"title": f"Light {name}"}
        )
        await self.ledger.write(lambda tx: plans.add(tx, replace(plan, **changed)))
        stored = await self.ledger.read(lambda conn: plans.by_id(conn, id_))
        assert stored is not None
        return stored


def house(ledger: Ledger, *specs: Spec, lamps: Lamps | None = None) -> House:
    """Build the registry; without specs, with the one that lights lamps."""
    lamps = lamps or Lamps()
    registry = Registry(specs or (lamps.spec(),), ledger, svcs.Container(svcs.Registry()))
    return House(ledger, lamps, registry)


def call(capability: str, arguments: dict[str, object], **changed: Any) -> Call:
    """A call by the owner's hand, under an id and a request of its own."""
    number = next(_numbers)
    made = Call(capability, arguments, ANN, f"call {number}", f"request {number}")
    return replace(made, **changed)


def actor(**changed: Any) -> Actor:
    """A client with every scope of these tests."""
    scopes = frozenset({"read", "plan", "lamp.light"})
    return replace(Actor("key", "phone", "key:phone", scopes), **changed)


def ledger_file(ledger: Ledger) -> Path:
    """Where the ledger of these tests is."""
    location = ledger.database.location
    assert isinstance(location, SqliteFile)
    return location.path


def row(conn: Snapshot, id_: str) -> Claim:
    """The claim with this id, which is there."""
    found = claims.by_id(conn, id_)
    assert found is not None
    return found
