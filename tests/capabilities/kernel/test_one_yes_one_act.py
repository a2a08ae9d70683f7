"""An approval works once, for exactly one plan: every way around it that we know."""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from functools import partial

import anyio
import pytest

from capabilities.kernel.actors import Actor, agent
from capabilities.kernel.deciding import decide as rule
from capabilities.kernel.deciding import withdraw
from capabilities.kernel.outcomes import AnyOutcome
from ledger.ledger import Ledger
from ledger.stores import approvals, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.plans import PlanState
from ledger.tables.effects import approval
from ledger.tables.media import plan as plan_table
from tests.capabilities.kernel.approving import PHONE, needs
from tests.capabilities.kernel.lamps import ANN, House, Lamps, house
from tests.capabilities.watch import Watch
from tests.promises.tally import Tally

PLAN = "plan_hall"
RUN = agent("run_1", "owner:ann", frozenset({"read", "lamp.light"}))

Way = Callable[[House, Watch], Awaitable[int]]
"""Tries to get more acts than the owner's word allows; returns how many it allows."""


async def decide(here: House, asked: str, *, by: Actor = ANN) -> AnyOutcome:
    found = await here.ledger.read(lambda conn: approvals.by_id(conn, asked))
    assert found is not None
    return await rule(
        here.ledger,
        asked,
        approved=True,
        by=by,
        payload_hash=found.payload_hash,
        revision=found.revision,
    )


async def ask(here: House) -> str:
    return str(needs(await here.light(plan=PLAN, actor=PHONE))["approval"])


async def approved(here: House) -> str:
    asked = await ask(here)
    await decide(here, asked)
    return asked


async def set_plan(here: House, **columns: object) -> None:
    await here.ledger.write(
        lambda tx: tx.conn.execute(
            plan_table.update().where(plan_table.c.id == PLAN).values(**columns)
        ).close()
    )


async def replayed(here: House, _: Watch) -> int:
    await approved(here)
    for _turn in range(3):
        await here.light(plan=PLAN, actor=PHONE)
        await here.light(plan=PLAN, actor=PHONE, client_key=f"another key {_turn}")
    return 1


async def in_two_tabs(here: House, _: Watch) -> int:
    asked = await ask(here)
    async with anyio.create_task_group() as tabs:
        for _tab in range(2):
            tabs.start_soon(decide, here, asked)
    async with anyio.create_task_group() as callers:
        for _caller in range(4):
            callers.start_soon(partial(here.light, plan=PLAN, actor=PHONE))
    return 1


async def with_another_payload(here: House, _: Watch) -> int:
    await approved(here)
    payload = {"name": "hall", "more": True}
    await set_plan(here, payload=payload, payload_hash=plans.payload_hash(payload))
    await here.light(plan=PLAN, actor=PHONE)
    return 0


async def with_another_revision(here: House, _: Watch) -> int:
    await approved(here)
    await set_plan(here, revision=2)
    await here.light(plan=PLAN, actor=PHONE)
    return 0


async def after_it_was_superseded(here: House, _: Watch) -> int:
    await approved(here)
    await set_plan(here, state=PlanState.SUPERSEDED)
    await here.light(plan=PLAN, actor=PHONE)
    return 0


async def at_the_last_moment(here: House, watch: Watch) -> int:
    asked = await approved(here)
    found = await here.ledger.read(lambda conn: approvals.by_id(conn, asked))
    assert found is not None
    watch.at = found.expires_at
    await here.light(plan=PLAN, actor=PHONE)
    return 0


async def decided_after_its_end(here: House, watch: Watch) -> int:
    asked = await ask(here)
    watch.at += timedelta(days=2)
    await decide(here, asked)
    await here.light(plan=PLAN, actor=PHONE)
    return 0


async def withdrawn(here: House, _: Watch) -> int:
    asked = await approved(here)
    await withdraw(here.ledger, asked, by=ANN, reason="no more")
    await here.light(plan=PLAN, actor=PHONE)
    return 0


async def decided_by(here: House, who: Actor) -> int:
    asked = await ask(here)
    await decide(here, asked, by=who)
    await here.light(plan=PLAN, actor=who)
    return 0


async def decided_by_a_key(here: House, _: Watch) -> int:
    return await decided_by(here, PHONE)


async def decided_by_the_run_itself(here: House, _: Watch) -> int:
    return await decided_by(here, RUN)


async def for_another_act(here: House, _: Watch) -> int:
    asked = await approved(here)
    await here.ledger.write(
        lambda tx: tx.conn.execute(
            approval.update().where(approval.c.id == asked).values(capability="lamp.smash")
        ).close()
    )
    await here.light(plan=PLAN, actor=PHONE)
    return 0


WAYS: tuple[Way, ...] = (
    replayed,
    in_two_tabs,
    with_another_payload,
    with_another_revision,
    after_it_was_superseded,
    at_the_last_moment,
    decided_after_its_end,
    withdrawn,
    decided_by_a_key,
    decided_by_the_run_itself,
    for_another_act,
)


async def acts_too_many(ledger: Ledger, watch: Watch, way: Way) -> int:
    here = house(ledger, lamps=Lamps())
    await here.plan()
    allowed = await way(here, watch)
    return max(len(here.lamps.lit) - allowed, 0)


@pytest.mark.promise("E4")
@pytest.mark.anyio
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)
async def test_no_way_around_an_approval_leads_to_an_act(
    ledger: Ledger, watch: Watch, way: Way, tally: Tally
) -> None:
    tally.add(1, await acts_too_many(ledger, watch, way))
    assert tally.violations == 0


@pytest.mark.anyio
async def test_the_way_that_is_meant_leads_to_one_act(ledger: Ledger) -> None:
    here = house(ledger)
    await here.plan()
    asked = await approved(here)
    await here.light(plan=PLAN, actor=PHONE)
    found = await here.ledger.read(lambda conn: approvals.by_id(conn, asked))
    assert found is not None
    assert (here.lamps.lit, found.state) == (["hall"], ApprovalState.CONSUMED)


@pytest.mark.promise("E4", control=True)
@pytest.mark.anyio
@pytest.mark.parametrize(
    "way",
    [with_another_payload, with_another_revision, at_the_last_moment],
    ids=lambda way: way.__name__,
)
async def test_a_build_that_compares_no_hash_and_no_time_acts(
    ledger: Ledger, watch: Watch, way: Way, tally: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    def anything(*_: object) -> bool:
        return True

    def nothing(*_: object) -> None:
        return None

    monkeypatch.setattr(approvals.Approval, "covers", anything)
    monkeypatch.setattr("capabilities.kernel.authority._overtaken", nothing)
    tally.add(1, await acts_too_many(ledger, watch, way))
    assert tally.violations > 0
