from datetime import timedelta

import pytest
import sqlalchemy as sa
from dbos import DBOS, WorkflowHandleAsync

from agent.ending import Ending
from agent.finalize import finalize
from agent.limits import Limits
from agent.pen import Pen
from capabilities.kernel import grant_making
from capabilities.kernel.actors import client
from capabilities.kernel.codes import Code
from capabilities.kernel.deciding import withdraw
from capabilities.kernel.outcomes import Refused, Succeeded
from ledger.stores import approvals, decisions
from ledger.stores.approvals import Approval, ApprovalState
from ledger.stores.grants import NewGrant, Scope, Terms
from ledger.stores.runs import RunState
from ledger.tables.work_to_do import segment
from tests.agent.house import House
from tests.agent.scene import BUY, DRAFT, FIND, GET, OWNER, SUBMITTED, Scene
from world.dialogue import Turn
from world.scripts import calls

pytestmark = pytest.mark.anyio


async def test_a_run_that_waits_for_the_owner_holds_nothing(scene: Scene, house: House) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    assert await house.standing(run) == "waiting"
    segment: WorkflowHandleAsync[None] = await DBOS.retrieve_workflow_async(f"run:{run}:1")
    await segment.get_result()
    working = await DBOS.list_workflows_async(status="PENDING")
    assert [flow for flow in working if run in flow.workflow_id] == []
    assert scene.shop.bought == []
    (requested,) = await scene.events(run, "approval_requested")
    assert requested.body["approval"] == asked.id
    assert requested.body["summary"]["title"] == "Download Night Train, 1080p"


