"""An approval works once, for exactly one plan, and is looked up at the moment of acting."""

import threading
from collections.abc import Mapping
from typing import Any

import anyio
import pytest
import svcs

from capabilities.kernel.actors import Actor, agent, system
from capabilities.kernel.asking import APPROVAL_TIMEOUT, decision_key
from capabilities.kernel.codes import Code
from capabilities.kernel.context import Context
from capabilities.kernel.deciding import decide as rule
from capabilities.kernel.outcomes import (
    AnyOutcome,
    Failed,
    Pending,
    Refused,
    Succeeded,
    Unknown,
)
from capabilities.kernel.registry import Registry
from ledger.ledger import Ledger
from ledger.stores import approvals, audit, decisions, plans
from ledger.stores.approvals import ApprovalState
from ledger.stores.decisions import DecisionKind
from ledger.stores.plans import PlanState
from ledger.tables.media import plan as plan_table
from ledger.writer import Transaction
from tests.capabilities.kernel.approving import PHONE, decide, needs, state_of
from tests.capabilities.kernel.lamps import (
    Given,
    House,
    Lamps,
    call,
    house,
    lit_answer,
)
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
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, approval)
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
    await decide(here, needs(await here.light(plan=plan.id, actor=PHONE))["approval"])
    outcomes: list[AnyOutcome] = []

    async def ask() -> None:
        outcomes.append(await here.light(plan=plan.id, actor=PHONE))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            for _ in range(32):
                callers.start_soon(ask)
    assert here.lamps.lit == ["hall"]
    assert all(isinstance(outcome, Succeeded) for outcome in outcomes)


@pytest.mark.anyio
async def test_an_approval_of_one_plan_is_none_of_another(ledger: Ledger) -> None:
    here = house(ledger)
    hall, kitchen = await here.plan("hall"), await here.plan("kitchen")
    await decide(here, needs(await here.light(plan=hall.id, actor=PHONE))["approval"])
    needs(await here.light("kitchen", plan=kitchen.id, actor=PHONE))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_approval_of_one_act_is_none_of_another_under_the_same_plan(
    ledger: Ledger,
) -> None:
    lamps = Lamps()
    smash = lamps.spec(id="lamp.smash", scope="lamp.light")
    here = house(ledger, lamps.spec(), smash, lamps=lamps)
    plan = await here.plan()
    await decide(here, needs(await here.light(plan=plan.id, actor=PHONE))["approval"])
    other = call("lamp.smash", {"name": "hall", "plan": plan.id}, actor=PHONE)
    needs(await here.registry.invoke(other))
    assert lamps.lit == []
    assert await here.light(plan=plan.id, actor=PHONE) == lit_answer("hall", 1)


CHANGES: dict[str, dict[str, object]] = {
    "payload": {"payload": {"name": "all"}, "payload_hash": "f" * 64},
    "revision": {"revision": 2},
    "type": {"type": "demolition"},
}


@pytest.mark.anyio
@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_an_approval_of_a_plan_that_was_changed_afterwards_never_works(
    ledger: Ledger, change: dict[str, object]
) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, first)
    await ledger.write(
        lambda tx: tx.conn.execute(
            plan_table.update().where(plan_table.c.id == plan.id).values(**change)
        ).close()
    )
    second = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    assert second != first
    assert (here.lamps.lit, await here.claims()) == ([], [])


@pytest.mark.anyio
@pytest.mark.parametrize("end", [ApprovalState.WITHDRAWN, ApprovalState.LAPSED])
async def test_an_approval_that_was_ended_never_works(ledger: Ledger, end: ApprovalState) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, approval)
    await ledger.write(lambda tx: approvals.end(tx, approval, end, "", ledger.now()))
    needs(await here.light(plan=plan.id, actor=PHONE))
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_approval_that_expired_never_works(ledger: Ledger, watch: Watch) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, first)
    watch.at += APPROVAL_TIMEOUT
    second = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    assert second != first
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_a_no_is_no_authority_and_the_next_call_asks_anew(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    first = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, first, approved=False)
    assert needs(await here.light(plan=plan.id, actor=PHONE))["approval"] != first
    assert here.lamps.lit == []


