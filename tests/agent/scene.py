"""A scene of one test: its shop, its model and its driver, put on in the shared house."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import anyio
import svcs

from agent.driver import Driver, Parts
from agent.limits import Limits
from agent.models.chat_completions import ChatCompletions
from agent.models.retry import RetryPolicy
from agent.prompt.environment import Surroundings
from agent.prompt.skills import Library
from agent.upstreams import Chosen
from capabilities.kernel.actors import Actor, owner
from capabilities.kernel.calls import Call as Invocation
from capabilities.kernel.deciding import decide
from capabilities.kernel.discovery import declared_in
from capabilities.kernel.outcomes import AnyOutcome, Succeeded, facts
from capabilities.kernel.registry import Registry
from capabilities.runs import (
    abort_run,
    choose_option,
    get_run,
    list_runs,
    send_message,
    start_run,
)
from ledger.clock import new_id
from ledger.ledger import Ledger
from ledger.stores import approvals, claims, downloads, events, plans, runs, shelf
from ledger.stores.approvals import Approval, ApprovalState
from ledger.stores.claims import Claim
from ledger.stores.downloads import DownloadRow
from ledger.stores.events import Event
from ledger.stores.plans import PlanState
from ledger.stores.runs import Message, Run, RunState
from ledger.stores.shelf import AssetRow, RecordRow
from ledger.writer import Transaction
from tests.agent.house import WITHIN_S, House
from tests.agent.shop import GIGABYTES, Shop
from world.dialogue import Call, Script, Turn
from world.model import ScriptedModel
from world.scripts import calls

OWNER = owner("ada")
FIND = Call("shop__find", {"title": "Night Train"})
DRAFT = Call("shop__draft", {"title": "Night Train"})
BUY = Call("shop__buy", {"plan": "plan:1"})
GET = calls(
    Turn(calls=(FIND,)),
    Turn(calls=(DRAFT,)),
    Turn(calls=(BUY,)),
    Turn(text="Submitted: Night Train (1959)."),
)
SUBMITTED = "Submitted, not in the library yet: Night Train (1959)."
RUNS = (abort_run, choose_option, get_run, list_runs, send_message, start_run)


@dataclass
class Scene:
    """One test's registry, shop, model and driver in the house."""

    house: House
    shop: Shop
    model: ScriptedModel
    registry: Registry

    @property
    def ledger(self) -> Ledger:
        return self.house.ledger

    async def call(self, capability: str, by: Actor = OWNER, **arguments: object) -> AnyOutcome:
        call_id = new_id("call")
        return await self.registry.invoke(Invocation(capability, arguments, by, call_id, call_id))

    async def ask(self, capability: str, by: Actor = OWNER, **arguments: object) -> dict[str, Any]:
        outcome = await self.call(capability, by, **arguments)
        assert isinstance(outcome, Succeeded), outcome
        return facts(outcome)

    async def start(self, goal: str = "Get Night Train", by: Actor = OWNER, **more: object) -> str:
        answer = await self.ask("runs.start_run", by, goal=goal, **more)
        return str(answer["id"])

    async def run(self, id_: str) -> Run:
        row = await self.ledger.read(lambda conn: runs.by_id(conn, id_))
        assert row is not None
        return row

    async def until(self, id_: str, holds: Callable[[Run], bool]) -> Run:
        """The run once ``holds`` is true of it."""
        with anyio.fail_after(WITHIN_S):
            async with self.ledger.feed.listening() as bell:
                while not holds(row := await self.run(id_)):
                    await bell.receive()
        return row

    async def until_state(self, id_: str, state: RunState) -> Run:
        return await self.until(id_, lambda row: row.state == state)

    async def until_over(self, id_: str) -> Run:
        return await self.until(id_, lambda row: row.state in runs.OVER)

    async def messages(self, id_: str, role: str | None = None) -> list[Message]:
        rows = await self.ledger.read(lambda conn: runs.messages(conn, id_))
        return [row for row in rows if role in {None, row.role}]

    async def results(self, id_: str) -> list[str]:
        return [row.body["text"] for row in await self.messages(id_, "tool")]

    async def events(self, id_: str, type_: str | None = None) -> list[Event]:
        rows = await self.ledger.read(lambda conn: events.of_run(conn, id_, limit=1000))
        return [row for row in rows if type_ in {None, row.type}]

    async def approvals(self, id_: str) -> list[Approval]:
        return await self.ledger.read(lambda conn: approvals.of_run(conn, id_, *ApprovalState))

    async def claims(self, id_: str) -> list[Claim]:
        return await self.ledger.read(lambda conn: claims.of_run(conn, id_))

    async def approval(self, id_: str) -> Approval:
        row = await self.ledger.read(lambda conn: approvals.by_id(conn, id_))
        assert row is not None
        return row

    async def only_plan(self, run: str) -> str:
        (plan,) = await self.ledger.read(lambda conn: plans.of_run(conn, run))
        return plan.id

    async def until_asked(self, id_: str) -> Approval:
        """The approval that the run waits for."""
        await self.until(id_, lambda row: row.state == RunState.WAITING and row.phase == "drive")
        (asked,) = [
            each for each in await self.approvals(id_) if each.state == ApprovalState.REQUESTED
        ]
        return asked

    async def decide(self, asked: Approval, *, yes: bool, reason: str | None = None) -> None:
        outcome = await decide(
            self.ledger,
            asked.id,
            approved=yes,
            by=OWNER,
            payload_hash=asked.payload_hash,
            revision=asked.revision,
            reason=reason,
        )
        assert isinstance(outcome, Succeeded), outcome

    async def arrive(
        self,
        id_: str,
        *,
        state: str = "succeeded",
        error: str | None = None,
        targets: tuple[str, ...] = ("Night Train (1959)/Night Train (1959).mkv",),
        wake: bool = True,
    ) -> None:
        """Let the run's download be imported, or fail, as the background would."""

        def write(tx: Transaction) -> None:
            at = self.ledger.now()
            (row,) = downloads.of_run(tx.conn, id_)
            record = _record(row, state, error, targets, at)
            shelf.open_record(tx, record)
            if state == "succeeded":
                shelf.put_asset(tx, _asset(record, at))
                plans.move(tx, row.plan, PlanState.DONE)
            word = "imported" if state == "succeeded" else state
            downloads.change(tx, row.id, state=word, last_error=error, updated_at=at)
            if wake:
                self.ledger.engine.wake(tx, "run", id_)

        await self.ledger.write(write)

    async def wake(self, id_: str) -> None:
        await self.ledger.write(lambda tx: self.ledger.engine.wake(tx, "run", id_))

    async def until_settling(self, script: Script = GET) -> str:
        """A run that got its film submitted, and waits for it."""
        self.model.script = script
        run = await self.start()
        await self.decide(await self.until_asked(run), yes=True)
        await self.until(run, lambda row: row.phase == "settle")
        return run


