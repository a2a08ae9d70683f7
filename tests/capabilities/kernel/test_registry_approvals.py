"""An approval works once, for exactly one plan, and is looked up at the moment of acting."""

import anyio
import pytest
import svcs

from capabilities.kernel.asking import APPROVAL_TIMEOUT, decision_key
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.outcomes import AnyOutcome, Failed, Pending, Succeeded, Unknown
from capabilities.kernel.registry import Registry
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind
from ledger.stores.plans import PlanState
from tests.capabilities.kernel.approving import PHONE, approved, needs, state_of
from tests.capabilities.kernel.lamps import Given, House, Lamps, house, lit_answer
from tests.capabilities.kernel.playing import answers
from tests.capabilities.watch import Watch


@pytest.mark.anyio
async def test_without_an_approval_the_owner_is_asked_and_nothing_is_done(
    ledger: Ledger, watch: Watch
) -> None:
    here = house(ledger)
    plan = await here.plan()
    asked = needs(await here.light(plan=plan.id, actor=PHONE, run="run_1", call_id="one"))
    assert (here.lamps.entered, await here.claims()) == (0, [])
    assert (asked["plan"], asked["payload_hash"], asked["revision"]) == (
        plan.id,
        plan.payload_hash,
        1,
    )
    assert asked["summary"] == {"title": "Light hall", "why": "nobody has approved this plan yet"}
    approval = await ledger.read(lambda conn: approvals.by_id(conn, asked["approval"]))
    assert approval is not None
    assert (approval.state, approval.pin) == (ApprovalState.REQUESTED, plan.pin)
    assert (approval.requested_by, approval.run, approval.call_id) == (
        "key:phone",
        "run_1",
        "one",
    )
    assert approval.expires_at == watch.at + APPROVAL_TIMEOUT
    decision = await ledger.read(lambda conn: decisions.by_id(conn, asked["decision"]))
    assert decision is not None
    assert (decision.kind, decision.title, decision.approval, decision.subject) == (
        DecisionKind.APPROVAL_REQUIRED,
        "Light hall",
        approval.id,
        plan.id,
    )
    (row,) = await ledger.read(audit.newest)
    assert (row.actor, row.action, row.outcome, row.run) == (
        "key:phone",
        "refused",
        "needs_approval",
        "run_1",
    )


@pytest.mark.anyio
async def test_repeated_calls_ask_once(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    asked: list[tuple[str, str]] = []

    async def ask(n: int) -> None:
        told = needs(await here.light(plan=plan.id, actor=PHONE, request=str(n)))
        asked.append((told["approval"], told["decision"]))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for n in range(8):
                callers.start_soon(ask, n)
    assert len(set(asked)) == 1
    assert (await ledger.read(decisions.listing))[1] == 1


@pytest.mark.anyio
async def test_under_an_approval_the_repeated_call_acts_once_and_uses_it_up(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)
    assert await here.light(plan=plan.id, actor=PHONE) == lit_answer("hall", 1)
    claim = await here.claim()
    assert (claim.authority, claim.plan, claim.plan_hash, claim.plan_revision) == (
        approval,
        plan.id,
        plan.payload_hash,
        1,
    )
    assert await state_of(here, approval) == ApprovalState.CONSUMED
    again = await here.light(plan=plan.id, actor=PHONE)
    assert isinstance(again, Succeeded)
    assert again.replayed
    assert here.lamps.lit == ["hall"]


@pytest.mark.anyio
async def test_many_that_come_with_one_approval_act_once(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    await approved(here, plan)
    outcomes: list[AnyOutcome] = []

    async def ask() -> None:
        outcomes.append(await here.light(plan=plan.id, actor=PHONE))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for _ in range(32):
                callers.start_soon(ask)
    assert here.lamps.lit == ["hall"]
    assert all(isinstance(outcome, Succeeded) for outcome in outcomes)


SETBACKS: dict[str, AnyOutcome] = {
    "failed": Failed(Code.UNAVAILABLE, "Nobody answers.", retry=True),
    "unknown": Unknown("It hung up.", "look"),
    "pending": Pending("lamp:1", "It is warming up.", "look"),
}


@pytest.mark.anyio
@pytest.mark.parametrize("outcome", SETBACKS.values(), ids=SETBACKS)
async def test_only_a_success_uses_an_approval_up(ledger: Ledger, outcome: AnyOutcome) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)
    here.lamps.act = answers(outcome)
    await here.light(plan=plan.id, actor=PHONE)
    assert await state_of(here, approval) == ApprovalState.APPROVED


@pytest.mark.anyio
async def test_an_effect_that_is_found_later_uses_its_approval_up(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = await approved(here, plan)

    async def lose(given: Given, context: Context) -> AnyOutcome:
        await here.lamps.really(given, context)
        return Unknown("It hung up.", "look")

    here.lamps.act = lose
    await here.light(plan=plan.id, actor=PHONE)
    here.lamps.act = None
    assert isinstance(await here.light(plan=plan.id, actor=PHONE), Succeeded)
    assert (here.lamps.lit, await state_of(here, approval)) == (["hall"], ApprovalState.CONSUMED)


@pytest.mark.anyio
async def test_a_new_request_for_a_plan_leads_the_owner_to_the_living_approval(
    ledger: Ledger, watch: Watch
) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = needs(await here.light(plan=plan.id, actor=PHONE))
    watch.at += APPROVAL_TIMEOUT
    second = needs(await here.light(plan=plan.id, actor=PHONE))
    assert await state_of(here, first["approval"]) == ApprovalState.LAPSED
    open_now = await ledger.read(
        lambda conn: decisions.open_for(conn, decision_key(plan.id, plan.revision))
    )
    assert open_now is not None
    assert (open_now.id, open_now.approval) == (second["decision"], second["approval"])
    assert second["decision"] != first["decision"]


@pytest.mark.anyio
async def test_a_plan_that_was_moved_on_keeps_its_approval(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    await approved(here, plan)
    await ledger.write(lambda tx: plans.move(tx, plan.id, PlanState.RESERVED))
    assert await here.light(plan=plan.id, actor=PHONE) == lit_answer("hall", 1)


@pytest.mark.anyio
async def test_the_owner_is_told_where_the_console_is_and_what_to_type(ledger: Ledger) -> None:
    lamps = Lamps()
    at = "http://127.0.0.1:8930"
    registry = Registry([lamps.spec()], ledger, svcs.Container(svcs.Registry()), console=lambda: at)
    here = House(ledger, lamps, registry)
    asked = needs(await here.light(plan=(await here.plan()).id, actor=PHONE))
    assert asked["address"] == f"{at}/decisions/{asked['decision']}"
    assert "`matinee approve`" in asked["how"]
    silent = house(ledger)
    told = needs(await silent.light("attic", plan=(await silent.plan("attic")).id, actor=PHONE))
    assert "address" not in told