@pytest.mark.anyio
async def test_an_approval_that_ends_between_the_look_and_the_claim_does_not_count(
    ledger: Ledger,
) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, approval)

    gate, held = threading.Event(), threading.Event()

    def withdraw_late(tx: Transaction) -> None:
        held.set()
        assert gate.wait(5)
        approvals.end(tx, approval, ApprovalState.WITHDRAWN, "", ledger.now())

    async def ask() -> None:
        needs(await here.light(plan=plan.id, actor=PHONE))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ledger.write, withdraw_late)
            await anyio.to_thread.run_sync(held.wait)
            callers.start_soon(ask)  # it finds the approval, and its claim waits for the writer
            await anyio.wait_all_tasks_blocked()
            gate.set()
    assert here.lamps.checked == 2
    assert (here.lamps.lit, await here.claims()) == ([], [])


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
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, approval)

    async def set_back(_given: Given, _context: Context) -> AnyOutcome:
        return outcome

    here.lamps.act = set_back
    await here.light(plan=plan.id, actor=PHONE)
    assert await state_of(here, approval) == ApprovalState.APPROVED


@pytest.mark.anyio
async def test_an_effect_that_is_found_later_uses_its_approval_up(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    await decide(here, approval)

    async def lose(given: Given, context: Context) -> AnyOutcome:
        await here.lamps.really(given, context)
        return Unknown("It hung up.", "look")

    here.lamps.act = lose
    await here.light(plan=plan.id, actor=PHONE)
    here.lamps.act = None
    assert isinstance(await here.light(plan=plan.id, actor=PHONE), Succeeded)
    assert (here.lamps.lit, await state_of(here, approval)) == (["hall"], ApprovalState.CONSUMED)


@pytest.mark.anyio
async def test_the_owner_acts_by_hand_without_an_approval(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    assert await here.light(plan=plan.id) == lit_answer("hall", 1)
    assert (await here.claim()).authority == "owner:ann"


@pytest.mark.anyio
@pytest.mark.parametrize(
    "who",
    [PHONE, system("patrol"), agent("run_1", "owner:ann", frozenset({"lamp.light"}))],
    ids=str,
)
async def test_nobody_else_acts_without_a_plan_and_the_refusal_is_audited(
    ledger: Ledger, who: Actor
) -> None:
    here = house(ledger)
    outcome = await here.light(actor=who)
    assert isinstance(outcome, Refused)
    assert (outcome.code, outcome.needs) == (Code.DENIED, {"who": "owner"})
    assert (here.lamps.entered, await here.claims()) == (0, [])
    await here.registry.audit.flush()
    (row,) = await ledger.read(audit.newest)
    assert (row.actor, row.outcome) == (str(who), "denied")


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
    await decide(here, needs(await here.light(plan=plan.id, actor=PHONE))["approval"])
    await ledger.write(lambda tx: plans.move(tx, plan.id, PlanState.RESERVED))
    assert await here.light(plan=plan.id, actor=PHONE) == lit_answer("hall", 1)


@pytest.mark.anyio
@pytest.mark.parametrize("decided", [True, False])
async def test_what_the_owner_does_by_hand_closes_what_was_asked_about_it(
    ledger: Ledger, *, decided: bool
) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]
    if decided:
        await decide(here, approval)
    assert await here.light(plan=plan.id) == lit_answer("hall", 1)
    found = await ledger.read(lambda conn: approvals.by_id(conn, approval))
    assert found is not None
    assert (found.state, found.decided_by) == (ApprovalState.CONSUMED, "owner:ann")
    assert found.consumed_by == (await here.claim()).id
    assert (await ledger.read(decisions.listing))[1] == 0
    again = await here.light(plan=plan.id, actor=PHONE)
    assert isinstance(again, Succeeded)
    assert (again.replayed, here.lamps.lit) == (True, ["hall"])


@pytest.mark.anyio
async def test_a_failure_by_hand_leaves_the_question_open(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    approval = needs(await here.light(plan=plan.id, actor=PHONE))["approval"]

    async def fail(_given: Given, _context: Context) -> AnyOutcome:
        return Failed(Code.UNAVAILABLE, "Nobody answers.", retry=True)

    here.lamps.act = fail
    await here.light(plan=plan.id)
    assert await state_of(here, approval) == ApprovalState.REQUESTED
    assert (await ledger.read(decisions.listing))[1] == 1


@pytest.mark.anyio
async def test_what_is_done_about_another_plan_closes_nothing(ledger: Ledger) -> None:
    here = house(ledger)
    hall, attic = await here.plan("hall"), await here.plan("attic")
    approval = needs(await here.light(plan=hall.id, actor=PHONE))["approval"]
    await here.light("attic", plan=attic.id)
    assert await state_of(here, approval) == ApprovalState.REQUESTED


@pytest.mark.anyio
async def test_a_plan_that_was_superseded_is_carried_out_by_nobody(ledger: Ledger) -> None:
    here = house(ledger)
    plan = await here.plan()
    await decide(here, needs(await here.light(plan=plan.id, actor=PHONE))["approval"])
    await ledger.write(lambda tx: plans.move(tx, plan.id, PlanState.SUPERSEDED))
    for who in (PHONE, system("import"), call("", {}).actor):
        outcome = await here.light(plan=plan.id, actor=who)
        assert isinstance(outcome, Refused)
        assert outcome.code is Code.CONFLICT
    assert (here.lamps.lit, await here.claims()) == ([], [])


@pytest.mark.anyio
@pytest.mark.parametrize("change", ["gone", "changed"])
async def test_a_plan_that_changes_between_the_look_and_the_claim_is_not_carried_out(
    ledger: Ledger, change: str
) -> None:
    here = house(ledger)
    plan = await here.plan()
    await decide(here, needs(await here.light(plan=plan.id, actor=PHONE))["approval"])
    gate, held = threading.Event(), threading.Event()

    def overtake(tx: Transaction) -> None:
        held.set()
        assert gate.wait(5)
        this = plan_table.c.id == plan.id
        if change == "gone":
            tx.conn.execute(plan_table.delete().where(this))
        else:
            tx.conn.execute(plan_table.update().where(this).values(revision=2))

    async def ask() -> None:
        outcome = await here.light(plan=plan.id, actor=PHONE)
        assert isinstance(outcome, Refused)
        assert outcome.code is Code.CONFLICT

    with anyio.fail_after(5):
        async with anyio.create_task_group() as callers:
            callers.start_soon(ledger.write, overtake)
            await anyio.to_thread.run_sync(held.wait)
            callers.start_soon(ask)
            await anyio.wait_all_tasks_blocked()
            gate.set()
    assert (here.lamps.lit, await here.claims()) == ([], [])


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


def pressed(asked: Mapping[str, Any], who: Actor, **changed: Any) -> dict[str, Any]:
    word = {
        "approved": True,
        "by": who,
        "payload_hash": asked["payload_hash"],
        "revision": asked["revision"],
    }
    return {**word, **changed}


@pytest.mark.anyio
async def test_a_run_does_not_approve_its_own_plan(ledger: Ledger) -> None:
    here = house(ledger)
    own = agent("run_1", "owner:ann", frozenset({"lamp.light", "plan"}))
    plan = await here.plan(run="run_1", created_by=str(own))
    asked = needs(await here.light(plan=plan.id, actor=own, run="run_1"))
    outcome = await rule(ledger, asked["approval"], **pressed(asked, own))
    assert isinstance(outcome, Refused)
    assert outcome.code is Code.DENIED
    needs(await here.light(plan=plan.id, actor=own, run="run_1"))
    assert here.lamps.lit == []