def _record(
    row: DownloadRow, state: str, error: str | None, targets: tuple[str, ...], at: datetime
) -> RecordRow:
    return RecordRow(
        id=new_id("rec"),
        plan=new_id("plan"),
        download=row.id,
        work=row.work,
        run=row.run,
        state=state,
        journal=[],
        placements=[{"target": target} for target in targets],
        verification=None,
        last_error=error,
        created_at=at,
        ended_at=at,
    )


def _asset(record: RecordRow, at: datetime) -> AssetRow:
    return AssetRow(
        id=new_id("asset"),
        path=f"Films/{record.placements[0]['target']}",
        work=record.work,
        season=None,
        episode=None,
        quality="1080p",
        size=GIGABYTES,
        device=1,
        inode=1,
        streams={},
        record=record.id,
        seen_at=at,
    )


async def nothing_connected() -> Surroundings:
    return Surroundings()


def set_scene(
    house: House,
    model: ScriptedModel,
    *,
    limits: Limits | None = None,
    library: Library | None = None,
    key: str | None = None,
    connected: Callable[[], bool] = lambda: True,
    surroundings: Callable[[], Awaitable[Surroundings]] = nothing_connected,
) -> Scene:
    """Put a scene on: from now on the house's runs are driven by it."""
    shop = Shop()
    specs = [*shop.specs(), *(spec for module in RUNS for spec in declared_in(module))]
    registry = Registry(specs, house.ledger, svcs.Container(svcs.Registry()))
    upstream = ChatCompletions(
        name="The model",
        base_url=model.base_url,
        key=key or model.key,
        retry=RetryPolicy(tries=2, first_pause_s=0.01),
    )

    house.upstreams.append(upstream)

    async def choose(run: Run) -> Chosen | None:
        del run
        return Chosen("The model", model.name, upstream) if connected() else None

    parts = Parts(
        house.ledger,
        registry,
        choose,
        surroundings,
        library=library or Library(),
        limits=limits or Limits(reply_pause_s=0.01),
    )
    house.driver = Driver(parts)
    return Scene(house, shop, model, registry)