async def test_the_call_is_made_once_under_the_approval_and_uses_it_up(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    await scene.decide(await scene.until_asked(run), yes=True)
    settled = await scene.until(run, lambda row: row.phase == "settle")
    assert settled.reason == SUBMITTED
    assert "waits_for" not in settled.options
    assert len(scene.shop.bought) == 1
    (approval,) = await scene.approvals(run)
    assert approval.state == ApprovalState.CONSUMED
    assert "Submitted." in (await scene.results(run))[-1]
    types = [event.type for event in await scene.events(run)]
    assert types.count("approval_requested") == types.count("approval_resolved") == 1


async def test_a_declined_call_fails_with_the_owners_reason_as_data(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    await scene.decide(await scene.until_asked(run), yes=False, reason="Not this release.")
    done = await scene.until_over(run)
    assert scene.shop.bought == []
    answer = (await scene.results(run))[-1]
    assert '"code":"denied"' in answer
    assert '"reason":"Not this release."' in answer
    assert done.state == RunState.FAILED
    assert done.reason == (
        "Nothing was downloaded or moved, since you declined the plan: Not this release."
    )


async def test_a_message_while_the_owner_is_asked_is_read_after_the_decision(
    scene: Scene, house: House
) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    await scene.ask("runs.send_message", run=run, text="Hurry.")
    await house.until_standing(run, "waiting")
    assert len(await scene.messages(run, "user")) == 1
    await scene.decide(asked, yes=True)
    await scene.until(run, lambda row: row.phase == "settle")
    roles = [(row.role, row.body["text"]) for row in await scene.messages(run)]
    assert roles[-2] == ("user", "Hurry.")
    assert len(scene.shop.bought) == 1


async def test_an_approval_whose_time_ran_out_lapses_and_the_model_is_told(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    scene.house.time.ahead += timedelta(days=2)
    await scene.ask("runs.send_message", run=run, text="Still there?")
    await scene.until_over(run)
    assert '"code":"needs_approval"' in (await scene.results(run))[-1]
    (approval,) = await scene.approvals(run)
    assert (approval.id, approval.state) == (asked.id, ApprovalState.LAPSED)
    waiting, _ = await scene.ledger.read(decisions.listing)
    assert [row for row in waiting if row.run == run] == []
    (resolved,) = await scene.events(run, "approval_resolved")
    assert resolved.body["state"] == "lapsed"


async def test_an_approval_that_the_owner_took_back_fails_the_call(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    await withdraw(scene.ledger, asked.id, by=OWNER, reason="changed my mind")
    await scene.until_over(run)
    assert '"code":"needs_approval"' in (await scene.results(run))[-1]
    assert scene.shop.bought == []


async def test_a_request_of_somebody_else_for_the_same_plan_is_shared(scene: Scene) -> None:
    scene.model.script = calls(Turn(calls=(DRAFT,)), Turn(calls=(FIND,)), Turn(calls=(BUY,)))
    scene.shop.close()
    run = await scene.start()
    await scene.shop.until_inside(1)
    plan = await scene.only_plan(run)
    key = client("desk", frozenset({"shop.buy"}))
    refused = await scene.call("shop.buy", key, plan=plan)
    assert isinstance(refused, Refused)
    scene.shop.open()
    waiting = await scene.until_state(run, RunState.WAITING)
    assert waiting.options["waits_for"]["approval"] == refused.needs["approval"]
    await scene.decide(await scene.approval(str(refused.needs["approval"])), yes=True)
    await scene.until(run, lambda row: row.phase == "settle")
    assert len(scene.shop.bought) == 1
    (resolved,) = await scene.events(run, "approval_resolved")
    assert resolved.body["state"] == "approved"


async def sharing(scene: Scene) -> tuple[str, str, Approval]:
    """Two runs that wait for one approval of one plan."""
    scene.model.script = GET
    first = await scene.start()
    asked = await scene.until_asked(first)
    same = type(BUY)("shop__buy", {"plan": asked.plan})
    scene.model.script = calls(Turn(calls=(same,)), Turn(text="Submitted: Night Train (1959)."))
    second = await scene.start()
    waiting = await scene.until_state(second, RunState.WAITING)
    assert waiting.options["waits_for"]["approval"] == asked.id
    return first, second, asked


async def test_every_run_that_waits_for_one_approval_goes_on_and_one_act_is_done(
    scene: Scene,
) -> None:
    first, second, asked = await sharing(scene)
    await scene.decide(asked, yes=True)
    for run in (first, second):
        await scene.until(run, lambda row: row.phase != "drive")
        assert "Submitted." in (await scene.results(run))[-1]
        (resolved,) = await scene.events(run, "approval_resolved")
        assert resolved.body["approval"] == asked.id
    assert len(scene.shop.bought) == 1


async def test_a_run_that_is_stopped_leaves_another_one_its_question(scene: Scene) -> None:
    first, second, asked = await sharing(scene)
    await scene.ask("runs.abort_run", run=first)
    await scene.until_over(first)
    assert (await scene.approval(asked.id)).state == ApprovalState.REQUESTED
    await scene.decide(asked, yes=True)
    await scene.until(second, lambda row: row.phase != "drive")
    assert len(scene.shop.bought) == 1


async def test_what_the_owner_does_by_hand_is_the_answer_of_the_run_that_waits(
    scene: Scene,
) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    done = await scene.call("shop.buy", plan=asked.plan)
    assert isinstance(done, Succeeded)
    await scene.until(run, lambda row: row.phase != "drive")
    assert '"replayed":true' in (await scene.results(run))[-1]
    (approval,) = await scene.approvals(run)
    assert approval.state == ApprovalState.CONSUMED
    assert len(scene.shop.bought) == 1


async def test_a_run_whose_grant_is_used_up_asks_and_goes_on_under_a_yes(scene: Scene) -> None:
    terms = Terms(Scope(), 1, None, may_replace=False, expires_at=None)
    specs = scene.registry.specs
    new = NewGrant("shop.buy", terms)
    made = await grant_making.make(scene.ledger, specs, new, by=OWNER)
    assert isinstance(made, Succeeded)
    scene.model.script = GET
    first = await scene.start()
    await scene.until(first, lambda row: row.phase == "settle")
    assert await scene.events(first, "approval_requested") == []
    second = await scene.start()
    await scene.decide(await scene.until_asked(second), yes=True)
    await scene.until(second, lambda row: row.phase != "drive")
    assert len(scene.shop.bought) == 2
    await grant_making.withdraw(scene.ledger, made.data.id, by=OWNER, reason="the test is over")


async def test_an_abort_withdraws_what_was_asked(scene: Scene) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    await scene.ask("runs.abort_run", run=run)
    done = await scene.until_over(run)
    assert done.state == RunState.CANCELLED
    (approval,) = await scene.approvals(run)
    assert (approval.id, approval.state) == (asked.id, ApprovalState.WITHDRAWN)
    waiting, _ = await scene.ledger.read(decisions.listing)
    assert [row for row in waiting if row.run == run] == []
    assert '"code":"cancelled"' in (await scene.results(run))[-1]


@pytest.mark.parametrize("approved", [True, False])
async def test_a_run_that_is_cut_takes_back_what_it_asked_and_nobody_used(
    scene: Scene, *, approved: bool
) -> None:
    scene.model.script = GET
    run = await scene.start()
    asked = await scene.until_asked(run)
    if approved:
        at = scene.ledger.now()
        await scene.ledger.write(
            lambda tx: approvals.decide(
                tx, asked.id, approved=True, by=str(OWNER), reason=None, at=at
            )
        )
    epoch = await scene.ledger.read(
        lambda conn: conn.execute(
            sa.select(segment.c.epoch).where(segment.c.subject == run)
        ).scalar_one()
    )
    cut = Ending(RunState.BUDGET_EXCEEDED, "The time is used up.")
    await finalize(Pen(scene.ledger, run, epoch), Limits(), cut)
    assert (await scene.approval(asked.id)).state == ApprovalState.WITHDRAWN
    refused = await scene.call("shop.buy", client("desk", frozenset({"shop.buy"})), plan=asked.plan)
    assert isinstance(refused, Refused)
    assert scene.shop.bought == []


async def test_a_run_that_is_not_interactive_is_told_the_refusal_and_does_not_wait(
    scene: Scene,
) -> None:
    scene.model.script = GET
    buyer = client("buyer", frozenset({"run", "read", "shop.draft", "shop.buy"}))
    run = await scene.start("Get Night Train", buyer)
    done = await scene.until_over(run)
    assert '"outcome":"refused"' in (await scene.results(run))[-1]
    assert done.reason == "Nothing was downloaded or moved: the plan still needs your approval."
    assert await scene.events(run, "approval_requested") == []


async def test_a_key_that_may_ask_has_runs_that_wait(scene: Scene) -> None:
    scene.model.script = GET
    asker = client("asker", frozenset({"run", "run.ask"}))
    run = await scene.start("Get Night Train", asker)
    await scene.decide(await scene.until_asked(run), yes=True)
    assert (await scene.until(run, lambda row: row.phase == "settle")).reason == SUBMITTED


async def test_two_effects_of_one_reply_are_asked_about_one_after_the_other(
    scene: Scene,
) -> None:
    second = type(BUY)("shop__buy", {"plan": "plan:2"})
    other = type(DRAFT)("shop__draft", {"title": "Day Train"})
    scene.model.script = calls(Turn(calls=(DRAFT, other)), Turn(calls=(BUY, second)))
    run = await scene.start()
    first = await scene.until_asked(run)
    await scene.decide(first, yes=False, reason="no")
    following = await scene.until(
        run, lambda row: row.options.get("waits_for", {}).get("approval") not in {None, first.id}
    )
    assert following.state == RunState.WAITING
    await scene.decide(await scene.until_asked(run), yes=True)
    await scene.until(run, lambda row: row.phase == "settle")
    outcomes = [event.body["outcome"] for event in await scene.events(run, "tool_result")]
    assert outcomes == ["succeeded", "succeeded", "failed", "succeeded"]


async def test_a_run_that_proposes_first_executes_only_after_the_owner_has_spoken(
    scene: Scene,
) -> None:
    scene.model.script = calls(
        Turn(calls=(DRAFT,)),
        Turn(calls=(BUY,)),
        Turn(text="I propose Night Train."),
        Turn(calls=(FIND, BUY)),
    )
    run = await scene.start(propose_first=True)
    await scene.until_over(run)
    assert "This run proposes first" in (await scene.results(run))[-1]
    await scene.ask("runs.send_message", run=run, text="Yes, that one.")
    await scene.decide(await scene.until_asked(run), yes=True)
    await scene.until(run, lambda row: row.phase == "settle")
    assert len(scene.shop.bought) == 1


async def test_a_call_that_was_approved_meanwhile_goes_on_without_a_stop(scene: Scene) -> None:
    """The draft is asked about by the owner's client first, and approved, before the run acts."""
    scene.model.script = calls(Turn(calls=(DRAFT,)), Turn(calls=(FIND,)), Turn(calls=(BUY,)))
    scene.shop.close()
    run = await scene.start()
    await scene.shop.until_inside(1)
    plan = await scene.only_plan(run)
    key = client("desk", frozenset({"shop.buy"}))
    refused = await scene.call("shop.buy", key, plan=plan)
    assert isinstance(refused, Refused)
    assert refused.code == Code.NEEDS_APPROVAL
    await scene.decide(await scene.approval(str(refused.needs["approval"])), yes=True)
    scene.shop.open()
    await scene.until(run, lambda row: row.phase == "settle")
    assert await scene.events(run, "approval_requested") == []
