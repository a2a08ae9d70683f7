"""Three capabilities for tests: looking, drafting, and buying, which needs the owner."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import anyio
import svcs
from pydantic import BaseModel, Field

from capabilities.kernel.context import Context
from capabilities.kernel.faults import LostAnswerError
from capabilities.kernel.outcomes import AnyOutcome, Succeeded
from capabilities.kernel.probing import Finding, Verdict
from capabilities.kernel.spec import (
    Effect,
    Kind,
    Replay,
    Spec,
    Toolset,
)
from capabilities.kernel.targets import Target
from ledger.clock import new_id
from ledger.stores import downloads, plans, works
from ledger.stores.downloads import DownloadRow
from ledger.stores.plans import Plan, PlanState
from ledger.writer import Transaction
from tests.specs import spec_of

GIGABYTES = 8_400_000_000


class Title(BaseModel, extra="forbid"):
    title: Annotated[str, Field(description="A title.", max_length=100)]


class PlanGiven(BaseModel, extra="forbid"):
    plan: Annotated[str, Field(description="A plan reference.", max_length=60)]


class Facts(BaseModel):
    found: str | None = None
    plan: str | None = None
    download: str | None = None


@dataclass
class Shop:
    """What was done in the world, and a gate that holds whoever comes while it is closed."""

    bought: list[str] = field(default_factory=list[str])
    looked: list[str] = field(default_factory=list[str])
    gate: anyio.Event | None = None
    lose_answers: bool = False
    most_inside: int = 0
    _inside: int = 0
    _news: anyio.Condition = field(default_factory=anyio.Condition)

    def specs(self) -> list[Spec]:
        return [_find(self), _draft(), _buy(self)]

    def close(self) -> None:
        self.gate = anyio.Event()

    def open(self) -> None:
        assert self.gate is not None
        self.gate.set()

    async def until_inside(self, count: int) -> None:
        with anyio.fail_after(5):
            async with self._news:
                while self._inside < count:
                    await self._news.wait()

    async def pass_gate(self) -> None:
        if self.gate is None:
            return
        async with self._news:
            self._inside += 1
            self.most_inside = max(self.most_inside, self._inside)
            self._news.notify_all()
        try:
            await self.gate.wait()
        finally:
            self._inside -= 1


def _find(shop: Shop) -> Spec:
    async def find(given: Title, context: Context) -> AnyOutcome:
        del context
        shop.looked.append(given.title)
        await shop.pass_gate()
        return Succeeded(Facts(found=given.title), f"{given.title} is on offer.")

    return _spec("shop.find", Kind.READ, Effect.NONE, Title, find, example={"title": "Night Train"})


def _draft() -> Spec:
    async def draft(given: Title, context: Context) -> AnyOutcome:
        payload: dict[str, Any] = {"title": given.title, "quality": "1080p"}
        plan = Plan(
            id=new_id("plan"),
            type="acquisition",
            state=PlanState.DRAFT,
            revision=1,
            payload_hash=plans.payload_hash(payload),
            payload=payload,
            card={"title": f"Download {given.title}, 1080p"},
            parent=None,
            run=context.run,
            created_by=str(context.actor),
            created_at=context.ledger.now(),
        )
        context.stage(lambda tx: plans.add(tx, plan))
        (reference,) = await context.refer("plan", plan.id)
        return Succeeded(Facts(plan=reference), f"Drafted: {given.title}.")

    return _spec(
        "shop.draft", Kind.PREVIEW, Effect.OURS, Title, draft, example={"title": "Night Train"}
    )


def _buy(shop: Shop) -> Spec:
    async def target(given: PlanGiven, context: Context) -> Target:
        id_ = await context.resolve("plan", given.plan)
        plan = await context.ledger.read(lambda conn: plans.by_id(conn, id_))
        assert plan is not None
        return Target("torrent", f"btih:{plan.id}", {"plan": plan.id}, plan.pin)

    async def buy(given: PlanGiven, context: Context) -> AnyOutcome:
        id_ = await context.resolve("plan", given.plan)
        shop.bought.append(id_)
        await shop.pass_gate()
        if shop.lose_answers:
            raise LostAnswerError("the shop", "It hung up in the middle.")
        return await _recorded(id_, context)

    async def probe(target: Target, parts: svcs.Container) -> Finding:
        del parts
        there = target.facts["plan"] in shop.bought
        return Finding(Verdict.APPLIED if there else Verdict.NOT_APPLIED)

    async def adopt(target: Target, finding: Finding, context: Context) -> AnyOutcome:
        del finding
        return await _recorded(str(target.facts["plan"]), context)

    return _spec(
        "shop.buy",
        Kind.EXECUTE,
        Effect.WORLD,
        PlanGiven,
        buy,
        example={"plan": "plan:1"},
        plan="acquisition",
        target=target,
        probe=probe,
        adopt=adopt,
    )


async def _recorded(plan_id: str, context: Context) -> AnyOutcome:
    plan = await context.ledger.read(lambda conn: plans.by_id(conn, plan_id))
    assert plan is not None
    row = new_id("dl")
    at = context.ledger.now()

    def write(tx: Transaction) -> None:
        title = str(plan.payload["title"])
        work = works.keep(
            tx, key=f"shop:{title}", kind="film", title=title, year=1959, body={}, at=at
        )
        downloads.add(
            tx,
            DownloadRow(
                id=row,
                client="embedded",
                info_hash=plan.id.removeprefix("plan_"),
                hash_v1=None,
                hash_v2=None,
                name=f"{title}.1959.1080p",
                plan=plan.id,
                release="",
                work=work,
                run=plan.run,
                state="downloading",
                size=GIGABYTES,
                done=GIGABYTES * 43 // 100,
                facts={},
                last_error=None,
                created_at=at,
                updated_at=at,
                completed_at=None,
            ),
        )
        plans.move(tx, plan.id, PlanState.SUBMITTED)

    context.stage(write)
    (reference,) = await context.refer("dl", row)
    return Succeeded(Facts(download=reference), "Submitted. It is not in the library yet.")


def _spec(
    id_: str,
    kind: Kind,
    effect: Effect,
    given: type[BaseModel],
    handler: Any,
    *,
    example: dict[str, object],
    **parts: Any,
) -> Spec:
    looks = effect is Effect.NONE
    return spec_of(
        id_,
        handler,
        given,
        Facts,
        title=id_.partition(".")[2].capitalize(),
        kind=kind,
        effect=effect,
        replay=Replay.SAFE if looks else Replay.NEVER,
        scope="read" if looks else id_,
        toolset=Toolset.ACQUIRE,
        use_when=f"Use it to {id_.partition('.')[2]}.",
        timeout=30,
        example=example,
        **parts,
    )
